//! An export for an operator, straight into a file.

use crate::features::account::AccountState;
use crate::features::account::export::archive::Archive;
use crate::features::account::export::progress::Progress;
use crate::features::account::export::{contents, store};
use crate::features::members;
use crate::features::moderation::ExportMember;
use crate::platform::fs::temporary_file::{self, beside, place};
use crate::platform::ids::Id;
use std::path::Path;

/// Writes a member's data into a new private file; the audit log records it. An error also tells of missing images.
pub async fn to_file(app: &AccountState, username: &str, path: &Path) -> Result<(), String> {
    let found = async {
        let db = app.db.reader();
        members::find_by_username(&db, username).await
    };
    let found = found
        .await
        .map_err(|error| format!("The member cannot be looked for: {error}."))?;
    let member = found.ok_or_else(|| format!("There is no member @{username}."))?;
    let refused =
        |error: &dyn std::fmt::Display| format!("{} cannot be made: {error}.", path.display());
    if path.exists() {
        return Err(refused(&"there is a file of that name"));
    }
    // Under another name until all of it is there: what is half done is no export.
    let part = temporary_file::file(&beside(path, "part"));
    let (part, file) = part.map_err(|error| refused(&error))?;
    let now = app.now();
    let recorded = app.db.write(ExportMember { member, now }).await;
    recorded.map_err(|error| format!("The audit log cannot be written: {error}."))?;
    let archive = Archive::new(file, u64::MAX);
    let written = contents::write(app, member, &archive, &mut Progress::untracked()).await;
    let finished = archive.finish().await;
    let unwritten = |error: &dyn std::fmt::Display| {
        let why = error.to_string();
        // Some are sentences already.
        format!("The export was not written: {}.", why.trim_end_matches('.'))
    };
    let file = finished.map_err(|error| unwritten(&error))?;
    let missing = written.map_err(|error| unwritten(&error))?;
    place(&file, part, path).map_err(|error| refused(&error))?;
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{} was made without these images, which are not in the store: {}. If they are at S3, give --storage-url as \
         the server has it, and another file.",
        path.display(),
        missing.join(", ")
    ))
}

/// Rejects a command that cannot reach the member's export: without its row, nothing would lead to the file.
pub async fn check_reach(app: &AccountState, member: Id) -> Result<(), String> {
    let kept = store::kept(&app.db.reader(), member).await;
    let kept =
        kept.map_err(|error| format!("The member's export cannot be looked for: {error}."))?;
    let Some(export) = kept else {
        return Ok(());
    };
    match app.storage.size(&export.key()).await {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Err(
            "The member's export is not in the store: give --storage-url as the server has it. If the file is lost, leave out --now, and the server deletes the account in 7 days."
                .to_owned(),
        ),
        Err(error) => Err(format!("The member's export cannot be looked for: {error}.")),
    }
}
