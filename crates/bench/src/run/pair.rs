//! The product and the floor on one network, and the calls to both.

use super::bare::Bare;
use crate::calls::{Path as Call, Script};
use crate::cluster;
use crate::floor::Answers;
use crate::load;
use crate::network::{Caller, Manifest};
use crate::server::Server;
use anyhow::{Context as _, Result};
use kith::config::Store;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;

/// More bytes than one post takes in JSON with everything that may be on it.
const LONGEST: usize = 16_384;

/// The page of the Friends feed that is measured beside the first.
const PAGE: usize = 50;

/// Both servers of a run.
#[derive(Debug)]
pub struct Pair {
    /// The program that is measured.
    pub product: Server,
    /// What it is compared with.
    pub floor: Server,
    /// The network that both know.
    pub(super) manifest: Arc<Manifest>,
    bare: Mutex<Bare>,
    /// To the product and to the floor.
    scripts: HashMap<Call, [Arc<Script>; 2]>,
    /// The first reader's Friends feed, as the product answered it.
    page: String,
}

impl Pair {
    /// Starts the product on a made network, asks it everything once, and starts the floor with
    /// what it answered. An address of a PostgreSQL server gives the floor a database there.
    pub async fn start(
        kith: &Path,
        store: &Store,
        postgres: &str,
        manifest: Manifest,
        readers: &[Caller],
    ) -> Result<Self> {
        let product = Server::product(kith, store)?;
        let manifest = Arc::new(manifest);
        let mut answers = Answers::default();
        let mut scripts = HashMap::new();
        for path in Call::READS.into_iter().chain(Call::WRITES) {
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
            let sizes = if Call::WRITES.contains(&path) {
                least / 4..=most + LONGEST
            } else {
                least / 2..=most * 2
            };
            let ready = script.sized(sizes.clone());
            let floor = Arc::new(ready.sized(sizes));
            scripts.insert(path, [Arc::new(ready), floor]);
        }
        let page = answers.reads[0].2.clone();
        answers.save(&store.data)?;
        let database = cluster::anew(postgres, "kith_floor").await?;
        let floor = Server::floor(&store.data, &database)?;
        let bare = Bare::open(&store.data, &database).await?;
        Ok(Self {
            product,
            floor,
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
