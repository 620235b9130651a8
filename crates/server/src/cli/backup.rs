//! `kith backup` and `kith restore`.

use crate::cli::{DataArgs, remove_temporary_files_on_signal};
use crate::ops::backup::{self, BackupReport, ProgressReporter, RestoreReport};
use crate::platform::output::print_line;
use clap::Args;
use std::path::PathBuf;

/// Arguments of both commands.
#[derive(Debug, Args)]
pub(super) struct BackupArgs {
    /// Path of the backup.
    file: PathBuf,
    #[command(flatten)]
    data: DataArgs,
    /// Print one JSON object and no progress.
    #[arg(long)]
    json: bool,
}

/// Arguments of `kith restore`.
#[derive(Debug, Args)]
pub(super) struct RestoreArgs {
    #[command(flatten)]
    backup: BackupArgs,
    /// Keep the sessions in the backup, including those that were ended after it was made.
    #[arg(long)]
    keep_sessions: bool,
}

/// Creates a backup.
pub(super) async fn create_backup(args: BackupArgs) -> Result<(), String> {
    remove_temporary_files_on_signal();
    let mut progress = ProgressReporter::start(!args.json);
    let made =
        backup::create_backup(&args.data.store, &args.data.storage_url, &args.file, &mut progress);
    let made = made.await?;
    if args.json {
        super::print_json(&made)?;
    } else {
        print_backup(&made)?;
    }
    if !made.media_missing {
        return Ok(());
    }
    let media = args.data.store.data.join("media");
    Err(format!(
        "Posts or profiles use images, but {} is empty. If images are stored in S3, give --storage-url as configured for the server.",
        media.display()
    ))
}

fn print_backup(made: &BackupReport) -> Result<(), String> {
    print_line!("{}: {} bytes", made.file.display(), made.bytes)?;
    print_line!("database: {} bytes", made.database_bytes)?;
    if made.media_at_store {
        print_line!("images: not included, they are stored in S3")?;
    } else {
        print_line!("image files: {}", made.media_files)?;
    }
    print_line!("It contains the secret key: anyone who has the backup can log in as any member.")
}

/// Restores a backup.
pub(super) async fn restore_backup(args: RestoreArgs) -> Result<(), String> {
    let RestoreArgs { backup: args, keep_sessions } = args;
    remove_temporary_files_on_signal();
    let mut progress = ProgressReporter::start(!args.json);
    let found = backup::restore_backup(
        &args.data.store,
        &args.data.storage_url,
        &args.file,
        keep_sessions,
        &mut progress,
    );
    let found = found.await?;
    if args.json {
        super::print_json(&found)?;
    } else {
        print_restore(&found)?;
    }
    if found.missing_files.is_empty() && found.wrong_counts.is_empty() {
        return Ok(());
    }
    let data = args.data.store.data.display();
    Err(format!(
        "{data} contains everything in the backup, but the backup was incomplete or inconsistent when it was made."
    ))
}

fn print_restore(found: &RestoreReport) -> Result<(), String> {
    print_line!("created: {} by kith {}", found.made_at, found.kith)?;
    print_line!("database: {} bytes, integrity check passed", found.database_bytes)?;
    print_line!("image files: {}", found.media_files)?;
    print_line!("images in use: {}, missing files: {}", found.images, found.missing_files.len())?;
    if found.sessions_ended > 0 {
        print_line!("sessions ended: {}, all members have to log in again", found.sessions_ended)?;
    }
    for file in &found.missing_files {
        print_line!("missing: {}", kith_text::clean_line(file))?;
    }
    if found.wrong_counts.is_empty() {
        print_line!("counts: correct")?;
    }
    for wrong in &found.wrong_counts {
        print_line!("wrong count: {} in {} rows", wrong.what, wrong.places)?;
    }
    Ok(())
}
