//! The product and the floor on one network, and the calls to both.

use super::NETWORK;
use super::bare::Bare;
use crate::calls::{Path as Call, Script};
use crate::cluster;
use crate::floor::{self, Answers};
use crate::load;
use crate::network::{Caller, Manifest};
use crate::server::Server;
use anyhow::{Context as _, Result};
use bytes::Bytes;
use kith::platform::config::Store;
use kith_db::Config;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;

/// More bytes than one post takes in JSON with everything that may be on it.
const LONGEST: usize = 16_384;

/// The page of the Friends feed that is measured beside the first.
const PAGE: usize = 50;
/// The database of the floor on PostgreSQL.
const FLOOR: &str = "kith_floor";

/// Both servers of a run.
#[derive(Debug)]
pub struct Pair {
    /// The program that is measured.
    pub product: Server,
    /// What it is compared with.
    pub floor: Server,
    /// Where it writes to.
    pub(super) floor_database: Config,
    /// The network that both know.
    pub(super) manifest: Arc<Manifest>,
    bare: Mutex<Bare>,
    /// To the product and to the floor.
    scripts: HashMap<Call, [Arc<Script>; 2]>,
    /// The first reader's Friends feed, as the product answered it.
    page: String,
}

impl Pair {
    /// Starts the product on a made network, asks it everything once, and starts the floor on a database of
    /// its own with what the product answered.
    pub async fn start(
        kith: &Path,
        store: &Store,
        floor_database: Config,
        manifest: Manifest,
        readers: &[Caller],
    ) -> Result<Self> {
        let product = Server::product(kith, store)?;
        let manifest = Arc::new(manifest);
        let mut answers = Answers::default();
        let mut scripts = HashMap::new();
        // Writes first, so that what is read shows them, now and in the turns.
        for path in Call::WRITES.into_iter().chain(Call::READS) {
            let script = if path == Call::Older {
                let reads = older(&product, &manifest, readers).await?;
                Script::of_reads(path, &manifest, reads, 2..=usize::MAX)
            } else {
                Script::new(path, &manifest, readers, 2..=usize::MAX)
            };
            let bodies = asked(&product, &script, &mut answers).await;
            let bodies = bodies.with_context(|| format!("{} was asked once", path.name()))?;
            let sizes = bodies.iter().map(String::len);
            let (least, most) = sizes.fold((usize::MAX, 0), |(least, most), size| {
                (least.min(size), most.max(size))
            });
            // Counts grow by digits, and other posts move up: no page halves or doubles. But each like
            // answers another post, which may be as short or as long as posts are.
            let is_write = Call::WRITES.contains(&path);
            let sizes = if is_write {
                least / 4..=most + LONGEST
            } else {
                least / 2..=most * 2
            };
            let ready = script.sized(sizes.clone());
            let kept = if is_write { Vec::new() } else { bodies };
            let ready = ready.keeping(kept.into_iter().map(Bytes::from).collect());
            let floor = Arc::new(ready.sized(sizes));
            scripts.insert(path, [Arc::new(ready), floor]);
        }
        let page = answers.reads[0].2.clone();
        let writers = manifest.writers.iter();
        answers.writers = writers.map(|by| (by.cookie.clone(), by.member)).collect();
        answers.save(&store.data)?;
        let url = match &floor_database {
            Config::Sqlite { .. } => "",
            Config::Postgres { url, .. } => url,
        };
        let floor = Server::floor(&store.data, url)?;
        let bare = Bare::open(&store.data, url).await?;
        Ok(Self {
            product,
            floor,
            floor_database,
            manifest,
            bare: Mutex::new(bare),
            scripts,
            page,
        })
    }

    /// The calls of a path to the product, or to the floor.
    pub(super) fn script(&self, path: Call, to_floor: bool) -> Arc<Script> {
        self.scripts[&path][usize::from(to_floor)].clone()
    }

    /// Microseconds of one durable commit without anything around it.
    pub(super) async fn bare_commit(&self, time: Duration) -> Result<f64> {
        self.bare.lock().await.commit(time).await
    }

    /// The posts of a page.
    pub(super) fn first_page(&self) -> Result<Vec<i64>> {
        let page: serde_json::Value = serde_json::from_str(&self.page)?;
        let rows = page.as_array().into_iter().flatten();
        let ids = rows.filter_map(|row| row["id"].as_str()?.parse().ok());
        Ok(ids.collect())
    }

    /// Stops both.
    pub fn stop(self) -> Result<()> {
        self.product.stop()?;
        self.floor.stop()
    }
}

/// The floor's database: a copy of the network, which nobody serves yet, if it is to write.
pub(super) async fn floor(store: &Store, postgres: &str, writes: bool) -> Result<Config> {
    match store.database() {
        Config::Sqlite { path } => {
            let file = floor::file(&store.data);
            if writes {
                std::fs::copy(path, &file)?;
            }
            Ok(Config::sqlite(file))
        }
        Config::Postgres { .. } => {
            let url = if writes {
                cluster::copy(postgres, NETWORK, FLOOR).await?
            } else {
                cluster::anew(postgres, FLOOR).await?
            };
            Ok(Config::postgres(url))
        }
    }
}

/// Where each reader finds the page of their Friends feed that is measured: they go there page by
/// page, as a client does.
async fn older(
    product: &Server,
    manifest: &Arc<Manifest>,
    readers: &[Caller],
) -> Result<Vec<(String, Caller)>> {
    let mut found = Vec::new();
    for reader in readers {
        let mut target = "/api/posts/feed".to_owned();
        for page in 1..PAGE {
            let read = vec![(target, reader.clone())];
            let script = Script::of_reads(Call::Older, manifest, read, 2..=usize::MAX);
            let body = load::ask(product.address, script.call(0)).await;
            let body = body.with_context(|| format!("page {page} of a Friends feed"))?;
            let rows: Vec<serde_json::Value> = serde_json::from_slice(&body)?;
            let last = rows.last().and_then(|row| row["id"].as_str());
            target = format!("/api/posts/feed?cursor={}", last.unwrap_or_default());
        }
        found.push((target, reader.clone()));
    }
    Ok(found)
}

/// Makes every call of a read once, or the first one of a write, and keeps the answers.
async fn asked(product: &Server, script: &Script, answers: &mut Answers) -> Result<Vec<String>> {
    let mut bodies = Vec::new();
    for (number, (target, cookie)) in script.targets().enumerate() {
        let body = load::ask(product.address, script.call(number as u64)).await?;
        let body = String::from_utf8(body.to_vec())?;
        let kept = (target.to_owned(), cookie.to_owned(), body.clone());
        answers.reads.push(kept);
        bodies.push(body);
    }
    if let Some(place) = Call::WRITES.iter().position(|path| *path == script.path) {
        let body = load::ask(product.address, script.call(0)).await?;
        answers.writes[place] = String::from_utf8(body.to_vec())?;
        bodies.push(answers.writes[place].clone());
    }
    Ok(bodies)
}
