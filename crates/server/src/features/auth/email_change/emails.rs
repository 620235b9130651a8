//! The mails about a change of address.

use super::store;
use super::tokens::{self, Side};
use crate::features::auth::{find_by_email, login_links, share};
use crate::features::sessions;
use crate::platform::Platform;
use crate::platform::clock::{MINUTE, Millis};
use crate::platform::ids::Id;
use crate::platform::mail::{Written, new_address_letter, old_address_letter};
use kith_db::{Reader, Tx};

/// How long the mail to a new address waits, at most, while that address has had its share.
const WAIT: Millis = 5 * MINUTE;

pub(crate) async fn letter(
    platform: &Platform,
    member: Id,
    change: Id,
    is_new: bool,
) -> kith_db::Result<Written> {
    let (db, now) = (platform.db.reader(), platform.now());
    let found = store::find(&db, member, change).await?;
    let waits = |change: &store::Change| {
        change.ended_at.is_none() && change.done_at.is_none() && now < change.expires_at
    };
    let Some(change) = found.filter(waits) else {
        return Ok(Written::Nothing);
    };
    if !sessions::exists(&db, &change.session_hash).await? {
        return Ok(Written::Nothing);
    }
    let link = |side| tokens::address(platform, side, member, change.id);
    if !is_new {
        let old = change.old_email.as_deref();
        let (confirm, undo) = (link(Side::Old), link(Side::Undo));
        let write = |old| old_address_letter(old, &change.new_email, &confirm, &undo);
        return Ok(old.map_or(Written::Nothing, |old| Written::Letter(write(old))));
    }
    let to = &change.new_email;
    // Whoever asks hears nothing of it, and neither does the member who has the address.
    if find_by_email(&db, to).await?.is_some() {
        return Ok(Written::Nothing);
    }
    let share = share(&db, to, now).await?;
    // Others can delay this by filling the address's quota, but not prevent it: most of the link's time must be left.
    let until = change.id.time() + WAIT;
    if now < until && (share.is_recent || share.is_full) {
        return Ok(Written::NotBefore(until.min(now + MINUTE)));
    }
    let code = tokens::code(&platform.key, change.id);
    let letter = new_address_letter(to, &link(Side::New), &code);
    Ok(Written::Letter(letter))
}

/// The new address, to which a mail counts.
pub(crate) async fn new_address(
    db: &Reader<'_>,
    member: Id,
    change: Id,
) -> kith_db::Result<Option<String>> {
    let found = store::find(db, member, change).await?;
    Ok(found.map(|change| change.new_email))
}

/// Counts the mail to the new address, as login mails to it are counted; the job's id is the mail's.
pub(crate) async fn mailed(
    tx: &mut Tx,
    mail: Id,
    member: Id,
    change: Id,
    now: Millis,
) -> kith_db::Result<()> {
    match store::find(&tx.reader(), member, change).await? {
        Some(change) => login_links::count_mail(tx, mail, &change.new_email, now).await,
        None => Ok(()),
    }
}
