//! Turns of measuring: the product, then the floor; in the next round the floor, then the product.

use super::ServerPair;
use crate::load::{self, Load, Pace};
use crate::scenarios::{Scenario, ScenarioRun};
use crate::server::Server;
use anyhow::{Context as _, Result};
use std::sync::Arc;
use std::time::Duration;

/// How to measure.
#[derive(Debug, Clone, Copy)]
pub struct RunConfig {
    /// How often each server has its turn.
    pub rounds: usize,
    /// For how long each of a turn's two loads goes on.
    pub time: Duration,
    /// Connections.
    pub callers: usize,
}

/// One server in one turn.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Answers a second, as fast as they come.
    pub rate: f64,
    /// Microseconds of the server's processor time for an answer.
    pub cpu_micros: f64,
    /// How often the server read a file for an answer.
    pub reads: f64,
    /// How often it wrote to one.
    pub writes: f64,
    /// Microseconds that half of the calls took at most, at half that rate.
    pub p50_micros: u64,
    /// And 99 of 100.
    pub p99_micros: u64,
    /// And 999 of 1,000.
    pub p999_micros: u64,
    /// Bytes of a body.
    pub bytes: u64,
}

/// Everything that was measured of a path: the product's figures beside the floor's.
#[derive(Debug, Clone)]
pub struct ScenarioResult {
    /// Which.
    pub scenario: Scenario,
    /// Connections.
    pub callers: usize,
    /// In the order of the turns.
    pub samples: Vec<[Sample; 2]>,
    /// Microseconds of a durable commit without anything around it, after each turn of one caller's
    /// writes.
    pub raw_commit_micros: Vec<f64>,
}

impl Sample {
    pub(super) fn reads(&self) -> f64 {
        self.reads
    }

    pub(super) fn writes(&self) -> f64 {
        self.writes
    }
}

impl ScenarioResult {
    /// The middle one of what `of` takes from each turn, and the least and the greatest.
    pub fn spread(&self, of: impl Fn(&[Sample; 2]) -> f64) -> [f64; 3] {
        let mut all = self.samples.iter().map(of).collect::<Vec<_>>();
        all.sort_by(f64::total_cmp);
        [all[all.len() / 2], all[0], all[all.len() - 1]]
    }

    /// How many durable commits one answer takes as long as, if that was measured: the middle turn.
    #[must_use]
    pub fn commits(&self) -> Option<f64> {
        let of = |([product, _], bare): (&[Sample; 2], &f64)| 1e6 / product.rate / bare;
        let mut all = self
            .samples
            .iter()
            .zip(&self.raw_commit_micros)
            .map(of)
            .collect::<Vec<_>>();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied()
    }

    /// The middle one of the product's.
    pub fn product(&self, of: impl Fn(&Sample) -> f64) -> f64 {
        self.spread(|turn| of(&turn[0]))[0]
    }

    /// The middle one of the floor's.
    pub fn baseline(&self, of: impl Fn(&Sample) -> f64) -> f64 {
        self.spread(|turn| of(&turn[1]))[0]
    }
}

/// Measures one path by turns. Reads come before all writes: they must be answered as they were at the start.
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
            let product = sample_server(
                &pair.product,
                pair.scenario_run(scenario, false),
                config,
                callers,
            )
            .await;
            product.with_context(|| format!("{} of the product", scenario.name()))
        };
        let baseline = async {
            let baseline = sample_server(
                &pair.baseline,
                pair.scenario_run(scenario, true),
                config,
                callers,
            )
            .await;
            baseline.with_context(|| format!("{} of the baseline", scenario.name()))
        };
        measured.push(alternate(round, product, baseline).await?);
        if alone {
            bare.push(pair.raw_commit_micros(config.time).await?);
        }
    }
    let result = ScenarioResult {
        scenario,
        callers,
        samples: measured,
        raw_commit_micros: bare,
    };
    println!(
        "{}, {callers} callers: {:.0} µs of processor time (baseline {:.0}), {:.1} % of the baseline's rate",
        scenario.name(),
        result.product(|sample| sample.cpu_micros),
        result.baseline(|sample| sample.cpu_micros),
        result.spread(|[product, baseline]| 100.0 * product.rate / baseline.rate)[0],
    );
    Ok(result)
}

/// Makes two loads one after the other, in each round the other one first: what one leaves to the machine, such as
/// pages that are still to be written, is not always left to the same one.
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

/// A short load to warm up, one at full speed, and one at half of what that gave.
async fn sample_server(
    server: &Server,
    scenario_run: Arc<ScenarioRun>,
    config: &RunConfig,
    callers: usize,
) -> Result<Sample> {
    let load = |pace, time| {
        let load = Load {
            address: server.address,
            connections: callers,
            pace,
            time,
        };
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
    async fn in_each_round_the_other_one_is_first() -> Result<()> {
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
        let firsts = order
            .borrow()
            .iter()
            .step_by(2)
            .copied()
            .collect::<Vec<_>>();
        assert_eq!(firsts, ["product", "baseline", "product"]);
        Ok(())
    }
}
