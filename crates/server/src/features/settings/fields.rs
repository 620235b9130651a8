//! The settings by name, and their rules.

use crate::features::auth::Email;
use crate::features::settings::registration::{check_number, check_registration, number_rule};
use crate::features::settings::topics::check_topics;
use crate::http::error::{ApiError, Result};
use crate::http::text_limits;
use crate::platform::mail::{DEFAULT_NAME, Language};
use url::Url;

/// Maximum length of the name, in grapheme clusters.
const MAX_NAME: usize = 50;
/// Maximum length of the other texts of one line, in grapheme clusters.
const MAX_LINE: usize = 300;
/// Maximum length of a contact, in code points.
const MAX_CONTACT: usize = 254;
/// Maximum length of an announcement, in grapheme clusters.
const MAX_ANNOUNCEMENT: usize = 500;
/// Maximum length of a page, in code points.
pub(super) const MAX_PAGE: usize = 20_000;

/// Smallest contrast of text that is easy to read (WCAG 2.2, 1.4.3).
const MIN_CONTRAST: f64 = 4.5;
/// Colours of text on the accent colour: `--primary-foreground` of the web app's light and dark theme.
const INKS: [[u8; 3]; 2] = [[0xfd, 0xfb, 0xf8], [0x17, 0x0c, 0x09]];

/// A setting of the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingField {
    /// Name of the network.
    Name,
    /// Description for search engines and installed apps.
    Description,
    /// Email or web address of the operator.
    Contact,
    /// Accent colour, `#rrggbb`.
    AccentColor,
    /// Headline of the landing page.
    Headline,
    /// Tagline of the landing page.
    Tagline,
    /// Language of visitors whose browser asks for none; without it English.
    DefaultLanguage,
    /// Rules, in Markdown.
    Rules,
    /// Terms of use, in Markdown.
    Terms,
    /// Privacy notice, in Markdown.
    Privacy,
    /// Imprint, in Markdown.
    Imprint,
    /// Announcement to all members.
    Announcement,
    /// Registration mode: `open` or `closed`.
    Registration,
    /// Invites that a member gets at sign-up and each month.
    InvitesPerMonth,
    /// Days for which an invite works.
    InviteDays,
    /// Days for which a member counts as new.
    NewMemberDays,
    /// Posts of a new member in 24 hours.
    NewMemberPosts,
    /// Follows of a new member in 24 hours.
    NewMemberFollows,
    /// Topics that the trending list begins with, as JSON.
    PinnedTopics,
}

impl SettingField {
    /// Every setting.
    pub const ALL: [Self; 19] = [
        Self::Name,
        Self::Description,
        Self::Contact,
        Self::AccentColor,
        Self::Headline,
        Self::Tagline,
        Self::DefaultLanguage,
        Self::Rules,
        Self::Terms,
        Self::Privacy,
        Self::Imprint,
        Self::Announcement,
        Self::Registration,
        Self::InvitesPerMonth,
        Self::InviteDays,
        Self::NewMemberDays,
        Self::NewMemberPosts,
        Self::NewMemberFollows,
        Self::PinnedTopics,
    ];

