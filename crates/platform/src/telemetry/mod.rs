//! Logging and metrics.

mod log_file;
pub mod log_limit;
mod non_blocking;
pub mod security_log;

pub use non_blocking::{eprint, flush, measure, print};

use crate::config::{LogFormat, LogSettings};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::IsTerminal;
use std::panic::PanicHookInfo;
use std::path::Path;
use std::time::UNIX_EPOCH;
use tracing_subscriber::EnvFilter;

/// Starts logging to standard error or a file. Fails if the filter is invalid, the file cannot be opened, or logging
/// is started already.
pub fn init_logging(settings: &LogSettings) -> Result<(), String> {
    let filter_text = &settings.filter;
    let mut filter = EnvFilter::try_new(filter_text)
        .map_err(|error| format!("KITH_LOG is not a log filter such as `info`: {error}."))?;
    // Below `warn`, `tokio_postgres` logs the values in each statement: email addresses, codes and texts of
    // members. `object_store` logs each retry, and members can cause any number of them.
    for quiet in ["tokio_postgres=warn", "object_store=warn"] {
        let quiet = quiet.parse();
        let quiet = quiet.map_err(|error| format!("The log could not start: {error}."))?;
        filter = filter.add_directive(quiet);
    }
    // Security events are logged at any level, unless the filter names their target.
    let target = security_log::TARGET;
    let names_target = |directive: &str| directive.trim().split(['=', '[']).next() == Some(target);
    if !filter_text.split(',').any(names_target) {
        let directive = format!("{target}=info").parse();
        let directive = directive.map_err(|error| format!("The log could not start: {error}."))?;
        filter = filter.add_directive(directive);
    }
    let file = log_file::open(&settings.file)?;
    let is_terminal = file.is_none() && std::io::stderr().is_terminal();
    let default = if is_terminal { LogFormat::Text } else { LogFormat::Json };
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // Otherwise tracing panics when it cannot write.
        .log_internal_errors(false)
        .with_writer(non_blocking::start(file));
    let started = match settings.format.unwrap_or(default) {
        LogFormat::Text if is_terminal => subscriber.with_target(false).try_init(),
        LogFormat::Text => subscriber.with_ansi(false).with_target(false).try_init(),
        LogFormat::Json => subscriber.json().flatten_event(true).try_init(),
    };
    started.map_err(|error| format!("Logging could not start: {error}."))?;
    std::panic::set_hook(Box::new(log_panic));
    Ok(())
}

/// Logs a panic in the span of its request.
fn log_panic(info: &PanicHookInfo<'_>) {
    let location = info.location().map(tracing::field::display);
    let words = info.payload_as_str();
    // Disabled unless `RUST_BACKTRACE` is set.
    let trace = Backtrace::capture();
    let trace = (trace.status() == BacktraceStatus::Captured).then_some(trace);
    let trace = trace.as_ref().map(tracing::field::display);
    tracing::error!(location, words, trace, "a panic, which is a defect");
    // A panic on the main thread ends the process.
    if std::thread::current().name() == Some("main") {
        non_blocking::flush();
    }
}

