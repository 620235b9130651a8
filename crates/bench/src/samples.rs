//! Measurements of a scenario on product and baseline.

use crate::scenarios::Scenario;

/// One server in one round.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Responses per second at full speed.
    pub rate: f64,
    /// CPU time of the server per response, in microseconds.
    pub cpu_micros: f64,
    /// File reads of the server per response.
    pub reads: f64,
    /// File writes of the server per response.
    pub writes: f64,
    /// Median latency at half of the full rate, in microseconds.
    pub p50_micros: u64,
    /// 99th percentile of the latency at half of the full rate, in microseconds.
    pub p99_micros: u64,
    /// 99.9th percentile of the latency at half of the full rate, in microseconds.
    pub p999_micros: u64,
    /// Mean size of a body in bytes.
    pub bytes: u64,
}

/// All samples of a scenario.
#[derive(Debug, Clone)]
pub struct ScenarioResult {
    /// Measured scenario.
    pub scenario: Scenario,
    /// Number of connections.
    pub callers: usize,
    /// Product and baseline, by round.
    pub samples: Vec<[Sample; 2]>,
    /// Microseconds of a raw durable commit after each round; empty unless one caller writes.
    pub raw_commit_micros: Vec<f64>,
}

impl Sample {
    pub(crate) fn reads(&self) -> f64 {
        self.reads
    }

    pub(crate) fn writes(&self) -> f64 {
        self.writes
    }
}

impl ScenarioResult {
    /// Median, minimum and maximum of a value over all rounds.
    pub fn spread(&self, of: impl Fn(&[Sample; 2]) -> f64) -> [f64; 3] {
        let mut all = self.samples.iter().map(of).collect::<Vec<_>>();
        all.sort_by(f64::total_cmp);
        [all[all.len() / 2], all[0], all[all.len() - 1]]
    }

    /// Median time of a response in units of a raw durable commit, if commits were measured.
    #[must_use]
    pub fn commits(&self) -> Option<f64> {
        let of = |([product, _], bare): (&[Sample; 2], &f64)| 1e6 / product.rate / bare;
        let mut all = self.samples.iter().zip(&self.raw_commit_micros).map(of).collect::<Vec<_>>();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied()
    }

    /// Median of a value of the product.
    pub fn product(&self, of: impl Fn(&Sample) -> f64) -> f64 {
        self.spread(|turn| of(&turn[0]))[0]
    }

    /// Median of a value of the baseline.
    pub fn baseline(&self, of: impl Fn(&Sample) -> f64) -> f64 {
        self.spread(|turn| of(&turn[1]))[0]
    }
}
