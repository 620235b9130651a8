//! What members do in a day, all at once: mostly looking, seldom writing, each call when it is due.

use super::{Pair, Turns};
use crate::calls::{Path as Call, Script};
use crate::load::{self, Load, Pace};
use crate::network::Caller;
use crate::report::{Facts, milliseconds, thousands};
use anyhow::{Context as _, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How many of a hundred calls are which.
const SHARES: [(Call, u64); 10] = [
    (Call::Friends, 38),
    (Call::ForYou, 15),
    (Call::Opened, 15),
    (Call::Notifications, 12),
    (Call::Profile, 8),
    (Call::Like, 5),
    (Call::Search, 3),
    (Call::Suggested, 2),
    (Call::Follow, 1),
    (Call::Post, 1),
];
/// Has no factor in common with a hundred, so that calls of one kind do not come in a row.
const STRIDE: u64 = 37;
/// After so many calls the kinds come again.
pub(super) const ROUND: u64 = 100;

/// The kind of a call.
fn kind(number: u64) -> usize {
    let place = number * STRIDE % ROUND;
    let mut end = 0;
    let found = SHARES.iter().position(|(_, share)| {
        end += share;
        place < end
    });
    found.unwrap_or(0)
}

/// Calls as fast as answers come, then at half of that rate, and says how long that took and what it cost.
pub(super) async fn measure(pair: &Pair, turns: &Turns, facts: &mut Facts) -> Result<()> {
    let manifest = &pair.manifest;
    let mut readers = manifest.readers_of(manifest.size.follows[0]);
    readers.extend(manifest.cold.iter().cloned());
    // Each kind counts its own calls: a place in a hundred would meet the same readers again and again.
    let scripts = SHARES.map(|(path, _)| (script(pair, path, &readers), AtomicU64::new(0)));
    let scripts = Arc::new(scripts);
    let load = |pace| {
        let load = Load {
            address: pair.product.address,
            connections: turns.callers,
            pace,
            time: turns.time * 3,
        };
        let scripts = scripts.clone();
        load::run(load, move |number| {
            let (script, calls) = &scripts[kind(number)];
            script.call(calls.fetch_add(1, Relaxed))
        })
    };
    let full = load(Pace::Full).await.context("the mix")?;
    let before = pair.product.processor()?;
    let paced = load(Pace::At(full.rate() / 2.0)).await?;
    let used = pair.product.processor()?.saturating_sub(before);
    let sessions = readers.len() + manifest.writers.len();
    let within = |share| milliseconds(paced.latency.value_at_quantile(share) as f64);
    facts.add(
        &format!("A day's mix of {sessions} sessions, calls a second at most"),
        thousands(full.rate() as u64),
    );
    facts.add(
        "The same at half of that rate: p50, p99, p99.9",
        [0.5, 0.99, 0.999].map(within).join(", "),
    );
    facts.add(
        "Processor time of one of these calls",
        format!("{:.0} µs", used.as_secs_f64() * 1e6 / paced.answers as f64),
    );
    Ok(())
}

/// The calls of a path. Writes go on where they were, and not everybody was told something.
fn script(pair: &Pair, path: Call, readers: &[Caller]) -> Arc<Script> {
    if Call::WRITES.contains(&path) || path == Call::Notifications {
        return pair.script(path, false);
    }
    // A thread for each of some posts: one reader's are enough.
    let readers = if path == Call::Opened {
        &readers[..1]
    } else {
        readers
    };
    Arc::new(Script::new(path, &pair.manifest, readers, 2..=usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_calls_have_their_shares() {
        let mut counts = [0; SHARES.len()];
        for number in 300..400 {
            counts[kind(number)] += 1;
        }
        assert_eq!(counts, SHARES.map(|(_, share)| share));
    }
}
