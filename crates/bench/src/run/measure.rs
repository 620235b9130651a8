//! Measures product and baseline alternately; the order changes with each round.

use super::ServerPair;
use crate::load::{self, Load, Pace};
use crate::samples::{Sample, ScenarioResult};
use crate::scenarios::{Scenario, ScenarioRun};
use crate::server::Server;
use anyhow::{Context as _, Result};
use std::sync::Arc;
use std::time::Duration;

/// Settings for measuring a scenario.
#[derive(Debug, Clone, Copy)]
pub struct RunConfig {
    /// Number of samples per server.
    pub rounds: usize,
    /// Duration of each of the two loads of a sample.
    pub time: Duration,
    /// Number of connections.
    pub callers: usize,
}

/// Measures a scenario on both servers. Measure reads before writes: they must match the recorded bodies.
pub async fn measure_scenario(
    pair: &ServerPair,
    scenario: Scenario,
    config: &RunConfig,
    callers: usize,
) -> Result<ScenarioResult> {
    let (mut measured, mut bare) = (Vec::new(), Vec::new());
    let alone = callers == 1 && Scenario::WRITES.contains(&scenario);
    for round in 0..config.rounds {
        let product = async {
            let product =
                sample_server(&pair.product, pair.scenario_run(scenario, false), config, callers)
                    .await;
            product.with_context(|| format!("{} of the product", scenario.name()))
        };
        let baseline = async {
            let baseline =
                sample_server(&pair.baseline, pair.scenario_run(scenario, true), config, callers)
                    .await;
            baseline.with_context(|| format!("{} of the baseline", scenario.name()))
        };
        measured.push(alternate(round, product, baseline).await?);
        if alone {
            bare.push(pair.raw_commit_micros(config.time).await?);
        }
    }
    let result = ScenarioResult { scenario, callers, samples: measured, raw_commit_micros: bare };
    println!(
        "{}, {callers} callers: {:.0} µs of processor time (baseline {:.0}), {:.1} % of the baseline's rate",
        scenario.name(),
        result.product(|sample| sample.cpu_micros),
        result.baseline(|sample| sample.cpu_micros),
        result.spread(|[product, baseline]| 100.0 * product.rate / baseline.rate)[0],
    );
    Ok(result)
}

/// Runs both loads, in reverse order in odd rounds: work that one load leaves behind, such as dirty
/// pages, then slows both servers equally.
async fn alternate<T>(
    round: usize,
    product: impl Future<Output = Result<T>>,
    baseline: impl Future<Output = Result<T>>,
) -> Result<[T; 2]> {
    if round.is_multiple_of(2) {
        return Ok([product.await?, baseline.await?]);
    }
    let baseline = baseline.await?;
    Ok([product.await?, baseline])
}

/// Takes a sample: a warm-up, a load at full speed, and a load at half of that rate.
async fn sample_server(
    server: &Server,
    scenario_run: Arc<ScenarioRun>,
    config: &RunConfig,
    callers: usize,
) -> Result<Sample> {
    let load = |pace, time| {
        let load = Load { address: server.address, connections: callers, pace, time };
        let scenario_run = &scenario_run;
        async move {
            let asked = scenario_run.clone();
            let made =
                load::run_load(load, move |number| asked.next_read_as_recorded(number)).await;
            scenario_run.check_not_exhausted()?;
            made
        }
    };
    load(Pace::Full, config.time / 5).await?;
    let (before, called) = (server.cpu_time()?, server.file_syscalls()?);
    let full = load(Pace::Full, config.time).await?;
    let used = server.cpu_time()?.saturating_sub(before);
    let calls = server.file_syscalls()?;
    let paced = load(Pace::At(full.rate() / 2.0), config.time).await?;
    let within = |share| paced.latency.value_at_quantile(share);
    Ok(Sample {
        rate: full.rate(),
        cpu_micros: used.as_secs_f64() * 1e6 / full.responses as f64,
        reads: (calls.0 - called.0) as f64 / full.responses as f64,
        writes: (calls.1 - called.1) as f64 / full.responses as f64,
        p50_micros: within(0.5),
        p99_micros: within(0.99),
        p999_micros: within(0.999),
        bytes: full.bytes / full.responses,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[tokio::test]
    async fn the_order_changes_with_each_round() -> Result<()> {
        let order = RefCell::new(Vec::new());
        let load = |name| {
            let order = &order;
            async move {
                order.borrow_mut().push(name);
                Ok(name)
            }
        };
        for round in 0..3 {
            let both = alternate(round, load("product"), load("baseline")).await?;
            assert_eq!(both, ["product", "baseline"]);
        }
        let firsts = order.borrow().iter().step_by(2).copied().collect::<Vec<_>>();
        assert_eq!(firsts, ["product", "baseline", "product"]);
        Ok(())
    }
}
