//! The setting of pinned topics.

use crate::features::settings::{SettingField, StoredSettings};
use crate::http::error::{ApiError, Result};
use kith_db::{Reader, Sql, sql};
use kith_text::normalize_hashtag;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use utoipa::ToSchema;

pub(super) const LOAD: Sql = sql!(
    "select name, value, changed_at from network_settings where part = 0 and name = 'pinnedTopics'"
);

/// Most pinned topics.
const MAX_TOPICS: usize = 6;
/// Maximum length of a category, in code points.
const MAX_CATEGORY: usize = 40;

/// Topics of a network without the setting, in display order.
const DEFAULT: [(&str, &str); 6] = [
    ("WebDev", "Technology"),
    ("UIDesign", "Design"),
    ("BuildInPublic", "Startups"),
    ("AI", "Technology"),
    ("React", "Programming"),
    ("Design", "Creative"),
];

/// A topic that the trending list begins with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PinnedTopic {
    /// Hashtag without the #.
    #[schema(min_length = 1, max_length = 500, example = "WebDev")]
    pub tag: String,
    /// Category, which is shown with the topic.
    #[schema(min_length = 1, max_length = 40, example = "Technology")]
    pub category: String,
}

fn default_topics() -> Vec<PinnedTopic> {
    let topic =
        |(tag, category): (&str, &str)| PinnedTopic { tag: tag.into(), category: category.into() };
    DEFAULT.map(topic).to_vec()
}

impl StoredSettings {
    /// Returns the pinned topics in display order.
    #[must_use]
    pub fn pinned_topics(&self) -> Vec<PinnedTopic> {
        let own = self.get(SettingField::PinnedTopics);
        own.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_else(default_topics)
    }
}

/// Loads the pinned topics in display order.
pub async fn load_pinned_topics(db: &Reader<'_>) -> kith_db::Result<Vec<PinnedTopic>> {
    Ok(super::store::load_with(db, &LOAD).await?.pinned_topics())
}

/// Cleans a JSON list of topics for storage; `None` for the default.
pub(super) fn check_topics(typed: &str) -> Result<Option<String>> {
    let topics = serde_json::from_str::<Vec<PinnedTopic>>(typed).map_err(|_| {
        error(r#"Topics are a JSON list such as [{"tag": "WebDev", "category": "Technology"}]."#)
    })?;
    if topics.len() > MAX_TOPICS {
        return Err(too_many_topics());
    }
    let mut tags = HashSet::new();
    let mut cleaned = Vec::new();
    for PinnedTopic { tag, category } in topics {
        if !tags.insert(normalize_hashtag(&tag).ok_or_else(bad_topic)?) {
            return Err(topic_pinned_twice());
        }
        let category = kith_text::clean_line(&category);
        if kith_text::is_blank(&category) || category.chars().count() > MAX_CATEGORY {
            return Err(bad_category());
        }
        let tag = kith_text::clean_line(&tag).trim_start_matches(['#', '＃']).to_owned();
        cleaned.push(PinnedTopic { tag, category });
    }
    let json = serde_json::to_string(&cleaned).map_err(|_| ApiError::internal())?;
    Ok((cleaned != default_topics()).then_some(json))
}

fn error(message: &'static str) -> ApiError {
    ApiError::invalid_field(SettingField::PinnedTopics.name(), message)
}

pub(crate) fn too_many_topics() -> ApiError {
    error("You can pin at most 6 topics.")
}

pub(crate) fn bad_topic() -> ApiError {
    error("A topic is a hashtag of letters, digits and underscores, such as WebDev.")
}

pub(crate) fn topic_pinned_twice() -> ApiError {
    error("Each topic can be pinned once.")
}

pub(crate) fn bad_category() -> ApiError {
    error("A topic needs a category of at most 40 characters.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(topics: &[(&str, &str)]) -> Result<Option<String>> {
        let topic =
            |(tag, category): &(&str, &str)| serde_json::json!({"tag": tag, "category": category});
        let list = topics.iter().map(topic).collect::<Vec<_>>();
        SettingField::PinnedTopics.check(&serde_json::Value::from(list).to_string())
    }

    /// proves: trending-pinned
    #[test]
    fn topics_are_hashtags_with_a_category() {
        let stored = r#"[{"tag":"Garten_Bau","category":"Beete"}]"#;
        assert_eq!(check(&[("#Garten_Bau", " Beete ")]), Ok(Some(stored.to_owned())));
        assert_eq!(check(&DEFAULT), Ok(None));
        assert_eq!(check(&[]), Ok(Some("[]".to_owned())));
        for bad in ["", "2026", "a b", "a-b", "#"] {
            assert_eq!(check(&[(bad, "Beds")]), Err(bad_topic()), "{bad}");
        }
        assert_eq!(check(&[("Roses", " ")]), Err(bad_category()));
        assert_eq!(check(&[("Roses", &"x".repeat(41))]), Err(bad_category()));
        assert_eq!(check(&[("Roses", "Beds"), ("#roses", "Beds")]), Err(topic_pinned_twice()));
        let seven = ["a", "b", "c", "d", "e", "f", "g"].map(|tag| (tag, "Beds"));
        assert_eq!(check(&seven), Err(too_many_topics()));
        let error = SettingField::PinnedTopics.check("WebDev").unwrap_err();
        assert!(error.message().contains("a JSON list"), "{}", error.message());
    }
}
