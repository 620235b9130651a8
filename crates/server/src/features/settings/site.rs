//! What everybody sees of the settings.

use crate::features::settings::{SettingField, StoredSettings};
use crate::platform::mail::Language;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const NAME: &str = "Kith";
const HEADLINE: &str = "The human network";
const TAGLINE: &str = "Real voices. Real connections. No bots.";

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
}

impl Site {
    /// Fills settings that are not stored with their defaults.
    #[must_use]
    pub fn new(stored: &StoredSettings) -> Self {
        let or = |field, default: &str| stored.get(field).unwrap_or(default).to_owned();
        let own = |field| stored.get(field).map(str::to_owned);
        let name = or(SettingField::Name, NAME);
        let default_description = format!(
            "{HEADLINE}. {TAGLINE} {name} is an invite-only social network for short posts."
        );
        let is_written = |page: &PageName| stored.get(page.field()).is_some();
        Self {
            description: or(SettingField::Description, &default_description),
            contact: own(SettingField::Contact),
            accent_color: own(SettingField::AccentColor),
            headline: or(SettingField::Headline, HEADLINE),
            tagline: or(SettingField::Tagline, TAGLINE),
            default_language: stored.get(SettingField::DefaultLanguage).and_then(Language::parse),
            rules_version: stored.rules_version(),
            pages: PageName::ALL.into_iter().filter(is_written).collect(),
            name,
        }
    }
}
