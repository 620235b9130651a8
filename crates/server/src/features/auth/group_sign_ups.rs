//! Limits of sign-ups by their invite code. A group joins with one code, often behind one IP address, so that its members
//! neither use up the limits of that network nor the mails of an ordinary code.

use crate::features::auth::login_links;
use crate::features::invites;
use crate::platform::Platform;
use crate::platform::clock::{DAY, Millis};
use crate::platform::rate_limit::AnonymousAction;
use kith_db::{Reader, Result, Sql, params, sql};

/// Mails per invite code and day: enough for friends who race for it, too few for spam.
const MIN_MAILS_PER_INVITE: i64 = 50;
/// Mails per use of a group's code and day: some people mistype their email or request a second mail.
const MAILS_PER_USE: i64 = 2;

const COUNT_MAILS: Sql =
    sql!("select count(*) from login_links where invite_code = $1 and mailed_at > $2");

/// Counts the mails that an invite code can still cause today.
pub async fn count_invite_mails_left(db: &Reader<'_>, code: &str, now: Millis) -> Result<i64> {
    let mails = db.one(&COUNT_MAILS, params![code, now - DAY], |row| row.int(0)).await?;
    let uses = invites::count_uses(db, code).await?;
    Ok((MAILS_PER_USE * uses).max(MIN_MAILS_PER_INVITE) - mails)
}

/// Returns the limit of the client network that a sign-up with this code counts against.
pub(super) async fn sign_up_limit(state: &Platform, code: &str) -> Result<AnonymousAction> {
    let is_group = invites::is_open_group(&state.db.reader(), code, state.now()).await?;
    Ok(if is_group { AnonymousAction::JoinGroup } else { AnonymousAction::LoginMail })
}

/// Returns the limit of the client network that a code typed in the browser with this nonce counts against.
pub(super) async fn code_limit(state: &Platform, nonce: Option<&str>) -> Result<AnonymousAction> {
    let Some(nonce) = nonce else {
        return Ok(AnonymousAction::Verify);
    };
    let db = state.db.reader();
    let requests = login_links::load_recent_requests(&db, nonce, state.now()).await?;
    let uses = match requests.newest_invite() {
        Some(invite) => invites::count_uses(&db, invite).await?,
        None => 1,
    };
    Ok(if uses > 1 { AnonymousAction::JoinGroup } else { AnonymousAction::Verify })
}
