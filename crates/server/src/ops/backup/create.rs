//! Creates a backup while the server runs.

use crate::features::account::export;
use crate::features::media;
use crate::ops::backup::ProgressReporter;
use crate::ops::backup::archive::{
    ArchiveWriter, DATABASE, FORMAT, KEY, MANIFEST, MAX_ENTRY, MEDIA, Manifest,
};
use crate::platform::clock::{Clock, rfc3339};
use crate::platform::config::{DatabaseArgs, check_storage};
use crate::platform::crypto::{SymlinkPolicy, read_key};
use crate::platform::fs::private_dir;
use crate::platform::fs::temporary_file::{self, parent_dir, persist_noclobber, sibling_temp_path};
use crate::platform::migrations::MIGRATIONS;
use kith_db::{Config, Db};
use kith_storage::Storage;
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Objects per listing; large, because each listing scans the whole folder.
const PAGE_SIZE: usize = 100_000;

/// Summary of a backup.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BackupReport {
    /// Path of the backup.
    pub file: PathBuf,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Size of the database in bytes.
    pub database_bytes: u64,
    /// Number of files of images and recent uploads.
    pub media_files: u64,
    /// Whether the images are in S3 and not in the backup.
    pub media_at_store: bool,
    /// Missing files of the images that posts and profiles show; not determined if the images are in S3.
    pub missing_files: Vec<String>,
}

/// Writes a backup of the data folder to a new file. An error is a sentence; no file is left then.
pub async fn create_backup(
    store: &DatabaseArgs,
    storage_url: &str,
    file: &Path,
    progress: &mut ProgressReporter,
) -> Result<BackupReport, String> {
    if !store.database_url.is_empty() {
        return Err("This network is in PostgreSQL: back the database up with pg_dump, and copy secret.key and media from the data folder.".to_owned());
    }
    check_storage(storage_url)?;
    let database = store.database_file();
    if !database.is_file() {
        return Err(format!(
            "There is no network in {}: set --data to the server's data folder.",
            store.data.display()
        ));
    }
    if file.exists() {
        return Err(format!("{} already exists: choose another file.", file.display()));
    }
    let write_error =
        |error: &dyn std::fmt::Display| format!("{} cannot be written: {error}.", file.display());
    let is_replaceable = private_dir::allows_replacement_by_others(parent_dir(file), &database);
    if is_replaceable.map_err(|error| write_error(&error))? {
        return Err(format!(
            "{} cannot be written: its folder belongs to another account or is writable by others, who could replace files \
             there and obtain the key and every email address. Use a folder of your own, or set its sticky bit.",
            file.display()
        ));
    }
    let key = read_key(&store.key_file(), SymlinkPolicy::Reject);
    let key = key.map_err(|error| format!("The key cannot be copied: {error}."))?;
    let (part, out) = temporary_file::create_file(&sibling_temp_path(file, "part"))
        .map_err(|error| write_error(&error))?;
    let (copy, content) = copy_database(&database, file, progress)?;
    let mut report = BackupReport {
        file: file.to_path_buf(),
        bytes: 0,
        database_bytes: 0,
        media_files: 0,
        media_at_store: !storage_url.is_empty(),
        missing_files: Vec::new(),
    };
    let now = Clock::system().now();
    let mut archive =
        ArchiveWriter::new(BufWriter::new(out), u64::try_from(now / 1_000).unwrap_or(0));
    let manifest = Manifest {
        format: FORMAT,
        kith: env!("CARGO_PKG_VERSION").to_owned(),
        made_at: rfc3339(now),
        media_at_store: report.media_at_store,
    };
    report.database_bytes =
        add_data(&mut archive, &manifest, &key, content).map_err(|error| write_error(&error))?;
    if !report.media_at_store {
        let storage = Storage::open("", &store.data.join("media")).await;
        let storage = storage.map_err(|error| images_error(&error))?;
        report.media_files = add_media(&mut archive, &storage, progress).await?;
        report.missing_files = find_missing_files(&copy.path().join(DATABASE), &storage).await?;
    }
    drop(copy);
    let written = archive
        .finish()
        .and_then(|out| out.into_inner().map_err(std::io::IntoInnerError::into_error));
    let out = written.map_err(|error| write_error(&error))?;
    let persisted = persist_noclobber(&out, part, file).and_then(|()| out.metadata());
    report.bytes = persisted.map_err(|error| write_error(&error))?.len();
    Ok(report)
}

