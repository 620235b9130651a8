//! Posts of a member whom everybody follows: when followers see them, how long their author waits,
//! and what others notice.

use super::{RunConfig, ServerPair};
use crate::dataset::{Caller, Fixtures};
use crate::load::{self, Load, Outcome, Pace};
use crate::report::{Metrics, format_millis, format_thousands};
use crate::scenarios::{Scenario, ScenarioRun};
use anyhow::{Context as _, Result, bail};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Followers who look after each post, one after the other.
const LOOKERS: usize = 8;
/// Between two posts of one author.
const PAUSE: Duration = Duration::from_millis(50);
/// How long a follower waits for a post.
const TIMEOUT: Duration = Duration::from_secs(30);
/// What an answer may have in bytes.
const ANY: RangeInclusive<usize> = 2..=usize::MAX;

/// What was seen of one author's posts while others wrote.
struct Seen {
    /// Posts.
    posts: u64,
    /// Microseconds until the author was answered, for each post.
    answered: Vec<f64>,
    /// Microseconds from there until the last follower saw it.
    shown: Vec<f64>,
    /// The others' writes.
    others: Outcome,
}

/// Measures the posts of somebody without such followers, then of the member whom everybody follows.
/// Answers how many posts both wrote.
pub(super) async fn measure_fan_out(
    pair: &ServerPair,
    config: &RunConfig,
    metrics: &mut Metrics,
) -> Result<u64> {
    let fixtures = &pair.fixtures;
    let followers = fixtures.readers_of(fixtures.size.follows[0]);
    let followers = &followers[..LOOKERS.min(followers.len())];
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
    let p99 = |seen: &Seen| seen.others.latency.value_at_quantile(0.99) as f64;
    let longest = with.shown.iter().copied().fold(0.0, f64::max);
    let count = fixtures.size.members - fixtures.writers.len() - 1;
    metrics.add(
        "Followers of the best known member",
        format_thousands(count as u64),
    );
    metrics.add(
        "Their post is in followers' Friends, after they were answered; longest",
        format!(
            "{}; {}",
            format_millis(middle(&with.shown)),
            format_millis(longest)
        ),
    );
    metrics.add(
        "They are answered after, and somebody without followers",
        format!(
            "{}, {}",
            format_millis(middle(&with.answered)),
            format_millis(middle(&before.answered))
        ),
    );
    metrics.add(
        "p99 of others' posts beside theirs, and beside the other's",
        format!(
            "{}, {} (× {:.2})",
            format_millis(p99(&with)),
            format_millis(p99(&before)),
            p99(&with) / p99(&before)
        ),
    );
    Ok(before.posts + with.posts)
}

/// Others' posts for one load's time.
async fn write_posts(pair: &ServerPair, config: &RunConfig, pace: Pace) -> Result<Outcome> {
    let scenario_run = pair.scenario_run(Scenario::CreatePost, false);
    let load = Load {
        address: pair.product.address,
        connections: config.callers,
        pace,
        time: config.time,
    };
    let outcome = load::run_load(load, move |number| scenario_run.next_request(number)).await;
    outcome.context("others' posts")
}

/// One author's posts, one after the other, while others write at an even pace; followers look at
/// their Friends after each, and find it there if they `must`.
async fn write_posts_of_author(
    pair: &ServerPair,
    config: &RunConfig,
    rate: f64,
    author: &Caller,
    followers: &[Caller],
    must: bool,
) -> Result<Seen> {
    let fixtures = Arc::new(Fixtures {
        writers: vec![author.clone()],
        ..(*pair.fixtures).clone()
    });
    let scenario_run = ScenarioRun::new(Scenario::CreatePost, &fixtures, &[], ANY);
    let own = async {
        let (begun, mut answered, mut shown) = (Instant::now(), Vec::new(), Vec::new());
        while begun.elapsed() < config.time {
            let asked = Instant::now();
            let body = load::send_one(pair.product.address, scenario_run.next_request(0)).await?;
            answered.push(asked.elapsed().as_secs_f64() * 1e6);
            let post: serde_json::Value = serde_json::from_slice(&body)?;
            let id = post["id"].as_str().unwrap_or_default();
            let since = Instant::now();
            for follower in followers {
                open_friends(pair, follower, id, must).await?;
            }
            shown.push(since.elapsed().as_secs_f64() * 1e6);
            tokio::time::sleep(PAUSE).await;
        }
        anyhow::Ok((answered, shown))
    };
    let (others, own) = tokio::join!(write_posts(pair, config, Pace::At(rate)), own);
    let (answered, shown) = own.context("posts of one author")?;
    Ok(Seen {
        posts: scenario_run.writes_sent(),
        answered,
        shown,
        others: others?,
    })
}

/// A follower opens Friends once, or until a post is there if it `must` be.
async fn open_friends(pair: &ServerPair, follower: &Caller, id: &str, must: bool) -> Result<()> {
    let read = vec![("/api/posts/feed".to_owned(), follower.clone())];
    let scenario_run = ScenarioRun::with_reads(Scenario::Friends, &pair.fixtures, read, ANY);
    let begun = Instant::now();
    while begun.elapsed() < TIMEOUT {
        let page = load::send_one(pair.product.address, scenario_run.next_request(0)).await?;
        let page: Vec<serde_json::Value> = serde_json::from_slice(&page)?;
        if !must || page.iter().any(|post| post["id"] == id) {
            return Ok(());
        }
    }
    bail!(
        "a follower did not see a post within {} s",
        TIMEOUT.as_secs()
    )
}
