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
mod operator_actions;
mod pinned_images;
mod remove_post;
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
pub use network_icon::{__path_remove_icon, __path_set_icon, remove_icon, set_icon};
pub use network_settings::{
    __path_get_settings, __path_update_settings, ChangeSettings, get_settings, update_settings,
};
pub use operator_actions::{
    AddPeople, AdmitPeople, ChangeEmail, DeleteMember, EndSessions, ExportMember, IssueCodes,
    RemovePeople, RevokeAllSessions, RevokeCodes, record_operator_login,
};
pub use pinned_images::load_pinned_images;
pub use remove_post::{__path_remove_post, RemovePost, remove_post};
pub use report::{__path_create_report, create_report};
pub use reports_by_member::load_sent_reports;
pub use sanction_ends::{check_end, lift_ended, parse_end, run_worker};
pub use sanctions::{
    __path_change_role, __path_freeze_invites, __path_suspend_member, __path_unfreeze_invites,
    __path_unsuspend_member, Sanction, Target, change_role, freeze_invites, suspend_member,
    unfreeze_invites, unsuspend_member,
};
pub use waitlist::{__path_admit_applicant, __path_list_waitlist, admit_applicant, list_waitlist};

use crate::http::error::{ApiError, Result};

/// Maximum length of a note, in code points.
const MAX_NOTE_LENGTH: usize = 1_000;

/// Cleans a note for storage; a note without visible characters becomes empty. Fails for more than 1,000 code points.
pub fn clean_note(typed: Option<&str>) -> Result<String> {
    let is_long = |text: &str| text.chars().count() > MAX_NOTE_LENGTH;
    let typed = typed.unwrap_or_default();
    if is_long(typed) {
        return Err(long_note());
    }
    let note = kith_text::clean(typed);
    // Checks again, because normal form C expands some characters, such as musical notes.
    if is_long(&note) {
        return Err(long_note());
    }
    Ok(if kith_text::is_blank(&note) { String::new() } else { note })
}

fn long_note() -> ApiError {
    ApiError::invalid_field("note", "A note can have at most 1,000 characters.")
}
