//! Current state of reported posts and of the posts they reply to.

use crate::features::members::{self, MemberRef};
use crate::features::moderation::report_snapshot::Evidence;
use crate::features::posts::{self, ReportedPost};
use crate::platform::ids::Id;
use kith_db::Reader;
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;

/// A reported post in its current state.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CasePost {
    /// Whether the author or a moderator has deleted the post.
    pub is_deleted: bool,
    /// The post that it replies to; null if it is not a reply.
    pub reply_to: Option<CaseParent>,
}

/// The post that a reported reply replies to.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseParent {
    /// Id of the post.
    pub id: Id,
    /// Author of the post; null if it is deleted.
    pub author: Option<MemberRef>,
    /// Content of the post; null if it is deleted.
    pub evidence: Option<Evidence>,
}

/// Loads reported posts by id.
pub(super) async fn load_posts(
    db: &Reader<'_>,
    ids: &[i64],
) -> kith_db::Result<HashMap<i64, CasePost>> {
    let posts = posts::load_reported_posts(db, ids).await?;
    let parents = posts.values().filter_map(|post| post.reply_to);
    let parents = posts::load_reported_posts(db, &parents.collect::<Vec<_>>()).await?;
    let authors = parents.values().map(|parent| parent.author);
    let authors = members::load_all_refs(db, &authors.collect::<Vec<_>>()).await?;
    let case_posts = ids.iter().map(|id| {
        let post = posts.get(id);
        let parent = post.and_then(|post| post.reply_to);
        let case_post = CasePost {
            is_deleted: post.is_none_or(|post| post.snapshot.is_none()),
            reply_to: parent.map(|id| show_parent(id, parents.get(&id), &authors)),
        };
        (*id, case_post)
    });
    Ok(case_posts.collect())
}

fn show_parent(
    id: i64,
    parent: Option<&ReportedPost>,
    authors: &HashMap<i64, MemberRef>,
) -> CaseParent {
    let available = parent.and_then(|parent| Some((parent.author, parent.snapshot.as_ref()?)));
    CaseParent {
        id: Id(id),
        author: available.and_then(|(author, _)| authors.get(&author).cloned()),
        evidence: available.map(|(_, (text, image_urls))| Evidence {
            text: text.clone(),
            image_urls: image_urls.clone(),
        }),
    }
}
