//! GET /api/admin/members: members with role and sanctions.

use crate::features::invites;
use crate::features::members::{self, MemberRef, Role};
use crate::features::moderation::staff::Moderator;
use crate::http::error::Result;
use crate::http::extract::{PageQuery, Query};
use crate::http::openapi::documented_errors;
use crate::http::pagination::{self, ListResponse};
use crate::platform::Platform;
use crate::platform::clock::rfc3339;
use crate::platform::ids::{self, Id};
use axum::extract::State;
use kith_db::Reader;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use utoipa::{IntoParams, ToSchema};

/// A member as moderators see them.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberRecord {
    /// The member.
    #[serde(flatten)]
    pub member: MemberRef,
    /// Role of the member.
    pub role: Role,
    /// Time at which the member joined.
    pub created_at: String,
    /// Time of the suspension; null if the member is not suspended.
    pub suspended_at: Option<String>,
    /// Time at which the member's invites were frozen; null if they work.
    pub invites_frozen_at: Option<String>,
    /// Time at which the suspension ends; null if it lasts until it is lifted, or if there is none.
    #[schema(format = "date-time", min_length = 24, max_length = 24)]
    pub suspended_until: Option<String>,
    /// Time at which the freeze of the invites ends; null if it lasts until it is lifted, or if there is none.
    #[schema(format = "date-time", min_length = 24, max_length = 24)]
    pub invites_frozen_until: Option<String>,
    /// Member whose invite was used to join; null if there is none.
    pub invited_by: Option<MemberRef>,
}

/// Query parameters of the list of members.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct MembersQuery {
    /// Any part of a username or display name, at most 100 characters. A leading @ is ignored. If absent or
    /// empty, lists all members.
    #[param(min_length = 0, max_length = 100, example = "ada")]
    pub query: Option<String>,
    /// Lists only members who joined with an invite of this member, sorted by invite, newest first, and
    /// ignores `query`. If absent or empty, lists all members.
    #[serde(default, deserialize_with = "ids::deserialize_option")]
    #[param(value_type = Option<String>, min_length = 0, max_length = 19, example = "247513998712340480")]
    pub invited_by: Option<Id>,
}

documented_errors!(ListMembersErrors: members::user_not_found());

/// Lists members, including suspended ones, most recently joined first. With `query`, lists matching members,
/// best match first; with `invitedBy`, the members invited by one member. Requires the moderator or admin
/// role; other members get 404.
#[utoipa::path(get, path = "/api/admin/members", operation_id = "listMembers", tag = "moderation", params(MembersQuery, PageQuery),
    responses((status = 200, body = [MemberRecord], headers(("Link" = String, description = "The next page, when there is one"))), ListMembersErrors))]
pub async fn list_members(
    State(state): State<Platform>,
    _moderator: Moderator,
    Query(query): Query<MembersQuery>,
    Query(page): Query<PageQuery>,
) -> Result<ListResponse<MemberRecord>> {
    let page = page.page(20)?;
    let db = state.db.reader();
    let typed = query.query.unwrap_or_default();
    let mut path = "/api/admin/members?".to_owned();
    let (ids, next) = if let Some(inviter) = query.invited_by {
        if members::load_admin_views(&db, &[inviter.0]).await?.is_empty() {
            return Err(members::user_not_found());
        }
        path = format!("{path}invitedBy={}&", inviter.0);
        let (ids, next) = invites::load_invitees(&db, inviter, page).await?;
        pagination::check_offset(page, &ids)?;
        (ids, next)
    } else if typed.trim().is_empty() {
        let ids = members::list_newest(&db, page).await?;
        pagination::check_offset(page, &ids)?;
        let next = pagination::next_cursor(&ids, page.limit, |id| *id);
        (ids, next)
    } else {
        let found = members::find_matching(&db, "query", &typed).await?;
        let ids = found.into_iter().skip(page.offset).take(page.limit);
        (ids.collect(), None)
    };
    let mut found = load_records(&db, &ids).await?;
    let rows = ids.iter().filter_map(|id| found.remove(id)).collect();
    Ok(ListResponse::new(rows, &path, page.limit, next))
}

/// Loads members by id.
pub(super) async fn load_records(
    db: &Reader<'_>,
    ids: &[i64],
) -> kith_db::Result<HashMap<i64, MemberRecord>> {
    let views = members::load_admin_views(db, ids).await?;
    let inviters = views.values().filter_map(|view| view.invited_by);
    let inviters = inviters.map(|id| id.0).collect::<Vec<_>>();
    let inviters = members::load_all_refs(db, &inviters).await?;
    let records = views.into_iter().map(|(id, view)| {
        let record = MemberRecord {
            created_at: rfc3339(view.member.id.time()),
            member: view.member,
            role: view.status.role,
            suspended_at: view.status.suspended_at.map(rfc3339),
            invites_frozen_at: view.status.invites_frozen_at.map(rfc3339),
            suspended_until: view.status.suspended_until.map(rfc3339),
            invites_frozen_until: view.status.invites_frozen_until.map(rfc3339),
            invited_by: view.invited_by.and_then(|Id(inviter)| inviters.get(&inviter).cloned()),
        };
        (id, record)
    });
    Ok(records.collect())
}
