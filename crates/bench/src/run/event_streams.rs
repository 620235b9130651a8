//! Open streams of live updates: their memory, their effect on reads, and the delay of events.

use super::{RunConfig, ServerPair};
use crate::dataset::{Caller, Fixtures};
use crate::load::{self, EventStream, Load, Outcome, Pace};
use crate::report::{Metrics, format_millis, format_thousands};
use crate::scenarios::{Scenario, ScenarioRun};
use anyhow::{Context as _, Result, ensure};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use std::ops::Range;
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
/// Time until the server is idle again and memory is read.
const SETTLE_TIME: Duration = Duration::from_secs(3);
/// Maximum time until an event arrives.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Arrival of an event: the number of its stream, its name, and when it arrived.
type Arrival = (usize, String, Instant);

/// Measures reads before, beside and after open streams of the cold readers, and likes and posts beside the streams.
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
    let rate = read_friends(pair, config, Pace::Full).await?.rate() / 2.0;
    let mut without = measure_p99(pair, config, rate).await?;

    let likes = pair.scenario_run(Scenario::Like, false);
    let members = fixtures.cold.iter();
    let members = members.flat_map(|member| std::iter::repeat_n(member, STREAMS_PER_MEMBER));
    let members = members.take(max_streams).collect::<Vec<_>>();
    let liked = likes.upcoming_targets().take(MAX_LIKES.min(members.len())).collect::<Vec<_>>();
    let (sender, mut arrivals) = mpsc::unbounded_channel();
    let (runtime, keep_open) = start_stream_runtime()?;
    let open = |numbers| open_streams(pair, &runtime, &members, numbers, &newest, &liked, &sender);
    // The first streams fill the caches, which are bounded; the last ones show what a stream costs.
    let first = members.len() * 5 / 6;
    open(0..first).await?;
    tokio::time::sleep(SETTLE_TIME).await;
    let memory = pair.product.memory()?.0;
    open(first..members.len()).await?;
    tokio::time::sleep(SETTLE_TIME).await;
    let opened = (members.len() - first).max(1) as u64;
    let per_stream = pair.product.memory()?.0.saturating_sub(memory) / opened;
    let with = measure_p99(pair, config, rate).await?;
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
    drop(keep_open);
    tokio::time::sleep(SETTLE_TIME).await;
    without.extend(measure_p99(pair, config, rate).await?);
    metrics.add("Open streams of live updates", format_thousands(members.len() as u64));
    metrics.add("Memory of a stream", format!("{:.1} KiB", per_stream as f64 / 1024.0));
    let ([with_lowest, with], [lowest, without]) = (summarize(with), summarize(without));
    metrics.add(
        "p99 of Friends beside them, and without: lowest of the rounds",
        format!("{with_lowest}, {lowest}"),
    );
    metrics.add(
        "p99 of Friends beside them, and without: median of the rounds",
        format!("{with}, {without}"),
    );
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
    for _ in 0..config.rounds {
        let outcome = read_friends(pair, config, Pace::At(rate)).await?;
        latencies.push(outcome.latency.value_at_quantile(0.99) as f64);
    }
    Ok(latencies)
}

/// Returns the lowest latency, to which other work of the machine added least, and the median.
fn summarize(mut latencies: Vec<f64>) -> [String; 2] {
    latencies.sort_by(f64::total_cmp);
    [0, latencies.len() / 2].map(|index| format_millis(latencies[index]))
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

/// Starts a runtime for the streams on a thread of its own and of the lowest priority, so that a reader's response does
/// not wait in the load generator until it has read the comments of idle streams. It ends, and closes the streams, when
/// the sender is dropped.
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

/// Opens the streams of `members` with these numbers, which count posts after `newest`; those with the first numbers show
/// a post of `liked` each, and waits for the first event of each. All later arrivals are sent to `arrivals`.
async fn open_streams(
    pair: &ServerPair,
    runtime: &Handle,
    members: &[&Caller],
    numbers: Range<usize>,
    newest: &str,
    liked: &[i64],
    arrivals: &UnboundedSender<Arrival>,
) -> Result<()> {
    let posts = &pair.fixtures.posts;
    let address = pair.product.address;
    let opened = numbers.map(|number| {
        let others = (0..).map(|nth| posts[(number * POSTS_ON_SCREEN + nth) % posts.len()]);
        let shown = others.filter(|post| !liked.contains(post)).take(POSTS_ON_SCREEN - 1);
        let shown = liked.get(number).copied().into_iter().chain(shown);
        let shown = shown.map(|post| post.to_string()).collect::<Vec<_>>().join(",");
        let target = format!("/api/events?feed={newest}&posts={shown}");
        let (cookie, arrivals) = (members[number].cookie.clone(), arrivals.clone());
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
    opened.map(|opened| opened?).try_collect().await
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
