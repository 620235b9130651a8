//! Members from the operator's side: lists, roles, suspensions. `moderation` has the permissions and the log.

use crate::features::members::MemberRef;
use crate::features::members::store::Role;
use crate::features::sessions::{self, Cause};
use crate::http::extract::Page;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::{Reader, Row, Sql, SqlIn, Tx, params, sql, sql_in};
use std::collections::HashMap;

/// Rows that one read takes.
const STEP: u32 = 500;

const LIST: Sql = sql!(
    "select id, username, display_name, email, role, suspended_at, follower_count,
       following_count, post_count, invites_frozen_at, invited_by
     from members where id > $1 and username <> 'deleted' order by id limit $2"
);
const SET_ROLE: Sql = sql!("update members set role = $2 where id = $1 and role <> $2");
// What somebody of less rank did before becomes the deed of whoever does it again.
const SUSPEND: Sql = sql!(
    "update members set suspended_at = coalesce(suspended_at, $2), suspension_rank = $3
     where id = $1 and (suspended_at is null or suspension_rank < $3)"
);
const UNSUSPEND: Sql = sql!(
    "update members set suspended_at = null
     where id = $1 and suspended_at is not null and suspension_rank <= $2"
);
const FREEZE: Sql = sql!(
    "update members set invites_frozen_at = coalesce(invites_frozen_at, $2), freeze_rank = $3
     where id = $1 and (invites_frozen_at is null or freeze_rank < $3)"
);
const UNFREEZE: Sql = sql!(
    "update members set invites_frozen_at = null
     where id = $1 and invites_frozen_at is not null and freeze_rank <= $2"
);
// The empty row of a member who left is nobody to anybody here.
const STANDING: Sql = sql!(
    "select role, suspended_at, invites_frozen_at from members where id = $1 and username <> 'deleted'"
);
const PICTURES: Sql = sql!(
    "select id, profile_image_url, header_image_url from members
     where id > $1 and (profile_image_url is not null or header_image_url is not null)
     order by id limit $2"
);
const NEWEST: Sql = sql!(
    "select id from members where id < $1 and username <> 'deleted'
     order by id desc limit $2 offset $3"
);
static STANDINGS: SqlIn = sql_in!(
    "select id, username, display_name, profile_image_url, role, suspended_at, invites_frozen_at,
       invited_by
     from members where id in ($ids)"
);

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
    /// Since when nobody can join with their invites.
    pub invites_frozen_at: Option<Millis>,
    /// Whose invite they joined with.
    pub invited_by: Option<Id>,
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
        invites_frozen_at: row.opt_int(9)?,
        invited_by: row.opt_int(10)?.map(Id),
    })
}

/// Some members who joined after `after`, the oldest first; none when there are no more.
pub async fn records(db: &Reader<'_>, after: Id) -> kith_db::Result<Vec<Record>> {
    db.all(&LIST, params![after.0, STEP], read).await
}

/// The picture URLs of some members behind `after`, and the last of these members; none at the end.
pub async fn shown_pictures(
    db: &Reader<'_>,
    after: Id,
) -> kith_db::Result<Option<(Vec<String>, Id)>> {
    let bound = params![after.0, STEP];
    let rows = db.all(&PICTURES, bound, |row| {
        Ok((Id(row.int(0)?), [row.opt_text(1)?, row.opt_text(2)?]))
    });
    let rows = rows.await?;
    let Some((last, _)) = rows.last() else {
        return Ok(None);
    };
    let last = *last;
    let pictures = rows.into_iter().flat_map(|(_, pictures)| pictures);
    Ok(Some((pictures.flatten().collect(), last)))
}

/// What is done to a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Gives a role.
    Role(Role),
    /// Keeps them out and ends their sessions.
    Suspend,
    /// Lets them in again.
    Unsuspend,
    /// Stops their invite codes, and the making of new ones.
    FreezeInvites,
    /// Lets their codes work again.
    UnfreezeInvites,
}

