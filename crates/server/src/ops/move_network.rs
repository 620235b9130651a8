//! Moves a network between SQLite and PostgreSQL while no server runs.

use crate::features::media::{self, MediaReport};
use crate::ops::backup::{CountMismatch, ProgressReporter};
use crate::ops::consistency;
use crate::platform::config::{DatabaseArgs, check_storage};
use crate::platform::fs::temporary_file::{
    create_file, persist_noclobber, sibling_temp_path, sync_dir,
};
use crate::platform::migrations::MIGRATIONS;
use crate::platform::try_lock_data_dir;
use kith_db::{Config, Db, transfer};
use kith_storage::Storage;
use std::path::PathBuf;
use std::str::FromStr;

/// Extension of the SQLite file after its network was moved.
const MOVED: &str = "moved";

/// Database that a network is moved to.
#[derive(Debug, Clone)]
pub enum MoveTarget {
    /// The SQLite file of the data folder.
    Sqlite,
    /// URL of an empty PostgreSQL database.
    Postgres(String),
}

impl FromStr for MoveTarget {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "sqlite" {
            Ok(Self::Sqlite)
        } else if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            Ok(Self::Postgres(text.to_owned()))
        } else {
            Err("it must be a URL that begins with postgres://, or sqlite")
        }
    }
}

/// Summary of a moved network and its verification.
#[derive(Debug)]
pub struct MoveReport {
    /// Number of rows, each of which was compared.
    pub rows: u64,
    /// Images that posts and profiles show, and their missing files.
    pub media: MediaReport,
    /// Stored counts that differ from the counted rows.
    pub wrong_counts: Vec<CountMismatch>,
    /// New path of the SQLite file that the network was moved from.
    pub kept: Option<PathBuf>,
}

/// Copies the network to the other engine and verifies the copy. The secret key and the images stay where they are.
///
/// Missing images and wrong counts are only reported: the source has them too. Every other error is a sentence; the
/// source is unchanged then.
pub async fn move_network(
    store: &DatabaseArgs,
    storage_url: &str,
    target: &MoveTarget,
    progress: &mut ProgressReporter,
) -> Result<MoveReport, String> {
    check_storage(storage_url)?;
    let lock = try_lock_data_dir(&store.data)?;
    if lock.is_none() {
        return Err(format!("A server uses {}: stop it first.", store.data.display()));
    }
    match target {
        MoveTarget::Postgres(url) => to_postgres(store, storage_url, url, progress).await,
        MoveTarget::Sqlite => to_sqlite(store, storage_url, progress).await,
    }
}

async fn to_postgres(
    store: &DatabaseArgs,
    storage_url: &str,
    url: &str,
    progress: &mut ProgressReporter,
) -> Result<MoveReport, String> {
    if !store.database_url.is_empty() {
        return Err(
            "The network is on PostgreSQL already: leave KITH_DATABASE_URL empty to move from SQLite."
                .to_owned(),
        );
    }
    let target = Config::postgres(url);
    target.check().map_err(|error| format!("--to: {error}."))?;
    let file = store.database_file();
    let mut report_rows = |done, total| progress.report("Rows", done, Some(total));
    let copied = transfer::to_postgres(&file, url, MIGRATIONS, &mut report_rows).await;
    let rows = copied.map_err(|error| move_error(&error))?;
    let mut report = verify(store, storage_url, &target, progress).await?;
    report.rows = rows;
    // A server that is started without KITH_DATABASE_URL must not serve the old database.
    let kept = sibling(&file, MOVED);
    std::fs::rename(&file, &kept).map_err(|error| move_error(&error))?;
    for suffix in ["-wal", "-shm"] {
        // The WAL is empty, and usually removed already.
        let _ = std::fs::remove_file(sibling(&file, suffix));
    }
    sync_dir(&store.data).map_err(|error| move_error(&error))?;
    report.kept = Some(kept);
    Ok(report)
}

async fn to_sqlite(
    store: &DatabaseArgs,
    storage_url: &str,
    progress: &mut ProgressReporter,
) -> Result<MoveReport, String> {
    if store.database_url.is_empty() {
        return Err(
            "The network is on SQLite already: set KITH_DATABASE_URL to move it from PostgreSQL."
                .to_owned(),
        );
    }
    let file = store.database_file();
    if file.exists() {
        return Err(format!("{} exists: move it elsewhere first.", file.display()));
    }
    store.database().check().map_err(|error| format!("KITH_DATABASE_URL: {error}."))?;
    let (part, out) =
        create_file(&sibling_temp_path(&file, "move")).map_err(|error| move_error(&error))?;
    let mut report_rows = |done, total| progress.report("Rows", done, Some(total));
    let copied = transfer::to_sqlite(&store.database_url, &part, MIGRATIONS, &mut report_rows);
    let rows = copied.await.map_err(|error| move_error(&error))?;
    let mut report = verify(store, storage_url, &Config::sqlite(&*part), progress).await?;
    report.rows = rows;
    persist_noclobber(&out, part, &file).map_err(|error| move_error(&error))?;
    Ok(report)
}

/// Verifies images and counts of the copy.
async fn verify(
    store: &DatabaseArgs,
    storage_url: &str,
    copy: &Config,
    progress: &mut ProgressReporter,
) -> Result<MoveReport, String> {
    let opened = Db::open_as_is(copy, MIGRATIONS).await;
    let db = opened.map_err(|error| move_error(&error))?;
    let storage = Storage::open(storage_url, &store.data.join("media")).await;
    let storage = storage.map_err(|sentence| format!("KITH_STORAGE_URL: {sentence}"))?;
    let media = media::verify_files(&db, &storage, |images| {
        progress.report("Images checked", images, None);
    });
    let media = media.await.map_err(|error| move_error(&error))?;
    let mismatches = consistency::find_count_mismatches(&db).await;
    db.close().await;
    let mismatches = mismatches.map_err(|error| move_error(&error))?.into_iter();
    let wrong_counts = mismatches.map(|(what, places)| CountMismatch { what, places });
    Ok(MoveReport { rows: 0, media, wrong_counts: wrong_counts.collect(), kept: None })
}

/// Appends `-…` to the name of a file, or another extension.
fn sibling(file: &std::path::Path, end: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    if !end.starts_with('-') {
        name.push(".");
    }
    name.push(end);
    name.into()
}

fn move_error(error: &dyn std::fmt::Display) -> String {
    format!("The network cannot be moved: {error}.")
}
