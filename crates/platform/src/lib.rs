//! Platform layer under all features: settings, database, storage, clock, ids, secret key, rate limits and cache.

pub mod cache;
pub mod clock;
pub mod config;
pub mod crypto;
pub mod fs;
pub mod ids;
pub mod installation;
pub mod jobs;
pub mod mail;
pub mod migrations;
pub mod network_limit;
pub mod node_lease;
pub mod output;
pub mod rate_limit;
pub mod supervisor;
pub mod telemetry;
pub mod tls;

use crate::cache::CacheVersions;
use crate::clock::watermark;
use crate::clock::{Clock, Millis};
use crate::config::{DatabaseArgs, Settings, check_storage};
use crate::crypto::SecretKey;
use crate::fs::private_dir;
use crate::ids::{COMMAND_NODE, Id, IdGenerator};
use crate::migrations::MIGRATIONS;
use crate::node_lease::{NodeLease, acquire_lease};
use crate::rate_limit::RateLimiter;
use kith_db::{Db, WatchSpec};
use kith_storage::Storage;
use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use tokio::sync::Notify;

/// Bytes per mebibyte.
pub const MIB: u64 = 1 << 20;

/// Shared handle to the parts of the process that do not depend on features. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Platform(Arc<PlatformInner>);

/// Fields of [`Platform`].
#[derive(Debug)]
pub struct PlatformInner {
    /// Settings of this process.
    pub settings: Settings,
    /// Lock file that prevents a second server on the same SQLite file.
    _lock: Option<File>,
    /// Database.
    pub db: Db,
    /// Image files.
    pub storage: Storage,
    /// Clock that never goes back.
    pub clock: Clock,
    /// Id generator.
    pub ids: Arc<IdGenerator>,
    /// Lease of the node number inside the ids.
    pub lease: NodeLease,
    /// Signs links and sessions.
    pub key: SecretKey,
    /// Rate limits by client network and by member.
    pub rate_limiter: RateLimiter,
    /// Version counters that invalidate cached values.
    pub versions: Arc<CacheVersions>,
    /// Wakes the worker that sends mail.
    pub mail: Notify,
}

impl Deref for Platform {
    type Target = PlatformInner;

    fn deref(&self) -> &PlatformInner {
        &self.0
    }
}

impl Platform {
    /// Opens the data folder and the database. On SQLite `node` is the node number of new ids: 0 for the server,
    /// [`COMMAND_NODE`] for a command beside it. Changes of the watched rows
    /// invalidate cached values. An error is a sentence for the operator.
    pub async fn open(
        settings: Settings,
        clock: Clock,
        node: i64,
        watches: &'static [WatchSpec],
    ) -> Result<Self, String> {
        let data = &settings.store.data;
        let checked = settings.store.database().check();
        checked.map_err(|error| format!("KITH_DATABASE_URL: {error}."))?;
        check_storage(&settings.storage_url)?;
        create_data_dir(data).map_err(|error| {
            format!("KITH_DATA: the folder {} cannot be created: {error}.", data.display())
        })?;
        check_restore(&settings.store)?;
        let lock = lock_sqlite(&settings.store, node)?;
        let is_sqlite = settings.store.database_url.is_empty();
        let db = if lock.is_none() && (is_sqlite || node == COMMAND_NODE) {
            // Beside a running server, do not migrate the schema under it.
            Db::open_as_is(&settings.store.database(), MIGRATIONS).await
        } else {
            Db::open(&settings.store.database(), MIGRATIONS).await
        };
        let db = db.map_err(|error| format!("The database cannot be opened: {error}."))?;
        let key = if node == COMMAND_NODE {
            load_command_key(&settings.store)?
        } else {
            installation::load_server_key(&settings.store, &db).await?
        };
        let storage = Storage::open(&settings.storage_url, &data.join("media"))
            .await
            .map_err(|sentence| format!("KITH_STORAGE_URL: {sentence}"))?;
        let loaded = watermark::load(&db.reader()).await;
        let seen_at = loaded.map_err(|error| watermark_error(&error))?;
        watermark::restore(seen_at, &clock, node)?;
        let lease = acquire_lease(&db, node)
            .await
            .map_err(|error| format!("No node number could be leased: {error}."))?;
        if node != COMMAND_NODE {
            let saved = watermark::save(&db, &clock, lease.node).await;
            saved.map_err(|error| watermark_error(&error))?;
        }
        let versions = CacheVersions::subscribe(&db, watches).await;
        let versions = versions
            .map_err(|error| format!("The change feed of the cache cannot be opened: {error}."))?;
        let rate_limiter = RateLimiter::new(settings.rate_limits, &settings.limits);
        Ok(Self(Arc::new(PlatformInner {
            ids: Arc::new(IdGenerator::new(clock.clone(), lease.node)),
            lease,
            _lock: lock,
            settings,
            db,
            storage,
            clock,
            key,
            rate_limiter,
            versions,
            mail: Notify::new(),
        })))
    }

