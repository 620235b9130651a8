//! Members' vouches for applicants on the waitlist, which admins see beside the email.
//!
//! A vouch is stored whether or not the email is on the waitlist, so that members cannot find out which emails are.

use crate::features::auth::Email;
use crate::features::members;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::waitlist::WaitlistState;
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, Page, PageQuery, Path, Query};
use crate::http::openapi::documented_errors;
use crate::http::pagination::{self, ListResponse};
use crate::platform::clock::{DAY, Millis, rfc3339};
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use kith_db::{Reader, Row, Sql, SqlIn, Tx, params, sql, sql_in};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// Lifetime of a vouch.
const LIFETIME: Millis = 180 * DAY;
/// Vouches of a deleted member, deleted per transaction.
const BATCH_SIZE: u32 = 100;
/// Members listed per email.
const MAX_LISTED: u32 = 10;

const INSERT: Sql = sql!(
    "insert into vouches (email, member_id, id) values ($1, $2, $3)
     on conflict (email, member_id) do nothing"
);
const FIND: Sql = sql!("select id, email from vouches where email = $1 and member_id = $2");
const LIST: Sql = sql!(
    "select id, email from vouches where member_id = $1 and id < $2 order by id desc limit $3 offset $4"
);
const WITHDRAW: Sql = sql!("delete from vouches where member_id = $1 and id = $2");
static VOUCHERS: SqlIn = sql_in!(
    "select entry_id, vouch_id, member_id from
       (select waitlist.id as entry_id, vouches.id as vouch_id, member_id,
          row_number() over (partition by waitlist.id order by vouches.id) as number
        from waitlist join vouches on vouches.email = waitlist.email
        join members on members.id = vouches.member_id
        where waitlist.id in ($ids) and admitted_at is null
          and suspended_at is null and invites_frozen_at is null) as numbered
     where number <= $1"
);
const PURGE: Sql = sql!(
    "delete from vouches where (email, member_id) in (select email, member_id from vouches
       where id < $1 order by id limit $2) and id < $1"
);
const DELETE_BY_MEMBER: Sql = sql!(
    "delete from vouches where (email, member_id) in (select email, member_id from vouches
       where member_id = $1 order by id limit $2)"
);
const DELETE_FOR_EMAIL: Sql = sql!("delete from vouches where email = $1");

/// Request body: the email to vouch for.
#[derive(Debug, Deserialize, ToSchema)]
pub struct VouchRequest {
    /// Email address of the person. Must not contain `$`, `|`, `&` or backticks, nor begin with a hyphen.
    /// Case, surrounding spaces and Unicode compatibility forms are normalized.
    #[schema(value_type = String)]
    pub email: Option<String>,
}

/// A vouch of the authenticated member for an applicant.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Vouch {
    /// Id of the vouch.
    pub id: Id,
    /// Email address of the applicant.
    pub email: String,
    /// Time of the vouch.
    pub created_at: String,
}

impl Vouch {
    fn read(row: &Row<'_>) -> kith_db::Result<Self> {
        let id = Id(row.int(0)?);
        Ok(Self { id, email: row.text(1)?, created_at: rfc3339(id.time()) })
    }
}

/// Lists the vouches of the authenticated member, newest first.
#[utoipa::path(get, path = "/api/waitlist/vouches", operation_id = "listVouches", tag = "waitlist", params(PageQuery),
    responses((status = 200, body = [Vouch], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn list_vouches(
    State(state): State<Arc<WaitlistState>>,
    auth: AuthenticatedMember,
    Query(query): Query<PageQuery>,
) -> Result<ListResponse<Vouch>> {
    let page = query.page(50)?;
    let db = state.db.reader();
    let (rows, next) = load_vouches(&db, auth.member, page).await?;
    pagination::check_offset(page, &rows)?;
    Ok(ListResponse::new(rows, "/api/waitlist/vouches?", page.limit, next))
}

/// Loads a page of a member's vouches, newest first, and the cursor of the next page.
pub async fn load_vouches(
    db: &Reader<'_>,
    member: Id,
    page: Page,
) -> kith_db::Result<(Vec<Vouch>, Option<i64>)> {
    let parameters = params![member.0, page.before, page.limit, page.statement_offset()];
    let rows = db.all(&LIST, parameters, Vouch::read).await?;
    let next = pagination::next_cursor(&rows, page.limit, |row| row.id.0);
    Ok((rows, next))
}

/// Vouches for a current or future applicant on the waitlist. Admins see the vouch for 180 days. The response
/// does not reveal whether the email address is on the waitlist. Idempotent.
#[utoipa::path(post, path = "/api/waitlist/vouches", operation_id = "vouch", tag = "waitlist", request_body = VouchRequest,
    responses((status = 200, body = Vouch), VouchErrors))]