/// Registers the metrics. Counters start at zero, so that the first event shows as an increase.
fn register_metrics() {
    metrics_process::Collector::default().describe();
    metrics::describe_counter!("kith_http_requests_total", "Requests completed");
    metrics::describe_histogram!(
        "kith_http_request_seconds",
        "Time from a request to its response"
    );
    metrics::describe_gauge!("kith_http_in_flight", "Requests in progress");
    metrics::describe_gauge!("kith_http_waiting", "Requests waiting for a concurrency permit");
    metrics::describe_counter!("kith_http_shed_total", "Requests shed because the queue was full");
    metrics::describe_counter!("kith_rate_limited_total", "Requests rejected by a rate limit");
    metrics::describe_gauge!("kith_connections", "Open connections");
    metrics::describe_counter!(
        "kith_connections_refused_total",
        "Connections and proxied requests rejected because their IP address had too many"
    );
    metrics::describe_counter!(
        "kith_connections_cut_total",
        "Connections and requests ended by a limit"
    );
    metrics::describe_histogram!(
        "kith_db_write_seconds",
        "Time from a write to its durable commit"
    );
    metrics::describe_gauge!("kith_db_writes_waiting", "Writes waiting in the queue");
    metrics::describe_counter!(
        "kith_db_writes_refused_total",
        "Writes rejected because the queue was full"
    );
    metrics::describe_histogram!(
        "kith_db_pool_wait_seconds",
        "Time until a PostgreSQL connection was acquired or the wait timed out"
    );
    metrics::describe_counter!("kith_memory_hits_total", "Cache hits");
    metrics::describe_counter!("kith_memory_misses_total", "Cache misses");
    metrics::describe_gauge!(
        "kith_changes_behind_seconds",
        "Age of the last poll of the change feed"
    );
    metrics::describe_gauge!("kith_memory_bytes", "Bytes in the cache");
    metrics::describe_counter!("kith_mails_total", "Mails sent, delayed or dropped");
    metrics::describe_counter!("kith_worker_restarts_total", "Restarts of background workers");
    metrics::describe_gauge!("kith_mails_waiting", "Mails in the queue");
    metrics::describe_gauge!(
        "kith_last_backup_timestamp_seconds",
        "Time of the last backup, in seconds since 1970"
    );
    metrics::describe_gauge!(
        "kith_clock_ahead_seconds",
        "Lead of the server clock over the system clock"
    );
    metrics::describe_counter!(
        "kith_mails_refused_total",
        "Login link requests rejected because the mail queue was full"
    );
    non_blocking::describe();
    metrics::gauge!("kith_http_in_flight").set(0.0);
    metrics::gauge!("kith_http_waiting").set(0.0);
    metrics::gauge!("kith_connections").set(0.0);
    metrics::counter!("kith_connections_refused_total").absolute(0);
    metrics::gauge!("kith_mails_waiting").set(0.0);
    metrics::gauge!("kith_last_backup_timestamp_seconds").set(0.0);
    metrics::gauge!("kith_clock_ahead_seconds").set(0.0);
    metrics::counter!("kith_mails_refused_total").absolute(0);
    metrics::counter!("kith_db_writes_refused_total").absolute(0);
}

/// Publishes the modification time of `last-backup` in the data folder, which scripts touch after a backup.
pub fn export_last_backup(data: &Path) {
    let modified = data.join("last-backup").metadata().and_then(|file| file.modified());
    let since_epoch = modified.ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    metrics::gauge!("kith_last_backup_timestamp_seconds")
        .set(since_epoch.unwrap_or_default().as_secs_f64().floor());
}

/// Installs the metrics recorder; the handle renders `/metrics`. Fails if one is installed already.
pub fn init_metrics() -> Result<PrometheusHandle, String> {
    const BUCKETS: &[f64] = &[0.000_1, 0.000_3, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0];
    let handle = PrometheusBuilder::new()
        .set_buckets(BUCKETS)
        .and_then(PrometheusBuilder::install_recorder)
        .map_err(|error| format!("Metrics could not start: {error}."))?;
    register_metrics();
    Ok(handle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    /// proves: log-panic
    #[test]
    fn a_panic_is_a_line_with_the_id_of_its_request() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let log = tracing_subscriber::fmt().json().flatten_event(true);
        let log = log.with_writer(Arc::new(file.reopen().unwrap())).finish();
        let before = std::panic::take_hook();
        tracing::subscriber::with_default(log, || {
            let span = tracing::info_span!(target: security_log::TARGET, "request", id = "4711");
            std::panic::set_hook(Box::new(log_panic));
            let caught = span.in_scope(|| std::panic::catch_unwind(|| panic!("out of order")));
            assert!(caught.is_err());
        });
        std::panic::set_hook(before);
        let written = std::fs::read_to_string(file.path()).unwrap();
        let line: serde_json::Value = serde_json::from_str(&written).unwrap();
        assert_eq!(line["words"], "out of order", "{line}");
        assert_eq!(line["span"]["id"], "4711", "{line}");
        assert!(line["location"].as_str().unwrap().contains("telemetry/mod.rs"), "{line}");
    }
}