    /// Returns this platform with the id generator of another node of the same process, so that ids of the same
    /// millisecond are ordered by creation instead of by node. `None` if clones exist.
    #[must_use]
    pub fn with_ids_of(mut self, other: &Self) -> Option<Self> {
        Arc::get_mut(&mut self.0)?.ids = Arc::clone(&other.ids);
        Some(self)
    }

    /// Returns the current time.
    #[must_use]
    pub fn now(&self) -> Millis {
        self.clock.now()
    }

    /// Generates an id.
    #[must_use]
    pub fn id(&self) -> Id {
        self.ids.next()
    }
}

fn watermark_error(error: &kith_db::Error) -> String {
    format!("The watermark of the clock cannot be read or saved: {error}.")
}

/// Fails if the data folder holds an unfinished restore.
fn check_restore(store: &DatabaseArgs) -> Result<(), String> {
    if !store.has_unfinished_restore() {
        return Ok(());
    }
    Err(format!(
        "KITH_DATA: {} holds an unfinished restore: remove the whole folder, and restore again.",
        store.data.display()
    ))
}

/// Loads the secret key for a command, which does not create one.
fn load_command_key(store: &DatabaseArgs) -> Result<SecretKey, String> {
    SecretKey::load_for_command(&store.key_file()).map_err(|error| {
        format!("KITH_DATA: the key in {} cannot be read: {error}.", store.data.display())
    })
}

/// Creates the data folder with mode 0700 if it is missing: it holds the database and the outbox.
fn create_data_dir(path: &Path) -> std::io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    private_dir::create(path)
}

/// Locks the data folder so that no second server generates the same ids on one SQLite file. A command proceeds without
/// the lock.
fn lock_sqlite(store: &DatabaseArgs, node: i64) -> Result<Option<File>, String> {
    if !store.database_url.is_empty() {
        return Ok(None);
    }
    if node != COMMAND_NODE && store.key_file().is_file() && store.is_new() {
        return Err(format!(
            "KITH_DATA: {} has a secret.key but no kith.db: set KITH_DATABASE_URL if the network is on PostgreSQL, \
             otherwise restore kith.db.",
            store.data.display()
        ));
    }
    let lock = try_lock_data_dir(&store.data)?;
    if lock.is_none() && node != COMMAND_NODE {
        let data = store.data.display();
        return Err(format!("KITH_DATA: {data}: another kith serves this folder."));
    }
    Ok(lock)
}

/// Locks the data folder for a server on SQLite, or for a command that needs the server to be stopped; `None` while
/// another process holds the lock. An error is a sentence for the operator.
pub fn try_lock_data_dir(data: &Path) -> Result<Option<File>, String> {
    let path = data.join("kith.lock");
    let file = lock_file(&path)
        .map_err(|error| format!("KITH_DATA: {} cannot be locked: {error}.", path.display()))?;
    Ok(file.try_lock().is_ok().then_some(file))
}

fn lock_file(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true);
    // A command may run as root: it must not follow a symbolic link of another account or block on a pipe.
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let flags = flags.bits().cast_signed();
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    }
    match options.clone().create_new(true).open(path) {
        Ok(file) => {
            // Otherwise the server could not open a file created by root. An existing file keeps its owner: it may
            // be a hard link to a file that the server's account must not own.
            kith_storage::chown_to_parent(&file, path)?;
            Ok(file)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => options.open(path),
        Err(error) => Err(error),
    }
}