pub async fn vouch_for_email(
    State(state): State<Arc<WaitlistState>>,
    auth: AuthenticatedMember,
    Body(body): Body<VouchRequest>,
) -> Result<Json<Vouch>> {
    let email = Email::parse_unverified(body.email.as_deref().unwrap_or_default())?;
    state.rate_limiter.check_member(MemberAction::Vouch, auth.member)?;
    let add = AddVouch { member: auth.member, id: state.id(), email };
    state.db.write(add).await.map(Json)
}

/// Transaction that vouches for an email, or returns the existing vouch.
struct AddVouch {
    member: Id,
    id: Id,
    email: Email,
}

impl kith_db::Write for AddVouch {
    type Out = Vouch;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<Vouch> {
        // A member who is being deleted cannot vouch, because the new row would be left behind.
        members::lock_active(tx, self.member).await?;
        if members::has_frozen_invites(&tx.reader(), self.member).await? {
            return Err(invites_frozen());
        }
        let (email, member) = (self.email.as_str(), self.member.0);
        let parameters = params![email, member, self.id.0];
        tx.exec(&INSERT, parameters).await?;
        let found = tx.opt(&FIND, params![email, member], Vouch::read).await?;
        found.ok_or_else(ApiError::internal)
    }
}

documented_errors!(VouchErrors: invites_frozen());

fn invites_frozen() -> ApiError {
    let message = "A moderator has frozen your invites, so you can't vouch for anyone for now.";
    ApiError::conflict("invites_frozen", message)
}

documented_errors!(WithdrawVouchErrors: no_such_vouch());

fn no_such_vouch() -> ApiError {
    ApiError::not_found("vouch_not_found", "That vouch doesn't exist or was already withdrawn.")
}

/// Withdraws a vouch.
#[utoipa::path(delete, path = "/api/waitlist/vouches/{id}", operation_id = "takeVouchBack", tag = "waitlist",
    params(("id" = Id, Path, description = "Id of the vouch.")),
    responses((status = 204, description = "Vouch withdrawn"), WithdrawVouchErrors))]
pub async fn withdraw_vouch(
    State(state): State<Arc<WaitlistState>>,
    auth: AuthenticatedMember,
    Path(id): Path<Id>,
) -> Result<StatusCode> {
    let parameters = params![auth.member.0, id.0];
    match state.db.exec(&WITHDRAW, parameters).await? {
        0 => Err(no_such_vouch()),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

/// Loads the members who vouch for waiting entries, by the entry's id: up to ten per entry, earliest first. Skips
/// suspended members and members with frozen invites.
pub async fn load_vouchers(
    db: &Reader<'_>,
    entries: &[i64],
) -> kith_db::Result<HashMap<i64, Vec<i64>>> {
    let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?, row.int(2)?));
    let mut rows = db.all_in(&VOUCHERS, params![MAX_LISTED], entries, read).await?;
    rows.sort_unstable();
    let mut found = HashMap::<i64, Vec<i64>>::new();
    for (entry, _, member) in rows {
        found.entry(entry).or_default().push(member);
    }
    Ok(found)
}

/// Deletes at most `limit` expired vouches; returns their number.
pub async fn purge_vouches(tx: &mut Tx, now: Millis, limit: u32) -> kith_db::Result<u64> {
    let until = Id::first_at(now - LIFETIME);
    tx.exec(&PURGE, params![until, limit]).await
}

/// Deletes a batch of a deleted member's vouches; returns their number.
pub async fn erase_vouches(tx: &mut Tx, member: Id) -> kith_db::Result<u64> {
    tx.exec(&DELETE_BY_MEMBER, params![member.0, BATCH_SIZE]).await
}

/// Deletes all vouches for an email.
pub(super) async fn delete_for_email(tx: &mut Tx, email: &str) -> kith_db::Result<()> {
    tx.exec(&DELETE_FOR_EMAIL, params![email]).await.map(drop)
}
