//! Poll votes: one per member, which the member can change or withdraw until the poll ends.

use crate::features::posts::PostsState;
use crate::features::posts::dto::Post;
use crate::features::posts::respond::{WriteOutcome, respond_with_post};
use crate::features::posts::validate::MAX_OPTION_CHARS;
use crate::features::posts::{post_not_found, reposts};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::{members, relationships};
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, Path};
use crate::http::openapi::documented_errors;
use crate::http::text_limits;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::extract::State;
use axum::response::Response;
use futures_util::try_join;
use kith_db::{Row, Sql, Tx, params, sql};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

const POLL: Sql =
    sql!("select poll_options, poll_expires_at from posts where id = $1 and deleted_at is null");
const LOCK: Sql = sql!("update posts set poll_expires_at = poll_expires_at where id = $1");
const FIND_VOTE: Sql = sql!("select choice from poll_votes where post_id = $1 and member_id = $2");
const VOTE: Sql = sql!(
    "insert into poll_votes (post_id, member_id, choice) values ($1, $2, $3)
     on conflict (post_id, member_id) do update set choice = excluded.choice"
);
const WITHDRAW: Sql =
    sql!("delete from poll_votes where post_id = $1 and member_id = $2 returning choice");
const COUNT: Sql =
    sql!("update poll_choices set votes = votes + $3 where post_id = $1 and choice = $2");

/// A vote in a poll.
#[derive(Debug, Deserialize, ToSchema)]
pub struct VoteRequest {
    /// Text of the chosen option, as in the post.
    #[schema(value_type = String, min_length = 1, max_length = 600, example = "Tea")]
    pub option: Option<String>,
}

documented_errors!(NoVote: relationships::you_blocked(), relationships::blocks_you(), no_poll(), poll_ended(), unknown_option());
documented_errors!(NoWithdrawal: no_poll(), poll_ended());

fn no_poll() -> ApiError {
    ApiError::conflict("no_poll", "This post has no poll.")
}

fn poll_ended() -> ApiError {
    ApiError::conflict("poll_ended", "This poll has ended.")
}

fn unknown_option() -> ApiError {
    ApiError::invalid_field("option", "That is not an option of this poll.")
}

/// Votes in a poll, or changes the vote.
#[utoipa::path(post, path = "/api/posts/{id}/vote", operation_id = "vote", tag = "posts", params(("id" = Id, Path)), request_body = VoteRequest,
    responses((status = 200, body = Post), NoVote))]
pub async fn vote_in_poll(
    State(state): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    Path(id): Path<Id>,
    Body(body): Body<VoteRequest>,
) -> Result<Response> {
    state.rate_limiter.check_member(MemberAction::React, auth.member)?;
    let option = body.option.as_deref().unwrap_or_default();
    // A text longer than any option matches none.
    text_limits::check_code_points("option", option, MAX_OPTION_CHARS)
        .map_err(|_| unknown_option())?;
    let option = kith_text::clean_line(option);
    state.db.write(VoteInPoll { member: auth.member, post: id, option, now: state.now() }).await?;
    respond_with_post(&state, auth.member, WriteOutcome::reload(id)).await
}

/// Withdraws a vote. Idempotent.
#[utoipa::path(delete, path = "/api/posts/{id}/vote", operation_id = "withdrawVote", tag = "posts", params(("id" = Id, Path)),
    responses((status = 200, body = Post), NoWithdrawal))]
pub async fn withdraw_vote(
    State(state): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    Path(id): Path<Id>,
) -> Result<Response> {
    state.rate_limiter.check_member(MemberAction::React, auth.member)?;
    state.db.write(WithdrawVote { member: auth.member, post: id, now: state.now() }).await?;
    respond_with_post(&state, auth.member, WriteOutcome::reload(id)).await
}

struct VoteInPoll {
    member: Id,
    post: Id,
    option: String,
    now: Millis,
}

impl kith_db::Write for VoteInPoll {
    type Out = ();
    type Err = ApiError;

    fn contention_key(&self) -> Option<i64> {
        Some(self.post.0)
    }

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let active = members::ensure_active(tx, self.member);
        let ((), target) =
            try_join!(active, reposts::resolve_for_interaction(tx, self.post, self.member))?;
        let (post, member) = (target.post.0, self.member.0);
        let options = lock_open_poll(tx, post, self.member, self.now).await?;
        let options = serde_json::from_str::<Vec<String>>(&options).unwrap_or_default();
        let choice = (0_i64..).zip(&options).find(|(_, option)| **option == self.option);
        let (choice, _) = choice.ok_or_else(unknown_option)?;
        let previous = tx.opt(&FIND_VOTE, params![post, member], |row| row.int(0)).await?;
        if previous == Some(choice) {
            return Ok(());
        }
        tx.exec(&VOTE, params![post, member, choice]).await?;
        if let Some(previous) = previous {
            tx.exec(&COUNT, params![post, previous, -1]).await?;
        }
        tx.exec(&COUNT, params![post, choice, 1]).await?;
        Ok(())
    }
}

struct WithdrawVote {
    member: Id,
    post: Id,
    now: Millis,
}

impl kith_db::Write for WithdrawVote {
    type Out = ();
    type Err = ApiError;

    fn contention_key(&self) -> Option<i64> {
        Some(self.post.0)
    }

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let active = members::ensure_active(tx, self.member);
        let ((), target) = try_join!(active, reposts::resolve_visible(tx, self.post, self.member))?;
        let post = target.post;
        lock_open_poll(tx, post.0, self.member, self.now).await?;
        let vote = params![post.0, self.member.0];
        if let Some(choice) = tx.opt(&WITHDRAW, vote, |row| row.int(0)).await? {
            tx.exec(&COUNT, params![post.0, choice, -1]).await?;
        }
        Ok(())
    }
}

/// Locks an open poll and returns its options as JSON, so that concurrent votes of one member cannot
/// corrupt the tally.
async fn lock_open_poll(tx: &Tx, post: i64, member: Id, now: Millis) -> Result<String> {
    tx.exec(&LOCK, params![post]).await?;
    // Check again after waiting for the lock: account deletion does not look for later votes.
    members::ensure_active(tx, member).await?;
    let read = |row: &Row<'_>| Ok((row.opt_text(0)?, row.opt_int(1)?));
    let (options, expires_at) =
        tx.opt(&POLL, params![post], read).await?.ok_or_else(post_not_found)?;
    let options = options.ok_or_else(no_poll)?;
    if expires_at.is_some_and(|end| now >= end) {
        return Err(poll_ended());
    }
    Ok(options)
}
