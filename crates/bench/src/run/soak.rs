//! Whether memory stays where it is while everything is called at once.

use super::{IDLE_WAIT, RunConfig, ServerPair};
use crate::load::{self, Load, Pace};
use crate::report::{Metrics, format_bytes};
use crate::scenarios::Scenario;
use anyhow::{Context as _, Result};

/// What is called by turns beside all reads.
const WRITES: [Scenario; 2] = [Scenario::CreatePost, Scenario::Like];
/// How many kinds of calls come by turns.
pub(super) const SCENARIOS: usize = Scenario::READS.len() + WRITES.len();

/// Calls all reads and some writes for as long as all turns of one path take, and says how much
/// memory the product held at the start, in the middle, at the end, and left alone again.
pub(super) async fn measure_soak(
    pair: &ServerPair,
    config: &RunConfig,
    metrics: &mut Metrics,
) -> Result<()> {
    let mixed = Scenario::READS.into_iter().chain(WRITES);
    let mixed = mixed
        .map(|path| pair.scenario_run(path, false))
        .collect::<Vec<_>>();
    let mut held = vec![pair.product.memory()?.0];
    let time = config.time * u32::try_from(config.rounds)?;
    for _ in 0..2 {
        let load = Load {
            address: pair.product.address,
            connections: config.callers,
            pace: Pace::Full,
            time: time / 2,
        };
        let mixed = mixed.clone();
        let count = SCENARIOS as u64;
        let call = move |number| mixed[(number % count) as usize].next_request(number / count);
        load::run_load(load, call)
            .await
            .context("everything at once")?;
        held.push(pair.product.memory()?.0);
    }
    tokio::time::sleep(IDLE_WAIT).await;
    held.push(pair.product.memory()?.0);
    let held = held.into_iter().map(format_bytes).collect::<Vec<_>>();
    metrics.add(
        &format!(
            "Everything at once for {:.0} s: at the start, in the middle, at the end, idle again",
            time.as_secs_f64()
        ),
        held.join(", "),
    );
    Ok(())
}
