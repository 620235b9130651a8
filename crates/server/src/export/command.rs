//! An export for an operator, straight into a file.

use crate::app::App;
use crate::export::archive::Archive;
use crate::export::contents;
use crate::export::worker::Progress;
use crate::moderation::ExportMember;
use crate::users;
use std::fs::OpenOptions;
use std::path::Path;

/// Writes everything of a member into a new file that only its owner can read; the audit log
/// tells of it. An error is a sentence.
pub async fn to_file(app: &App, username: &str, path: &Path) -> Result<(), String> {
    let found = async {
        let db = app.db.reader();
        users::find_by_username(&db, username).await
    };
    let found = found
        .await
        .map_err(|error| format!("The member cannot be looked for: {error}."))?;
    let member = found.ok_or_else(|| format!("There is no member @{username}."))?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options
        .open(path)
        .map_err(|error| format!("{} cannot be made: {error}.", path.display()))?;
    let now = app.now();
    let recorded = app.db.write(ExportMember { member, now }).await;
    if let Err(error) = recorded {
        let _ = std::fs::remove_file(path);
        return Err(format!("The audit log cannot be written: {error}."));
    }
    let archive = Archive::new(file, u64::MAX);
    let written = contents::write(app, member, &archive, &mut Progress::untold()).await;
    let finished = archive.finish().await;
    let error = match (written, finished) {
        (Ok(()), Ok(_)) => return Ok(()),
        (_, Err(error)) => error.to_string(),
        (Err(error), _) => error.to_string(),
    };
    // What is half done is no export.
    let _ = std::fs::remove_file(path);
    Err(format!("The export was not written: {error}"))
}
