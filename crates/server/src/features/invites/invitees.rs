//! Lists the members who joined with a member's invites.

use crate::http::extract::Page;
use crate::platform::ids::Id;
use kith_db::{Reader, Result, Sql, params, sql};

const INVITEES: Sql = sql!(
    "select used_by, id from member_invites
     where member_id = $1 and used_by is not null and id < $2 order by id desc limit $3 offset $4"
);

/// Loads a page of a member's invitees, newest invite first, and the cursor of the next page.
pub async fn load_invitees(
    db: &Reader<'_>,
    member: Id,
    page: Page,
) -> Result<(Vec<i64>, Option<i64>)> {
    let bound = params![member.0, page.before, page.limit, page.statement_offset()];
    let rows = db.all(&INVITEES, bound, |row| Ok((row.int(0)?, row.int(1)?)));
    let rows = rows.await?;
    let next = rows.last().filter(|_| rows.len() == page.limit);
    let next = next.map(|(_, invite)| *invite);
    Ok((rows.into_iter().map(|(friend, _)| friend).collect(), next))
}
