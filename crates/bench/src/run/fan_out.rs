//! Posts of a member whom everybody follows: when followers see them, how long their author waits,
//! and what others notice.

use super::{Pair, Turns};
use crate::calls::{Path as Call, Script};
use crate::load::{self, Load, Outcome, Pace};
use crate::network::{Caller, Manifest};
use crate::report::{Facts, milliseconds, thousands};
use anyhow::{Context as _, Result, bail};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Followers who look after each post, one after the other.
const LOOKERS: usize = 8;
/// Between two posts of one author.
const PAUSE: Duration = Duration::from_millis(50);
/// How long a follower waits for a post.
const PATIENCE: Duration = Duration::from_secs(30);
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
pub(super) async fn measure(pair: &Pair, turns: &Turns, facts: &mut Facts) -> Result<u64> {
    let manifest = &pair.manifest;
    let followers = manifest.readers_of(manifest.size.follows[0]);
    let followers = &followers[..LOOKERS.min(followers.len())];
    let full = writes(pair, turns, Pace::Full);
    let rate = full.await?.rate() / 2.0;
    let before = beside(pair, turns, rate, &manifest.writers[0], followers, false).await?;
    let with = beside(pair, turns, rate, &manifest.star, followers, true).await?;
    let middle = |values: &[f64]| {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let p99 = |seen: &Seen| seen.others.latency.value_at_quantile(0.99) as f64;
    let longest = with.shown.iter().copied().fold(0.0, f64::max);
    let count = manifest.size.members - manifest.writers.len() - 1;
    facts.add(
        "Followers of the best known member",
        thousands(count as u64),
    );
    facts.add(
        "Their post is in followers' Friends, after they were answered; longest",
        format!(
            "{}; {}",
            milliseconds(middle(&with.shown)),
            milliseconds(longest)
        ),
    );
    facts.add(
        "They are answered after, and somebody without followers",
        format!(
            "{}, {}",
            milliseconds(middle(&with.answered)),
            milliseconds(middle(&before.answered))
        ),
    );
    facts.add(
        "p99 of others' posts beside theirs, and beside the other's",
        format!(
            "{}, {} (× {:.2})",
            milliseconds(p99(&with)),
            milliseconds(p99(&before)),
            p99(&with) / p99(&before)
        ),
    );
    Ok(before.posts + with.posts)
}

/// Others' posts for one load's time.
async fn writes(pair: &Pair, turns: &Turns, pace: Pace) -> Result<Outcome> {
    let script = pair.script(Call::Post, false);
    let load = Load {
        address: pair.product.address,
        connections: turns.callers,
        pace,
        time: turns.time,
    };
    let outcome = load::run(load, move |number| script.call(number)).await;
    outcome.context("others' posts")
}

/// One author's posts, one after the other, while others write at an even pace; followers look at
/// their Friends after each, and find it there if they `must`.
async fn beside(
    pair: &Pair,
    turns: &Turns,
    rate: f64,
    author: &Caller,
    followers: &[Caller],
    must: bool,
) -> Result<Seen> {
    let manifest = Arc::new(Manifest {
        writers: vec![author.clone()],
        ..(*pair.manifest).clone()
    });
    let script = Script::new(Call::Post, &manifest, &[], ANY);
    let own = async {
        let (begun, mut answered, mut shown) = (Instant::now(), Vec::new(), Vec::new());
        while begun.elapsed() < turns.time {
            let asked = Instant::now();
            let body = load::ask(pair.product.address, script.call(0)).await?;
            answered.push(asked.elapsed().as_secs_f64() * 1e6);
            let post: serde_json::Value = serde_json::from_slice(&body)?;
            let id = post["id"].as_str().unwrap_or_default();
            let since = Instant::now();
            for follower in followers {
                look(pair, follower, id, must).await?;
            }
            shown.push(since.elapsed().as_secs_f64() * 1e6);
            tokio::time::sleep(PAUSE).await;
        }
        anyhow::Ok((answered, shown))
    };
    let (others, own) = tokio::join!(writes(pair, turns, Pace::At(rate)), own);
    let (answered, shown) = own.context("posts of one author")?;
    Ok(Seen {
        posts: script.written(),
        answered,
        shown,
        others: others?,
    })
}

/// A follower opens Friends once, or until a post is there if it `must` be.
async fn look(pair: &Pair, follower: &Caller, id: &str, must: bool) -> Result<()> {
    let read = vec![("/api/posts/feed".to_owned(), follower.clone())];
    let script = Script::of_reads(Call::Friends, &pair.manifest, read, ANY);
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        let page = load::ask(pair.product.address, script.call(0)).await?;
        let page: Vec<serde_json::Value> = serde_json::from_slice(&page)?;
        if !must || page.iter().any(|post| post["id"] == id) {
            return Ok(());
        }
    }
    bail!(
        "a follower did not see a post within {} s",
        PATIENCE.as_secs()
    )
}