/// Returns the files that a copy of the database references and the storage lacks; none for a database of another
/// version.
async fn find_missing_files(database: &Path, storage: &Storage) -> Result<Vec<String>, String> {
    let Ok(db) = Db::open_as_is(&Config::sqlite(database), MIGRATIONS).await else {
        return Ok(Vec::new());
    };
    let report = media::verify_files(&db, storage, |_| ()).await;
    db.close().await;
    report.map(|report| report.missing).map_err(|error| images_error(&error))
}

fn images_error(error: &dyn std::fmt::Display) -> String {
    format!("The images cannot be copied: {error}.")
}

/// Copies the database into a private folder, where no other account can place SQLite's WAL files. Returns the
/// folder and the copy, opened.
fn copy_database(
    database: &Path,
    file: &Path,
    progress: &mut ProgressReporter,
) -> Result<(TempDir, File), String> {
    let write_error =
        |error: &dyn std::fmt::Display| format!("{} cannot be written: {error}.", file.display());
    let folder = sibling_temp_path(file, "copy");
    // The caller holds the lock of the unfinished backup, so the folder is of a killed process.
    temporary_file::remove_abandoned_dir(&folder).map_err(|error| write_error(&error))?;
    let folder = temporary_file::create_dir(&folder).map_err(|error| write_error(&error))?;
    let path = folder.path().join(DATABASE);
    let (copy, content) =
        temporary_file::create_file(&path).map_err(|error| write_error(&error))?;
    let copied = kith_db::copy_sqlite(database, &copy, |done, all| {
        progress.report("Pages of the database", done, Some(all));
    });
    let copied = copied.map_err(|error| format!("The database cannot be copied: {error}."))?;
    let damage = kith_db::integrity_errors(&copy)
        .map_err(|error| format!("The copy of the database cannot be read: {error}."))?;
    if let Some(first) = damage.first() {
        return Err(format!("The database is damaged, so there is no backup: {first}."));
    }
    let metadata = content.metadata().map_err(|error| write_error(&error))?;
    if metadata.len() != copied {
        return Err(write_error(&"the copy of the database was replaced by another process"));
    }
    copy.keep().map_err(|error| write_error(&error))?;
    Ok((folder, content))
}

/// Adds the manifest, the database and the key; returns the size of the database in bytes.
fn add_data(
    archive: &mut ArchiveWriter<impl Write>,
    manifest: &Manifest,
    key: &[u8],
    database: File,
) -> std::io::Result<u64> {
    let manifest = serde_json::to_string_pretty(manifest)? + "\n";
    archive.add(MANIFEST, manifest.len() as u64, manifest.as_bytes())?;
    let size = database.metadata()?.len();
    archive.add(DATABASE, size, database)?;
    archive.add(KEY, key.len() as u64, key)?;
    Ok(size)
}

/// Adds every object except exports; returns their number.
///
/// All images that the copied database references are still there: images are deleted an hour after their last
/// reference at the earliest.
async fn add_media(
    archive: &mut ArchiveWriter<impl Write>,
    storage: &Storage,
    progress: &mut ProgressReporter,
) -> Result<u64, String> {
    let (mut after, mut count) = (None, 0);
    loop {
        let page = storage.list(after.as_deref(), PAGE_SIZE).await;
        let page = page.map_err(|error| images_error(&error))?;
        let Some((last, _)) = page.last() else {
            return Ok(count);
        };
        after = Some(last.clone());
        for (key, _) in &page {
            // Exports are as large as a member's data, and members can request new ones.
            if export::is_export_key(key) {
                continue;
            }
            let image_error = |error: &dyn std::fmt::Display| {
                format!("The image {key} cannot be copied: {error}.")
            };
            let bytes = storage.get(key, MAX_ENTRY).await;
            // The garbage collection may have deleted the object since the listing.
            let Some(bytes) = bytes.map_err(|error| image_error(&error))? else {
                continue;
            };
            let added = archive.add(&format!("{MEDIA}{key}"), bytes.len() as u64, &bytes[..]);
            added.map_err(|error| image_error(&error))?;
            count += 1;
            progress.report("Files of images", count, None);
        }
    }
}
