//! Filling an empty data folder from a backup.

use crate::features::auth;
use crate::features::media::{self, MediaReport};
use crate::features::members;
use crate::ops::backup::Progress;
use crate::ops::backup::archive::{DATABASE, KEY};
use crate::ops::backup::unpack::{Unpacked, unpack};
use crate::ops::consistency;
use crate::platform::config::RESTORING;
use crate::platform::config::{Store, check_storage};
use crate::platform::crypto::SecretKey;
use crate::platform::fs::private_dir;
use crate::platform::fs::temporary_file::{self, flush};
use crate::platform::migrations::MIGRATIONS;
use kith_db::{Config, Db, Depth};
use kith_storage::Storage;
use serde::Serialize;
use std::fs::File;
use std::path::Path;
use tempfile::TempDir;

/// What a backup held and how right it was.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// When it was made, RFC 3339 in UTC.
    pub made_at: String,
    /// The version of the program that made it.
    pub kith: String,
    /// Bytes of the database.
    pub database_bytes: u64,
    /// Files of images, and of what had been uploaded lately.
    pub media_files: u64,
    /// Sessions that were ended, for whoever ended one since the backup was made.
    pub sessions_ended: u64,
    /// Images that posts and profiles show.
    pub images: u64,
    /// Files of these that are missing.
    pub missing_files: Vec<String>,
    /// Counts that are not what they count.
    pub wrong_counts: Vec<WrongCount>,
}

/// A kind of count that is wrong somewhere.
#[derive(Debug, Clone, Serialize)]
pub struct WrongCount {
    /// What is counted.
    pub what: &'static str,
    /// In how many places it is wrong.
    pub places: i64,
}

/// Restores a backup into an empty or new data folder and verifies it. An error is a sentence and leaves the folder as
/// it was; single wrong images and counts are only reported. Sessions end unless `keep_sessions`.
pub async fn restore(
    store: &Store,
    storage_url: &str,
    file: &Path,
    keep_sessions: bool,
    progress: &mut Progress,
) -> Result<Found, String> {
    if !store.database_url.is_empty() {
        return Err(
            "A backup goes into a data folder, not into PostgreSQL: leave --database-url empty."
                .to_owned(),
        );
    }
    check_storage(storage_url)?;
    // Some of the words are the archive's own: a terminal must not take them for commands.
    let refused = |why: &dyn std::fmt::Display| {
        let why = kith_text::clean_line(&why.to_string());
        format!("{} cannot be restored: {why}.", file.display())
    };
    let source = File::open(file).map_err(|error| refused(&error))?;
    let data = &store.data;
    let unusable =
        |error: std::io::Error| format!("KITH_DATA: {} cannot be used: {error}.", data.display());
    let made = make_empty(data)?;
    let staging = temporary_file::folder(&data.join(RESTORING)).map_err(unusable)?;
    let objects = staging.path().join("media");
    let storage = Storage::open("", &objects)
        .await
        .map_err(|why| refused(&why))?;
    let unpacked = unpack(source, staging.path(), &storage, progress).await;
    let unpacked = unpacked.map_err(|why| refused(&why))?;
    let storage = match (unpacked.manifest.media_at_store, storage_url) {
        (false, "") => storage,
        (false, _) => {
            return Err(refused(
                &"its images go into the data folder, so leave --storage-url empty",
            ));
        }
        (true, "") => {
            return Err(refused(
                &"its images stayed at S3, so name the bucket with --storage-url",
            ));
        }
        (true, url) => Storage::open(url, &objects)
            .await
            .map_err(|why| refused(&why))?,
    };
    SecretKey::load(&staging.path().join(KEY)).map_err(|error| refused(&error))?;
    let database = staging.path().join(DATABASE);
    let found = verify(&database, &storage, unpacked, keep_sessions, progress).await;
    let found = found.map_err(|why| refused(&why))?;
    // The database last: a folder without it is none that a server was meant to have.
    for name in ["media", KEY, DATABASE] {
        std::fs::rename(staging.path().join(name), data.join(name)).map_err(unusable)?;
    }
    drop(staging);
    flush(data).map_err(unusable)?;
    if let Some(made) = made {
        temporary_file::keep(made);
    }
    Ok(found)
}

