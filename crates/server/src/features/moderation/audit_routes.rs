//! GET /api/admin/audit: the audit log, newest first.

use crate::features::members::{self, MemberRef};
use crate::features::moderation::audit_log::AuditAction;
use crate::features::moderation::audit_verify;
use crate::features::moderation::staff::Admin;
use crate::features::posts;
use crate::http::error::Result;
use crate::http::extract::{Page, PageQuery, Query};
use crate::http::pagination::{self, ListResponse};
use crate::platform::Platform;
use crate::platform::clock::rfc3339;
use crate::platform::ids::Id;
use axum::extract::State;
use kith_db::{Reader, Sql, params, sql};
use serde::Serialize;
use utoipa::ToSchema;

const LIST: Sql = sql!(
    "select seq, hash, at, actor_id, action, post_id, member_id, detail, note from audit_log
     where part = 0 and seq < $1 order by seq desc limit $2 offset $3"
);

/// An action by a moderator, an admin or the operator.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// Number of the entry, from 1 without gaps.
    pub id: Id,
    /// Time of the action.
    pub created_at: String,
    /// Moderator or admin who performed the action; null for the operator.
    pub actor: Option<MemberRef>,
    /// The action; null if a newer version of the server wrote it.
    pub action: Option<AuditAction>,
    /// Post that the action affected; null if there is none.
    pub post_id: Option<Id>,
    /// Whether that post still exists.
    pub has_post: bool,
    /// Member the action affected, for a post its author; null if there is none.
    pub member: Option<MemberRef>,
    /// Details of the action: the new role, the end of a sanction, `expired` for one that reached its end, a number,
    /// a waitlist entry or names of settings; otherwise empty.
    #[schema(max_length = 200, example = "moderator")]
    pub detail: String,
    /// Reason given by the moderator, admin or operator; may be empty.
    #[schema(max_length = 1000, example = "Asked twice to stop")]
    pub note: String,
    /// SHA-256 hash of the entry and the hash of the previous entry, base64-encoded.
    #[schema(
        min_length = 43,
        max_length = 43,
        example = "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
    )]
    pub hash: String,
}

impl AuditEntry {
    /// Hides target and note of dismissed reports about the viewer, because members do not learn of reports about
    /// themselves.
    fn redact_for(&mut self, viewer: Id) {
        let is_own = self.member.as_ref().is_some_and(|member| member.id == viewer);
        if is_own && self.action == Some(AuditAction::DismissReports) {
            (self.post_id, self.member, self.has_post) = (None, None, false);
            self.note.clear();
        }
    }
}

/// Lists the audit log, newest first: all actions by moderators, admins and the operator. Entries are
/// immutable. Entries about dismissed reports of the viewer or the viewer's posts omit the member, post and
/// note. Requires the admin role; other members get 404.
#[utoipa::path(get, path = "/api/admin/audit", operation_id = "listAuditLog", tag = "moderation", params(PageQuery),
    responses((status = 200, body = [AuditEntry], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn list_audit_log(
    State(state): State<Platform>,
    Admin(viewer): Admin,
    Query(query): Query<PageQuery>,
) -> Result<ListResponse<AuditEntry>> {
    let page = query.page(50)?;
    let db = state.db.reader();
    let mut rows = load_page(&db, page).await?;
    for row in &mut rows {
        row.redact_for(viewer);
    }
    pagination::check_offset(page, &rows)?;
    let next = pagination::next_cursor(&rows, page.limit, |row| row.id.0);
    Ok(ListResponse::new(rows, "/api/admin/audit?", page.limit, next))
}

/// Loads a page of the log, newest first.
pub async fn load_page(db: &Reader<'_>, page: Page) -> kith_db::Result<Vec<AuditEntry>> {
    let parameters = params![page.before, page.limit, page.statement_offset()];
    let rows = db.all(&LIST, parameters, audit_verify::read_row).await?;
    let member_ids = rows.iter().flat_map(|row| [row.record.actor, row.record.member]).flatten();
    let members = members::load_all_refs(db, &member_ids.collect::<Vec<_>>()).await?;
    let posts = rows.iter().filter_map(|row| row.record.post);
    let posts = posts::load_contents(db, &posts.collect::<Vec<_>>()).await?;
    let entries = rows.into_iter().map(|row| AuditEntry {
        id: Id(row.seq),
        created_at: rfc3339(row.record.at),
        actor: row.record.actor.and_then(|id| members.get(&id).cloned()),
        action: AuditAction::from_stored(row.record.action),
        post_id: row.record.post.map(Id),
        has_post: row.record.post.is_some_and(|post| posts.contains_key(&post)),
        member: row.record.member.and_then(|id| members.get(&id).cloned()),
        detail: row.record.detail,
        note: row.record.note,
        hash: row.hash,
    });
    Ok(entries.collect())
}
