//! Checks the data folder, the key and the database.

use crate::ops::doctor::Check;
use crate::platform::config::Settings;
use crate::platform::crypto::SecretKey;
use crate::platform::installation;
use crate::platform::migrations::MIGRATIONS;
use kith_db::{Db, Depth};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

/// Free bytes below which the check fails: a migration or a few images could fill the disk.
const MIN_FREE: u64 = 100 << 20;
/// Free bytes below which the check warns.
const LOW_FREE: u64 = 1 << 30;

pub(super) fn data_folder(settings: &Settings) -> Check {
    const NAME: &str = "data folder";
    let data = &settings.store.data;
    let path = data.display();
    if !data.is_dir() {
        let found = format!("{path} does not exist");
        return Check::fail(
            NAME,
            found,
            "Set --data to the server's data folder, or start the server once: it creates the folder.",
        );
    }
    if let Err(error) = write_and_remove(data) {
        let advice = match error.kind() {
            ErrorKind::StorageFull => "Free up space on its disk.",
            _ => "Run this as the server's account, and make that account the owner of the folder.",
        };
        return Check::fail(NAME, format!("{path} is not writable: {error}"), advice);
    }
    Check::ok(NAME, path.to_string())
}

pub(super) fn disk_space(settings: &Settings) -> Check {
    const NAME: &str = "disk space";
    let data = &settings.store.data;
    match free_bytes(data) {
        Some(free) => {
            let database = settings.store.database_file().metadata();
            check_free(free, database.map_or(0, |metadata| metadata.len()))
        }
        None => Check::warn(
            NAME,
            format!("the free space on the disk of {} cannot be determined", data.display()),
            "See the data folder above, and monitor the disk by other means.",
        ),
    }
}

/// Compares the free bytes with the required ones: a migration may rewrite a SQLite database. `database` is its size, 0
/// on PostgreSQL.
fn check_free(free: u64, database: u64) -> Check {
    const NAME: &str = "disk space";
    let found = format!("{} MB are free", free >> 20);
    if free < MIN_FREE {
        Check::fail(
            NAME,
            found,
            format!("Free up at least {} MB: on a full disk members cannot post.", MIN_FREE >> 20),
        )
    } else if free < LOW_FREE.max(database) {
        let enough = LOW_FREE.max(database) >> 20;
        Check::warn(NAME, found, format!("Free up disk space soon: {enough} MB are enough."))
    } else {
        Check::ok(NAME, found)
    }
}

/// Checks that the secret key is the network's.
pub(super) async fn key(settings: &Settings) -> Check {
    const NAME: &str = "key";
    let file = settings.store.key_file();
    let path = file.display();
    let key = match SecretKey::load_for_command(&file) {
        Ok(key) => key,
        Err(error) => {
            return Check::fail(
                NAME,
                error.to_string(),
                "Run this as the server's account. If the file is damaged, restore it from a backup.",
            );
        }
    };
    let found = match load_fingerprint(settings).await {
        // A SQLite network without a fingerprint is of an earlier version, and has a key.
        None if !file.is_file() && !has_sqlite_database(settings) => {
            let found = format!("{path} does not exist yet");
            return Check::warn(NAME, found, "The first start creates it.");
        }
        _ if !file.is_file() => format!("{path} does not exist"),
        Some(expected) if expected != key.fingerprint() => {
            format!("{path} is not this network's")
        }
        _ => return Check::ok(NAME, path.to_string()),
    };
    Check::fail(
        NAME,
        found,
        "The server does not start: copy secret.key from another node or a backup. If it is lost or was replaced, \
         follow \"A key leaked\" in docs/admin/incidents.md.",
    )
}

fn has_sqlite_database(settings: &Settings) -> bool {
    settings.store.database_url.is_empty() && !settings.store.is_new()
}

/// Loads the fingerprint of the network's key; `None` if the database cannot be read or has none.
async fn load_fingerprint(settings: &Settings) -> Option<String> {
    let db = open_unchanged(settings).await?;
    let found = installation::find_fingerprint(&db).await;
    db.close().await;
    found.ok()?
}

/// Opens the database without applying migrations; `None` if it lacks some or cannot be read.
pub(super) async fn open_unchanged(settings: &Settings) -> Option<Db> {
    if settings.store.is_new() {
        return None;
    }
    let config = settings.store.database();
    let health = kith_db::health(&config, MIGRATIONS, Depth::Shallow).await;
    if health.ok()?.missing > 0 {
        return None;
    }
    Db::open_as_is(&config, MIGRATIONS).await.ok()
}

fn write_and_remove(folder: &Path) -> std::io::Result<()> {
    let path = folder.join(format!(".kith-doctor-{}", std::process::id()));
    // `create_new` does not follow a symlink of another account.
    std::fs::File::create_new(&path)?.write_all(b"kith doctor")?;
    std::fs::remove_file(path)
}

/// Returns the bytes available to an unprivileged account.
#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_folder: &Path) -> Option<u64> {
    None
}

/// Checks that the database opens, is intact, and has this program's schema.
pub(super) async fn database(settings: &Settings) -> Check {
    const NAME: &str = "database";
    let is_file = settings.store.database_url.is_empty();
    if settings.store.is_new() {
        return Check::warn(
            NAME,
            "it does not exist yet",
            "The first start creates it. If there should be one, set --data to the server's data folder.",
        );
    }
    let config = settings.store.database();
    let health = match kith_db::health(&config, MIGRATIONS, Depth::Pages).await {
        Ok(health) => health,
        Err(error) => {
            let advice = if is_file {
                "Check the disk; if the file is damaged, restore the last backup into an empty folder."
            } else {
                "Check KITH_DATABASE_URL, and that PostgreSQL is running and accepts connections from this machine."
            };
            return Check::fail(NAME, error.to_string(), advice);
        }
    };
    let engine = health.engine;
    if let Some(first) = health.faults.first() {
        let advice = if is_file {
            "Stop the server, keep a copy of the folder, and restore the last backup into an empty folder."
        } else {
            "Fix it in PostgreSQL, and run this again."
        };
        return Check::fail(NAME, format!("{engine}: {first}"), advice);
    }
    if health.missing > 0 {
        let found = format!("{engine}, {} migrations pending", health.missing);
        return Check::warn(
            NAME,
            found,
            "Make a backup; the next start of this version applies them.",
        );
    }
    if let Some(first) = health.warnings.first() {
        let advice = "Change it in PostgreSQL, or in KITH_DATABASE_URL, unless it is intended.";
        return Check::warn(NAME, format!("{engine}: {first}"), advice);
    }
    Check::ok(NAME, format!("{engine}, schema {}", MIGRATIONS.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::doctor::Verdict;

    /// proves: operate-disk-space
    #[test]
    fn low_disk_space_is_reported() {
        let mb = |count: u64| count << 20;
        for (free, database, verdict) in [
            (mb(5_000), mb(10), Verdict::Ok),
            (mb(5_000), mb(5_001), Verdict::Warn),
            (mb(1_024), 0, Verdict::Ok),
            (mb(1_023), 0, Verdict::Warn),
            (mb(100), 0, Verdict::Warn),
            (mb(99), 0, Verdict::Fail),
        ] {
            let check = check_free(free, database);
            assert_eq!(check.verdict, verdict, "{check:?}");
            assert_eq!(check.advice.is_empty(), verdict == Verdict::Ok, "{check:?}");
        }
    }
}
