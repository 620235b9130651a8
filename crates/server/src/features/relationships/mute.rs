//! Mutes and unmutes members. The muted member is not notified and sees no difference.

use crate::features::members;
use crate::features::relationships::RelationshipsState;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Path;
use crate::http::openapi::documented_errors;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::Json;
use axum::extract::State;
use futures_util::try_join;
use kith_db::{Sql, Tx, params, sql};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

const INSERT: Sql = sql!(
    "insert into mutes (member_id, muted_id, id) values ($1, $2, $3)
     on conflict (member_id, muted_id) do nothing"
);
const DELETE: Sql = sql!("delete from mutes where member_id = $1 and muted_id = $2");

/// Mute state of a member.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Muted {
    /// Whether the viewer mutes the member.
    pub is_muted: bool,
}

fn self_mute_error() -> ApiError {
    ApiError::invalid_field("userId", "You cannot mute yourself.")
}

documented_errors!(NoMute: members::user_not_found(), self_mute_error());

/// Mutes a member: hides their posts and reposts from the viewer's lists and suppresses notifications of
/// their actions. The muted member is not notified. Idempotent.
#[utoipa::path(post, path = "/api/mutes/{userId}", operation_id = "muteUser", tag = "safety", params(("userId" = Id, Path)),
    responses((status = 200, body = Muted), NoMute))]
pub async fn mute_user(
    State(state): State<Arc<RelationshipsState>>,
    auth: AuthenticatedMember,
    Path(other): Path<Id>,
) -> Result<Json<Muted>> {
    state.rate_limiter.check_member(MemberAction::BlockOrMute, auth.member)?;
    if other == auth.member {
        return Err(self_mute_error());
    }
    set_muted(&state, auth.member, other, true).await
}

/// Unmutes a member. Idempotent.
#[utoipa::path(delete, path = "/api/mutes/{userId}", operation_id = "unmuteUser", tag = "safety", params(("userId" = Id, Path)),
    responses((status = 200, body = Muted)))]
pub async fn unmute_user(
    State(state): State<Arc<RelationshipsState>>,
    auth: AuthenticatedMember,
    Path(other): Path<Id>,
) -> Result<Json<Muted>> {
    set_muted(&state, auth.member, other, false).await
}

async fn set_muted(
    state: &RelationshipsState,
    member: Id,
    other: Id,
    is_muted: bool,
) -> Result<Json<Muted>> {
    let id = state.id();
    let write = SetMute { member, other, id, is_muted };
    state.db.write(write).await?;
    Ok(Json(Muted { is_muted }))
}

struct SetMute {
    member: Id,
    other: Id,
    id: Id,
    is_muted: bool,
}

impl kith_db::Write for SetMute {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let (member, other) = (self.member.0, self.other.0);
        let is_other_active = async { Ok(members::is_active_in(tx, self.other).await?) };
        let ((), is_other_active) =
            try_join!(members::ensure_active(tx, self.member), is_other_active)?;
        if self.is_muted && is_other_active {
            tx.exec(&INSERT, params![member, other, self.id.0]).await?;
            return Ok(());
        }
        let was_muted = !self.is_muted && tx.exec(&DELETE, params![member, other]).await? > 0;
        if was_muted || is_other_active { Ok(()) } else { Err(members::user_not_found()) }
    }
}
