//! Open streams of live updates: their memory, their effect on reads, and the delay of events.

use super::{RunConfig, ServerPair};
use crate::dataset::{Caller, Fixtures};
use crate::load::{self, EventStream, Load, Outcome, Pace};
use crate::report::{Metrics, format_millis, format_thousands};
use crate::scenarios::{Scenario, ScenarioRun};
use crate::separate_cores::SeparateCores;
use anyhow::{Context as _, Result, ensure};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Handle};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::sync::oneshot;

/// Streams of a member; the server accepts four.
const STREAMS_PER_MEMBER: usize = 4;
/// Streams that are opened at the same time.
const CONCURRENT_OPENS: usize = 64;
/// Posts whose counts a stream sends, as many as a page of a feed has.
const POSTS_ON_SCREEN: usize = 20;
/// Maximum number of likes, each of a post that one browser shows.
const MAX_LIKES: usize = 200;
/// Number of posts that all browsers count.
const POSTS: u64 = 5;
/// Time until the server is idle after streams were opened or closed.
const SETTLE_TIME: Duration = Duration::from_secs(3);
/// First loads after streams were opened or closed, which are not measured: opening evicts the readers' pages from the
/// caches, and after closing the server returns memory.
const WARM_UP_LOADS: usize = 3;
/// Measured loads of a round, as many beside the streams as without them.
const MEASURED_LOADS: usize = 7;
/// Maximum time until an event arrives.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Arrival of an event: the number of its stream, its name, and when it arrived.
type Arrival = (usize, String, Instant);

/// Measures open streams of the cold readers, reads alternately without and beside them, and likes and posts beside them.
/// Returns the number of posts created.
pub(super) async fn measure_event_streams(
    pair: &ServerPair,
    config: &RunConfig,
    max_streams: usize,
    metrics: &mut Metrics,
) -> Result<u64> {
    let fixtures = &pair.fixtures;
    let star = Fixtures { writers: vec![fixtures.star.clone()], ..(**fixtures).clone() };
    let posts = ScenarioRun::new(Scenario::CreatePost, &Arc::new(star), &[], 2..=usize::MAX);
    let newest = create_post(pair, &posts).await?;
    let cores = SeparateCores::assign(&pair.product);
    if let Err(error) = &cores {
        println!(
            "Streams are measured with the load generator on the cores of the server: {error:#}."
        );
    }
    let rate = read_friends(pair, config, Pace::Full).await?.rate() / 2.0;
    let likes = pair.scenario_run(Scenario::Like, false);
    let members = fixtures.cold.iter();
    let members = members.flat_map(|member| std::iter::repeat_n(member, STREAMS_PER_MEMBER));
    let members = members.take(max_streams).collect::<Vec<_>>();
    let liked = likes.upcoming_targets().take(MAX_LIKES.min(members.len())).collect::<Vec<_>>();
    let (sender, mut arrivals) = mpsc::unbounded_channel();
    let open = || open_streams(pair, &members, &newest, &liked, &sender);
    // Fills the caches, which are bounded and not part of a stream.
    let mut streams = Some(open().await?);
    let (mut with, mut without, mut growths) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..config.rounds {
        drop(streams.take());
        tokio::time::sleep(SETTLE_TIME).await;
        without.extend(measure_p99(pair, config, rate).await?);
        let memory = pair.product.memory()?.0;
        streams = Some(open().await?);
        with.extend(measure_p99(pair, config, rate).await?);
        growths.push(pair.product.memory()?.0.saturating_sub(memory));
    }
    while arrivals.try_recv().is_ok() {}

    let mut like_delays = Vec::new();
    for number in 0..liked.len() {
        let sent = Instant::now();
        load::send_one(pair.product.address, likes.next_request(0)).await?;
        let arrived = wait_for(&mut arrivals, |arrival| arrival.0 == number, "counts").await?;
        like_delays.push((arrived - sent).as_secs_f64() * 1e6);
    }
    let mut post_delays = Vec::new();
    for _ in 0..POSTS {
        let sent = Instant::now();
        create_post(pair, &posts).await?;
        for _ in 0..members.len() {
            let arrived = wait_for(&mut arrivals, |_| true, "feed").await?;
            post_delays.push((arrived - sent).as_secs_f64() * 1e6);
        }
    }
    drop((streams, cores));
    metrics.add("Open streams of live updates", format_thousands(members.len() as u64));
    growths.sort_unstable();
    let per_stream = growths[growths.len() / 2] as f64 / members.len().max(1) as f64;
    metrics.add("Memory of a stream", format!("{:.1} KiB", per_stream / 1024.0));
    let p99 = [with, without].map(describe_median).join(", ");
    metrics.add("p99 of Friends beside them, and without", p99);
    metrics.add("Delay until one browser shows a like: p50, p95", describe(like_delays));
    metrics.add("Delay until all browsers count a post: p50, p95", describe(post_delays));
    Ok(1 + POSTS)
}

