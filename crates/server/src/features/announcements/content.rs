//! Renders the mail with an announcement.

use crate::features::members;
use crate::features::settings::StoredSettings;
use crate::platform::Platform;
use crate::platform::ids::Id;
use crate::platform::mail::{Mail, Recipient, render_announcement_mail};

/// Renders the mail to a member; `None` if the announcement has changed since it was queued, or the member has no email
/// or is suspended.
pub(crate) async fn render_mail(
    platform: &Platform,
    settings: &StoredSettings,
    member: Id,
    version: i64,
) -> kith_db::Result<Option<Mail>> {
    let db = platform.db.reader();
    let announcement = settings.announcement().filter(|current| current.version == version);
    let Some(announcement) = announcement else {
        return Ok(None);
    };
    if !members::is_active(&db, member).await? {
        return Ok(None);
    }
    let Some(email) = members::load_email(&db, member).await? else {
        return Ok(None);
    };
    let network = &settings.mail_identity();
    let language = members::load_language(&db, member).await?.unwrap_or(network.language);
    let to = Recipient { email: &email, language, network };
    Ok(Some(render_announcement_mail(to, &announcement.text, &platform.settings.origin())))
}
