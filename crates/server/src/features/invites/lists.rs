//! Lists a member's invites, and the members who joined with them.

use crate::features::invites::dto::Invite;
use crate::features::members;
use crate::http::extract::Page;
use crate::http::pagination;
use crate::platform::clock::{Millis, rfc3339};
use crate::platform::ids::Id;
use kith_db::{Reader, Result, Sql, params, sql};

const LIST: Sql = sql!(
    "select id, code, expires_at, used_at, used_by from member_invites
     where member_id = $1 and (used_at is not null or (revoked_at is null and expires_at > $2))
     and id < $3 order by id desc limit $4 offset $5"
);
const INVITEES: Sql = sql!(
    "select used_by, id from member_invites
     where member_id = $1 and used_by is not null and id < $2 order by id desc limit $3 offset $4"
);

/// Loads a page of a member's invites, newest first, and the cursor of the next page.
pub async fn load_invites(
    db: &Reader<'_>,
    member: Id,
    now: Millis,
    page: Page,
) -> Result<(Vec<Invite>, Option<i64>)> {
    let parameters = params![member.0, now, page.before, page.limit, page.statement_offset()];
    let rows = db
        .all(&LIST, parameters, |row| {
            Ok((Id(row.int(0)?), row.text(1)?, row.int(2)?, row.opt_int(3)?, row.opt_int(4)?))
        })
        .await?;
    let next = pagination::next_cursor(&rows, page.limit, |row| row.0.0);
    let invitees = rows.iter().filter_map(|row| row.4).collect::<Vec<_>>();
    let invitees = members::load_refs(db, &invitees).await?;
    let invites = rows.into_iter().map(|(id, code, expires, used_at, used_by)| Invite {
        id,
        code,
        is_used: used_at.is_some(),
        expires_at: rfc3339(expires),
        created_at: rfc3339(id.time()),
        used_at: used_at.map(rfc3339),
        used_by: used_by.and_then(|invitee| invitees.get(&invitee).cloned()),
    });
    Ok((invites.collect(), next))
}

/// Loads a page of a member's invitees, newest invite first, and the cursor of the next page.
pub async fn load_invitees(
    db: &Reader<'_>,
    member: Id,
    page: Page,
) -> Result<(Vec<i64>, Option<i64>)> {
    let parameters = params![member.0, page.before, page.limit, page.statement_offset()];
    let rows = db.all(&INVITEES, parameters, |row| Ok((row.int(0)?, row.int(1)?))).await?;
    let next = pagination::next_cursor(&rows, page.limit, |(_, invite)| *invite);
    Ok((rows.into_iter().map(|(invitee, _)| invitee).collect(), next))
}