    /// Returns the name in the API, the database and the audit log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::Contact => "contact",
            Self::AccentColor => "accentColor",
            Self::Headline => "headline",
            Self::Tagline => "tagline",
            Self::DefaultLanguage => "defaultLanguage",
            Self::Rules => "rules",
            Self::Terms => "terms",
            Self::Privacy => "privacy",
            Self::Imprint => "imprint",
            Self::Announcement => "announcement",
            Self::Registration => "registration",
            Self::InvitesPerMonth => "invitesPerMonth",
            Self::InviteDays => "inviteDays",
            Self::NewMemberDays => "newMemberDays",
            Self::NewMemberPosts => "newMemberPosts",
            Self::NewMemberFollows => "newMemberFollows",
            Self::PinnedTopics => "pinnedTopics",
        }
    }

    /// Checks whether the value is a page in Markdown.
    #[must_use]
    pub const fn is_page(self) -> bool {
        matches!(self, Self::Rules | Self::Terms | Self::Privacy | Self::Imprint)
    }

    /// Returns the text that a network has by default; `None` if it has none, or one made of others.
    #[must_use]
    pub const fn default_text(self) -> Option<&'static str> {
        match self {
            Self::Name => Some(DEFAULT_NAME),
            Self::Headline => Some("The human network"),
            Self::Tagline => Some("Real voices. Real connections. No bots."),
            _ => None,
        }
    }

    /// Cleans a value for storage. `None`, which means the default, for the default and for a text without visible
    /// characters.
    pub fn check(self, typed: &str) -> Result<Option<String>> {
        let value = match self {
            Self::Rules | Self::Terms | Self::Privacy | Self::Imprint => check_page(self, typed)?,
            Self::Name => check_line(self, typed, MAX_NAME, long_name())?,
            Self::Description | Self::Headline | Self::Tagline => {
                check_line(self, typed, MAX_LINE, long_line(self))?
            }
            Self::Announcement => check_announcement(typed)?,
            Self::Contact => check_line(self, typed, MAX_CONTACT, bad_contact())?,
            Self::AccentColor => check_line(self, typed, MAX_NAME, bad_color())?,
            Self::DefaultLanguage => check_line(self, typed, MAX_NAME, bad_language())?,
            Self::Registration
            | Self::PinnedTopics
            | Self::InvitesPerMonth
            | Self::InviteDays
            | Self::NewMemberDays
            | Self::NewMemberPosts
            | Self::NewMemberFollows => typed.to_owned(),
        };
        if kith_text::is_blank(&value) || self.default_text() == Some(&value) {
            return Ok(None);
        }
        let value = match self {
            Self::Contact => check_contact(&value)?,
            Self::AccentColor => check_color(&value)?,
            Self::DefaultLanguage => {
                let language = Language::parse(&value).ok_or_else(bad_language)?;
                language.tag().to_owned()
            }
            Self::Registration => return check_registration(&value),
            Self::PinnedTopics => return check_topics(&value),
            _ => match number_rule(self) {
                Some(rule) => return check_number(self, rule, &value),
                None => value,
            },
        };
        Ok(Some(value))
    }
}

fn check_line(field: SettingField, typed: &str, max: usize, error: ApiError) -> Result<String> {
    text_limits::check_code_points(field.name(), typed, max)?;
    let line = kith_text::clean_line(typed);
    if kith_text::length(&line) > max {
        return Err(error);
    }
    text_limits::check_code_points(field.name(), &line, max)?;
    Ok(line)
}

fn check_announcement(typed: &str) -> Result<String> {
    let field = SettingField::Announcement.name();
    text_limits::check_code_points(field, typed, MAX_ANNOUNCEMENT)?;
    let text = kith_text::clean(typed);
    if kith_text::length(&text) > MAX_ANNOUNCEMENT {
        return Err(long_announcement());
    }
    text_limits::check_code_points(field, &text, MAX_ANNOUNCEMENT)?;
    Ok(text)
}

fn check_page(field: SettingField, typed: &str) -> Result<String> {
    let is_long = |text: &str| text.chars().count() > MAX_PAGE;
    if is_long(typed) {
        return Err(long_page(field));
    }
    let page = kith_text::clean(typed);
    // Checks again, because normal form C expands some characters.
    if is_long(&page) { Err(long_page(field)) } else { Ok(page) }
}

fn check_contact(contact: &str) -> Result<String> {
    if !contact.contains("://") {
        let email = Email::parse(contact).map_err(|_| bad_contact())?;
        return Ok(email.as_str().to_owned());
    }
    let url = Url::parse(contact).map_err(|_| bad_contact())?;
    let is_plain = url.scheme() == "https" && url.username().is_empty() && url.password().is_none();
    if !is_plain || url.host().is_none() || url.as_str().len() > 2_000 {
        return Err(bad_contact());
    }
    Ok(url.into())
}

