//! Reports, and what moderators, admins and the operator do, each with a row of the audit log in its transaction.

mod admissions;
mod audit;
mod chain;
mod context;
mod decide;
mod directory;
mod evidence;
mod held;
mod leave;
mod log;
mod operator;
mod queue;
mod report;
mod sanction;
mod sent;
mod staff;

pub use admissions::{__path_admit, __path_waiting, admit, waiting};
pub use audit::{Actor, AuditAction};
pub use chain::{Proof, verify};
pub use decide::{__path_resolve, Decide, Decision, Removal, resolve};
pub use directory::{__path_members, members};
pub use held::held_images;
pub use leave::leave;
pub use log::{__path_entries, AuditEntry, entries, page as audit_page};
pub use operator::{
    AdmitPeople, ChangeAddress, DeleteMember, EndEverybodys, EndSessions, ExportMember, IssueCodes,
    RemovePeople, record_sign_in,
};
pub use queue::{__path_queue, Case, CaseKind, CaseState, cases, queue};
pub use report::{__path_report, report};
pub use sanction::{
    __path_change_role, __path_freeze_invites, __path_remove_post, __path_suspend,
    __path_unfreeze_invites, __path_unsuspend, Sanction, Target, change_role, freeze_invites,
    remove_post, suspend, unfreeze_invites, unsuspend,
};
pub use sent::sent_by;

use crate::error::{ApiError, Result};

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
