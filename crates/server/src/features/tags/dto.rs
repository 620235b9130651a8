//! Response bodies of hashtags.

use serde::Serialize;
use utoipa::ToSchema;

/// A trending topic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Topic)]
pub struct TrendingTag {
    /// Hashtag without the #.
    #[schema(min_length = 1, max_length = 500, example = "WebDev")]
    pub tag: String,
    /// Category of a pinned topic; null for other topics.
    #[schema(max_length = 40, example = "Technology")]
    pub category: Option<String>,
    /// Number of posts with the tag in the last 7 days, among the newest 200,000.
    pub post_count: i64,
}
