//! Cost of a reader with a cold cache: time and memory of their first page.

use super::{IDLE_WAIT, ServerPair};
use crate::dataset::{Caller, Fixtures};
use crate::load::{self, Outcome};
use crate::report::{Metrics, format_bytes, format_millis};
use crate::scenarios::{Scenario, ScenarioRun};
use crate::server::Server;
use anyhow::{Context as _, Result};
use kith::platform::config::DatabaseArgs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

/// Accepts a response of any size.
const ANY: RangeInclusive<usize> = 2..=usize::MAX;

/// Opens Friends once per cold reader; also returns the server's CPU time per request in microseconds.
pub(crate) async fn measure_first_pages(pair: &ServerPair) -> Result<(Outcome, f64)> {
    let fixtures = &pair.fixtures;
    let scenario_run = ScenarioRun::new(Scenario::Friends, fixtures, &fixtures.cold, ANY);
    let begun = pair.product.cpu_time()?;
    let outcome = load::send_each(pair.product.address, every_request(&scenario_run)).await;
    let outcome = outcome.context("the first page of cold readers")?;
    let used = pair.product.cpu_time()?.saturating_sub(begun);
    let each = used.as_secs_f64() * 1e6 / outcome.responses as f64;
    Ok((outcome, each))
}

/// Opens Friends once per cold reader, then many posts by one reader; adds CPU time, latency and memory.
pub(super) async fn measure_cold_readers(pair: &ServerPair, metrics: &mut Metrics) -> Result<()> {
    let fixtures = &pair.fixtures;
    if fixtures.cold.is_empty() {
        return Ok(());
    }
    let (before, _) = pair.product.memory()?;
    let (outcome, each) = measure_first_pages(pair).await?;
    let (after, _) = pair.product.memory()?;
    metrics.add("Friends of a reader with a cold cache, processor time", format_millis(each));
    metrics.add(
        "Friends of a reader with a cold cache, latency, p50 and p99",
        format!(
            "{}, {}",
            format_millis(outcome.latency.value_at_quantile(0.5) as f64),
            format_millis(outcome.latency.value_at_quantile(0.99) as f64)
        ),
    );
    metrics.add(
        "Memory per cold reader",
        format_bytes(after.saturating_sub(before) / outcome.responses),
    );
    let scenario_run = ScenarioRun::new(Scenario::OpenPost, fixtures, &fixtures.cold[..1], ANY);
    let (before, _) = pair.product.memory()?;
    let outcome = load::send_each(pair.product.address, every_request(&scenario_run)).await;
    let outcome = outcome.context("opening posts")?;
    let (after, _) = pair.product.memory()?;
    metrics.add(
        "Memory per post opened after that",
        format_bytes(after.saturating_sub(before) / outcome.responses),
    );
    Ok(())
}

/// All reads of a scenario, each once.
fn every_request(scenario_run: &ScenarioRun) -> impl Iterator<Item = load::CheckedRequest> {
    let count = scenario_run.targets().count() as u64;
    (0..count).map(|number| scenario_run.next_request(number))
}

/// Restarts the product once per reader and measures the first request, which opens Friends.
pub(super) async fn measure_restarts(
    kith: &Path,
    store: &DatabaseArgs,
    fixtures: &Arc<Fixtures>,
    readers: &[Caller],
    metrics: &mut Metrics,
) -> Result<()> {
    let (mut starts, mut pages) = (Vec::new(), Vec::new());
    let server = Server::product(kith, store)?;
    tokio::time::sleep(IDLE_WAIT).await;
    metrics.add("Resident memory after a start, idle", format_bytes(server.memory()?.0));
    server.stop()?;
    for reader in readers {
        let server = Server::product(kith, store)?;
        let reader = std::slice::from_ref(reader);
        let scenario_run = ScenarioRun::new(Scenario::Friends, fixtures, reader, ANY);
        let outcome = load::send_each(server.address, every_request(&scenario_run)).await;
        let outcome = outcome.context("the first page after a restart")?;
        starts.push(server.startup_time.as_secs_f64() * 1e6);
        pages.push(outcome.latency.max() as f64);
        server.stop()?;
    }
    let spread = |mut all: Vec<f64>| {
        all.sort_by(f64::total_cmp);
        let (least, most) = (format_millis(all[0]), format_millis(all[all.len() - 1]));
        format!("{} ({least} to {most})", format_millis(all[all.len() / 2]))
    };
    metrics.add("From a restart until ready", spread(starts));
    metrics.add("First request after a restart, Friends", spread(pages));
    Ok(())
}
