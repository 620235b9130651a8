//! Renders login and invite mails from their rows.

use crate::features::auth::{self, MailQuota};
use crate::features::invites;
use crate::features::members;
use crate::features::settings;
use crate::features::waitlist;
use crate::platform::Platform;
use crate::platform::clock::{MINUTE, Millis};
use crate::platform::ids::Id;
use crate::platform::mail::{Mail, MailIdentity, Recipient, render_invite_mail, render_login_mail};
use kith_db::Reader;

/// Renders a login mail; `None` for a used link, an email without member or invite, or an exhausted quota.
pub(super) async fn render_login(
    platform: &Platform,
    network: &MailIdentity,
    link: Id,
) -> kith_db::Result<Option<Mail>> {
    let db = platform.db.reader();
    let now = platform.now();
    let found = auth::find_login_link(&db, link).await?;
    let Some(link) = found.filter(|link| link.is_open(now)) else {
        return Ok(None);
    };
    let Some(email) = link.email else {
        return Ok(None);
    };
    let quota = auth::load_mail_quota(&db, &email, now).await?;
    // Compares request times instead of send times, so that a slow delivery does not suppress the next mail.
    let since = link.id.time() - MINUTE;
    if quota.requested_at.is_some_and(|time| time > since) {
        return Ok(None);
    }
    let member = auth::find_by_email(&db, &email).await?;
    let is_member = member.is_some();
    // A full quota still allows a mail if none of the earlier links works for the mailbox's owner.
    if quota.is_full && has_usable_link(&db, is_member, &quota, link.id.time()).await? {
        return Ok(None);
    }
    match &link.invite {
        // Applies to members, too: mails with one code wait for each other, so the timing would reveal members.
        Some(code) => {
            let is_open = invites::is_open(&db, code, link.id.time()).await?;
            if !is_open || auth::count_invite_mails_left(&db, code, now).await? <= 0 {
                return Ok(None);
            }
        }
        None if !is_member => return Ok(None),
        None => {}
    }
    let invite = link.invite.filter(|_| !is_member);
    let url = auth::login_url(platform, link.id, invite.as_deref());
    let code = auth::login_code(&platform.key, link.id);
    let chosen = match member {
        Some(member) => members::load_language(&db, member).await?,
        None => None,
    };
    let language = chosen.or(link.language).unwrap_or(network.language);
    let to = Recipient { email: &email, language, network };
    Ok(Some(render_login_mail(to, &url, &code, !is_member)))
}

/// Checks whether an earlier mailed link still works; a sign-up also needs an invite that is not revoked.
async fn has_usable_link(
    db: &Reader<'_>,
    is_member: bool,
    quota: &MailQuota,
    requested_at: Millis,
) -> kith_db::Result<bool> {
    if is_member {
        return Ok(!quota.usable_links.is_empty());
    }
    for code in quota.usable_links.iter().flatten() {
        if invites::is_open(db, code, requested_at).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Renders an invite mail; `None` once the code was used, revoked or expired, or the recipient has joined.
pub(super) async fn render_invite(
    platform: &Platform,
    network: &MailIdentity,
    code: &str,
    email: &str,
) -> kith_db::Result<Option<Mail>> {
    let db = platform.db.reader();
    if !invites::is_open(&db, code, platform.now()).await?
        || auth::find_by_email(&db, email).await?.is_some()
    {
        return Ok(None);
    }
    let language = waitlist::load_applicant_language(&db, email).await?;
    let language = language.unwrap_or(network.language);
    let to = Recipient { email, language, network };
    let days = settings::load_registration(&db).await?.invite_days;
    Ok(Some(render_invite_mail(to, &platform.settings.origin(), code, days)))
}
