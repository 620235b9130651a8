//! A run: a network, the product and the floor on it, measured by turns.

mod bare;
mod check;
pub(crate) mod cold;
mod fan_out;
pub mod measure;
mod mix;
mod pair;
mod steady;

pub use measure::{Figures, Rounds, Turns};
pub use pair::Pair;

use crate::calls::Path as Call;
use crate::cluster;
use crate::network::{self, Caller, Manifest, Size};
use crate::report::{self, Facts, Report, bytes};
use crate::rows;
use crate::server::most_memory;
use anyhow::{Context as _, Result, ensure};
use check::Answered;
use kith::platform::clock::{Clock, Millis};
use kith::platform::config::Store;
use kith_db::Engine;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long the server is left alone before its idle memory is read.
const IDLE: Duration = Duration::from_secs(2);
/// Starts that are measured.
const RESTARTS: usize = 5;
/// The database of the network on PostgreSQL.
const NETWORK: &str = "kith_bench";

/// What to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The program to measure.
    pub kith: PathBuf,
    /// An empty folder.
    pub folder: PathBuf,
    /// The address of a PostgreSQL server to measure on; empty for SQLite in the folder.
    pub postgres: String,
    /// The network.
    pub size: Size,
    /// A folder that [`make`] filled, which is copied instead of making a network.
    pub made: Option<PathBuf>,
    /// The only paths to measure; none for all of them and everything else.
    pub only: Vec<Call>,
    /// Whether a day's mix is measured alone, or with those paths.
    pub mix: bool,
    /// How to measure.
    pub turns: Turns,
    /// Whether every count is compared with what it counts at the end, which takes minutes for a
    /// large network.
    pub recount: bool,
}

impl Options {
    /// An empty place for a network.
    pub async fn store(&self, name: &str) -> Result<Store> {
        Ok(Store {
            data: self.folder.join(name),
            database_url: cluster::anew(&self.postgres, NETWORK).await?,
        })
    }

    /// Starts both servers on a network; the floor has a copy of it if it is to write.
    pub async fn pair(
        &self,
        store: &Store,
        manifest: Manifest,
        readers: &[Caller],
        writes: bool,
    ) -> Result<Pair> {
        let floor = pair::floor(store, &self.postgres, writes).await?;
        Pair::start(&self.kith, store, floor, manifest, readers).await
    }

    /// What is measured on.
    #[must_use]
    pub const fn engine(&self) -> Engine {
        if self.postgres.is_empty() {
            Engine::Sqlite
        } else {
            Engine::Postgres
        }
    }
}

/// Makes a network in an empty place; also how many posts a second that were.
pub async fn make(store: &Store, size: &Size) -> Result<(Manifest, f64)> {
    std::fs::create_dir_all(&store.data)?;
    let begun = Instant::now();
    let manifest = network::make(store, size, Clock::system().now()).await?;
    let seconds = begun.elapsed().as_secs_f64();
    let rate = size.posts as f64 / seconds;
    println!(
        "a network of {} members and {} posts in {seconds:.1} s: {rate:.0} posts a second",
        size.members, size.posts,
    );
    println!("memory that this took at most: {}", bytes(most_memory()?));
    Ok((manifest, rate))
}

/// Makes a network, measures every path on it, and answers the tables.
pub async fn run(options: &Options) -> Result<Report> {
    let store = options.store("data").await?;
    let (manifest, rate) = if let Some(made) = &options.made {
        (copied(made, &store)?, None)
    } else {
        let (manifest, rate) = make(&store, &options.size).await?;
        (manifest, Some(rate))
    };
    let mut facts = report::of_size(&manifest.size, rate);
    let readers = manifest.readers_of(manifest.size.follows[0]);
    let begun = Clock::system().now();
    let pair = options.pair(&store, manifest, &readers, true).await?;
    tokio::time::sleep(IDLE).await;
    if options.mix || !options.only.is_empty() {
        return some(options, &store, pair, begun, facts).await;
    }
    let turns = &options.turns;
    facts.add(
        "The program",
        bytes(std::fs::metadata(&options.kith)?.len()),
    );
    facts.add(
        "Resident memory after each call was made, idle",
        bytes(pair.product.memory()?.0),
    );
    cold::readers(&pair, &mut facts).await?;
    let mut reads = Vec::new();
    for path in Call::READS {
        reads.push(measure::path(&pair, path, turns, turns.callers).await?);
    }
    facts.add("After all reads", bytes(pair.product.memory()?.0));
    let mut writes = Vec::new();
    for path in Call::WRITES {
        for callers in [turns.callers, 1] {
            writes.push(measure::path(&pair, path, turns, callers).await?);
        }
    }
    let more = fan_out::measure(&pair, turns, &mut facts).await?;
    mix::measure(&pair, turns, &mut facts).await?;
    steady::measure(&pair, turns, &mut facts).await?;
    facts.add("At most, with the writes", bytes(pair.product.memory()?.1));
    let ids = pair.first_page()?;
    let manifest = pair.manifest.clone();
    stop(options, &store, pair, begun, more).await?;
    restarts(options, &store, &manifest, &readers, &mut facts).await?;
    if options.engine() == Engine::Sqlite {
        let rows = rows::page(&store.data.join("kith.db"), &ids, turns.time)?;
        facts.add(
            "The 20 rows of a page and their authors by key, in one process",
            format!("{:.0} µs", rows.as_secs_f64() * 1e6),
        );
    }
    Ok(Report::of_run(options.engine(), &reads, &writes, &facts))
}

