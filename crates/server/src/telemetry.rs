//! Logs and metrics.

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// Starts logging to standard error: lines for a person at a terminal, JSON
/// for everything else. `KITH_LOG` filters, such as `info` or `kith=debug`.
pub fn log() -> Result<(), String> {
    let filter = std::env::var("KITH_LOG").unwrap_or_else(|_| "info".to_owned());
    let filter = EnvFilter::try_new(&filter)
        .map_err(|error| format!("KITH_LOG is not a log filter such as `info`: {error}."))?;
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    let started = if std::io::stderr().is_terminal() {
        lines.with_target(false).try_init()
    } else {
        lines.json().flatten_event(true).try_init()
    };
    started.map_err(|error| format!("Logging could not start: {error}."))
}

/// Starts counting; the handle writes what `/metrics` answers.
pub fn metrics() -> Result<PrometheusHandle, String> {
    const BUCKETS: &[f64] = &[
        0.000_1, 0.000_3, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0,
    ];
    PrometheusBuilder::new()
        .set_buckets(BUCKETS)
        .and_then(PrometheusBuilder::install_recorder)
        .map_err(|error| format!("Metrics could not start: {error}."))
}
