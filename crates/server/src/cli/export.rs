//! Data export of a member to a file, for the operator.

use crate::features::account::AccountState;
use crate::features::account::export::archive::Archive;
use crate::features::account::export::progress::ExportProgress;
use crate::features::account::export::{contents, store};
use crate::features::members;
use crate::features::moderation::ExportMember;
use crate::platform::fs::temporary_file::{self, persist_noclobber, sibling_temp_path};
use crate::platform::ids::Id;
use std::path::Path;

/// Exports a member's data to a new private file and records it in the audit log. Missing images are an error, but
/// the file is kept.
pub async fn export_to_file(
    state: &AccountState,
    username: &str,
    path: &Path,
) -> Result<(), String> {
    let found = async {
        let db = state.db.reader();
        members::find_by_username(&db, username).await
    };
    let found = found.await.map_err(|error| format!("The member cannot be loaded: {error}."))?;
    let member = found.ok_or_else(|| super::unknown_member(username))?;
    let create_error =
        |error: &dyn std::fmt::Display| format!("{} cannot be created: {error}.", path.display());
    if path.exists() {
        return Err(create_error(&"the file already exists"));
    }
    // Write under another name, and rename the complete file.
    let part = temporary_file::create_file(&sibling_temp_path(path, "part"));
    let (part, file) = part.map_err(|error| create_error(&error))?;
    let now = state.now();
    let recorded = state.db.write(ExportMember { member, now }).await;
    recorded.map_err(|error| format!("The audit log cannot be written: {error}."))?;
    let archive = Archive::new(file, u64::MAX);
    let written =
        contents::write_archive(state, member, &archive, &mut ExportProgress::untracked()).await;
    let finished = archive.finish().await;
    let export_error = |error: &dyn std::fmt::Display| {
        let error = error.to_string();
        // Some errors end with a full stop.
        format!("The export was not written: {}.", error.trim_end_matches('.'))
    };
    let file = finished.map_err(|error| export_error(&error))?;
    let missing = written.map_err(|error| export_error(&error))?;
    persist_noclobber(&file, part, path).map_err(|error| create_error(&error))?;
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{} was written without these images, which are not in the image store: {}. If images are stored in S3, give \
         --storage-url as configured for the server, and another file.",
        path.display(),
        missing.join(", ")
    ))
}

/// Checks that the image store holds the member's export. Deleting the account deletes the export's row, without
/// which the file could not be found.
pub async fn check_export_is_reachable(state: &AccountState, member: Id) -> Result<(), String> {
    let stored = store::find_stored(&state.db.reader(), member).await;
    let stored =
        stored.map_err(|error| format!("The member's export cannot be checked: {error}."))?;
    let Some(export) = stored else {
        return Ok(());
    };
    match state.storage.size(&export.storage_key()).await {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Err(
            "The member's export is not in the image store: give --storage-url as configured for the server. If the file is lost, omit --now: the server then deletes the account in 7 days."
                .to_owned(),
        ),
        Err(error) => Err(format!("The member's export cannot be checked: {error}.")),
    }
}
