//! Public settings, which visitors can read.

use crate::features::settings::{
    Registration, RegistrationSettings, SettingField, StoredSettings, store,
};
use crate::platform::mail::{Language, MailIdentity};
use kith_db::{Reader, Sql, sql};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A page that the operator writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PageName {
    /// Rules of the network.
    Rules,
    /// Terms of use.
    Terms,
    /// Privacy notice.
    Privacy,
    /// Imprint.
    Imprint,
}

impl PageName {
    /// Every page.
    pub const ALL: [Self; 4] = [Self::Rules, Self::Terms, Self::Privacy, Self::Imprint];

    /// Returns the setting with the page's text.
    #[must_use]
    pub const fn field(self) -> SettingField {
        match self {
            Self::Rules => SettingField::Rules,
            Self::Terms => SettingField::Terms,
            Self::Privacy => SettingField::Privacy,
            Self::Imprint => SettingField::Imprint,
        }
    }
}

/// Settings that a mail shows, without the pages of the network, which are long.
const LOAD_MAIL_IDENTITY: Sql = sql!(
    "select name, value, changed_at from network_settings where part = 0
     and name in ('name', 'headline', 'defaultLanguage')"
);

/// Loads the identity that mails are sent with.
pub async fn load_mail_identity(db: &Reader<'_>) -> kith_db::Result<MailIdentity> {
    Ok(store::load_with(db, &LOAD_MAIL_IDENTITY).await?.mail_identity())
}

impl StoredSettings {
    /// Returns the identity that mails are sent with.
    #[must_use]
    pub fn mail_identity(&self) -> MailIdentity {
        MailIdentity {
            name: self.text(SettingField::Name),
            headline: self.get(SettingField::Headline).map(str::to_owned),
            language: self.default_language().unwrap_or_default(),
        }
    }
}

/// The network as it presents itself.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Site {
    /// Name of the network.
    #[schema(min_length = 1, max_length = 600, example = "Kith")]
    pub name: String,
    /// Description for search engines and installed apps.
    #[schema(min_length = 1, max_length = 3600, example = "The human network.")]
    pub description: String,
    /// Email or https URL of the operator; null if there is none.
    #[schema(max_length = 2000)]
    pub contact: Option<String>,
    /// URL of the icon on this server; null for the one of the design.
    #[schema(
        max_length = 500,
        example = "/images/0f4a6c1b9d3e57820f4a6c1b9d3e57820f4a6c1b/400.webp"
    )]
    pub icon_url: Option<String>,
    /// Accent colour; null for the one of the design.
    #[schema(min_length = 7, max_length = 7, pattern = "^#[0-9a-f]{6}$")]
    pub accent_color: Option<String>,
    /// Headline of the landing page.
    #[schema(min_length = 1, max_length = 3600, example = "The human network")]
    pub headline: String,
    /// Tagline of the landing page.
    #[schema(min_length = 1, max_length = 3600, example = "Real voices.")]
    pub tagline: String,
    /// Language of the app until one is chosen; null to follow the browser.
    pub default_language: Option<Language>,
    /// Version of the rules, which rises with each change; 0 if there are none.
    pub rules_version: i64,
    /// The pages that the operator wrote.
    #[schema(max_items = 4)]
    pub pages: Vec<PageName>,
    /// Registration mode.
    pub registration: Registration,
    /// Invites that a member gets at sign-up and on the first of each month.
    #[schema(minimum = 0, maximum = 100)]
    pub invites_per_month: i64,
    /// Days for which an invite works.
    #[schema(minimum = 1, maximum = 90)]
    pub invite_days: i64,
}

impl Site {
    /// Fills settings that are not stored with their defaults.
    #[must_use]
    pub fn new(stored: &StoredSettings) -> Self {
        let own = |field| stored.get(field).map(str::to_owned);
        let name = stored.text(SettingField::Name);
        let [headline, tagline] = [SettingField::Headline, SettingField::Tagline]
            .map(|field| field.default_text().unwrap_or_default());
        let description = own(SettingField::Description).unwrap_or_else(|| {
            format!(
                "{headline}. {tagline} {name} is an invite-only social network for short posts."
            )
        });
        let registration = RegistrationSettings::new(stored);
        let is_written = |page: &PageName| stored.get(page.field()).is_some();
        Self {
            description,
            contact: own(SettingField::Contact),
            icon_url: stored.icon_url().map(str::to_owned),
            accent_color: own(SettingField::AccentColor),
            headline: stored.text(SettingField::Headline),
            tagline: stored.text(SettingField::Tagline),
            default_language: stored.default_language(),
            rules_version: stored.rules_version(),
            pages: PageName::ALL.into_iter().filter(is_written).collect(),
            registration: registration.registration,
            invites_per_month: registration.invites_per_month,
            invite_days: registration.invite_days,
            name,
        }
    }
}
