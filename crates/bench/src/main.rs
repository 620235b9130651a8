//! `kith-bench`, the program that `cargo xtask bench` starts.

use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use kith::platform::config::DatabaseArgs;
use kith_bench::dataset::Size;
use kith_bench::run::{self, Options, RunConfig};
use kith_bench::scenarios::Scenario;
use kith_bench::{baseline, scaling};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// The product's allocator, so that the baseline server uses the same one.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Generates data sets and benchmarks Kith on them.
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Generate a data set in an empty folder, for `kith serve --data`
    Make {
        /// Empty folder for the data set
        #[arg(long)]
        folder: PathBuf,
        #[command(flatten)]
        network: Network,
    },
    /// Serve the responses that a run recorded, as the baseline server
    #[command(hide = true)]
    Baseline {
        #[arg(long)]
        folder: PathBuf,
        #[arg(long)]
        listen: SocketAddr,
        #[arg(long, default_value = "")]
        database_url: String,
    },
    /// Benchmark a program against the baseline server
    Run(Run),
}

#[derive(Debug, Args)]
struct Network {
    /// Number of members
    #[arg(long, default_value_t = 100_000)]
    members: usize,
    /// Number of posts, replies and reposts
    #[arg(long, default_value_t = 1_000_000)]
    posts: usize,
    /// Number of readers who open Friends once with a cold cache
    #[arg(long, default_value_t = 400)]
    cold: usize,
    /// Number of members that each reader follows
    #[arg(long, default_value_t = 200)]
    follows: usize,
    /// Seed of the random numbers; another seed gives another data set of the same size
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Debug, Args)]
struct Run {
    /// Program to measure
    #[arg(long)]
    kith: PathBuf,
    /// Empty folder on the disk to measure
    #[arg(long)]
    folder: PathBuf,
    #[command(flatten)]
    network: Network,
    /// Folder with a data set from `make`; the run uses a copy of it
    #[arg(long, conflicts_with_all = ["postgres", "against_size"])]
    made: Option<PathBuf>,
    /// Measure only this scenario, by its name in the tables; repeat it for several
    #[arg(long, value_parser = Scenario::parse_name, conflicts_with_all = ["write", "against_size"])]
    only: Vec<Scenario>,
    /// Measure only the mixed load of a day, or also the scenarios of `--only`; once per round
    #[arg(long, conflicts_with_all = ["write", "against_size"])]
    mix: bool,
    /// Measure this many open streams of live updates, at most four for each cold reader, or also the
    /// scenarios of `--only`
    #[arg(long, conflicts_with_all = ["write", "against_size"])]
    streams: Option<usize>,
    /// Number of rounds per scenario; each measures both servers
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Seconds of each load; a sample takes two
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Number of concurrent callers
    #[arg(long, default_value_t = 64)]
    callers: usize,
    /// Use a small data set and short loads to test the benchmark; the figures mean nothing
    #[arg(long)]
    quick: bool,
    /// Measure each scenario on data sets of 10,000 posts, 100,000 and so on
    #[arg(long)]
    against_size: bool,
    /// Posts of the largest data set for `--against-size`, at most 10,000,000
    #[arg(long, default_value_t = 1_000_000)]
    largest: usize,
    /// URL of a PostgreSQL server to measure on instead of SQLite; its databases `kith_bench` and
    /// `kith_baseline` are dropped and created again
    #[arg(long, default_value = "")]
    postgres: String,
    /// Document whose tables are replaced
    #[arg(long)]
    write: Option<PathBuf>,
}

impl Network {
    fn size(&self) -> Size {
        Size {
            members: self.members,
            posts: self.posts,
            follows: vec![self.follows],
            cold: self.cold,
            seed: self.seed,
        }
    }
}

impl Run {
    async fn run(mut self) -> Result<()> {
        if self.quick {
            (self.network.members, self.network.posts) = (1_000, 10_000);
            self.network.cold = 40;
            (self.rounds, self.seconds, self.largest) = (1, 0.2, 10_000);
        }
        let options = Options {
            kith: self.kith,
            folder: self.folder,
            postgres: self.postgres,
            size: self.network.size(),
            made: self.made,
            only: self.only,
            mix: self.mix,
            streams: self.streams,
            config: RunConfig {
                rounds: self.rounds.max(1),
                time: Duration::from_secs_f64(self.seconds),
                callers: self.callers.max(1),
            },
            recount: self.quick,
        };
        let report = if self.against_size {
            scaling::run_scaling(&options, self.largest).await?
        } else {
            run::run_benchmark(&options).await?
        };
        report.print();
        match self.write {
            Some(document) => report.write(&document),
            None => Ok(()),
        }
    }
}

impl Cli {
    async fn run(self) -> Result<()> {
        match self.command {
            Command::Make { folder, network } => {
                let store = DatabaseArgs::new(folder, "");
                let (fixtures, _) = run::make_dataset(&store, &network.size()).await?;
                let cookie = &fixtures.readers[0].caller.cookie;
                println!("cookie of a reader: {}={cookie}", kith::http::cookies::SESSION);
                Ok(())
            }
            Command::Baseline { folder, listen, database_url } => {
                baseline::serve(&folder, &database_url, listen).await
            }
            Command::Run(run) => run.run().await,
        }
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    match runtime.map_err(Into::into).and_then(|runtime| runtime.block_on(cli.run())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kith-bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}
