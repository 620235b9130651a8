//! Reports, and actions of moderators, admins and the operator, each of which writes an audit row in its transaction.

mod announcement;
mod audit_log;
mod audit_routes;
mod audit_verify;
mod cases;
mod context;
mod decide;
mod erase;
mod members;
mod network_icon;
mod network_settings;
mod notices;
mod objections;
mod operator_actions;
mod pinned_images;
mod remove_post;
mod removed_posts;
mod report;
mod report_snapshot;
mod reports_by_member;
mod sanction_ends;
mod sanctions;
mod staff;
mod waitlist;

pub use announcement::{__path_mail_announcement, mail_announcement};
pub use audit_log::{Actor, AuditAction};
pub use audit_routes::{
    __path_list_audit_log, AuditEntry, list_audit_log, load_page as load_audit_page,
};
pub use audit_verify::{ChainStatus, verify_audit_log};
pub use cases::{
    __path_list_reports, Case, CaseKind, CaseState, Resolution, list_reports, load_cases,
};
pub use decide::{__path_resolve_reports, Decide, Decision, resolve_reports};
pub use erase::erase_reports;
pub use members::{__path_list_members, list_members};
pub use network_icon::{
    __path_remove_icon, __path_set_icon, ChangeIcon, import_icon, remove_icon, set_icon,
};
pub use network_settings::{
    __path_get_settings, __path_update_settings, ChangeSettings, get_settings, update_settings,
};
pub(crate) use notices::render_mail as render_notice_mail;
pub use notices::{
    __path_get_linked_notice, __path_list_notices, __path_object, __path_object_by_link,
    __path_read_notices, NoticeText, get_linked_notice, list_notices, object, object_by_link,
    read_notices,
};
pub use objections::{
    __path_list_objections, __path_resolve_objection, Objection, ObjectionAction, ResolveObjection,
    clean_answer, list_objections, load_objections, resolve_objection,
};
pub use operator_actions::{
    AddPeople, AdmitPeople, ChangeEmail, DeleteMember, EndSessions, ExportMember, IssueCodes,
    RemovePeople, RevokeAllSessions, RevokeCodes, record_operator_login,
};
pub use pinned_images::load_pinned_images;
pub use remove_post::{__path_remove_post, RemovePost, remove_post};
pub use removed_posts::{
    __path_list_removed_posts, __path_restore_post, RestorePost, list_removed_posts, restore_post,
};
pub use report::{__path_create_report, create_report};
pub use reports_by_member::{__path_list_sent_reports, list_sent_reports, load_sent_reports};
pub use sanction_ends::{check_end, lift_ended, parse_end, run_worker};
pub use sanctions::{
    __path_change_role, __path_freeze_invites, __path_suspend_member, __path_unfreeze_invites,
    __path_unsuspend_member, Sanction, Target, change_role, freeze_invites, suspend_member,
    unfreeze_invites, unsuspend_member,
};
pub use waitlist::{__path_admit_applicant, __path_list_waitlist, admit_applicant, list_waitlist};

use crate::features::moderation::notices::ModerationNotice;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Page;
use crate::http::pagination;
use crate::platform::ids::Id;
use kith_db::Reader;

/// Maximum length of a note, in code points.
const MAX_NOTE_LENGTH: usize = 1_000;

/// Counts a member's notices, answers to objections and outcomes of reports after `read`.
pub async fn count_unread_notices(db: &Reader<'_>, member: Id, read: Id) -> kith_db::Result<i64> {
    let notices = notices::count_unread(db, member, read).await?;
    Ok(notices + reports_by_member::count_outcomes(db, member, read).await?)
}

/// Loads a page of a member's notices, newest first, and the cursor of the next page.
pub async fn load_notices(
    db: &Reader<'_>,
    member: Id,
    page: Page,
) -> kith_db::Result<(Vec<ModerationNotice>, Option<i64>)> {
    let rows = notices::load_page(db, member, page.before, page.limit).await?;
    let next = pagination::next_cursor(&rows, page.limit, |row| row.id.0);
    Ok((notices::load_dtos(db, rows).await?, next))
}

/// Cleans a note for storage; a note without visible characters becomes empty. Fails for more than 1,000 code points.
pub fn clean_note(typed: Option<&str>) -> Result<String> {
    clean_text(typed, MAX_NOTE_LENGTH).ok_or_else(long_note)
}

/// Cleans a text for storage; one without visible characters becomes empty. `None` for more than `max` code points.
fn clean_text(typed: Option<&str>, max: usize) -> Option<String> {
    let is_long = |text: &str| text.chars().count() > max;
    let typed = typed.unwrap_or_default();
    if is_long(typed) {
        return None;
    }
    let text = kith_text::clean(typed);
    // Checks again, because normal form C expands some characters, such as musical notes.
    if is_long(&text) {
        return None;
    }
    Some(if kith_text::is_blank(&text) { String::new() } else { text })
}

fn long_note() -> ApiError {
    ApiError::invalid_field("note", "A note can have at most 1,000 characters.")
}
