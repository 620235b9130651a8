//! Languages of mails.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Language of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// German.
    #[serde(rename = "de")]
    German,
}

impl Language {
    /// Returns the language tag, as stored and in HTML.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// Parses a language tag, ignoring the region.
    #[must_use]
    pub fn parse(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next().unwrap_or_default().trim();
        [Self::English, Self::German]
            .into_iter()
            .find(|language| language.tag().eq_ignore_ascii_case(primary))
    }

    /// Returns the first known language of an `Accept-Language` header; browsers list the preferred one first.
    #[must_use]
    pub fn from_header(value: &str) -> Option<Self> {
        value.split(',').find_map(|entry| Self::parse(entry.split(';').next().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::Language::{self, English, German};

    #[test]
    fn the_first_known_language_of_a_header_is_used() {
        for (header, expected) in [
            ("de", Some(German)),
            ("de-AT,de;q=0.9,en;q=0.8", Some(German)),
            ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", Some(English)),
            ("EN-us", Some(English)),
            ("den, eng", None),
            ("", None),
            (",;,", None),
        ] {
            assert_eq!(Language::from_header(header), expected, "{header}");
        }
    }
}
