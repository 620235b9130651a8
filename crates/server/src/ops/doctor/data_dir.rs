//! What is on this machine: the data folder and the database.

use crate::ops::doctor::Check;
use crate::platform::config::Settings;
use crate::platform::crypto::SecretKey;
use crate::platform::migrations::MIGRATIONS;
use kith_db::Depth;
use std::io::Write as _;
use std::path::Path;

/// Bytes below which nothing can be relied on: a migration or a few images fill them.
const LITTLE: u64 = 100 << 20;
/// Bytes below which the operator should know.
const SCARCE: u64 = 1 << 30;

pub(super) fn data_folder(settings: &Settings) -> Check {
    const NAME: &str = "data folder";
    let data = &settings.store.data;
    let shown = data.display();
    if !data.is_dir() {
        let found = format!("{shown} is not there");
        return Check::fail(
            NAME,
            found,
            "Give --data as the server has it, or start the server once: it makes the folder.",
        );
    }
    if let Err(error) = write_and_remove(data) {
        let found = format!("{shown} takes no files: {error}");
        return Check::fail(
            NAME,
            found,
            "Run this as the server's account, and let that account own the folder.",
        );
    }
    Check::ok(NAME, shown.to_string())
}

pub(super) fn disk_space(settings: &Settings) -> Check {
    const NAME: &str = "disk space";
    let data = &settings.store.data;
    match room(data) {
        Some(free) => {
            let database = settings.store.file().metadata();
            space(free, database.map_or(0, |found| found.len()))
        }
        None => Check::warn(
            NAME,
            format!(
                "the disk of {} does not tell how full it is",
                data.display()
            ),
            "See the data folder above, and watch the disk by other means.",
        ),
    }
}

/// Compares free bytes with the need: a migration may rewrite a SQLite database. `database` is 0 on PostgreSQL.
fn space(free: u64, database: u64) -> Check {
    const NAME: &str = "disk space";
    let found = format!("{} MB are free", free >> 20);
    if free < LITTLE {
        Check::fail(
            NAME,
            found,
            format!(
                "Make room, {} MB at least: on a full disk nobody can post.",
                LITTLE >> 20
            ),
        )
    } else if free < SCARCE.max(database) {
        let enough = SCARCE.max(database) >> 20;
        Check::warn(
            NAME,
            found,
            format!("Make room soon: {enough} MB are enough."),
        )
    } else {
        Check::ok(NAME, found)
    }
}

pub(super) fn key(settings: &Settings) -> Check {
    const NAME: &str = "key";
    let file = settings.store.key();
    match SecretKey::load_for_command(&file) {
        Err(error) => Check::fail(
            NAME,
            error.to_string(),
            "Run this as the server's account. If the file is damaged, take it from a backup.",
        ),
        Ok(_) if settings.store.is_new() || file.is_file() => {
            Check::ok(NAME, file.display().to_string())
        }
        Ok(_) => Check::warn(
            NAME,
            format!("{} is not there", file.display()),
            "Put the network's own there, from a backup or another node. The next start makes a new one, and what was mailed before lets nobody in.",
        ),
    }
}

fn write_and_remove(folder: &Path) -> std::io::Result<()> {
    let path = folder.join(format!(".kith-doctor-{}", std::process::id()));
    // New, and no link that somebody laid there.
    std::fs::File::create_new(&path)?.write_all(b"Can this be written?")?;
    std::fs::remove_file(path)
}

/// Bytes that an ordinary account may still write.
#[cfg(unix)]
fn room(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
fn room(_folder: &Path) -> Option<u64> {
    None
}

/// Whether the database opens, is whole, and fits this program.
pub(super) async fn database(settings: &Settings) -> Check {
    const NAME: &str = "database";
    let is_file = settings.store.database_url.is_empty();
    if settings.store.is_new() {
        return Check::warn(
            NAME,
            "there is none yet",
            "The first start makes it. If there should be one, give --data as the server has it.",
        );
    }
    let config = settings.store.database();
    let health = match kith_db::health(&config, MIGRATIONS, Depth::Pages).await {
        Ok(health) => health,
        Err(error) => {
            let advice = if is_file {
                "Look at the disk; if the file is damaged, restore the last backup into an empty folder."
            } else {
                "Look at KITH_DATABASE_URL, and whether PostgreSQL runs and lets this machine in."
            };
            return Check::fail(NAME, error.to_string(), advice);
        }
    };
    let engine = health.engine;
    if let Some(first) = health.faults.first() {
        let advice = if is_file {
            "Stop the server, keep a copy of the folder, and restore the last backup into an empty one."
        } else {
            "Change it in PostgreSQL, and run this again."
        };
        return Check::fail(NAME, format!("{engine}: {first}"), advice);
    }
    if health.missing > 0 {
        let found = format!("{engine}, {} migrations are missing", health.missing);
        return Check::warn(
            NAME,
            found,
            "Back up; the next start of this version makes them.",
        );
    }
    if let Some(first) = health.warnings.first() {
        let advice = "Change it in PostgreSQL, or in its address, unless it is meant.";
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
    fn a_disk_that_fills_is_told_of_in_time() {
        let mb = |count: u64| count << 20;
        for (free, database, verdict) in [
            (mb(5_000), mb(10), Verdict::Ok),
            (mb(5_000), mb(5_001), Verdict::Warn),
            (mb(1_024), 0, Verdict::Ok),
            (mb(1_023), 0, Verdict::Warn),
            (mb(100), 0, Verdict::Warn),
            (mb(99), 0, Verdict::Fail),
        ] {
            let check = space(free, database);
            assert_eq!(check.verdict, verdict, "{check:?}");
            assert_eq!(check.advice.is_empty(), verdict == Verdict::Ok, "{check:?}");
        }
    }
}
