//! Mails about an email change.

use super::store;
use super::tokens::{self, TokenPurpose};
use crate::features::auth::{find_by_email, load_mail_quota, login_links};
use crate::features::{members, sessions};
use crate::platform::Platform;
use crate::platform::clock::{MINUTE, Millis};
use crate::platform::ids::Id;
use crate::platform::mail::{
    MailIdentity, Recipient, RenderedMail, render_current_email_mail, render_new_email_mail,
};
use kith_db::{Reader, Tx};

/// Maximum delay of the mail to a new email whose mail quota is used up.
const MAX_DELAY: Millis = 5 * MINUTE;

/// Renders a mail about an email change; `Obsolete` once the change or its session has ended, or the email is taken.
pub(crate) async fn render_mail(
    platform: &Platform,
    network: &MailIdentity,
    member: Id,
    change: Id,
    is_new: bool,
) -> kith_db::Result<RenderedMail> {
    let (db, now) = (platform.db.reader(), platform.now());
    let found = store::find(&db, member, change).await?;
    let is_pending = |change: &store::EmailChange| {
        change.ended_at.is_none() && change.done_at.is_none() && now < change.expires_at
    };
    let Some(change) = found.filter(is_pending) else {
        return Ok(RenderedMail::Obsolete);
    };
    if !sessions::session_exists(&db, &change.session_hash).await? {
        return Ok(RenderedMail::Obsolete);
    }
    let language = members::load_language(&db, member).await?.unwrap_or(network.language);
    let recipient = |email| Recipient { email, language, network };
    let link = |purpose| tokens::confirm_url(platform, purpose, member, change.id);
    if !is_new {
        let old = change.old_email.as_deref();
        let (confirm, undo) = (link(TokenPurpose::ConfirmOld), link(TokenPurpose::Undo));
        let render =
            |old| render_current_email_mail(recipient(old), &change.new_email, &confirm, &undo);
        return Ok(old.map_or(RenderedMail::Obsolete, |old| RenderedMail::Mail(render(old))));
    }
    let to = &change.new_email;
    // Neither the requesting member nor the email's owner is notified: a taken email must not be revealed.
    if find_by_email(&db, to).await?.is_some() {
        return Ok(RenderedMail::Obsolete);
    }
    let quota = load_mail_quota(&db, to, now).await?;
    // Other clients can fill the email's quota. They can delay this mail, but not prevent it: it is sent while most of
    // the link's lifetime remains.
    let until = change.id.time() + MAX_DELAY;
    if now < until && (quota.is_recent || quota.is_full) {
        return Ok(RenderedMail::NotBefore(until.min(now + MINUTE)));
    }
    let code = tokens::code(&platform.key, change.id);
    let (link, is_first) = (link(TokenPurpose::ConfirmNew), change.old_email.is_none());
    let mail = render_new_email_mail(recipient(to), &link, &code, is_first);
    Ok(RenderedMail::Mail(mail))
}

/// Loads the change's new email, in whose quota its mail counts.
pub(crate) async fn load_new_email(
    db: &Reader<'_>,
    member: Id,
    change: Id,
) -> kith_db::Result<Option<String>> {
    let found = store::find(db, member, change).await?;
    Ok(found.map(|change| change.new_email))
}

/// Counts the mail to the new email in the quota of login mails; `mail` is the job's id.
pub(crate) async fn record_mail(
    tx: &mut Tx,
    mail: Id,
    member: Id,
    change: Id,
    now: Millis,
) -> kith_db::Result<()> {
    match store::find(&tx.reader(), member, change).await? {
        Some(change) => login_links::record_other_mail(tx, mail, &change.new_email, now).await,
        None => Ok(()),
    }
}
