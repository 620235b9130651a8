//! Whether memory stays where it is while everything is called at once.

use super::{IDLE, Pair, Turns};
use crate::calls::Path as Call;
use crate::load::{self, Load, Pace};
use crate::report::{Facts, bytes};
use anyhow::{Context as _, Result};

/// What is called by turns beside all reads.
const WRITES: [Call; 2] = [Call::Post, Call::Like];
/// How many kinds of calls come by turns.
pub(super) const KINDS: usize = Call::READS.len() + WRITES.len();

/// Calls all reads and some writes for as long as all turns of one path take, and says how much
/// memory the product held at the start, in the middle, at the end, and left alone again.
pub(super) async fn measure(pair: &Pair, turns: &Turns, facts: &mut Facts) -> Result<()> {
    let mixed = Call::READS.into_iter().chain(WRITES);
    let mixed = mixed
        .map(|path| pair.script(path, false))
        .collect::<Vec<_>>();
    let mut held = vec![pair.product.memory()?.0];
    let time = turns.time * u32::try_from(turns.rounds)?;
    for _ in 0..2 {
        let load = Load {
            address: pair.product.address,
            connections: turns.callers,
            pace: Pace::Full,
            time: time / 2,
        };
        let mixed = mixed.clone();
        let count = KINDS as u64;
        let call = move |number| mixed[(number % count) as usize].call(number / count);
        load::run(load, call).await.context("everything at once")?;
        held.push(pair.product.memory()?.0);
    }
    tokio::time::sleep(IDLE).await;
    held.push(pair.product.memory()?.0);
    let held = held.into_iter().map(bytes).collect::<Vec<_>>();
    facts.add(
        &format!(
            "Everything at once for {:.0} s: at the start, in the middle, at the end, idle again",
            time.as_secs_f64()
        ),
        held.join(", "),
    );
    Ok(())
}
