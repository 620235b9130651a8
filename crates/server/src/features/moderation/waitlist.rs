//! /api/admin/waitlist: lists and admits applicants.

use crate::features::members::{self, MemberRef};
use crate::features::moderation::staff::Admin;
use crate::features::moderation::{Actor, AdmitPeople};
use crate::features::waitlist;
use crate::http::error::{ApiError, Result};
use crate::http::extract::{PageQuery, Path, Query};
use crate::http::openapi::documented_errors;
use crate::http::pagination::{self, ListResponse};
use crate::platform::Platform;
use crate::platform::clock::rfc3339;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

/// An entry of the waitlist.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitlistEntry {
    /// Id of the entry.
    pub id: Id,
    /// Email address of the applicant.
    pub email: String,
    /// Time at which the applicant joined the waitlist.
    pub joined_at: String,
    /// The first ten members who vouch for the applicant.
    #[schema(max_items = 10)]
    pub vouched_by: Vec<MemberRef>,
}

/// Lists the waitlist, oldest entry first. Requires the admin role; other members get 404.
#[utoipa::path(get, path = "/api/admin/waitlist", operation_id = "listWaitlist", tag = "moderation", params(PageQuery),
    responses((status = 200, body = [WaitlistEntry], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn list_waitlist(
    State(state): State<Platform>,
    _admin: Admin,
    Query(query): Query<PageQuery>,
) -> Result<ListResponse<WaitlistEntry>> {
    let page = query.page(50)?;
    // The list is ascending: a page starts after its cursor, the first page at 0.
    let after = query.cursor.map_or(0, |_| page.before);
    let db = state.db.reader();
    let rows = waitlist::load_pending_page(&db, after, page.limit, page.statement_offset()).await?;
    pagination::check_offset(page, &rows)?;
    let next = pagination::next_cursor(&rows, page.limit, |row| row.id.0);
    let ids = rows.iter().map(|row| row.id.0).collect::<Vec<_>>();
    let vouchers = waitlist::load_vouchers(&db, &ids).await?;
    let member_ids = vouchers.values().flatten().copied().collect::<Vec<_>>();
    let members = members::load_refs(&db, &member_ids).await?;
    let entries = rows.into_iter().map(|row| {
        let vouchers = vouchers.get(&row.id.0).into_iter().flatten();
        let vouched_by = vouchers.filter_map(|id| members.get(id).cloned());
        WaitlistEntry {
            id: row.id,
            email: row.email,
            joined_at: rfc3339(row.joined_at),
            vouched_by: vouched_by.collect(),
        }
    });
    let path = "/api/admin/waitlist?";
    Ok(ListResponse::new(entries.collect(), path, page.limit, next))
}

documented_errors!(AdmitErrors: entry_not_found());

fn entry_not_found() -> ApiError {
    let message = "This person isn't on the waitlist, or has already been admitted.";
    ApiError::not_found("entry_not_found", message)
}

/// Admits an applicant from the waitlist by mailing an invite code, once. Requires the admin role; other
/// members get 404.
#[utoipa::path(post, path = "/api/admin/waitlist/{id}/admit", operation_id = "admit", tag = "moderation",
    params(("id" = Id, Path, description = "Id of the waitlist entry.")),
    responses((status = 204, description = "Invite code queued for mailing"), AdmitErrors))]
pub async fn admit_applicant(
    State(state): State<Platform>,
    Admin(me): Admin,
    Path(id): Path<Id>,
) -> Result<StatusCode> {
    state.rate_limiter.check_member(MemberAction::Moderate, me)?;
    let found = waitlist::find_email(&state.db.reader(), id).await?;
    let email = found.ok_or_else(entry_not_found)?;
    let admit = AdmitPeople::one(&state, Actor::Member(me), id, email);
    let admitted = state.db.write(admit).await?;
    state.mail.notify_one();
    // Another admin may have admitted the entry first.
    let is_new = |(_, outcome): &(String, waitlist::AdmitOutcome)| {
        *outcome == waitlist::AdmitOutcome::Admitted
    };
    if admitted.iter().all(is_new) { Ok(StatusCode::NO_CONTENT) } else { Err(entry_not_found()) }
}
