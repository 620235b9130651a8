//! Members from the operator's side: listing them, their roles, keeping them out.

use crate::clock::Millis;
use crate::ids::Id;
use crate::session;
use crate::users::member::{Role, is_username, resolve};
use kith_db::{Reader, Row, Sql, Tx, params, sql};

/// Rows that one read takes.
const STEP: u32 = 500;

const LIST: Sql = sql!(
    "select id, username, display_name, email, role, suspended_at, follower_count,
       following_count, post_count
     from members where id > $1 order by id limit $2"
);
const SET_ROLE: Sql = sql!("update members set role = $2 where id = $1");
const SUSPEND: Sql =
    sql!("update members set suspended_at = $2 where id = $1 and suspended_at is null");
const UNSUSPEND: Sql = sql!("update members set suspended_at = null where id = $1");

/// A member with what others do not see.
#[derive(Debug, Clone)]
pub struct Record {
    /// Also the time of joining.
    pub id: Id,
    /// The present username.
    pub username: String,
    /// As shown.
    pub display_name: String,
    /// Null only for a founder who never gave one.
    pub email: Option<String>,
    /// The stored number of the role.
    pub role: i64,
    /// Since when they are kept out.
    pub suspended_at: Option<Millis>,
    /// The stored counts: followers, following, posts and replies.
    pub counts: [i64; 3],
}

fn read(row: &Row<'_>) -> kith_db::Result<Record> {
    Ok(Record {
        id: Id(row.int(0)?),
        username: row.text(1)?,
        display_name: row.text(2)?,
        email: row.opt_text(3)?,
        role: row.int(4)?,
        suspended_at: row.opt_int(5)?,
        counts: [row.int(6)?, row.int(7)?, row.int(8)?],
    })
}

/// Some members who joined after `after`, the oldest first; none when there are no more.
pub async fn records(db: &Reader<'_>, after: Id) -> kith_db::Result<Vec<Record>> {
    db.all(&LIST, params![after.0, STEP], read).await
}

/// What an operator does to a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Gives a role.
    Role(Role),
    /// Keeps them out and ends their sessions.
    Suspend,
    /// Lets them in again.
    Unsuspend,
}

/// One deed of an operator. Done twice it is the same as once.
#[derive(Debug)]
pub struct Operate {
    /// A present or earlier username, in any case.
    pub username: String,
    /// What to do.
    pub deed: Deed,
    /// The time now.
    pub now: Millis,
}

impl kith_db::Write for Operate {
    /// Whether there is such a member.
    type Out = bool;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<bool> {
        let name = self.username.to_ascii_lowercase();
        if !is_username(&name) {
            return Ok(false);
        }
        let Some(member) = resolve(tx, &name).await? else {
            return Ok(false);
        };
        match self.deed {
            Deed::Role(role) => {
                tx.exec(&SET_ROLE, params![member.0, role as i64]).await?;
            }
            Deed::Suspend => {
                tx.exec(&SUSPEND, params![member.0, self.now]).await?;
                session::end_all(tx, member).await?;
            }
            Deed::Unsuspend => {
                tx.exec(&UNSUSPEND, params![member.0]).await?;
            }
        }
        Ok(true)
    }
}