fn check_color(color: &str) -> Result<String> {
    let color = color.to_ascii_lowercase();
    let mut rgb = [0; 3];
    let digits = color.strip_prefix('#').ok_or_else(bad_color)?;
    hex::decode_to_slice(digits, &mut rgb).map_err(|_| bad_color())?;
    let is_readable = |ink: &[u8; 3]| contrast(rgb, *ink) >= MIN_CONTRAST;
    if INKS.iter().any(is_readable) { Ok(color) } else { Err(low_contrast()) }
}

/// Contrast of two colours, 1 to 21 (WCAG 2.2).
fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

fn luminance(rgb: [u8; 3]) -> f64 {
    let [red, green, blue] = rgb.map(|channel| {
        let channel = f64::from(channel) / 255.0;
        if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

pub(crate) fn long_name() -> ApiError {
    ApiError::invalid_field("name", "A name can have at most 50 characters.")
}

pub(crate) fn long_line(field: SettingField) -> ApiError {
    ApiError::invalid_field(field.name(), "This text can have at most 300 characters.")
}

pub(crate) fn long_announcement() -> ApiError {
    let message = "An announcement can have at most 500 characters.";
    ApiError::invalid_field(SettingField::Announcement.name(), message)
}

pub(crate) fn long_page(field: SettingField) -> ApiError {
    ApiError::invalid_field(field.name(), "A page can have at most 20,000 characters.")
}

pub(crate) fn bad_contact() -> ApiError {
    let message = "Please enter an email address or a web address such as https://example.org.";
    ApiError::invalid_field("contact", message)
}

pub(crate) fn bad_color() -> ApiError {
    ApiError::invalid_field("accentColor", "Please enter a color such as #c2410c.")
}

pub(crate) fn low_contrast() -> ApiError {
    let message = "Neither light nor dark text is readable on this color. Please choose a darker or lighter one.";
    ApiError::invalid_field("accentColor", message)
}

pub(crate) fn bad_language() -> ApiError {
    ApiError::invalid_field("defaultLanguage", "Please choose English (en) or German (de).")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: identity-accent
    #[test]
    fn an_accent_colour_is_readable_with_light_or_dark_text() {
        for (typed, stored) in
            [("#C2410C", "#c2410c"), (" #ffff00 ", "#ffff00"), ("#000000", "#000000")]
        {
            assert_eq!(SettingField::AccentColor.check(typed), Ok(Some(stored.to_owned())));
        }
        assert_eq!(SettingField::AccentColor.check("#777777"), Err(low_contrast()));
        for bad in ["red", "#fff", "#12345g", "c2410c", "#ffffff00"] {
            assert_eq!(SettingField::AccentColor.check(bad), Err(bad_color()), "{bad}");
        }
        assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 1e-9);
    }

    /// proves: identity-limits
    #[test]
    fn settings_are_checked_and_blank_ones_are_unset() {
        for field in SettingField::ALL {
            assert_eq!(field.check(" \u{200b} "), Ok(None), "{field:?}");
            assert_eq!(
                field.check(field.default_text().unwrap_or_default()),
                Ok(None),
                "{field:?}"
            );
        }
        for (typed, stored) in [
            ("Hello@Example.org", "hello@example.org"),
            ("https://example.org/contact", "https://example.org/contact"),
        ] {
            assert_eq!(SettingField::Contact.check(typed), Ok(Some(stored.to_owned())));
        }
        for bad in ["unknown", "http://example.org", "javascript://x", "https://a:b@example.org"] {
            assert_eq!(SettingField::Contact.check(bad), Err(bad_contact()), "{bad}");
        }
        assert_eq!(SettingField::Name.check(&"é".repeat(50)), Ok(Some("é".repeat(50))));
        assert_eq!(SettingField::Name.check(&"a".repeat(51)), Err(long_name()));
        assert!(SettingField::Tagline.check(&"a".repeat(301)).is_err());
        assert!(SettingField::Rules.check(&"a".repeat(MAX_PAGE)).is_ok());
        assert!(SettingField::Rules.check(&"a".repeat(MAX_PAGE + 1)).is_err());
        assert_eq!(SettingField::DefaultLanguage.check("fr"), Err(bad_language()));
        assert_eq!(SettingField::DefaultLanguage.check("de"), Ok(Some("de".to_owned())));
    }
}
