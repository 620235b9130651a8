//! A run: a network, the product and the floor on it, measured by turns.

pub mod measure;
mod pair;

pub use measure::{Figures, Rounds, Turns};
pub use pair::Pair;

use crate::calls::Path as Call;
use crate::network::{self, Manifest, Size};
use crate::report::{self, Report};
use crate::rows;
use anyhow::{Context as _, Result, ensure};
use kith::clock::Clock;
use kith::config::{Settings, Store};
use kith::schema::MIGRATIONS;
use kith_db::{Db, Sql, params, sql};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const WRITTEN: Sql = sql!("select count(*) from posts where content = $1");
/// How long the server is left alone before its idle memory is read.
const IDLE: Duration = Duration::from_secs(2);

/// What to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The program to measure.
    pub kith: PathBuf,
    /// An empty folder.
    pub folder: PathBuf,
    /// The network.
    pub size: Size,
    /// How to measure.
    pub turns: Turns,
    /// Whether every count is compared with what it counts at the end, which takes minutes for a
    /// large network.
    pub recount: bool,
}

/// Makes a network in a folder of its own, and says how fast that was.
pub async fn make(folder: &Path, size: &Size) -> Result<Manifest> {
    std::fs::create_dir_all(folder)?;
    let begun = Instant::now();
    let manifest = network::make(folder, size, Clock::system().now()).await?;
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "a network of {} members and {} posts in {seconds:.1} s: {:.0} posts a second",
        size.members,
        size.posts,
        size.posts as f64 / seconds
    );
    Ok(manifest)
}

/// Makes a network, measures every path on it, and answers the tables.
pub async fn run(options: &Options) -> Result<Report> {
    let data = options.folder.join("data");
    let manifest = make(&data, &options.size).await?;
    let readers = manifest.readers_of(options.size.follows[0]);
    let pair = Pair::start(&options.kith, &data, manifest, &readers).await?;
    tokio::time::sleep(IDLE).await;
    let (idle, _) = pair.product.memory()?;
    let mut reads = Vec::new();
    for path in Call::READS {
        reads.push(measure::path(&pair, path, &options.turns, options.turns.callers).await?);
    }
    let (loaded, _) = pair.product.memory()?;
    let mut writes = Vec::new();
    for path in Call::WRITES {
        for callers in [options.turns.callers, 1] {
            writes.push(measure::path(&pair, path, &options.turns, callers).await?);
        }
    }
    let (_, most) = pair.product.memory()?;
    let ids = pair.first_page()?;
    let start = pair.product.start;
    let answered = pair.written(Call::Post);
    pair.stop()?;
    check(&data, answered, options.recount).await?;
    let row_reads = rows::page(&data.join("kith.db"), &ids, options.turns.time)?;
    let process = report::Process {
        start,
        idle,
        loaded,
        most,
        binary: std::fs::metadata(&options.kith)?.len(),
        row_reads,
    };
    Ok(Report::of_run(&options.size, &reads, &writes, &process))
}

/// What was answered must be there: as many posts as were answered, and every count what it counts.
async fn check(data: &Path, answered: u64, recount: bool) -> Result<()> {
    let store = Store {
        data: data.to_path_buf(),
        database_url: String::new(),
    };
    let settings = Settings::for_command(store);
    let db = Db::open_as_is(&settings.store.database(), MIGRATIONS).await?;
    let bound = params![crate::calls::TEXT];
    let written = db.one(&WRITTEN, bound, |row| row.int(0)).await?;
    ensure!(
        u64::try_from(written)? == answered,
        "{answered} posts were answered and {written} are there"
    );
    if recount {
        let wrong = kith::recount::differences(&db).await;
        let wrong = wrong.context("the counts could not be compared")?;
        ensure!(wrong.is_empty(), "wrong counts after the run: {wrong:?}");
    }
    db.close().await;
    Ok(())
}
