//! Restores a backup into an empty data folder.

use crate::features::auth;
use crate::features::media::{self, MediaReport};
use crate::features::members;
use crate::ops::backup::ProgressReporter;
use crate::ops::backup::archive::{DATABASE, KEY};
use crate::ops::backup::unpack::{Unpacked, unpack};
use crate::ops::consistency;
use crate::platform::config::RESTORING;
use crate::platform::config::{DatabaseArgs, check_storage};
use crate::platform::crypto::SecretKey;
use crate::platform::fs::private_dir;
use crate::platform::fs::temporary_file::{self, sync_dir};
use crate::platform::migrations::MIGRATIONS;
use kith_db::{Config, Db, Depth};
use kith_storage::Storage;
use serde::Serialize;
use std::fs::File;
use std::path::Path;
use tempfile::TempDir;

/// Summary of a restored backup and its verification.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RestoreReport {
    /// Time of the backup, RFC 3339 in UTC.
    pub made_at: String,
    /// Version of the program that created the backup.
    pub kith: String,
    /// Size of the database in bytes.
    pub database_bytes: u64,
    /// Number of files of images and recent uploads.
    pub media_files: u64,
    /// Number of sessions ended, because members may have ended them after the backup.
    pub sessions_ended: u64,
    /// Number of images that posts and profiles show.
    pub images: u64,
    /// Missing files of the images that posts and profiles show.
    pub missing_files: Vec<String>,
    /// Stored counts that differ from the counted rows.
    pub wrong_counts: Vec<CountMismatch>,
}

/// A stored count with wrong values.
#[derive(Debug, Clone, Serialize)]
pub struct CountMismatch {
    /// Label of the count.
    pub what: &'static str,
    /// Number of wrong values.
    pub places: i64,
}

/// Restores a backup into an empty or new data folder and verifies it. Sessions end unless `keep_sessions`.
///
/// Missing images and wrong counts are only reported. Every other error is a sentence; the folder is unchanged then.
pub async fn restore_backup(
    store: &DatabaseArgs,
    storage_url: &str,
    file: &Path,
    keep_sessions: bool,
    progress: &mut ProgressReporter,
) -> Result<RestoreReport, String> {
    if !store.database_url.is_empty() {
        return Err(
            "A backup is restored into a data folder, not into PostgreSQL: leave --database-url empty."
                .to_owned(),
        );
    }
    check_storage(storage_url)?;
    // Remove control characters of the archive's own text, which a terminal would interpret.
    let restore_error = |error: &dyn std::fmt::Display| {
        let error = kith_text::clean_line(&error.to_string());
        format!("{} cannot be restored: {error}.", file.display())
    };
    let source = File::open(file).map_err(|error| restore_error(&error))?;
    let data = &store.data;
    let folder_error =
        |error: std::io::Error| format!("KITH_DATA: {} cannot be used: {error}.", data.display());
    let created = prepare_folder(data)?;
    let staging = temporary_file::create_dir(&data.join(RESTORING)).map_err(folder_error)?;
    let objects = staging.path().join("media");
    let storage = Storage::open("", &objects).await.map_err(|error| restore_error(&error))?;
    let unpacked = unpack(source, staging.path(), &storage, progress).await;
    let unpacked = unpacked.map_err(|error| restore_error(&error))?;
    let storage = match (unpacked.manifest.media_at_store, storage_url) {
        (false, "") => storage,
        (false, _) => {
            return Err(restore_error(
                &"its images go into the data folder, so leave --storage-url empty",
            ));
        }
        (true, "") => {
            return Err(restore_error(&"its images are in S3, so set --storage-url to the bucket"));
        }
        (true, url) => Storage::open(url, &objects).await.map_err(|error| restore_error(&error))?,
    };
    SecretKey::load(&staging.path().join(KEY)).map_err(|error| restore_error(&error))?;
    let database = staging.path().join(DATABASE);
    let report = verify(&database, &storage, unpacked, keep_sessions, progress).await;
    let report = report.map_err(|error| restore_error(&error))?;
    // Move the database last: without it, a server treats the folder as new.
    for name in ["media", KEY, DATABASE] {
        std::fs::rename(staging.path().join(name), data.join(name)).map_err(folder_error)?;
    }
    drop(staging);
    sync_dir(data).map_err(folder_error)?;
    if let Some(created) = created {
        temporary_file::keep_dir(created);
    }
    Ok(report)
}

