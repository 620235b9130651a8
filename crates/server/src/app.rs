//! What every handler shares: settings, database, time, ids, key, mail, limits.

use crate::clock::{Clock, Millis};
use crate::config::Settings;
use crate::ids::{Id, Ids, NodeLease};
use crate::limits::Limits;
use crate::schema::MIGRATIONS;
use crate::secrets::Key;
use kith_db::Db;
use std::sync::Arc;
use tokio::sync::Notify;

/// A cheap handle on the running server.
#[derive(Debug, Clone)]
pub struct App(Arc<Parts>);

/// The parts behind [`App`].
#[derive(Debug)]
pub struct Parts {
    /// How this process was started.
    pub settings: Settings,
    /// The data.
    pub db: Db,
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
    /// Wakes the worker that sends mail.
    pub mail: Notify,
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
        make_folder(data).map_err(|error| {
            format!(
                "KITH_DATA: the folder {} cannot be made: {error}.",
                data.display()
            )
        })?;
        let key = Key::load(&data.join("secret.key")).map_err(|error| {
            format!(
                "KITH_DATA: the key in {} cannot be read: {error}.",
                data.display()
            )
        })?;
        let db = Db::open(&settings.store.database(), MIGRATIONS)
            .await
            .map_err(|error| format!("The database cannot be opened: {error}."))?;
        let lease = crate::ids::lease(&db, &clock, node)
            .await
            .map_err(|error| format!("No node number could be leased: {error}."))?;
        let limits = Limits::new(settings.rate_limits);
        Ok(Self(Arc::new(Parts {
            ids: Ids::new(clock.clone(), lease.node),
            lease,
            settings,
            db,
            clock,
            key,
            limits,
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

/// Makes the data folder, for its owner only: the database and the outbox are in it.
fn make_folder(path: &std::path::Path) -> std::io::Result<()> {
    let mut folder = std::fs::DirBuilder::new();
    folder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    folder.create(path)
}
