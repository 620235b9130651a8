//! Reports, and what moderators, admins and the operator do, each with a row of the audit log in its transaction.

mod audit_log;
mod audit_routes;
mod audit_verify;
mod cases;
mod context;
mod decide;
mod erase;
mod members;
mod operator_actions;
mod pinned_images;
mod remove_post;
mod report;
mod report_snapshot;
mod reports_by_member;
mod sanctions;
mod staff;
mod waitlist;

pub use audit_log::{Actor, AuditAction};
pub use audit_routes::{__path_entries, AuditEntry, entries, page as audit_page};
pub use audit_verify::{Proof, verify};
pub use cases::{__path_queue, Case, CaseKind, CaseState, cases, queue};
pub use decide::{__path_resolve, Decide, Decision, resolve};
pub use erase::leave;
pub use members::{__path_members, members};
pub use operator_actions::{
    AdmitPeople, ChangeAddress, DeleteMember, EndEverybodys, EndSessions, ExportMember, IssueCodes,
    RemovePeople, record_sign_in,
};
pub use pinned_images::held_images;
pub use remove_post::{__path_remove_post, Removal, remove_post};
pub use report::{__path_report, report};
pub use reports_by_member::sent_by;
pub use sanctions::{
    __path_change_role, __path_freeze_invites, __path_suspend, __path_unfreeze_invites,
    __path_unsuspend, Sanction, Target, change_role, freeze_invites, suspend, unfreeze_invites,
    unsuspend,
};
pub use waitlist::{__path_admit, __path_waiting, admit, waiting};

use crate::http::error::{ApiError, Result};

/// Code points of a note.
const NOTE: usize = 1_000;

/// A note as it is stored: cleaned, and empty when nothing can be seen in it.
pub fn clean_note(typed: Option<&str>) -> Result<String> {
    let is_long = |text: &str| text.chars().count() > NOTE;
    let typed = typed.unwrap_or_default();
    if is_long(typed) {
        return Err(long_note());
    }
    let note = kith_text::clean(typed);
    // Normal form C makes three of a musical note.
    if is_long(&note) {
        return Err(long_note());
    }
    Ok(if kith_text::is_blank(&note) {
        String::new()
    } else {
        note
    })
}

fn long_note() -> ApiError {
    ApiError::invalid("note", "A note can have at most 1,000 characters.")
}
