//! `kith backup` and `kith restore`.

use crate::cli::{DataArgs, remove_temporary_files_on_signal};
use crate::ops::backup::{self, BackupReport, ProgressReporter, RestoreReport};
use crate::platform::output::print_line;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `kith backup`, which `kith restore` shares.
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
    let created =
        backup::create_backup(&args.data.store, &args.data.storage_url, &args.file, &mut progress);
    let report = created.await?;
    if args.json {
        super::print_json(&report)?;
    } else {
        print_backup(&report)?;
    }
    if report.missing_files.is_empty() {
        return Ok(());
    }
    let media = args.data.store.data.join("media");
    Err(format!(
        "The backup is complete but for {} image files that {} lacks. If images are stored in S3, give --storage-url as configured for the server.",
        report.missing_files.len(),
        media.display()
    ))
}

fn print_backup(report: &BackupReport) -> Result<(), String> {
    print_line!("{}: {} bytes", report.file.display(), report.bytes)?;
    print_line!("database: {} bytes", report.database_bytes)?;
    if report.media_at_store {
        print_line!("images: not included, they are stored in S3")?;
    } else {
        print_line!("image files: {}", report.media_files)?;
    }
    print_missing_files(&report.missing_files)?;
    print_line!("It contains the secret key: anyone who has the backup can log in as any member.")
}

fn print_missing_files(files: &[String]) -> Result<(), String> {
    files.iter().try_for_each(|file| print_line!("missing: {}", kith_text::clean_line(file)))
}

/// Restores a backup.
pub(super) async fn restore_backup(args: RestoreArgs) -> Result<(), String> {
    let RestoreArgs { backup: args, keep_sessions } = args;
    remove_temporary_files_on_signal();
    let mut progress = ProgressReporter::start(!args.json);
    let restored = backup::restore_backup(
        &args.data.store,
        &args.data.storage_url,
        &args.file,
        keep_sessions,
        &mut progress,
    );
    let report = restored.await?;
    if args.json {
        super::print_json(&report)?;
    } else {
        print_restore(&report)?;
    }
    if report.missing_files.is_empty() && report.wrong_counts.is_empty() {
        return Ok(());
    }
    let data = args.data.store.data.display();
    Err(format!(
        "{data} contains everything in the backup, but the backup was incomplete or inconsistent when it was made."
    ))
}

fn print_restore(report: &RestoreReport) -> Result<(), String> {
    print_line!("created: {} by kith {}", report.made_at, report.kith)?;
    print_line!("database: {} bytes, integrity check passed", report.database_bytes)?;
    print_line!("image files: {}", report.media_files)?;
    print_line!("images in use: {}, missing files: {}", report.images, report.missing_files.len())?;
    if report.sessions_ended > 0 {
        print_line!("sessions ended: {}, all members have to log in again", report.sessions_ended)?;
    }
    print_missing_files(&report.missing_files)?;
    if report.wrong_counts.is_empty() {
        print_line!("counts: correct")?;
    }
    for wrong in &report.wrong_counts {
        print_line!("wrong count: {} in {} rows", wrong.what, wrong.places)?;
    }
    Ok(())
}
