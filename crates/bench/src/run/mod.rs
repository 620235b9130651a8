//! A benchmark run: generates a data set, measures product and baseline on it, verifies the writes.

pub(crate) mod cold_cache;
mod event_streams;
mod fan_out;
pub mod measure;
mod mixed_load;
mod raw_commit;
mod servers;
mod soak;
mod verify;

pub use measure::RunConfig;
pub use servers::ServerPair;

use crate::dataset::{self, Caller, Fixtures, Size};
use crate::postgres;
use crate::raw_reads;
use crate::report::{self, Metrics, Report, format_bytes};
use crate::samples::Sample;
use crate::scenarios::Scenario;
use crate::server::peak_memory;
use anyhow::{Context as _, Result, ensure};
use kith::platform::clock::{Clock, Millis};
use kith::platform::config::DatabaseArgs;
use kith_db::Engine;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use verify::ExpectedWrites;

/// Idle time before idle memory is read.
const IDLE_WAIT: Duration = Duration::from_secs(2);
/// Maximum number of measured restarts.
const RESTARTS: usize = 5;
/// Maximum number of open streams of live updates.
const EVENT_STREAMS: usize = 10_000;
/// Name of the product's PostgreSQL database.
const NETWORK: &str = "kith_bench";

/// Options of a run.
#[derive(Debug, Clone)]
pub struct Options {
    /// Program to measure.
    pub kith: PathBuf,
    /// Empty folder for the data.
    pub folder: PathBuf,
    /// URL of the PostgreSQL server to measure on; empty for SQLite.
    pub postgres: String,
    /// Size of the data set.
    pub size: Size,
    /// Folder with a generated data set to copy instead of generating one.
    pub made: Option<PathBuf>,
    /// Scenarios to measure; empty for all scenarios and all other measurements.
    pub only: Vec<Scenario>,
    /// Whether to measure the mixed load, alone or with the scenarios of `only`.
    pub mix: bool,
    /// Number of open streams of live updates to measure, alone or with the scenarios of `only`.
    pub streams: Option<usize>,
    /// Rounds, duration and callers.
    pub config: RunConfig,
    /// Whether to compare every stored count with its rows after the run; slow on large data sets.
    pub recount: bool,
}

impl Options {
    /// An empty store for a data set.
    pub async fn create_store(&self, name: &str) -> Result<DatabaseArgs> {
        Ok(DatabaseArgs::new(
            self.folder.join(name),
            postgres::recreate_database(&self.postgres, NETWORK).await?,
        ))
    }

    /// Starts both servers on a data set; with `writes` the baseline gets a copy of the database.
    pub async fn start_servers(
        &self,
        store: &DatabaseArgs,
        fixtures: Fixtures,
        readers: &[Caller],
        writes: bool,
    ) -> Result<ServerPair> {
        let baseline = servers::create_baseline_database(store, &self.postgres, writes).await?;
        ServerPair::start(&self.kith, store, baseline, fixtures, readers).await
    }

    /// Database engine of the run.
    #[must_use]
    pub const fn engine(&self) -> Engine {
        if self.postgres.is_empty() { Engine::Sqlite } else { Engine::Postgres }
    }
}

/// Generates a data set; also returns the rate in posts per second.
pub async fn make_dataset(store: &DatabaseArgs, size: &Size) -> Result<(Fixtures, f64)> {
    std::fs::create_dir_all(&store.data)?;
    let begun = Instant::now();
    let fixtures = dataset::generate(store, size, Clock::system().now()).await?;
    let seconds = begun.elapsed().as_secs_f64();
    let rate = size.posts as f64 / seconds;
    println!(
        "generated {} members and {} posts in {seconds:.1} s: {rate:.0} posts per second",
        size.members, size.posts,
    );
    println!("peak memory: {}", format_bytes(peak_memory()?));
    Ok((fixtures, rate))
}

/// Generates a data set, measures every scenario and returns the tables.
pub async fn run_benchmark(options: &Options) -> Result<Report> {
    let store = options.create_store("data").await?;
    let (fixtures, rate) = if let Some(made) = &options.made {
        (copy_dataset(made, &store)?, None)
    } else {
        let (fixtures, rate) = make_dataset(&store, &options.size).await?;
        (fixtures, Some(rate))
    };
    let mut metrics = report::describe_size(&fixtures.size, rate);
    let readers = fixtures.readers_of(fixtures.size.follows[0]);
    let begun = Clock::system().now();
    let pair = options.start_servers(&store, fixtures, &readers, true).await?;
    tokio::time::sleep(IDLE_WAIT).await;
    if options.mix || options.streams.is_some() || !options.only.is_empty() {
        return run_selected(options, &store, pair, begun, metrics).await;
    }
    let config = &options.config;
    metrics.add("Size of the program", format_bytes(std::fs::metadata(&options.kith)?.len()));
    metrics.add(
        "Resident memory after one request of each kind, idle",
        format_bytes(pair.product.memory()?.0),
    );
    cold_cache::measure_cold_readers(&pair, &mut metrics).await?;
    let mut reads = Vec::new();
    for scenario in Scenario::READS {
        reads.push(measure::measure_scenario(&pair, scenario, config, config.callers).await?);
    }
    metrics.add("Resident memory after all reads", format_bytes(pair.product.memory()?.0));
    let mut writes = Vec::new();
    for scenario in Scenario::WRITES {
        for callers in [config.callers, 1] {
            writes.push(measure::measure_scenario(&pair, scenario, config, callers).await?);
        }
    }
    let mut extra_posts = fan_out::measure_fan_out(&pair, config, &mut metrics).await?;
    extra_posts +=
        event_streams::measure_event_streams(&pair, config, EVENT_STREAMS, &mut metrics).await?;
    mixed_load::measure_mixed_load(&pair, config, &mut metrics).await?;
    soak::measure_soak(&pair, config, &mut metrics).await?;
    metrics.add("Peak memory with the writes", format_bytes(pair.product.memory()?.1));
    let ids = pair.first_page()?;
    let fixtures = pair.fixtures.clone();
    stop_and_verify(options, &store, pair, begun, extra_posts).await?;
    measure_restarts(options, &store, &fixtures, &readers, &mut metrics).await?;
    if options.engine() == Engine::Sqlite {
        let rows = raw_reads::measure_page(&store.data.join("kith.db"), &ids, config.time)?;
        metrics.add(
            "The 20 rows of a page and their authors by key, in one process",
            format!("{:.0} µs", rows.as_secs_f64() * 1e6),
        );
    }
    Ok(Report::from_run(options.engine(), &reads, &writes, &metrics))
}