/// Creates the next post and returns its id.
async fn create_post(pair: &ServerPair, posts: &ScenarioRun) -> Result<String> {
    let body = load::send_one(pair.product.address, posts.next_request(0)).await?;
    let post: serde_json::Value = serde_json::from_slice(&body)?;
    Ok(post["id"].as_str().context("a post has no id")?.to_owned())
}

/// Returns the p99 of each of several loads, in microseconds.
async fn measure_p99(pair: &ServerPair, config: &RunConfig, rate: f64) -> Result<Vec<f64>> {
    let mut latencies = Vec::new();
    for number in 0..WARM_UP_LOADS + MEASURED_LOADS {
        let outcome = read_friends(pair, config, Pace::At(rate)).await?;
        if number >= WARM_UP_LOADS {
            latencies.push(outcome.latency.value_at_quantile(0.99) as f64);
        }
    }
    Ok(latencies)
}

async fn read_friends(pair: &ServerPair, config: &RunConfig, pace: Pace) -> Result<Outcome> {
    let scenario_run = pair.scenario_run(Scenario::Friends, false);
    let load = Load {
        address: pair.product.address,
        connections: config.callers,
        pace,
        time: config.time,
    };
    load::run_load(load, move |number| scenario_run.next_request(number)).await
}

/// Opens a stream for each of `members`, which counts posts after `newest`; the first ones show a post of `liked` each.
/// Waits for the first event of each, and until the server is idle. All later arrivals are sent to `arrivals`. Dropping
/// the result closes the streams.
async fn open_streams(
    pair: &ServerPair,
    members: &[&Caller],
    newest: &str,
    liked: &[i64],
    arrivals: &UnboundedSender<Arrival>,
) -> Result<oneshot::Sender<()>> {
    let posts = &pair.fixtures.posts;
    let address = pair.product.address;
    let (runtime, keep_open) = start_stream_runtime()?;
    let opened = members.iter().enumerate().map(|(number, member)| {
        let others = (0..).map(|nth| posts[(number * POSTS_ON_SCREEN + nth) % posts.len()]);
        let shown = others.filter(|post| !liked.contains(post)).take(POSTS_ON_SCREEN - 1);
        let shown = liked.get(number).copied().into_iter().chain(shown);
        let shown = shown.map(|post| post.to_string()).collect::<Vec<_>>().join(",");
        let target = format!("/api/events?feed={newest}&posts={shown}");
        let (cookie, arrivals) = (member.cookie.clone(), arrivals.clone());
        runtime.spawn(async move {
            let mut events = EventStream::open(address, &target, &cookie).await?;
            // The server reads the numbers of few streams at a time, and a stream is idle only after that.
            events.next_name().await?;
            tokio::spawn(async move {
                while let Ok(name) = events.next_name().await {
                    if arrivals.send((number, name, Instant::now())).is_err() {
                        break;
                    }
                }
            });
            anyhow::Ok(())
        })
    });
    let opened = stream::iter(opened).buffer_unordered(CONCURRENT_OPENS);
    opened.map(|opened| opened?).try_collect::<()>().await?;
    tokio::time::sleep(SETTLE_TIME).await;
    Ok(keep_open)
}

/// Starts a runtime on a thread of its own and of the lowest priority, so that a reader's response does not wait in the
/// load generator until it has read the comments of idle streams. It ends, and closes its streams, when the sender is
/// dropped.
fn start_stream_runtime() -> Result<(Handle, oneshot::Sender<()>)> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    let (keep_open, closed) = oneshot::channel();
    std::thread::spawn(move || {
        if let Err(error) = rustix::process::nice(19) {
            eprintln!("The streams are read at normal priority: {error}.");
        }
        runtime.block_on(closed).ok();
    });
    Ok((handle, keep_open))
}

/// Waits for an event of a stream and returns when it arrived.
async fn wait_for(
    arrivals: &mut UnboundedReceiver<Arrival>,
    is_expected: impl Fn(&Arrival) -> bool,
    name: &str,
) -> Result<Instant> {
    loop {
        let arrival = tokio::time::timeout(TIMEOUT, arrivals.recv()).await;
        let arrival = arrival.with_context(|| format!("no event `{name}` arrived"))?;
        let arrival = arrival.context("all streams ended")?;
        ensure!(arrival.1 != "session_ended", "a stream ended");
        if arrival.1 == name && is_expected(&arrival) {
            return Ok(arrival.2);
        }
    }
}

fn describe(mut delays: Vec<f64>) -> String {
    delays.sort_by(f64::total_cmp);
    let percentile = |percent: usize| format_millis(delays[delays.len() * percent / 100]);
    format!("{}, {}", percentile(50), percentile(95))
}

fn describe_median(mut latencies: Vec<f64>) -> String {
    latencies.sort_by(f64::total_cmp);
    format_millis(latencies[latencies.len() / 2])
}
