//! Fan-out of the most followed member's posts: delay until followers see them, latency for the
//! author, and latency for other writers.

use super::{RunConfig, ServerPair};
use crate::dataset::{Caller, Fixtures};
use crate::load::{self, Load, Outcome, Pace};
use crate::report::{Metrics, format_millis, format_thousands};
use crate::scenarios::{Scenario, ScenarioRun};
use anyhow::{Context as _, Result, bail};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Number of followers that poll after each post.
const MAX_FOLLOWERS: usize = 8;
/// Pause between two posts of the author.
const PAUSE: Duration = Duration::from_millis(50);
/// Maximum time until a follower sees a post.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Accepts a response of any size.
const ANY: RangeInclusive<usize> = 2..=usize::MAX;

/// Measurements of one author's posts beside other writers.
struct FanOut {
    /// Number of posts.
    posts: u64,
    /// Latency of each post for its author, in microseconds.
    latencies: Vec<f64>,
    /// Microseconds from each response until the last follower saw the post.
    delays: Vec<f64>,
    /// Load of the other writers.
    others: Outcome,
}

/// Measures the posts of a writer without followers, then of the most followed member. Returns the
/// number of posts created.
pub(super) async fn measure_fan_out(
    pair: &ServerPair,
    config: &RunConfig,
    metrics: &mut Metrics,
) -> Result<u64> {
    let fixtures = &pair.fixtures;
    let followers = fixtures.readers_of(fixtures.size.follows[0]);
    let followers = &followers[..MAX_FOLLOWERS.min(followers.len())];
    let full = write_posts(pair, config, Pace::Full);
    let rate = full.await?.rate() / 2.0;
    let before =
        write_posts_of_author(pair, config, rate, &fixtures.writers[0], followers, false).await?;
    let with = write_posts_of_author(pair, config, rate, &fixtures.star, followers, true).await?;
    let middle = |values: &[f64]| {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let p99 = |seen: &FanOut| seen.others.latency.value_at_quantile(0.99) as f64;
    let longest = with.delays.iter().copied().fold(0.0, f64::max);
    let count = fixtures.size.members - fixtures.writers.len() - 1;
    metrics.add("Followers of the most followed member", format_thousands(count as u64));
    metrics.add(
        "Delay until followers see their post; longest",
        format!("{}; {}", format_millis(middle(&with.delays)), format_millis(longest)),
    );
    metrics.add(
        "Latency of their posts, and of a writer without followers",
        format!(
            "{}, {}",
            format_millis(middle(&with.latencies)),
            format_millis(middle(&before.latencies))
        ),
    );
    metrics.add(
        "p99 of other writers beside them, and beside that writer",
        format!(
            "{}, {} (× {:.2})",
            format_millis(p99(&with)),
            format_millis(p99(&before)),
            p99(&with) / p99(&before)
        ),
    );
    Ok(before.posts + with.posts)
}

/// Creates posts by all writers for the duration of one load.
async fn write_posts(pair: &ServerPair, config: &RunConfig, pace: Pace) -> Result<Outcome> {
    let scenario_run = pair.scenario_run(Scenario::CreatePost, false);
    let load = Load {
        address: pair.product.address,
        connections: config.callers,
        pace,
        time: config.time,
    };
    let outcome = load::run_load(load, move |number| scenario_run.next_request(number)).await;
    outcome.context("posts of the other writers")
}

/// Creates posts by `author` while other writers post at a fixed `rate`. After each post the followers
/// open Friends; with `until_seen` they repeat this until it contains the post.
async fn write_posts_of_author(
    pair: &ServerPair,
    config: &RunConfig,
    rate: f64,
    author: &Caller,
    followers: &[Caller],
    until_seen: bool,
) -> Result<FanOut> {
    let fixtures = Arc::new(Fixtures { writers: vec![author.clone()], ..(*pair.fixtures).clone() });
    let scenario_run = ScenarioRun::new(Scenario::CreatePost, &fixtures, &[], ANY);
    let own = async {
        let (begun, mut latencies, mut delays) = (Instant::now(), Vec::new(), Vec::new());
        while begun.elapsed() < config.time {
            let asked = Instant::now();
            let body = load::send_one(pair.product.address, scenario_run.next_request(0)).await?;
            latencies.push(asked.elapsed().as_secs_f64() * 1e6);
            let post: serde_json::Value = serde_json::from_slice(&body)?;
            let id = post["id"].as_str().unwrap_or_default();
            let since = Instant::now();
            for follower in followers {
                open_friends(pair, follower, id, until_seen).await?;
            }
            delays.push(since.elapsed().as_secs_f64() * 1e6);
            tokio::time::sleep(PAUSE).await;
        }
        anyhow::Ok((latencies, delays))
    };
    let (others, own) = tokio::join!(write_posts(pair, config, Pace::At(rate)), own);
    let (latencies, delays) = own.context("posts of the measured author")?;
    Ok(FanOut { posts: scenario_run.writes_sent(), latencies, delays, others: others? })
}

/// Opens Friends once, or with `until_seen` until it contains the post `id`.
async fn open_friends(
    pair: &ServerPair,
    follower: &Caller,
    id: &str,
    until_seen: bool,
) -> Result<()> {
    let read = vec![("/api/posts/feed".to_owned(), follower.clone())];
    let scenario_run = ScenarioRun::with_reads(Scenario::Friends, &pair.fixtures, read, ANY);
    let begun = Instant::now();
    while begun.elapsed() < TIMEOUT {
        let page = load::send_one(pair.product.address, scenario_run.next_request(0)).await?;
        let page: Vec<serde_json::Value> = serde_json::from_slice(&page)?;
        if !until_seen || page.iter().any(|post| post["id"] == id) {
            return Ok(());
        }
    }
    bail!("a follower did not see the post within {} s", TIMEOUT.as_secs())
}
