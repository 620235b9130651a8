//! What every feature builds on: settings, database, storage, time, ids, key, rate limits, cache.

pub mod cache;
pub mod clock;
pub mod config;
pub mod crypto;
pub(crate) mod fs;
pub mod ids;
pub mod jobs;
pub mod mail;
pub mod migrations;
pub mod output;
pub mod rate_limit;
pub mod supervisor;
pub mod telemetry;

use crate::platform::cache::Memory;
use crate::platform::clock::watermark;
use crate::platform::clock::{Clock, Millis};
use crate::platform::config::{Settings, Store, check_events, check_storage};
use crate::platform::crypto::Key;
use crate::platform::fs::private_dir;
use crate::platform::ids::{COMMAND_NODE, Id, Ids, NodeLease};
use crate::platform::migrations::MIGRATIONS;
use crate::platform::rate_limit::Limits;
use kith_db::{Db, WatchSpec};
use kith_storage::Storage;
use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::ops::Deref;
use std::sync::Arc;
use tokio::sync::Notify;

/// 2²⁰ bytes.
pub(crate) const MIB: u64 = 1 << 20;

/// A cheap handle on the parts of the process that know no feature.
#[derive(Debug, Clone)]
pub struct Platform(Arc<Parts>);

/// The parts behind [`Platform`].
#[derive(Debug)]
pub struct Parts {
    /// How this process was started.
    pub settings: Settings,
    /// Keeps a second server off the same SQLite file.
    _lock: Option<File>,
    /// The data.
    pub db: Db,
    /// The files of images.
    pub storage: Storage,
    /// The time.
    pub clock: Clock,
    /// The source of ids.
    pub ids: Ids,
    /// The node ID inside the ids.
    pub lease: NodeLease,
    /// Signs links and sessions.
    pub key: Key,
    /// Rate limits by client network and by member.
    pub limits: Limits,
    /// Decides how long cached values are valid.
    pub memory: Arc<Memory>,
    /// Wakes the worker that sends mail.
    pub mail: Notify,
}

impl Deref for Platform {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Platform {
    /// Opens the data folder and the database. On SQLite `node` makes the ids: 0 the
    /// server's, [`COMMAND_NODE`](crate::platform::ids::COMMAND_NODE) a command's beside it. Changes of the
    /// watched rows invalidate what is cached.
    pub async fn open(
        settings: Settings,
        clock: Clock,
        node: i64,
        watches: &'static [WatchSpec],
    ) -> Result<Self, String> {
        let data = &settings.store.data;
        let address = settings.store.database().check();
        address.map_err(|why| format!("KITH_DATABASE_URL: {why}."))?;
        check_storage(&settings.storage_url)?;
        check_events(&settings.events_url)?;
        make_folder(data).map_err(|error| {
            format!(
                "KITH_DATA: the folder {} cannot be made: {error}.",
                data.display()
            )
        })?;
        let key = key(&settings.store, node)?;
        let lock = lock(&settings, node)?;
        let is_sqlite = settings.store.database_url.is_empty();
        let db = if lock.is_none() && (is_sqlite || node == COMMAND_NODE) {
            // Beside a running server the schema stays as that server knows it.
            Db::open_as_is(&settings.store.database(), MIGRATIONS).await
        } else {
            Db::open(&settings.store.database(), MIGRATIONS).await
        };
        let db = db.map_err(|error| format!("The database cannot be opened: {error}."))?;
        let storage = Storage::open(&settings.storage_url, &data.join("media"))
            .await
            .map_err(|sentence| format!("KITH_STORAGE_URL: {sentence}"))?;
        let seen = watermark::load(&db.reader())
            .await
            .map_err(|error| untold(&error))?;
        watermark::restore(seen, &clock, node)?;
        let lease = crate::platform::ids::lease(&db, node)
            .await
            .map_err(|error| format!("No node number could be leased: {error}."))?;
        if node != COMMAND_NODE {
            let saved = watermark::save(&db, &clock, lease.node).await;
            saved.map_err(|error| untold(&error))?;
        }
        let memory = Memory::of(&db, watches).await;
        let memory = memory.map_err(|error| format!("Nothing can be remembered: {error}."))?;
        let limits = Limits::new(settings.rate_limits, &settings.limits);
        Ok(Self(Arc::new(Parts {
            ids: Ids::new(clock.clone(), lease.node),
            lease,
            _lock: lock,
            settings,
            db,
            storage,
            clock,
            key,
            limits,
            memory,
            mail: Notify::new(),
        })))
    }

    /// The time now.
    #[must_use]
    pub fn now(&self) -> Millis {
        self.clock.now()
    }

    /// A new id.
    #[must_use]
    pub fn id(&self) -> Id {
        self.ids.next()
    }
}

fn untold(error: &kith_db::Error) -> String {
    format!("The watermark of the clock cannot be read or saved: {error}.")
}

/// The key of the network in a folder. A command makes none.
fn key(store: &Store, node: i64) -> Result<Key, String> {
    let data = &store.data;
    if store.has_unfinished_restore() {
        return Err(format!(
            "KITH_DATA: {} holds a part of a restore that was ended: remove the whole folder, and restore again.",
            data.display()
        ));
    }
    let file = store.key();
    let key = if node == COMMAND_NODE {
        Key::load_beside(&file)
    } else {
        Key::load(&file)
    };
    key.map_err(|error| {
        format!(
            "KITH_DATA: the key in {} cannot be read: {error}.",
            data.display()
        )
    })
}

/// Makes the data folder unless it is there, for its owner only: the database and the outbox are in it.
fn make_folder(path: &std::path::Path) -> std::io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    private_dir::make(path)
}

/// Keeps a second server off the same SQLite file: both would make the same ids. A command goes on without the lock.
fn lock(settings: &Settings, node: i64) -> Result<Option<File>, String> {
    if !settings.store.database_url.is_empty() {
        return Ok(None);
    }
    let path = settings.store.data.join("kith.lock");
    let refused = |error: &dyn std::fmt::Display| {
        format!("KITH_DATA: {} cannot be locked: {error}.", path.display())
    };
    let file = lock_file(&path).map_err(|error| refused(&error))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(_) if node == COMMAND_NODE => Ok(None),
        Err(_) => Err(refused(&"another kith serves this folder")),
    }
}

fn lock_file(path: &std::path::Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true);
    // A command may run as root: it must not follow another account's link, nor wait for the reader of a pipe.
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let flags = flags.bits().cast_signed();
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    }
    match options.clone().create_new(true).open(path) {
        Ok(file) => {
            // Else the server could not open what a command of root made. One that was there is not
            // touched: it may be another name of a file that its owner must not have.
            kith_storage::chown_to_parent(&file, path)?;
            Ok(file)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => options.open(path),
        Err(error) => Err(error),
    }
}
