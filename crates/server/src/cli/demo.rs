//! `kith demo`.

use super::{Whole, leave_nothing, shell_word};
use crate::ops::backup::ProgressReporter;
use crate::ops::demo::{self, DemoSize};
use crate::platform::clock::{Clock, HOUR, Millis};
use crate::platform::config::Settings;
use crate::platform::output::say;
use clap::Args;
use std::time::Instant;

/// How large the community is, and where it goes.
#[derive(Debug, Args)]
pub(super) struct Demo {
    /// Members, the founder included.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(5..=1_000_000))]
    members: u32,
    /// Posts, replies and reposts.
    #[arg(long, default_value_t = 1_500, value_parser = clap::value_parser!(u32).range(1..=20_000_000))]
    posts: u32,
    /// Another number makes other people. The same one at the same --until makes the same network.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// When the newest post was written, such as 2026-11-21T09:00:00Z. The last full hour unless given.
    #[arg(long, value_parser = time)]
    until: Option<Millis>,
    /// Leave a network that is there as it is, and succeed.
    #[arg(long)]
    if_empty: bool,
    /// Address that members see; the printed one starts with it.
    #[arg(long, env = "KITH_PUBLIC_URL", default_value = "http://localhost:8080", value_parser = crate::platform::config::public_url)]
    public_url: url::Url,
    #[command(flatten)]
    whole: Whole,
}

fn time(text: &str) -> Result<Millis, String> {
    let time = text.parse::<jiff::Timestamp>();
    time.map(jiff::Timestamp::as_millisecond)
        .map_err(|_| "give a time such as 2026-11-21T09:00:00Z".to_owned())
}

/// Makes the community and prints how to log in.
pub(super) async fn run(demo: Demo) -> Result<(), String> {
    leave_nothing();
    let now = Clock::system().now();
    let until = demo.until.unwrap_or(now - now % HOUR);
    if until > now {
        return Err("--until is in the future: nobody has written anything by then.".to_owned());
    }
    if demo.if_empty && demo::has_network(&demo.whole.store).await? {
        return say!(
            "There is a network in {} already: it stays as it is. `kith member list` lists its members, and \
             `kith member sign-in USERNAME` logs one in.",
            demo.whole.store.data.display()
        );
    }
    let size = DemoSize {
        members: demo.members as usize,
        posts: demo.posts as usize,
        seed: demo.seed,
        until,
    };
    let begun = Instant::now();
    let (store, storage_url) = (demo.whole.store, demo.whole.storage_url);
    let mut progress = ProgressReporter::start(true);
    let founder = demo::create_demo(&store, &storage_url, size, &mut progress).await?;
    let took = begun.elapsed().as_secs_f64();
    let rate = f64::from(demo.posts) / took;
    let (members, posts) = (demo.members, demo.posts);
    say!("{members} members and {posts} posts in {took:.1} s: {rate:.0} posts a second")?;
    let data = shell_word(&store.data.display().to_string());
    say!("Logs the founder @{founder} in, once, within 15 minutes:")?;
    let settings = Settings {
        public_url: demo.public_url,
        ..Settings::for_command(store)
    };
    super::sign_in(&founder, settings).await?;
    say!("Another one: kith member sign-in {founder} --data {data}")
}