/// Measures only the selected scenarios.
async fn run_selected(
    options: &Options,
    store: &DatabaseArgs,
    pair: ServerPair,
    begun: Millis,
    mut metrics: Metrics,
) -> Result<Report> {
    let config = &options.config;
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    let only = options.only.iter();
    let (reads_only, writes_only) =
        only.partition::<Vec<&Scenario>, _>(|scenario| Scenario::READS.contains(scenario));
    for scenario in reads_only {
        reads.push(measure::measure_scenario(&pair, *scenario, config, config.callers).await?);
    }
    for scenario in writes_only {
        for callers in [config.callers, 1] {
            let result = measure::measure_scenario(&pair, *scenario, config, callers).await?;
            let [took, put] = [Sample::reads, Sample::writes].map(|of| result.product(of));
            metrics.add(
                &format!(
                    "{}, {callers} callers: file reads and writes per response",
                    scenario.name()
                ),
                format!("{took:.1}, {put:.1}"),
            );
            writes.push(result);
        }
    }
    if options.mix {
        for _ in 0..config.rounds {
            mixed_load::measure_mixed_load(&pair, config, &mut metrics).await?;
        }
    }
    let mut extra_posts = 0;
    if let Some(count) = options.streams {
        extra_posts =
            event_streams::measure_event_streams(&pair, config, count, &mut metrics).await?;
    }
    metrics.add("Peak memory", format_bytes(pair.product.memory()?.1));
    stop_and_verify(options, store, pair, begun, extra_posts).await?;
    Ok(Report::from_run(options.engine(), &reads, &writes, &metrics))
}

/// Stops both servers; fails unless each database has exactly the writes acknowledged since `begun`.
/// `extra_posts` counts the product's posts outside the scenarios.
pub(crate) async fn stop_and_verify(
    options: &Options,
    store: &DatabaseArgs,
    pair: ServerPair,
    begun: Millis,
    extra_posts: u64,
) -> Result<()> {
    let acknowledged = ExpectedWrites::of_product(&pair, begun, extra_posts);
    let baseline =
        (pair.baseline_database.clone(), ExpectedWrites::of_baseline(&pair, &acknowledged));
    pair.stop()?;
    verify::verify_database(&store.database(), &acknowledged, options.recount).await?;
    let checked = verify::verify_database(&baseline.0, &baseline.1, false).await;
    checked.context("the baseline")
}

/// Copies a generated data set, so that it can be measured again.
fn copy_dataset(made: &Path, store: &DatabaseArgs) -> Result<Fixtures> {
    ensure!(store.database_url.is_empty(), "a data set from `make` is a SQLite file");
    std::fs::create_dir_all(&store.data)?;
    for entry in std::fs::read_dir(made)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            std::fs::copy(entry.path(), store.data.join(entry.file_name()))?;
        }
    }
    Fixtures::load(&store.data)
}

/// Restarts the product once per round, at most [`RESTARTS`] times, and adds startup times.
pub async fn measure_restarts(
    options: &Options,
    store: &DatabaseArgs,
    fixtures: &Arc<Fixtures>,
    readers: &[Caller],
    metrics: &mut Metrics,
) -> Result<()> {
    let readers = &readers[..RESTARTS.min(options.config.rounds)];
    cold_cache::measure_restarts(&options.kith, store, fixtures, readers, metrics).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{READERS, SEARCHES, WRITERS};
    use crate::load::is_sampled;
    use crate::scenarios;
    use std::collections::HashSet;

    /// Each cycle of readers, targets or scenarios must be coprime to the sampling interval.
    #[test]
    fn every_cycle_is_sampled() {
        for cycle in [
            READERS,
            READERS * SEARCHES.len(),
            WRITERS,
            scenarios::MAX_OPENED_POSTS,
            mixed_load::CYCLE as usize,
            soak::SCENARIOS,
            soak::SCENARIOS * READERS,
            soak::SCENARIOS * READERS * SEARCHES.len(),
        ] {
            let numbers = (0..100 * cycle as u64).filter(|number| is_sampled(*number));
            let seen = numbers.map(|number| number as usize % cycle);
            assert_eq!(seen.collect::<HashSet<_>>().len(), cycle, "of {cycle}");
        }
    }
}
