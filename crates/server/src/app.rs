//! What every handler shares: settings, database, time, ids, key, mail, limits.

use crate::backup;
use crate::clock::{Clock, Millis};
use crate::config::{Settings, Store, check_events, check_storage};
use crate::ids::{COMMAND_NODE, Id, Ids, NodeLease};
use crate::keyed_limit::KeyedLimit;
use crate::limits::Limits;
use crate::load_shed::ConcurrencyLimiter;
use crate::media::{Arrivals, Darkroom};
use crate::memory::{Memory, Shelf};
use crate::notifications::Told;
use crate::posts::{Arranged, CachedPost, Conversation, Deeds, First, Friends, Reposts};
use crate::schema::MIGRATIONS;
use crate::secrets::Key;
use crate::session::Found;
use crate::tags::Trends;
use crate::users::{Here, Holder, Name, Names};
use crate::{folder, guard, posts, safety, waitlist, watermark};
use axum::http::HeaderValue;
use kith_db::Db;
use kith_storage::Storage;
use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::num::NonZeroUsize;
use std::sync::Arc;
use tokio::sync::Notify;

/// 2²⁰ bytes. All shelves together take 92 of them at most.
const MIB: u64 = 1 << 20;

/// A cheap handle on the running server.
#[derive(Debug, Clone)]
pub struct App(Arc<Parts>);

/// The parts behind [`App`].
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
    /// The Content-Security-Policy of pages.
    pub content_policy: HeaderValue,
    /// Where images are made, a few at a time.
    pub darkroom: Darkroom,
    /// Files that are coming in.
    pub arrivals: Arrivals,
    /// The time.
    pub clock: Clock,
    /// The source of ids.
    pub ids: Ids,
    /// The node number inside the ids.
    pub lease: NodeLease,
    /// Signs links and sessions.
    pub key: Key,
    /// How often each address may call.
    pub limits: Limits,
    /// Bounds the API requests that are worked on.
    pub concurrency: Arc<ConcurrencyLimiter>,
    /// API requests at the same time, by member or client network.
    pub api_requests: Arc<KeyedLimit>,
    /// Requests for pages, files and images at the same time, by client network.
    pub file_requests: Arc<KeyedLimit>,
    /// When what follows is still what the database says.
    pub memory: Arc<Memory>,
    /// Sessions that called lately, by their hash.
    pub sessions: Shelf<String, Found>,
    /// Whether those who called lately are here.
    pub here: Shelf<i64, Here>,
    /// Whom readers blocked or muted, and who blocked them.
    pub ties: Shelf<i64, safety::Listed>,
    /// Who is suspended, by 0.
    pub suspended: Shelf<i64, safety::Listed>,
    /// What those are called, by 0.
    pub suspended_names: Shelf<i64, Names>,
    /// Who holds a username.
    pub holders: Shelf<String, Holder>,
    /// What members are called.
    pub names: Shelf<i64, Name>,
    /// The first pages of notifications, by member.
    pub told: Shelf<i64, Told>,
    /// The newest of authors' posts, by author and kind.
    pub written: Shelf<(i64, posts::Filter), First>,
    /// The first pages of For You, by reader.
    pub arranged: Shelf<i64, Arranged>,
    /// The Friends feeds that were read lately, by reader.
    pub friends: Shelf<i64, Friends>,
    /// Posts that were read lately.
    pub known: Shelf<i64, CachedPost>,
    /// Reposts of posts that were read lately.
    pub reposts: Shelf<i64, Reposts>,
    /// The ids of threads that were opened lately, by the post.
    pub conversations: Shelf<i64, Conversation>,
    /// What readers did to posts they read lately.
    pub deeds: Shelf<i64, Deeds>,
    /// What is talked about.
    pub trends: Trends,
    /// Whether the waitlist has room.
    pub waitlist: waitlist::Room,
    /// Wakes the worker that sends mail.
    pub mail: Notify,
    /// Wakes the worker that makes exports.
    pub exports: Notify,
}

impl std::ops::Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl App {
    /// Opens the data folder and the database. On SQLite `node` makes the ids: 0 the
    /// server's, [`COMMAND_NODE`](crate::ids::COMMAND_NODE) a command's beside it.
    pub async fn open(settings: Settings, clock: Clock, node: i64) -> Result<Self, String> {
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
        let lease = crate::ids::lease(&db, node)
            .await
            .map_err(|error| format!("No node number could be leased: {error}."))?;
        if node != COMMAND_NODE {
            let saved = watermark::save(&db, &clock, lease.node).await;
            saved.map_err(|error| untold(&error))?;
        }
        let memory = Memory::of(&db).await;
        let memory = memory.map_err(|error| format!("Nothing can be remembered: {error}."))?;
        let limits = Limits::new(settings.rate_limits, &settings.limits);
        let permits = settings.in_flight.map(NonZeroUsize::get);
        Ok(Self(Arc::new(Parts {
            ids: Ids::new(clock.clone(), lease.node),
            lease,
            _lock: lock,
            settings,
            db,
            content_policy: guard::content_policy(storage.upload_origin()),
            storage,
            darkroom: Darkroom::default(),
            arrivals: Arrivals::default(),
            clock,
            key,
            limits,
            concurrency: Arc::new(ConcurrencyLimiter::new(permits)),
            api_requests: Arc::default(),
            file_requests: Arc::default(),
            sessions: Shelf::new(&memory, "sessions", 20_000, 4 * MIB),
            here: Shelf::new(&memory, "members", 20_000, 3 * MIB),
            ties: Shelf::new(&memory, "ties", 20_000, 4 * MIB),
            suspended: Shelf::new(&memory, "suspended", 1, 4 * MIB),
            suspended_names: Shelf::new(&memory, "suspended names", 1, 4 * MIB),
            holders: Shelf::new(&memory, "usernames", 10_000, 2 * MIB),
            names: Shelf::new(&memory, "names", 10_000, 2 * MIB),
            told: Shelf::new(&memory, "notifications", 500, 6 * MIB),
            written: Shelf::new(&memory, "authors", 2_000, 4 * MIB),
            arranged: Shelf::new(&memory, "for you", 1_000, 8 * MIB),
            friends: Shelf::new(&memory, "friends", 2_000, 16 * MIB),
            known: Shelf::new(&memory, "posts", 20_000, 26 * MIB),
            reposts: Shelf::new(&memory, "reposts", 4_000, 2 * MIB),
            conversations: Shelf::new(&memory, "threads", 2_000, 2 * MIB),
            deeds: Shelf::new(&memory, "deeds", 2_000, 7 * MIB),
            memory,
            trends: Trends::default(),
            waitlist: waitlist::Room::default(),
            mail: Notify::new(),
            exports: Notify::new(),
        })))
    }

    /// The time now.
    #[must_use]
    pub fn now(&self) -> Millis {
        self.clock.now()
    }

    /// Tells the metrics how well memory serves.
    pub fn measure_memory(&self) {
        let behind = self.memory.behind().unwrap_or_default();
        metrics::gauge!("kith_changes_behind_seconds").set(behind.as_secs_f64());
        self.sessions.measure();
        self.here.measure();
        self.ties.measure();
        self.suspended.measure();
        self.suspended_names.measure();
        self.holders.measure();
        self.names.measure();
        self.told.measure();
        self.written.measure();
        self.arranged.measure();
        self.friends.measure();
        self.known.measure();
        self.reposts.measure();
        self.conversations.measure();
        self.deeds.measure();
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
    if backup::is_broken_off(data) {
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
    folder::make(path)
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
