//! Memory soak: checks that memory stays flat under all scenarios concurrently.

use super::{IDLE_WAIT, RunConfig, ServerPair};
use crate::load::{self, Load, Pace};
use crate::report::{Metrics, format_bytes};
use crate::scenarios::Scenario;
use anyhow::{Context as _, Result};

/// Writes in the rotation, beside all reads.
const WRITES: [Scenario; 2] = [Scenario::CreatePost, Scenario::Like];
/// Number of scenarios in the rotation.
pub(super) const SCENARIOS: usize = Scenario::READS.len() + WRITES.len();

/// Runs the rotation for as long as all rounds of one scenario; adds the product's memory at the start,
/// in the middle, at the end, and idle afterwards.
pub(super) async fn measure_soak(
    pair: &ServerPair,
    config: &RunConfig,
    metrics: &mut Metrics,
) -> Result<()> {
    let mixed = Scenario::READS.into_iter().chain(WRITES);
    let mixed = mixed.map(|path| pair.scenario_run(path, false)).collect::<Vec<_>>();
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
        let make = move |number| mixed[(number % count) as usize].next_request(number / count);
        load::run_load(load, make).await.context("all scenarios concurrently")?;
        held.push(pair.product.memory()?.0);
    }
    tokio::time::sleep(IDLE_WAIT).await;
    held.push(pair.product.memory()?.0);
    let held = held.into_iter().map(format_bytes).collect::<Vec<_>>();
    metrics.add(
        &format!(
            "All scenarios concurrently for {:.0} s: at the start, in the middle, at the end, idle again",
            time.as_secs_f64()
        ),
        held.join(", "),
    );
    Ok(())
}
