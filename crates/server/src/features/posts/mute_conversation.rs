//! Mutes and unmutes the conversation of a post: the member is not notified about its posts.

use crate::features::posts::{PostsState, post_not_found, reposts};
use crate::features::relationships::HiddenMembers;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::{members, notifications};
use crate::http::error::{ApiError, Result};
use crate::http::extract::Path;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::Json;
use axum::extract::State;
use futures_util::try_join;
use kith_db::{Reader, Row, Sql, Tx, params, sql};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

const FIND: Sql =
    sql!("select author_id, root_id, repost_of_id from posts where id = $1 and deleted_at is null");

/// Whether a conversation is muted.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConversationMute {
    /// Whether the member muted the conversation.
    pub is_muted: bool,
}

/// Returns whether the authenticated member muted the conversation of a post.
#[utoipa::path(get, path = "/api/posts/{id}/mute", operation_id = "getConversationMute", tag = "posts", params(("id" = Id, Path)),
    responses((status = 200, body = ConversationMute)))]
pub async fn get_conversation_mute(
    State(state): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    Path(id): Path<Id>,
) -> Result<Json<ConversationMute>> {
    let (db, member) = (state.db.reader(), auth.member);
    let visibility = &state.relationships.visibility;
    let hidden = HiddenMembers::load_cached(visibility, &db, member).await?;
    let root = find_root(&db, &hidden, id).await?;
    let is_muted = notifications::is_conversation_muted(&db, member, root).await?;
    Ok(Json(ConversationMute { is_muted }))
}

/// Mutes the conversation of a post: its replies, mentions, likes and reposts no longer notify the authenticated member.
/// Idempotent.
#[utoipa::path(post, path = "/api/posts/{id}/mute", operation_id = "muteConversation", tag = "posts", params(("id" = Id, Path)),
    responses((status = 200, body = ConversationMute)))]
pub async fn mute_conversation(
    State(state): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    Path(post): Path<Id>,
) -> Result<Json<ConversationMute>> {
    set_muted(&state, auth.member, post, true).await
}

/// Unmutes the conversation of a post. Idempotent.
#[utoipa::path(delete, path = "/api/posts/{id}/mute", operation_id = "unmuteConversation", tag = "posts", params(("id" = Id, Path)),
    responses((status = 200, body = ConversationMute)))]
pub async fn unmute_conversation(
    State(state): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    Path(post): Path<Id>,
) -> Result<Json<ConversationMute>> {
    set_muted(&state, auth.member, post, false).await
}

async fn set_muted(
    state: &PostsState,
    member: Id,
    post: Id,
    is_muted: bool,
) -> Result<Json<ConversationMute>> {
    state.rate_limiter.check_member(MemberAction::React, member)?;
    state.db.write(SetMuted { member, post, id: state.id(), is_muted }).await?;
    Ok(Json(ConversationMute { is_muted }))
}

/// Returns the post that the conversation of a visible post started with.
async fn find_root(db: &Reader<'_>, hidden: &HiddenMembers, post: Id) -> Result<Id> {
    let (root, original) = find_visible(db, hidden, post.0).await?;
    let Some(original) = original else {
        return Ok(root.map_or(post, Id));
    };
    let (root, _) = find_visible(db, hidden, original).await?;
    Ok(Id(root.unwrap_or(original)))
}

/// Returns the root of a post's conversation, for a reply, and the post that it reposts.
async fn find_visible(
    db: &Reader<'_>,
    hidden: &HiddenMembers,
    post: i64,
) -> Result<(Option<i64>, Option<i64>)> {
    let read = |row: &Row<'_>| Ok((row.int(0)?, (row.opt_int(1)?, row.opt_int(2)?)));
    let found = db.opt(&FIND, params![post], read).await?;
    let found = found.filter(|(author, _)| !hidden.is_hidden_everywhere(*author));
    found.map(|(_, posts)| posts).ok_or_else(post_not_found)
}

struct SetMuted {
    member: Id,
    post: Id,
    /// Id of the new row.
    id: Id,
    is_muted: bool,
}

impl kith_db::Write for SetMuted {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let active = members::ensure_active(tx, self.member);
        let target = reposts::resolve_visible(tx, self.post, self.member);
        let ((), target) = try_join!(active, target)?;
        if self.is_muted {
            notifications::mute_conversation(tx, self.member, target.root, self.id).await?;
        } else {
            notifications::unmute_conversation(tx, self.member, target.root).await?;
        }
        Ok(())
    }
}
