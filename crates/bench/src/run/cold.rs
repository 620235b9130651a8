//! Readers of whom nothing is remembered: what their first page costs, and what they leave in memory.

use super::{IDLE, Pair};
use crate::calls::{Path as Call, Script};
use crate::load::{self, Outcome};
use crate::network::{Caller, Manifest};
use crate::report::{Facts, bytes, milliseconds};
use crate::server::Server;
use anyhow::{Context as _, Result};
use kith::platform::config::Store;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

/// What a page and a post may have in bytes.
const ANY: RangeInclusive<usize> = 2..=usize::MAX;

/// Lets each cold reader open Friends once; also the server's processor time of one such call, in microseconds.
pub(crate) async fn pages(pair: &Pair) -> Result<(Outcome, f64)> {
    let manifest = &pair.manifest;
    let script = Script::new(Call::Friends, manifest, &manifest.cold, ANY);
    let begun = pair.product.processor()?;
    let outcome = load::each(pair.product.address, all(&script)).await;
    let outcome = outcome.context("the first page of cold readers")?;
    let used = pair.product.processor()?.saturating_sub(begun);
    let each = used.as_secs_f64() * 1e6 / outcome.answers as f64;
    Ok((outcome, each))
}

/// Lets each cold reader open Friends once, then one reader many posts, and says what it cost.
pub(super) async fn readers(pair: &Pair, facts: &mut Facts) -> Result<()> {
    let manifest = &pair.manifest;
    if manifest.cold.is_empty() {
        return Ok(());
    }
    let (before, _) = pair.product.memory()?;
    let (outcome, each) = pages(pair).await?;
    let (after, _) = pair.product.memory()?;
    facts.add(
        "Friends of a reader of whom nothing is remembered, processor time",
        milliseconds(each),
    );
    facts.add(
        "The same, from request to answer, p50 and p99",
        format!(
            "{}, {}",
            milliseconds(outcome.latency.value_at_quantile(0.5) as f64),
            milliseconds(outcome.latency.value_at_quantile(0.99) as f64)
        ),
    );
    facts.add(
        "Memory that each of these readers took",
        bytes(after.saturating_sub(before) / outcome.answers),
    );
    let script = Script::new(Call::Opened, manifest, &manifest.cold[..1], ANY);
    let (before, _) = pair.product.memory()?;
    let outcome = load::each(pair.product.address, all(&script)).await;
    let outcome = outcome.context("one post after the other")?;
    let (after, _) = pair.product.memory()?;
    facts.add(
        "Memory that each post took that was then opened",
        bytes(after.saturating_sub(before) / outcome.answers),
    );
    Ok(())
}

/// Every call of a script, once.
fn all(script: &Script) -> impl Iterator<Item = load::Call> {
    let count = script.targets().count() as u64;
    (0..count).map(|number| script.call(number))
}

/// Starts the product again and again; each time one reader opens Friends, the first call there is.
pub(super) async fn restarts(
    kith: &Path,
    store: &Store,
    manifest: &Arc<Manifest>,
    readers: &[Caller],
    facts: &mut Facts,
) -> Result<()> {
    let (mut starts, mut pages) = (Vec::new(), Vec::new());
    let server = Server::product(kith, store)?;
    tokio::time::sleep(IDLE).await;
    facts.add(
        "Resident memory after a start, idle",
        bytes(server.memory()?.0),
    );
    server.stop()?;
    for reader in readers {
        let server = Server::product(kith, store)?;
        let reader = std::slice::from_ref(reader);
        let script = Script::new(Call::Friends, manifest, reader, ANY);
        let outcome = load::each(server.address, all(&script)).await;
        let outcome = outcome.context("the first page after a restart")?;
        starts.push(server.start.as_secs_f64() * 1e6);
        pages.push(outcome.latency.max() as f64);
        server.stop()?;
    }
    let spread = |mut all: Vec<f64>| {
        all.sort_by(f64::total_cmp);
        let (least, most) = (milliseconds(all[0]), milliseconds(all[all.len() - 1]));
        format!("{} ({least} to {most})", milliseconds(all[all.len() / 2]))
    };
    facts.add("From a restart until ready", spread(starts));
    facts.add("The first page after it, Friends", spread(pages));
    Ok(())
}