/// Makes the folder, or finds it empty.
fn make_empty(data: &Path) -> Result<Option<TempDir>, String> {
    let sentence = |why: &dyn std::fmt::Display| format!("KITH_DATA: {} {why}.", data.display());
    match std::fs::read_dir(data) {
        Ok(mut entries) => match entries.next() {
            None if private_dir::is_open_to_others(data) => Err(sentence(
                &"belongs to another account, or others can write into it: they would have the key and every address. \
                  Restore as the account that owns the folder, and let nobody else write there",
            )),
            None => Ok(None),
            Some(_) => Err(sentence(
                &"is not empty, and a backup is restored into an empty folder only",
            )),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let made = temporary_file::folder(data);
            made.map(Some)
                .map_err(|error| sentence(&format!("cannot be made: {error}")))
        }
        Err(error) => Err(sentence(&format!("cannot be read: {error}"))),
    }
}

/// Whether all of a database that was closed is in its file, which goes to its place alone.
fn whole(database: &Path) -> Result<(), String> {
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    match std::fs::metadata(log) {
        Ok(log) if log.len() > 0 => Err("there is no room for all of its database".to_owned()),
        _ => Ok(()),
    }
}

/// Looks at everything that was unpacked, after bringing the schema up to this program's.
async fn verify(
    database: &Path,
    storage: &Storage,
    unpacked: Unpacked,
    keep_sessions: bool,
    progress: &mut Progress,
) -> Result<Found, String> {
    let damage = kith_db::integrity_errors(database).map_err(|error| error.to_string())?;
    if let Some(first) = damage.first() {
        return Err(format!("its database is damaged: {first}"));
    }
    let config = Config::sqlite(database);
    // Opening an empty database would make it a network of nobody.
    let health = kith_db::health(&config, MIGRATIONS, Depth::Shallow).await;
    let health = health.map_err(|error| format!("its database is none of Kith: {error}"))?;
    if health.missing == MIGRATIONS.len() {
        return Err("its database is none of Kith".to_owned());
    }
    let opened = Db::open(&config, MIGRATIONS).await;
    let db = opened.map_err(|error| error.to_string())?;
    let is_nobodys = members::is_empty(&db.reader()).await;
    if is_nobodys.map_err(|error| error.to_string())? {
        return Err("its database has no members".to_owned());
    }
    let stock = media::verify_files(&db, storage, |images| {
        progress.say("Images looked for", images, None);
    });
    let MediaReport { images, missing } = stock.await?;
    let wrong = consistency::differences(&db).await;
    let ended = if keep_sessions {
        Ok(0)
    } else {
        db.write(auth::RevokeAllCredentials).await
    };
    db.close().await;
    whole(database)?;
    let sessions_ended = ended.map_err(|error| error.to_string())?;
    let wrong = wrong.map_err(|error| error.to_string())?.into_iter();
    Ok(Found {
        made_at: unpacked.manifest.made_at,
        kith: unpacked.manifest.kith,
        database_bytes: unpacked.database_bytes,
        media_files: unpacked.media_files,
        sessions_ended,
        images,
        missing_files: missing,
        wrong_counts: wrong
            .map(|(what, places)| WrongCount { what, places })
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: operate-restore-whole
    #[test]
    fn a_database_with_a_rest_in_its_log_is_not_whole() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join(DATABASE);
        assert_eq!(whole(&database), Ok(()));
        let log = folder.path().join(format!("{DATABASE}-wal"));
        std::fs::write(&log, b"").unwrap();
        assert_eq!(whole(&database), Ok(()), "it was folded in");
        std::fs::write(&log, b"rest").unwrap();
        assert!(whole(&database).is_err());
    }
}
