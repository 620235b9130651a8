//! Cost of a request by size of the data set and by number of members that its reader follows.

use crate::dataset::Size;
use crate::plot::{Plot, Series};
use crate::report::{self, Metrics, Report, format_thousands};
use crate::run::{self, Options, RunConfig, ServerPair, cold_cache, measure};
use crate::samples::ScenarioResult;
use crate::scenarios::Scenario;
use anyhow::Result;
use kith::platform::clock::Clock;
use std::fmt::Write as _;
use std::sync::Arc;

/// Posts per data set; the largest is generated only on request.
const POSTS: [usize; 4] = [10_000, 100_000, 1_000_000, 10_000_000];
/// Numbers of follows measured on the largest data set.
const FOLLOWS: [usize; 3] = [100, 1_000, 10_000];

/// Generates data sets of up to `largest` posts and measures every scenario on each.
pub async fn run_scaling(options: &Options, largest: usize) -> Result<Report> {
    let sizes = POSTS.into_iter().filter(|posts| *posts <= largest);
    let sizes = sizes.collect::<Vec<_>>();
    let scenarios = Scenario::READS.into_iter().chain(Scenario::WRITES);
    let mut lines = scenarios.clone().map(|_| Vec::new()).collect::<Vec<_>>();
    let (mut firsts, mut follows) = (Vec::new(), Vec::new());
    let mut largest = Metrics::default();
    for posts in &sizes {
        // With fewer members the writers would run out of members to follow.
        let members = (posts / 10).clamp(10_000, 100_000);
        let mut groups = options.size.follows[..1].to_vec();
        if Some(posts) == sizes.last() {
            let more = FOLLOWS.into_iter().filter(|follows| *follows <= members / 2);
            groups.extend(more.filter(|follows| *follows != options.size.follows[0]));
        }
        let size = Size {
            members,
            posts: *posts,
            follows: groups.clone(),
            cold: options.size.cold.min(members / 10),
            seed: options.size.seed,
        };
        let store = options.create_store(&posts.to_string()).await?;
        let (fixtures, rate) = run::make_dataset(&store, &size).await?;
        for group in groups {
            let readers = fixtures.readers_of(group);
            let is_first = group == size.follows[0];
            let begun = Clock::system().now();
            let pair = options.start_servers(&store, fixtures.clone(), &readers, is_first);
            let pair = pair.await?;
            if is_first {
                // Runs before other scenarios, which would fill the caches.
                if size.cold > 0 {
                    firsts.push(cold_cache::measure_first_pages(&pair).await?.1);
                }
            }
            if size.follows.len() > 1 {
                follows.push((group, measured(&pair, Scenario::Friends, &options.config).await?));
            }
            if is_first {
                for (of, scenario) in lines.iter_mut().zip(scenarios.clone()) {
                    of.push((*posts, measured(&pair, scenario, &options.config).await?));
                }
                run::stop_and_verify(options, &store, pair, begun, 0).await?;
            } else {
                pair.stop()?;
            }
        }
        if Some(posts) == sizes.last() {
            largest = report::describe_size(&size, Some(rate));
            let readers = fixtures.readers_of(size.follows[0]);
            let fixtures = Arc::new(fixtures);
            run::measure_restarts(options, &store, &fixtures, &readers, &mut largest).await?;
        }
        // Frees the disk for the next data set.
        std::fs::remove_dir_all(&store.data)?;
    }
    follows.sort_by_key(|(group, _)| *group);
    let mut report = Report::new(options.engine());
    report.add("sizes", table("Posts", &lines) + &first_pages(&firsts));
    report.plot("sizes", plot("Processor time per request", "posts", &lines));
    report.add("largest", largest.table());
    report.add("follows", table("Follows", std::slice::from_ref(&follows)));
    let title = "Processor time of the Friends feed";
    report.plot("follows", plot(title, "follows", std::slice::from_ref(&follows)));
    Ok(report)
}

async fn measured(
    pair: &ServerPair,
    scenario: Scenario,
    config: &RunConfig,
) -> Result<ScenarioResult> {
    measure::measure_scenario(pair, scenario, config, config.callers).await
}

/// Sizes with their results.
type Line = Vec<(usize, ScenarioResult)>;

fn cpu_micros(result: &ScenarioResult) -> f64 {
    result.product(|sample| sample.cpu_micros)
}

fn table(what: &str, lines: &[Line]) -> String {
    let sizes = lines.first().into_iter().flatten().map(|(size, _)| *size as u64);
    let sizes =
        sizes.map(|size| format!(" {what}: {} |", format_thousands(size))).collect::<Vec<_>>();
    let mut text = format!("| Path |{}\n|---|", sizes.concat());
    text.push_str(&"---|".repeat(sizes.len()));
    text.push('\n');
    for line in lines {
        let Some((_, first)) = line.first() else {
            continue;
        };
        let _ = write!(text, "| {} |", first.scenario.name());
        for (at, (_, result)) in line.iter().enumerate() {
            let [share, ..] =
                result.spread(|[product, baseline]| 100.0 * product.rate / baseline.rate);
            let _ = write!(text, " {:.0} µs, {share:.0} %", cpu_micros(result));
            if at > 0 {
                let times = cpu_micros(result) / cpu_micros(first);
                let _ = write!(text, ", × {times:.2} of the smallest");
            }
            text.push_str(" |");
        }
        text.push('\n');
    }
    text
}

/// Table row with the cost of a first page with cold caches.
fn first_pages(each: &[f64]) -> String {
    if each.is_empty() {
        return String::new();
    }
    let mut text = String::from("| Friends, cold cache |");
    for (at, processor) in each.iter().enumerate() {
        let _ = write!(text, " {processor:.0} µs");
        if at > 0 {
            let _ = write!(text, ", × {:.2} of the smallest", processor / each[0]);
        }
        text.push_str(" |");
    }
    text.push('\n');
    text
}

fn plot(title: &str, across: &str, lines: &[Line]) -> String {
    let series = lines.iter().filter_map(|line| {
        let points = line.iter().map(|(size, result)| (*size as f64, cpu_micros(result)));
        Some(Series { name: line.first()?.1.scenario.name(), points: points.collect() })
    });
    let plot = Plot { title, across, up: "µs of processor time", series: series.collect() };
    plot.svg()
}
