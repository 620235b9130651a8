//! Product and baseline on the same data set, with the requests for both.

use super::NETWORK;
use super::raw_commit::RawCommits;
use crate::baseline::{self, RecordedResponses};
use crate::dataset::{Caller, Fixtures};
use crate::load;
use crate::postgres;
use crate::scenarios::{Scenario, ScenarioRun};
use crate::server::Server;
use anyhow::{Context as _, Result};
use bytes::Bytes;
use kith::platform::config::DatabaseArgs;
use kith_db::Config;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;

/// Upper bound for the JSON of one post, in bytes.
const MAX_POST_JSON_BYTES: usize = 16_384;

/// Measured page of the Friends feed, beside the first.
const PAGE: usize = 50;
/// Name of the baseline's PostgreSQL database.
const BASELINE: &str = "kith_baseline";

/// Product and baseline server of a run.
#[derive(Debug)]
pub struct ServerPair {
    /// Program to measure.
    pub product: Server,
    /// Baseline server.
    pub baseline: Server,
    /// Database of the baseline.
    pub(super) baseline_database: Config,
    /// Fixtures of the data set.
    pub(super) fixtures: Arc<Fixtures>,
    bare: Mutex<RawCommits>,
    /// Requests for the product and for the baseline.
    scenario_runs: HashMap<Scenario, [Arc<ScenarioRun>; 2]>,
    /// Friends feed of the first reader, as recorded.
    page: String,
}

impl ServerPair {
    /// Starts the product, records its responses, and starts the baseline with them on its own database.
    pub async fn start(
        kith: &Path,
        store: &DatabaseArgs,
        baseline_database: Config,
        fixtures: Fixtures,
        readers: &[Caller],
    ) -> Result<Self> {
        let product = Server::product(kith, store)?;
        let fixtures = Arc::new(fixtures);
        let mut responses = RecordedResponses::default();
        let mut scenario_runs = HashMap::new();
        // Writes come first, so that recorded reads already contain them.
        for scenario in Scenario::WRITES.into_iter().chain(Scenario::READS) {
            let scenario_run = if scenario == Scenario::FriendsPage50 {
                let reads = find_page_50(&product, &fixtures, readers).await?;
                ScenarioRun::with_reads(scenario, &fixtures, reads, 2..=usize::MAX)
            } else {
                ScenarioRun::new(scenario, &fixtures, readers, 2..=usize::MAX)
            };
            let bodies = record_responses(&product, &scenario_run, &mut responses).await;
            let bodies =
                bodies.with_context(|| format!("the first requests of {}", scenario.name()))?;
            let sizes = bodies.iter().map(String::len);
            let (least, most) = sizes
                .fold((usize::MAX, 0), |(least, most), size| (least.min(size), most.max(size)));
            // Counts grow by digits and posts move between pages, so reads stay within half and double the size.
            // A like returns another post each time, which can be as short or long as any post.
            let is_write = Scenario::WRITES.contains(&scenario);
            let sizes = if is_write {
                least / 4..=most + MAX_POST_JSON_BYTES
            } else {
                least / 2..=most * 2
            };
            let ready = scenario_run.with_response_size(sizes.clone());
            let kept = if is_write { Vec::new() } else { bodies };
            let ready = ready.with_recorded_bodies(kept.into_iter().map(Bytes::from).collect());
            let baseline = Arc::new(ready.with_response_size(sizes));
            scenario_runs.insert(scenario, [Arc::new(ready), baseline]);
        }
        let page = responses.reads[0].2.clone();
        let writers = fixtures.writers.iter();
        responses.writers = writers.map(|by| (by.cookie.clone(), by.member)).collect();
        responses.save(&store.data)?;
        let url = match &baseline_database {
            Config::Sqlite { .. } => "",
            Config::Postgres { url, .. } => url,
        };
        let baseline = Server::baseline(&store.data, url)?;
        let bare = RawCommits::open(&store.data, url).await?;
        Ok(Self {
            product,
            baseline,
            baseline_database,
            fixtures,
            bare: Mutex::new(bare),
            scenario_runs,
            page,
        })
    }

