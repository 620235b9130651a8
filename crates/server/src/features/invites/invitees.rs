//! Whom a member let in: the tree of invites, downwards.

use crate::http::extract::Page;
use crate::platform::ids::Id;
use kith_db::{Reader, Result, Sql, params, sql};

const LET_IN: Sql = sql!(
    "select used_by, id from member_invites
     where member_id = $1 and used_by is not null and id < $2 order by id desc limit $3 offset $4"
);

/// Who joined with a member's invites, of the newest invite first, and where the next page begins.
pub async fn let_in(db: &Reader<'_>, member: Id, page: Page) -> Result<(Vec<i64>, Option<i64>)> {
    let bound = params![member.0, page.before, page.limit, page.depth()];
    let rows = db.all(&LET_IN, bound, |row| Ok((row.int(0)?, row.int(1)?)));
    let rows = rows.await?;
    let next = rows.last().filter(|_| rows.len() == page.limit);
    let next = next.map(|(_, invite)| *invite);
    Ok((rows.into_iter().map(|(friend, _)| friend).collect(), next))
}
