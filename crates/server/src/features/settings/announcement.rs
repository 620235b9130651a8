//! The announcement, and how far its mails are queued.

use crate::features::settings::{SettingField, StoredSettings, store};
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::{Reader, Result, Sql, Tx, params, sql};
use serde::Serialize;
use utoipa::ToSchema;

const LOAD: Sql = sql!(
    "select name, value, changed_at from network_settings where part = 0
     and name in ('announcement', 'announcementVersion')"
);
const LOAD_PROGRESS: Sql =
    sql!("select value from network_settings where part = 0 and name = 'announcementMails'");
// Only one of several nodes finds the value that it has read.
const ADVANCE: Sql = sql!(
    "update network_settings set value = $2, changed_at = $3
     where part = 0 and name = 'announcementMails' and value = $1"
);
const FINISH: Sql = sql!(
    "delete from network_settings where part = 0 and name = 'announcementMails' and value = $1"
);

/// Message of the operator to all members.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Announcement {
    /// Text of one or several lines.
    #[schema(min_length = 1, max_length = 6000, example = "We meet on Friday at six.")]
    pub text: String,
    /// Number of announcements so far, which distinguishes a new one from one that the member has closed.
    #[schema(minimum = 1, example = 1)]
    pub version: i64,
}

impl StoredSettings {
    /// Returns the announcement; `None` if there is none.
    #[must_use]
    pub fn announcement(&self) -> Option<Announcement> {
        let text = self.get(SettingField::Announcement)?.to_owned();
        Some(Announcement { text, version: self.announcement_version() })
    }
}

/// Loads the announcement; `None` if there is none.
pub async fn load_announcement(db: &Reader<'_>) -> Result<Option<Announcement>> {
    Ok(store::load_with(db, &LOAD).await?.announcement())
}

/// How far the mails of an announcement are queued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MailProgress {
    /// Version of the announcement.
    pub version: i64,
    /// Last member whose mail is queued.
    pub after: Id,
}

impl MailProgress {
    fn stored(self) -> String {
        format!("{} {}", self.version, self.after.0)
    }

    /// Continues after a member, or ends the mails; false if another node was faster.
    pub async fn advance(&self, tx: &mut Tx, next: Option<Id>, now: Millis) -> Result<bool> {
        let current = self.stored();
        let changed = match next {
            Some(after) => {
                let next = Self { after, ..*self }.stored();
                tx.exec(&ADVANCE, params![&current, &next, now]).await?
            }
            None => tx.exec(&FINISH, params![&current]).await?,
        };
        Ok(changed == 1)
    }
}

/// Begins to mail the announcement to all members; false if it was mailed before.
pub async fn begin_mails(
    tx: &mut Tx,
    stored: &StoredSettings,
    announcement: &Announcement,
    now: Millis,
) -> Result<bool> {
    let version = announcement.version;
    if stored.mailed_version() == version {
        return Ok(false);
    }
    let progress = MailProgress { version, after: Id::NONE }.stored();
    store::save(tx, "announcementMails", Some(&progress), now).await?;
    store::save(tx, store::MAILED_VERSION, Some(&version.to_string()), now).await?;
    Ok(true)
}

/// Loads how far the mails of an announcement are queued; `None` once all are.
pub async fn load_mail_progress(db: &Reader<'_>) -> Result<Option<MailProgress>> {
    let stored = db.opt(&LOAD_PROGRESS, &[], |row| row.text(0)).await?;
    Ok(stored.as_deref().and_then(|stored| {
        let (version, after) = stored.split_once(' ')?;
        Some(MailProgress { version: version.parse().ok()?, after: Id::parse(after) })
    }))
}
