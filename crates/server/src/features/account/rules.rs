//! Records that a member agrees to the network's rules.

use crate::features::members;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::settings::{self, SettingsState};
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, deserialize_integer};
use crate::http::openapi::documented_errors;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::extract::State;
use axum::http::StatusCode;
use kith_db::Tx;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The version of the rules that a member has read.
#[derive(Debug, Deserialize, ToSchema)]
pub struct RulesAcceptance {
    /// `rulesVersion` of `GET /api/site`.
    #[serde(default, deserialize_with = "deserialize_integer")]
    #[schema(value_type = i64, minimum = 1, example = 1)]
    version: Option<i64>,
}

documented_errors!(AcceptRulesErrors: no_version(), unknown_version());

fn no_version() -> ApiError {
    ApiError::missing_field("version", "Name the version of the rules.")
}

fn unknown_version() -> ApiError {
    ApiError::invalid_field("version", "The rules have no such version.")
}

/// Records that the authenticated member agrees to a version of the rules. Idempotent; a newer version stays agreed to.
#[utoipa::path(post, path = "/api/rules/acceptance", operation_id = "acceptRules", tag = "account",
    request_body = RulesAcceptance, responses((status = 204, description = "Recorded"), AcceptRulesErrors))]
pub async fn accept_rules(
    State(state): State<Arc<SettingsState>>,
    auth: AuthenticatedMember,
    Body(body): Body<RulesAcceptance>,
) -> Result<StatusCode> {
    let version = body.version.ok_or_else(no_version)?;
    let current = settings::load_cached(&state).await?.rules_version();
    if !(1..=current).contains(&version) {
        return Err(unknown_version());
    }
    state.rate_limiter.check_member(MemberAction::Edit, auth.member)?;
    state.db.write(AcceptRules { member: auth.member, version }).await?;
    Ok(StatusCode::NO_CONTENT)
}

struct AcceptRules {
    member: Id,
    version: i64,
}

impl kith_db::Write for AcceptRules {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        members::ensure_active(tx, self.member).await?;
        Ok(members::accept_rules(tx, self.member, self.version).await?)
    }
}