/// Measures the paths that were named, and nothing else.
async fn some(
    options: &Options,
    store: &Store,
    pair: Pair,
    begun: Millis,
    mut facts: Facts,
) -> Result<Report> {
    let turns = &options.turns;
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    let only = options.only.iter();
    let (looks, deeds) = only.partition::<Vec<&Call>, _>(|path| Call::READS.contains(path));
    for path in looks {
        reads.push(measure::path(&pair, *path, turns, turns.callers).await?);
    }
    for path in deeds {
        for callers in [turns.callers, 1] {
            let rounds = measure::path(&pair, *path, turns, callers).await?;
            let [took, put] = [Figures::reads, Figures::writes].map(|of| rounds.product(of));
            facts.add(
                &format!(
                    "{}, {callers} callers: reads and writes of files",
                    path.name()
                ),
                format!("{took:.1}, {put:.1}"),
            );
            writes.push(rounds);
        }
    }
    if options.mix {
        for _ in 0..turns.rounds {
            mix::measure(&pair, turns, &mut facts).await?;
        }
    }
    facts.add("Memory at most", bytes(pair.product.memory()?.1));
    stop(options, store, pair, begun, 0).await?;
    Ok(Report::of_run(options.engine(), &reads, &writes, &facts))
}

/// Stops both servers, and fails unless each has written what it answered since `begun`; the product so
/// many posts more than its script says.
pub(crate) async fn stop(
    options: &Options,
    store: &Store,
    pair: Pair,
    begun: Millis,
    more: u64,
) -> Result<()> {
    let answered = Answered::by(&pair, begun, more);
    let floor = (
        pair.floor_database.clone(),
        Answered::by_floor(&pair, &answered),
    );
    pair.stop()?;
    check::all(&store.database(), &answered, options.recount).await?;
    let checked = check::all(&floor.0, &floor.1, false).await;
    checked.context("the floor")
}

/// A copy of a made network, so that it can be measured again.
fn copied(made: &Path, store: &Store) -> Result<Manifest> {
    ensure!(
        store.database_url.is_empty(),
        "a made network is a file of SQLite"
    );
    std::fs::create_dir_all(&store.data)?;
    for entry in std::fs::read_dir(made)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            std::fs::copy(entry.path(), store.data.join(entry.file_name()))?;
        }
    }
    Manifest::load(&store.data)
}

/// Starts the product on a network again and again, once a turn and five times at most, and says how
/// long that takes.
pub async fn restarts(
    options: &Options,
    store: &Store,
    manifest: &Arc<Manifest>,
    readers: &[Caller],
    facts: &mut Facts,
) -> Result<()> {
    let readers = &readers[..RESTARTS.min(options.turns.rounds)];
    cold::restarts(&options.kith, store, manifest, readers, facts).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls;
    use crate::load::is_sampled;
    use crate::network::{READERS, SEARCHES, WRITERS};
    use std::collections::HashSet;

    /// What comes by turns must not be in step with the samples.
    #[test]
    fn whatever_comes_by_turns_is_looked_into() {
        for cycle in [
            READERS,
            READERS * SEARCHES.len(),
            WRITERS,
            calls::OPENED,
            mix::ROUND as usize,
            steady::KINDS,
            steady::KINDS * READERS,
            steady::KINDS * READERS * SEARCHES.len(),
        ] {
            let numbers = (0..100 * cycle as u64).filter(|number| is_sampled(*number));
            let seen = numbers.map(|number| number as usize % cycle);
            assert_eq!(seen.collect::<HashSet<_>>().len(), cycle, "of {cycle}");
        }
    }
}