    /// Requests of a scenario for the product or the baseline.
    pub(super) fn scenario_run(&self, scenario: Scenario, to_baseline: bool) -> Arc<ScenarioRun> {
        self.scenario_runs[&scenario][usize::from(to_baseline)].clone()
    }

    /// Microseconds of a raw durable commit.
    pub(super) async fn raw_commit_micros(&self, time: Duration) -> Result<f64> {
        self.bare.lock().await.measure_commit(time).await
    }

    /// Post ids of the recorded first page.
    pub(super) fn first_page(&self) -> Result<Vec<i64>> {
        let page: serde_json::Value = serde_json::from_str(&self.page)?;
        let rows = page.as_array().into_iter().flatten();
        let ids = rows.filter_map(|row| row["id"].as_str()?.parse().ok());
        Ok(ids.collect())
    }

    /// Stops both servers.
    pub fn stop(self) -> Result<()> {
        self.product.stop()?;
        self.baseline.stop()
    }
}

/// Configures the baseline's database; with `writes` copies the data set, which must not be open.
pub(super) async fn create_baseline_database(
    store: &DatabaseArgs,
    postgres: &str,
    writes: bool,
) -> Result<Config> {
    match store.database() {
        Config::Sqlite { path } => {
            let file = baseline::database_file(&store.data);
            if writes {
                std::fs::copy(path, &file)?;
            }
            Ok(Config::sqlite(file))
        }
        Config::Postgres { .. } => {
            let url = if writes {
                postgres::clone_database(postgres, NETWORK, BASELINE).await?
            } else {
                postgres::recreate_database(postgres, BASELINE).await?
            };
            Ok(Config::postgres(url))
        }
    }
}

/// Finds the cursor of page 50 for each reader by following the pages, as a client does.
async fn find_page_50(
    product: &Server,
    fixtures: &Arc<Fixtures>,
    readers: &[Caller],
) -> Result<Vec<(String, Caller)>> {
    let mut found = Vec::new();
    for reader in readers {
        let mut target = "/api/posts/feed".to_owned();
        for page in 1..PAGE {
            let read = vec![(target, reader.clone())];
            let scenario_run =
                ScenarioRun::with_reads(Scenario::FriendsPage50, fixtures, read, 2..=usize::MAX);
            let body = load::send_one(product.address, scenario_run.next_request(0)).await;
            let body = body.with_context(|| format!("page {page} of a Friends feed"))?;
            let rows: Vec<serde_json::Value> = serde_json::from_slice(&body)?;
            let last = rows.last().and_then(|row| row["id"].as_str());
            target = format!("/api/posts/feed?cursor={}", last.unwrap_or_default());
        }
        found.push((target, reader.clone()));
    }
    Ok(found)
}

/// Sends every read once, or the first write, and records the responses.
async fn record_responses(
    product: &Server,
    scenario_run: &ScenarioRun,
    responses: &mut RecordedResponses,
) -> Result<Vec<String>> {
    let mut bodies = Vec::new();
    for (number, (target, cookie)) in scenario_run.targets().enumerate() {
        let body =
            load::send_one(product.address, scenario_run.next_request(number as u64)).await?;
        let body = String::from_utf8(body.to_vec())?;
        let kept = (target.to_owned(), cookie.to_owned(), body.clone());
        responses.reads.push(kept);
        bodies.push(body);
    }
    if let Some(place) =
        Scenario::WRITES.iter().position(|scenario| *scenario == scenario_run.scenario)
    {
        let body = load::send_one(product.address, scenario_run.next_request(0)).await?;
        responses.writes[place] = String::from_utf8(body.to_vec())?;
        bodies.push(responses.writes[place].clone());
    }
    Ok(bodies)
}
