//! The network's identity, its name, texts and pages, and who can join, which the operator and admins set. `moderation`
//! checks permissions and writes the audit log.

mod announcement;
mod app_pages;
mod cache;
mod fields;
mod initial;
mod registration;
mod routes;
mod site;
mod state;
mod store;
mod topics;

pub use announcement::{
    Announcement, MailProgress, begin_mails, load_announcement, load_mail_progress,
};
pub use app_pages::serve_app;
pub use cache::load_cached;
pub use fields::SettingField;
pub(crate) use fields::{
    bad_color, bad_contact, long_announcement, long_line, long_name, long_page, low_contrast,
};
pub use initial::InitialSettings;
pub use registration::{
    Registration, RegistrationSettings, load_new_member_limits, load_registration,
};
pub(crate) use registration::{bad_number, registration_closed};
pub use routes::{__path_get_site, __path_get_site_page, get_site, get_site_page};
pub use site::{PageName, Site, load_mail_identity};
pub use state::SettingsState;
pub use store::{StoredSettings, apply, load, set_icon};
pub use topics::{PinnedTopic, load_pinned_topics};
pub(crate) use topics::{bad_category, bad_topic, too_many_topics, topic_pinned_twice};

use crate::platform::cache::CacheTag;
use kith_db::WatchSpec;

/// Watched tables, whose changes invalidate the cached settings.
pub const WATCHES: &[WatchSpec] = &[CacheTag::Settings.watch("network_settings", &["part"])];