// The numbers are stored.
/// How much whoever does it may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rank {
    /// What moderators may.
    Moderator = 1,
    /// What admins may.
    Admin = 2,
    /// Everything: they run the server.
    Operator = 3,
}

impl Rank {
    /// The rank of a member who may do such deeds.
    #[must_use]
    pub const fn of(role: Role) -> Self {
        match role {
            Role::Admin => Self::Admin,
            Role::Moderator | Role::Member => Self::Moderator,
        }
    }
}

/// Applies it and returns whether anything changed. What a higher rank did stays.
pub async fn apply(
    tx: &mut Tx,
    member: Id,
    deed: Deed,
    by: Rank,
    now: Millis,
) -> kith_db::Result<bool> {
    let rank = by as i64;
    let changed = match deed {
        Deed::Role(role) => tx.exec(&SET_ROLE, params![member.0, role as i64]).await?,
        Deed::Suspend => tx.exec(&SUSPEND, params![member.0, now, rank]).await?,
        Deed::Unsuspend => tx.exec(&UNSUSPEND, params![member.0, rank]).await?,
        Deed::FreezeInvites => tx.exec(&FREEZE, params![member.0, now, rank]).await?,
        Deed::UnfreezeInvites => tx.exec(&UNFREEZE, params![member.0, rank]).await?,
    };
    if deed == Deed::Suspend {
        sessions::end_all(tx, member, Cause::Suspension, now).await?;
    }
    Ok(changed > 0)
}

/// What a member may do, and what they may not for now.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    /// Their role.
    pub role: Role,
    /// Since when they are kept out.
    pub suspended_at: Option<Millis>,
    /// Since when their invites are frozen.
    pub invites_frozen_at: Option<Millis>,
}

fn read_standing(row: &Row<'_>) -> kith_db::Result<Standing> {
    Ok(Standing {
        role: Role::of(row.int(0)?),
        suspended_at: row.opt_int(1)?,
        invites_frozen_at: row.opt_int(2)?,
    })
}

/// How a member stands, suspended or not.
pub async fn standing(db: &Reader<'_>, member: Id) -> kith_db::Result<Option<Standing>> {
    db.opt(&STANDING, params![member.0], read_standing).await
}

/// Whether a member is a moderator or an admin.
pub async fn is_moderator(db: &Reader<'_>, member: Id) -> kith_db::Result<bool> {
    let standing = standing(db, member).await?;
    Ok(standing.is_some_and(|standing| standing.role >= Role::Moderator))
}

/// A member as moderators see them.
#[derive(Debug, Clone)]
pub struct Known {
    /// Name and picture.
    pub member: MemberRef,
    /// How they stand.
    pub standing: Standing,
    /// Whose invite they joined with.
    pub invited_by: Option<Id>,
}

/// Members by id, suspended ones too.
pub async fn known(db: &Reader<'_>, ids: &[i64]) -> kith_db::Result<HashMap<i64, Known>> {
    let rows = db.all_in(&STANDINGS, &[], ids, |row| {
        let known = Known {
            member: MemberRef {
                id: Id(row.int(0)?),
                username: row.text(1)?,
                display_name: row.text(2)?,
                profile_image_url: row.opt_text(3)?,
            },
            standing: Standing {
                role: Role::of(row.int(4)?),
                suspended_at: row.opt_int(5)?,
                invites_frozen_at: row.opt_int(6)?,
            },
            invited_by: row.opt_int(7)?.map(Id),
        };
        Ok((known.member.id.0, known))
    });
    Ok(rows.await?.into_iter().collect())
}

/// Everybody, those who joined last first, suspended ones too.
pub async fn newest(db: &Reader<'_>, page: Page) -> kith_db::Result<Vec<i64>> {
    let bound = params![page.before, page.limit, page.depth()];
    db.all(&NEWEST, bound, |row| row.int(0)).await
}
