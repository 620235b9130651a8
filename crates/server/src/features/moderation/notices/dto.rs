//! Response bodies of notices.

use crate::features::moderation::notices::store::{NoticeKind, NoticeRow, StoredObjection};
use crate::features::posts;
use crate::platform::clock::rfc3339;
use crate::platform::ids::Id;
use kith_db::{Reader, Result};
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;

/// Notice of a sanction to the sanctioned member.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModerationNotice {
    /// Id of the notice.
    pub id: Id,
    /// Kind of sanction.
    #[serde(rename = "type")]
    pub kind: NoticeKind,
    /// Rule that was broken; may be empty.
    #[schema(max_length = 300, example = "Be kind.")]
    pub rule: String,
    /// Message of the moderator; may be empty.
    #[schema(max_length = 1000, example = "Please don't insult others.")]
    pub message: String,
    /// Time of the sanction.
    pub created_at: String,
    /// Time at which the suspension or freeze ends; null if it lasts until it is lifted.
    #[schema(format = "date-time", min_length = 24, max_length = 24)]
    pub ends_at: Option<String>,
    /// Time at which the suspension or freeze was lifted or ended, or the post was restored; null if it applies.
    #[schema(format = "date-time", min_length = 24, max_length = 24)]
    pub lifted_at: Option<String>,
    /// The removed post; null for other sanctions.
    pub post: Option<NoticePost>,
    /// The member's objection; null if there is none.
    pub objection: Option<NoticeObjection>,
}

/// A removed post.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoticePost {
    /// Id of the post.
    pub id: Id,
    /// Its text, with one line per poll option and image description; null once it was restored or is deleted for good.
    #[schema(max_length = 56_000, example = "Hello, humans.")]
    pub content: Option<String>,
}

/// Decision about an objection.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ObjectionOutcome {
    /// The sanction was lifted.
    Accepted,
    /// The sanction stays.
    Rejected,
}

/// A member's objection to a sanction.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoticeObjection {
    /// Text of the objection.
    #[schema(max_length = 1000, example = "It was a joke between friends.")]
    pub text: String,
    /// Time of the objection.
    pub created_at: String,
    /// Decision; null while nothing is decided.
    pub outcome: Option<ObjectionOutcome>,
    /// Answer of the moderator who decided; may be empty.
    #[schema(max_length = 1000, example = "We had overlooked that.")]
    pub answer: String,
    /// Time of the decision; null while nothing is decided.
    #[schema(format = "date-time", min_length = 24, max_length = 24)]
    pub decided_at: Option<String>,
}

impl From<StoredObjection> for NoticeObjection {
    fn from(stored: StoredObjection) -> Self {
        let (outcome, answer, decided_at) = match stored.decision {
            Some((id, true, answer)) => {
                (Some(ObjectionOutcome::Accepted), answer, Some(rfc3339(id.time())))
            }
            Some((id, false, answer)) => {
                (Some(ObjectionOutcome::Rejected), answer, Some(rfc3339(id.time())))
            }
            None => (None, String::new(), None),
        };
        Self {
            text: stored.text,
            created_at: rfc3339(stored.id.time()),
            outcome,
            answer,
            decided_at,
        }
    }
}

/// Adds the texts of removed posts to notices.
pub(crate) async fn load_dtos(
    db: &Reader<'_>,
    rows: Vec<NoticeRow>,
) -> Result<Vec<ModerationNotice>> {
    let posts = rows.iter().filter_map(|row| row.post).map(|post| post.0).collect::<Vec<_>>();
    let texts = posts::load_removed_texts(db, &posts).await?;
    Ok(rows.into_iter().map(|row| build_dto(row, &texts)).collect())
}

fn build_dto(row: NoticeRow, texts: &HashMap<i64, String>) -> ModerationNotice {
    // A post that was restored and removed again has another notice.
    let text = |id: Id| texts.get(&id.0).filter(|_| row.lifted_at.is_none()).cloned();
    let post = row.post.map(|id| NoticePost { id, content: text(id) });
    ModerationNotice {
        id: row.id,
        kind: row.kind,
        rule: row.rule,
        message: row.message,
        created_at: rfc3339(row.id.time()),
        ends_at: row.ends_at.map(rfc3339),
        lifted_at: row.lifted_at.map(rfc3339),
        post,
        objection: row.objection.map(NoticeObjection::from),
    }
}
