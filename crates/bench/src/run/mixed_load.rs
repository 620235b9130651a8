//! The requests of a typical day: many reads, few writes, each at its due time.

use super::{RunConfig, ServerPair};
use crate::dataset::Caller;
use crate::load::{self, Load, Pace};
use crate::report::{Metrics, format_millis, format_thousands};
use crate::scenarios::{Scenario, ScenarioRun};
use anyhow::{Context as _, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Requests per hundred, by scenario.
const SHARES: [(Scenario, u64); 10] = [
    (Scenario::Friends, 38),
    (Scenario::ForYou, 15),
    (Scenario::OpenPost, 15),
    (Scenario::Notifications, 12),
    (Scenario::Profile, 8),
    (Scenario::Like, 5),
    (Scenario::Search, 3),
    (Scenario::Suggested, 2),
    (Scenario::Follow, 1),
    (Scenario::CreatePost, 1),
];
/// Coprime to 100, so that requests of one scenario are spread.
const STRIDE: u64 = 37;
/// Number of requests after which the scenarios repeat.
pub(super) const CYCLE: u64 = 100;

/// Index in `SHARES` for the request with this number.
fn scenario_at(number: u64) -> usize {
    let place = number * STRIDE % CYCLE;
    let mut end = 0;
    let found = SHARES.iter().position(|(_, share)| {
        end += share;
        place < end
    });
    found.unwrap_or(0)
}

/// Runs the mix at full speed, then at half of that rate; adds rate, latency and CPU time.
pub(super) async fn measure_mixed_load(
    pair: &ServerPair,
    config: &RunConfig,
    metrics: &mut Metrics,
) -> Result<()> {
    let fixtures = &pair.fixtures;
    let mut readers = fixtures.readers_of(fixtures.size.follows[0]);
    readers.extend(fixtures.cold.iter().cloned());
    // A counter per scenario: the request number modulo 100 would select the same readers again.
    let scenario_runs =
        SHARES.map(|(scenario, _)| (scenario_run(pair, scenario, &readers), AtomicU64::new(0)));
    let scenario_runs = Arc::new(scenario_runs);
    let load = |pace| {
        let load = Load {
            address: pair.product.address,
            connections: config.callers,
            pace,
            time: config.time * 3,
        };
        let scenario_runs = scenario_runs.clone();
        load::run_load(load, move |number| {
            let (scenario_run, calls) = &scenario_runs[scenario_at(number)];
            scenario_run.next_request(calls.fetch_add(1, Relaxed))
        })
    };
    let full = load(Pace::Full).await.context("the mixed load")?;
    let before = pair.product.cpu_time()?;
    let paced = load(Pace::At(full.rate() / 2.0)).await?;
    let used = pair.product.cpu_time()?.saturating_sub(before);
    let sessions = readers.len() + fixtures.writers.len();
    let within = |share| format_millis(paced.latency.value_at_quantile(share) as f64);
    metrics.add(
        &format!("A day's mix of {sessions} sessions, requests per second at most"),
        format_thousands(full.rate() as u64),
    );
    metrics.add(
        "A day's mix at half of that rate: p50, p99, p99.9",
        [0.5, 0.99, 0.999].map(within).join(", "),
    );
    metrics.add(
        "Processor time per request of a day's mix",
        format!("{:.0} µs", used.as_secs_f64() * 1e6 / paced.responses as f64),
    );
    Ok(())
}

/// Requests of a scenario by all readers. Writes continue the pair's run; notifications use its few
/// readers, since not every member has any.
fn scenario_run(pair: &ServerPair, scenario: Scenario, readers: &[Caller]) -> Arc<ScenarioRun> {
    if Scenario::WRITES.contains(&scenario) || scenario == Scenario::Notifications {
        return pair.scenario_run(scenario, false);
    }
    // One reader is enough, since each request opens another post.
    let readers = if scenario == Scenario::OpenPost { &readers[..1] } else { readers };
    Arc::new(ScenarioRun::new(scenario, &pair.fixtures, readers, 2..=usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_requests_have_the_configured_mix() {
        let mut counts = [0; SHARES.len()];
        for number in 300..400 {
            counts[scenario_at(number)] += 1;
        }
        assert_eq!(counts, SHARES.map(|(_, share)| share));
    }
}
