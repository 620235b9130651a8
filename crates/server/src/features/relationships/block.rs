//! Blocks and unblocks members.

use crate::features::relationships::RelationshipsState;
use crate::features::relationships::follows;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::{members, notifications};
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
    "insert into blocks (member_id, blocked_id, id) values ($1, $2, $3)
     on conflict (member_id, blocked_id) do nothing returning id"
);
const INSERT_MIRROR: Sql = sql!("insert into blockers (member_id, blocker_id) values ($1, $2)");
const DELETE: Sql =
    sql!("delete from blocks where member_id = $1 and blocked_id = $2 returning id");
const DELETE_MIRROR: Sql = sql!("delete from blockers where member_id = $1 and blocker_id = $2");
/// Yields 0 if $1 blocked $2, and 1 if $2 blocked $1.
const FIND_BLOCKS_BETWEEN: Sql = sql!(
    "select 0 from blocks where member_id = $1 and blocked_id = $2
     union all select 1 from blockers where member_id = $1 and blocker_id = $2"
);

/// Block state of a member.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Blocked {
    /// Whether the viewer blocks the member.
    pub is_blocked: bool,
}

fn self_block_error() -> ApiError {
    ApiError::invalid_field("userId", "You cannot block yourself.")
}

documented_errors!(NoBlock: members::user_not_found(), self_block_error());

/// Blocks a member. Ends follows in both directions; neither of the two can see or interact with the other's
/// posts or follow the other. Idempotent.
#[utoipa::path(post, path = "/api/blocks/{userId}", operation_id = "blockUser", tag = "safety", params(("userId" = Id, Path)),
    responses((status = 200, body = Blocked), NoBlock))]
pub async fn block_user(
    State(state): State<Arc<RelationshipsState>>,
    auth: AuthenticatedMember,
    Path(other): Path<Id>,
) -> Result<Json<Blocked>> {
    state.rate_limiter.check_member(MemberAction::BlockOrMute, auth.member)?;
    if other == auth.member {
        return Err(self_block_error());
    }
    let write = BlockMember { member: auth.member, other, id: state.id() };
    state.db.write(write).await?;
    Ok(Json(Blocked { is_blocked: true }))
}

/// Unblocks a member. Follows that the block ended are not restored. Idempotent.
#[utoipa::path(delete, path = "/api/blocks/{userId}", operation_id = "unblockUser", tag = "safety", params(("userId" = Id, Path)),
    responses((status = 200, body = Blocked)))]
pub async fn unblock_user(
    State(state): State<Arc<RelationshipsState>>,
    auth: AuthenticatedMember,
    Path(other): Path<Id>,
) -> Result<Json<Blocked>> {
    let member = auth.member;
    state.db.write(UnblockMember { member, other }).await?;
    Ok(Json(Blocked { is_blocked: false }))
}

/// Builds the error for an action on a member blocked by the viewer, or on their post.
pub(crate) fn you_blocked() -> ApiError {
    ApiError::forbidden("you_blocked", "You blocked this member. Unblock them first.")
}

/// Builds the error for an action on a member, or their post, who blocked the viewer.
pub(crate) fn blocks_you() -> ApiError {
    ApiError::forbidden("blocks_you", "This member blocked you.")
}

/// Returns an error if either member blocked the other.
pub async fn ensure_not_blocked(tx: &Tx, member: Id, other: Id) -> Result<()> {
    let parameters = params![member.0, other.0];
    let rows = tx.all(&FIND_BLOCKS_BETWEEN, parameters, |row| row.int(0)).await?;
    match rows.into_iter().min() {
        None => Ok(()),
        Some(0) => Err(you_blocked()),
        Some(_) => Err(blocks_you()),
    }
}

struct BlockMember {
    member: Id,
    other: Id,
    id: Id,
}

impl kith_db::Write for BlockMember {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let (member, other) = (self.member, self.other);
        ensure_both_active(tx, member, other).await?;
        let inserted = tx.opt(&INSERT, params![member.0, other.0, self.id.0], |_| Ok(())).await?;
        if inserted.is_none() {
            return Ok(());
        }
        tx.exec(&INSERT_MIRROR, params![other.0, member.0]).await?;
        // Lock follows and notifications before members: other transactions use this order, another could deadlock.
        follows::lock_pair(tx, member, other).await?;
        let (first, second) = (member.min(other), member.max(other));
        for (one, another) in [(first, second), (second, first)] {
            notifications::delete_unread(tx, one, another).await?;
        }
        // A concurrent follow locks these rows too: its edge is deleted here, or it finds the block.
        members::lock_member(tx, first).await?;
        members::lock_member(tx, second).await?;
        // Check again after waiting for the locks: rows of a deleted member would not be cleaned up again.
        ensure_both_active(tx, member, other).await?;
        for (one, another) in [(member, other), (other, member)] {
            follows::delete_follow(tx, one, another).await?;
        }
        Ok(())
    }
}

/// Returns 401 unless the acting member is active, and 404 unless the other member is.
async fn ensure_both_active(tx: &Tx, member: Id, other: Id) -> Result<()> {
    let is_other_active = async { Ok(members::is_active_in(tx, other).await?) };
    match try_join!(members::ensure_active(tx, member), is_other_active)? {
        ((), true) => Ok(()),
        ((), false) => Err(members::user_not_found()),
    }
}

struct UnblockMember {
    member: Id,
    other: Id,
}

impl kith_db::Write for UnblockMember {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let (member, other) = (self.member.0, self.other.0);
        let deleted = tx.opt(&DELETE, params![member, other], |_| Ok(())).await?;
        if deleted.is_some() {
            tx.exec(&DELETE_MIRROR, params![other, member]).await?;
        } else if !members::is_active_in(tx, self.other).await? {
            return Err(members::user_not_found());
        }
        Ok(())
    }
}
