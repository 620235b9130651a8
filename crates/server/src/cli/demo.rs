//! `kith demo`.

use super::{DataArgs, remove_temporary_files_on_signal, shell_quote};
use crate::ops::backup::ProgressReporter;
use crate::ops::demo::{self, DemoSize};
use crate::platform::clock::{Clock, HOUR, Millis};
use crate::platform::config::Settings;
use crate::platform::output::print_line;
use clap::Args;
use std::time::Instant;

/// Arguments of `kith demo`.
#[derive(Debug, Args)]
pub(super) struct DemoArgs {
    /// Number of members, including the founder.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(5..=1_000_000))]
    members: u32,
    /// Number of posts, including replies and reposts.
    #[arg(long, default_value_t = 1_500, value_parser = clap::value_parser!(u32).range(1..=20_000_000))]
    posts: u32,
    /// Seed of the random generator. Equal values of --seed and --until create equal networks.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Time of the newest post, such as 2026-11-21T09:00:00Z. Default: the last full hour.
    #[arg(long, value_parser = parse_time)]
    until: Option<Millis>,
    /// Succeed without changes if a network exists.
    #[arg(long)]
    if_empty: bool,
    /// Base URL of the printed login URL.
    #[arg(long, env = "KITH_PUBLIC_URL", default_value = "http://localhost:8080", value_parser = crate::platform::config::parse_public_url)]
    public_url: url::Url,
    #[command(flatten)]
    data: DataArgs,
}

fn parse_time(text: &str) -> Result<Millis, String> {
    let time = text.parse::<jiff::Timestamp>();
    time.map(jiff::Timestamp::as_millisecond)
        .map_err(|_| "give a time such as 2026-11-21T09:00:00Z".to_owned())
}

/// Creates the community and prints a login URL.
pub(super) async fn create_demo(args: DemoArgs) -> Result<(), String> {
    remove_temporary_files_on_signal();
    let now = Clock::system().now();
    let until = args.until.unwrap_or(now - now % HOUR);
    if until > now {
        return Err("--until is in the future.".to_owned());
    }
    if args.if_empty && demo::has_network(&args.data.store).await? {
        return print_line!(
            "There is already a network in {}; nothing was changed. `kith member list` lists its members, and \
             `kith member sign-in USERNAME` prints a login URL.",
            args.data.store.data.display()
        );
    }
    let size = DemoSize {
        members: args.members as usize,
        posts: args.posts as usize,
        seed: args.seed,
        until,
    };
    let started = Instant::now();
    let (store, storage_url) = (args.data.store, args.data.storage_url);
    let mut progress = ProgressReporter::start(true);
    let founder = demo::create_demo(&store, &storage_url, size, &mut progress).await?;
    let took = started.elapsed().as_secs_f64();
    let rate = f64::from(args.posts) / took;
    let (members, posts) = (args.members, args.posts);
    print_line!("{members} members and {posts} posts in {took:.1} s: {rate:.0} posts per second")?;
    let data = shell_quote(&store.data.display().to_string());
    print_line!("Login URL of the founder @{founder}, which works once, within 15 minutes:")?;
    let settings = Settings { public_url: args.public_url, ..Settings::for_command(store) };
    super::print_login_url(&founder, settings).await?;
    print_line!("For another URL: kith member sign-in {founder} --data {data}")
}
