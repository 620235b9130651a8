//! `kith-bench`: what `cargo xtask bench` starts.

use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use kith::config::Store;
use kith_bench::dataset::Size;
use kith_bench::run::{self, Options, RunConfig};
use kith_bench::scenarios::Scenario;
use kith_bench::{baseline, scaling};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// The product's own allocator, so that the floor has no other.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Makes networks and measures Kith on them.
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Makes a network in an empty folder, for `kith serve --data`.
    Make {
        /// Where.
        #[arg(long)]
        folder: PathBuf,
        #[command(flatten)]
        network: Network,
    },
    /// Serves what a run saved for the floor.
    #[command(hide = true)]
    Baseline {
        #[arg(long)]
        folder: PathBuf,
        #[arg(long)]
        listen: SocketAddr,
        #[arg(long, default_value = "")]
        database_url: String,
    },
    /// Measures a program beside the floor.
    Run(Run),
}

#[derive(Debug, Args)]
struct Network {
    /// Members.
    #[arg(long, default_value_t = 100_000)]
    members: usize,
    /// Posts, replies and reposts.
    #[arg(long, default_value_t = 1_000_000)]
    posts: usize,
    /// Readers who open their Friends feed once, with nothing remembered of them.
    #[arg(long, default_value_t = 400)]
    cold: usize,
    /// How many each reader follows.
    #[arg(long, default_value_t = 200)]
    follows: usize,
    /// Another seed makes another network of the same size.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Debug, Args)]
struct Run {
    /// The program to measure.
    #[arg(long)]
    kith: PathBuf,
    /// An empty folder on the disk to measure.
    #[arg(long)]
    folder: PathBuf,
    #[command(flatten)]
    network: Network,
    /// A folder that `make` filled, with the network to measure on; a copy of it is used.
    #[arg(long, conflicts_with_all = ["postgres", "against_size"])]
    made: Option<PathBuf>,
    /// A path to measure, by its name in the tables; may be given again. Nothing else is measured then.
    #[arg(long, value_parser = Scenario::parse_name, conflicts_with_all = ["write", "against_size"])]
    only: Vec<Scenario>,
    /// A day's mix alone, or with the paths that are named; once a turn.
    #[arg(long, conflicts_with_all = ["write", "against_size"])]
    mix: bool,
    /// Turns of each server at each path.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Seconds of each load; a turn has two.
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Callers at once.
    #[arg(long, default_value_t = 64)]
    callers: usize,
    /// A small network and short loads, to see that all of it works: the figures mean nothing.
    #[arg(long)]
    quick: bool,
    /// Measures the reads on networks of 10,000 posts, ten times that and so on instead.
    #[arg(long)]
    against_size: bool,
    /// The largest of these networks; the largest there is has 10,000,000.
    #[arg(long, default_value_t = 1_000_000)]
    largest: usize,
    /// The address of a PostgreSQL server whose databases `kith_bench` and `kith_floor` are made anew:
    /// measures on it instead of SQLite.
    #[arg(long, default_value = "")]
    postgres: String,
    /// A document whose tables are written anew.
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
                let store = Store {
                    data: folder,
                    database_url: String::new(),
                };
                let (fixtures, _) = run::make_dataset(&store, &network.size()).await?;
                let cookie = &fixtures.readers[0].caller.cookie;
                println!("a reader's cookie: {}={cookie}", kith::session::COOKIE);
                Ok(())
            }
            Command::Baseline {
                folder,
                listen,
                database_url,
            } => baseline::serve(&folder, &database_url, listen).await,
            Command::Run(run) => run.run().await,
        }
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    match runtime
        .map_err(Into::into)
        .and_then(|runtime| runtime.block_on(cli.run()))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kith-bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}