/// Creates the folder and returns it, or checks that the existing one is empty and private.
fn prepare_folder(data: &Path) -> Result<Option<TempDir>, String> {
    let folder_error =
        |problem: &dyn std::fmt::Display| format!("KITH_DATA: {} {problem}.", data.display());
    match std::fs::read_dir(data) {
        Ok(mut entries) => match entries.next() {
            None if private_dir::is_writable_by_others(data) => Err(folder_error(
                &"belongs to another account, or others can write into it and would obtain the key and every email address. \
                  Restore as the account that owns the folder, and remove the write permission of others",
            )),
            None => Ok(None),
            Some(_) => Err(folder_error(
                &"is not empty, and a backup can only be restored into an empty folder",
            )),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let created = temporary_file::create_dir(data);
            created.map(Some).map_err(|error| folder_error(&format!("cannot be made: {error}")))
        }
        Err(error) => Err(folder_error(&format!("cannot be read: {error}"))),
    }
}

/// Checks that a closed database has no WAL left: only its main file is moved.
fn ensure_checkpointed(database: &Path) -> Result<(), String> {
    let mut wal = database.as_os_str().to_owned();
    wal.push("-wal");
    match std::fs::metadata(wal) {
        Ok(wal) if wal.len() > 0 => {
            Err("there is not enough disk space for its database".to_owned())
        }
        _ => Ok(()),
    }
}

/// Migrates the unpacked database to this program's schema and verifies it.
async fn verify(
    database: &Path,
    storage: &Storage,
    unpacked: Unpacked,
    keep_sessions: bool,
    progress: &mut ProgressReporter,
) -> Result<RestoreReport, String> {
    let damage = kith_db::integrity_errors(database).map_err(|error| error.to_string())?;
    if let Some(first) = damage.first() {
        return Err(format!("its database is damaged: {first}"));
    }
    let config = Config::sqlite(database);
    // Check before opening, which would create the tables in an empty database.
    let health = kith_db::health(&config, MIGRATIONS, Depth::Shallow).await;
    let health =
        health.map_err(|error| format!("the archive does not contain a Kith database: {error}"))?;
    if health.missing == MIGRATIONS.len() {
        return Err("the archive does not contain a Kith database".to_owned());
    }
    let opened = Db::open(&config, MIGRATIONS).await;
    let db = opened.map_err(|error| error.to_string())?;
    let is_empty = members::is_empty(&db.reader()).await;
    if is_empty.map_err(|error| error.to_string())? {
        return Err("its database has no members".to_owned());
    }
    let media_report = media::verify_files(&db, storage, |images| {
        progress.report("Images checked", images, None);
    });
    let MediaReport { images, missing } = media_report.await?;
    let mismatches = consistency::find_count_mismatches(&db).await;
    let ended = if keep_sessions { Ok(0) } else { db.write(auth::RevokeAllCredentials).await };
    db.close().await;
    ensure_checkpointed(database)?;
    let sessions_ended = ended.map_err(|error| error.to_string())?;
    let mismatches = mismatches.map_err(|error| error.to_string())?.into_iter();
    Ok(RestoreReport {
        made_at: unpacked.manifest.made_at,
        kith: unpacked.manifest.kith,
        database_bytes: unpacked.database_bytes,
        media_files: unpacked.media_files,
        sessions_ended,
        images,
        missing_files: missing,
        wrong_counts: mismatches.map(|(what, places)| CountMismatch { what, places }).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: operate-restore-whole
    #[test]
    fn a_database_with_a_wal_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join(DATABASE);
        assert_eq!(ensure_checkpointed(&database), Ok(()));
        let wal = folder.path().join(format!("{DATABASE}-wal"));
        std::fs::write(&wal, b"").unwrap();
        assert_eq!(ensure_checkpointed(&database), Ok(()), "an empty WAL");
        std::fs::write(&wal, b"rest").unwrap();
        assert!(ensure_checkpointed(&database).is_err());
    }
}
