//! `kith backup` and `kith restore`.

use crate::cli::{Whole, leave_nothing};
use crate::ops::backup::{self, BackupReport, ProgressReporter, RestoreReport};
use crate::platform::output::say;
use clap::Args;
use std::path::PathBuf;

/// What both commands take.
#[derive(Debug, Args)]
pub(super) struct Archive {
    /// The backup.
    file: PathBuf,
    #[command(flatten)]
    whole: Whole,
    /// Print one JSON object, and nothing about the progress.
    #[arg(long)]
    json: bool,
}

/// What is restored, and how.
#[derive(Debug, Args)]
pub(super) struct Restoring {
    #[command(flatten)]
    archive: Archive,
    /// Let sessions go on, also those that were ended after the backup was made.
    #[arg(long)]
    keep_sessions: bool,
}

/// Makes a backup.
pub(super) async fn make(archive: Archive) -> Result<(), String> {
    leave_nothing();
    let mut progress = ProgressReporter::start(!archive.json);
    let made = backup::create_backup(
        &archive.whole.store,
        &archive.whole.storage_url,
        &archive.file,
        &mut progress,
    );
    let made = made.await?;
    if archive.json {
        super::print_json(&made)?;
    } else {
        tell_made(&made)?;
    }
    if !made.media_missing {
        return Ok(());
    }
    let media = archive.whole.store.data.join("media");
    Err(format!(
        "Posts or profiles show images, but {} holds none: if they are at S3, give --storage-url as the server has it.",
        media.display()
    ))
}

fn tell_made(made: &BackupReport) -> Result<(), String> {
    say!("{}: {} bytes", made.file.display(), made.bytes)?;
    say!("database: {} bytes", made.database_bytes)?;
    if made.media_at_store {
        say!("images: not in it, they stay at S3")?;
    } else {
        say!("files of images: {}", made.media_files)?;
    }
    say!("It holds the key too: whoever has it can log in as anybody.")
}

/// Restores a backup.
pub(super) async fn restore(restoring: Restoring) -> Result<(), String> {
    let Restoring {
        archive,
        keep_sessions,
    } = restoring;
    leave_nothing();
    let mut progress = ProgressReporter::start(!archive.json);
    let found = backup::restore_backup(
        &archive.whole.store,
        &archive.whole.storage_url,
        &archive.file,
        keep_sessions,
        &mut progress,
    );
    let found = found.await?;
    if archive.json {
        super::print_json(&found)?;
    } else {
        tell_found(&found)?;
    }
    if found.missing_files.is_empty() && found.wrong_counts.is_empty() {
        return Ok(());
    }
    let data = archive.whole.store.data.display();
    Err(format!(
        "{data} has everything that the backup held, but the backup was not right when it was made."
    ))
}

fn tell_found(found: &RestoreReport) -> Result<(), String> {
    say!("made: {} by kith {}", found.made_at, found.kith)?;
    say!("database: {} bytes, whole", found.database_bytes)?;
    say!("files of images: {}", found.media_files)?;
    say!(
        "images shown: {}, of which {} files are missing",
        found.images,
        found.missing_files.len()
    )?;
    if found.sessions_ended > 0 {
        say!(
            "sessions ended: {}, everybody logs in again",
            found.sessions_ended
        )?;
    }
    for file in &found.missing_files {
        say!("missing: {}", kith_text::clean_line(file))?;
    }
    if found.wrong_counts.is_empty() {
        say!("counts: all right")?;
    }
    for wrong in &found.wrong_counts {
        say!("wrong count: {} in {} places", wrong.what, wrong.places)?;
    }
    Ok(())
}
