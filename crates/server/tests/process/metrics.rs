//! Agreement of the metrics with documentation, dashboard and alerts.

use crate::program::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The labels of a metric and their values; empty if the values are not listed.
type Labels = BTreeMap<String, BTreeSet<String>>;

/// Type and labels of a metric.
#[derive(Debug, Default, PartialEq)]
struct Metric {
    kind: String,
    labels: Labels,
}

/// A PostgreSQL metric, which has no value on SQLite.
const POOL_WAIT: &str = "kith_db_pool_wait_seconds";

fn text(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).unwrap()
}

fn is_ours(name: &str) -> bool {
    name.starts_with("kith_") || name.starts_with("process_")
}

/// Returns the texts in backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Parses the table in the documentation. Its third column reads "`label`, `label`" or "`label`:
/// `value`, `value`".
fn parse_documentation() -> BTreeMap<String, Metric> {
    let page = text("docs/admin/monitoring.md");
    let rows = page.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        let (name, kind, labels) = (cells.next()?, cells.next()?, cells.next()?);
        let name = name.strip_prefix('`')?.strip_suffix('`')?;
        let kind = kind.split([':', ',', ';']).next()?.trim();
        let labels = match labels.split_once(':') {
            Some((label, values)) => {
                let values = quoted(values).map(str::to_owned).collect();
                BTreeMap::from([(quoted(label).next()?.to_owned(), values)])
            }
            None => quoted(labels).map(|label| (label.to_owned(), BTreeSet::new())).collect(),
        };
        let kind = kind.to_owned();
        is_ours(name).then(|| (name.to_owned(), Metric { kind, labels }))
    });
    rows.collect()
}

/// Parses a response of `/metrics`.
fn parse_metrics(shown: &str) -> BTreeMap<String, Metric> {
    let types = shown.lines().filter_map(|line| {
        let (name, kind) = line.strip_prefix("# TYPE ")?.split_once(' ')?;
        let kind = kind.to_owned();
        let labels = Labels::new();
        Some((name.to_owned(), Metric { kind, labels }))
    });
    let mut metrics: BTreeMap<_, _> = types.collect();
    for line in shown.lines().filter(|line| !line.starts_with('#')) {
        let Some((name, labels)) = line.split_once('{') else {
            continue;
        };
        let metric = metrics.get_mut(stem(name)).unwrap();
        let (labels, _) = labels.rsplit_once('}').unwrap();
        for label in labels.split("\",").filter(|label| !label.is_empty()) {
            let (label, value) = label.split_once("=\"").unwrap();
            if label != "le" {
                let values = metric.labels.entry(label.to_owned()).or_default();
                values.insert(value.trim_end_matches('"').to_owned());
            }
        }
    }
    metrics
}

/// Strips a histogram's suffix from the name of a series.
fn stem(name: &str) -> &str {
    let part = ["_bucket", "_count", "_sum"];
    part.iter().find_map(|part| name.strip_suffix(part)).unwrap_or(name)
}

/// Scrapes a server after one login.
fn scrape_server() -> BTreeMap<String, Metric> {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start_with(folder.path(), &["--rate-limits", "on"]);
    let link = program.read_line();
    program.log_in(&link);
    parse_metrics(&program.request_admin("/metrics").body)
}

/// The documentation lists exactly the emitted metrics, types, labels and values.
#[test]
fn the_documentation_lists_exactly_the_emitted_metrics() {
    let mut documented = parse_documentation();
    let mut emitted = scrape_server();
    // PostgreSQL only.
    assert!(documented.remove(POOL_WAIT).is_some());
    let workers = documented.get_mut("kith_worker_restarts_total").unwrap();
    let workers = workers.labels.get_mut("worker").unwrap();
    assert!(workers.remove("changes"));
    for (name, metric) in &mut emitted {
        for (label, values) in &mut metric.labels {
            let known = documented.get(name).and_then(|one| one.labels.get(label));
            if known.is_some_and(BTreeSet::is_empty) {
                values.clear();
            }
        }
    }
    for (name, metric) in &emitted {
        assert_eq!(
            Some(metric),
            documented.get(name),
            "{name}: left the program, right the documentation"
        );
    }
    for name in documented.keys() {
        assert!(emitted.contains_key(name), "{name} is documented only");
    }
    assert!(emitted.len() > 20, "{emitted:?}");
}

/// Dashboard and alerts use existing metrics only, and the dashboard shows every one of Kith's.
#[test]
fn dashboard_and_alerts_use_existing_metrics() {
    let emitted = scrape_server();
    for (path, least, shows_all) in
        [("deploy/grafana-dashboard.json", 20, true), ("deploy/prometheus-alerts.yml", 8, false)]
    {
        let file = text(path);
        let is_word = |at: char| at.is_ascii_alphanumeric() || at == '_';
        let used: Vec<_> =
            file.split(|at: char| !is_word(at)).filter(|name| is_ours(name)).collect();
        assert!(used.len() >= least, "{path}: {used:?}");
        for name in &used {
            assert!(
                emitted.contains_key(stem(name)) || stem(name) == POOL_WAIT,
                "{path}: there is no {name}"
            );
        }
        let ours = emitted.keys().filter(|name| name.starts_with("kith_"));
        for name in ours.filter(|_| shows_all) {
            assert!(used.iter().any(|one| stem(one) == name), "{name} has no panel");
        }
    }
}
