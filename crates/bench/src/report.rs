//! Tables and plots of a run, in the form used in `docs/performance.md`.

use crate::dataset::Size;
use crate::samples::{Sample, ScenarioResult};
use anyhow::{Context as _, Result, ensure};
use kith_db::Engine;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Single measurements with their labels.
#[derive(Debug, Default)]
pub struct Metrics(Vec<(String, String)>);

impl Metrics {
    /// Adds a measurement and prints it.
    pub fn add(&mut self, what: &str, measured: String) {
        println!("{what}: {measured}");
        self.0.push((what.to_owned(), measured));
    }

    /// Renders a Markdown table.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = String::from("| What | Measured |\n|---|---|\n");
        for (what, measured) in &self.0 {
            let _ = writeln!(text, "| {what} | {measured} |");
        }
        text
    }
}

/// Describes a data set: its size, and at how many posts per second it was generated.
#[must_use]
pub fn describe_size(size: &Size, rate: Option<f64>) -> Metrics {
    let mut metrics = Metrics::default();
    metrics.add("Members", format_thousands(size.members as u64));
    metrics.add("Posts", format_thousands(size.posts as u64));
    if let Some(rate) = rate {
        metrics.add("Posts generated per second", format_thousands(rate as u64));
    }
    metrics.add("Follows per reader", format_thousands(size.follows[0] as u64));
    metrics
}

/// Tables and plots of one run.
#[derive(Debug)]
pub struct Report {
    /// Prefix of all names; it separates the engines.
    prefix: &'static str,
    /// Pairs of marker name and Markdown.
    tables: Vec<(String, String)>,
    /// Pairs of file name without extension and SVG.
    plots: Vec<(String, String)>,
}

impl Report {
    /// An empty report.
    #[must_use]
    pub const fn new(engine: Engine) -> Self {
        Self {
            prefix: match engine {
                Engine::Sqlite => "",
                Engine::Postgres => "postgres-",
            },
            tables: Vec::new(),
            plots: Vec::new(),
        }
    }

    /// Report with the tables for reads, writes and the process.
    #[must_use]
    pub fn from_run(
        engine: Engine,
        reads: &[ScenarioResult],
        writes: &[ScenarioResult],
        metrics: &Metrics,
    ) -> Self {
        let mut report = Self::new(engine);
        report.add("reads", table(reads));
        report.add("writes", table(writes));
        report.add("process", metrics.table());
        report
    }

    /// Adds a table.
    pub fn add(&mut self, name: &str, text: String) {
        self.tables.push((format!("{}{name}", self.prefix), text));
    }

    /// Adds a plot, shown below the table with the same name.
    pub fn plot(&mut self, name: &str, picture: String) {
        self.plots.push((format!("{}{name}", self.prefix), picture));
    }

    /// Prints all tables.
    pub fn print(&self) {
        for (name, text) in &self.tables {
            println!("\n{name}\n\n{text}");
        }
    }

    /// Replaces the tables between their markers in `document`, and writes the plots to the folder
    /// `bench` beside it. Fails if a marker is missing.
    pub fn write(&self, document: &Path) -> Result<()> {
        let mut text = fs::read_to_string(document)?;
        let folder = document.with_file_name("bench");
        for (name, table) in &self.tables {
            let mut table = table.clone();
            if let Some((_, picture)) = self.plots.iter().find(|(plot, _)| plot == name) {
                fs::create_dir_all(&folder)?;
                fs::write(folder.join(format!("{name}.svg")), picture)?;
                let _ = write!(table, "\n![{name}](bench/{name}.svg)\n");
            }
            text = replace_between_markers(&text, name, &table)?;
        }
        Ok(fs::write(document, text)?)
    }
}

/// Replaces the text between the markers of `name`.
fn replace_between_markers(document: &str, name: &str, text: &str) -> Result<String> {
    let (begin, end) = (format!("<!-- bench:{name} -->"), format!("<!-- /bench:{name} -->"));
    let missing = || format!("the document lacks {begin} … {end}");
    let (before, rest) = document.split_once(&begin).with_context(missing)?;
    let (_, after) = rest.split_once(&end).with_context(missing)?;
    ensure!(!after.contains(&begin), "{begin} appears twice");
    Ok(format!("{before}{begin}\n{}\n{end}{after}", text.trim()))
}

fn table(results: &[ScenarioResult]) -> String {
    let mut columns = vec![
        "Path",
        "Callers",
        "Processor time",
        "Baseline",
        "Rate, of the baseline's",
        "Calls a second",
        "p50",
        "p99",
        "p99.9",
        "Baseline's p50, p99, p99.9",
        "Bytes",
    ];
    let with_commits = results.iter().any(|result| result.commits().is_some());
    if with_commits {
        columns.push("Of a bare commit");
    }
    let mut text = format!("| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
    for result in results {
        let [share, least, most] =
            result.spread(|[product, baseline]| 100.0 * product.rate / baseline.rate);
        let quantiles =
            |sample: &Sample| [sample.p50_micros, sample.p99_micros, sample.p999_micros];
        let time = |server: usize, which: usize| {
            let [middle, ..] = result.spread(|turn| quantiles(&turn[server])[which] as f64);
            format_millis(middle)
        };
        let times = |server| [0, 1, 2].map(|which| time(server, which));
        let _ = write!(
            text,
            "| {} | {} | {:.0} µs | {:.0} µs | {share:.0} % ({least:.0} to {most:.0}) | {} | {} | {} | {} |",
            result.scenario.name(),
            result.callers,
            result.product(|sample| sample.cpu_micros),
            result.baseline(|sample| sample.cpu_micros),
            format_thousands(result.product(|sample| sample.rate) as u64),
            times(0).join(" | "),
            times(1).join(", "),
            format_thousands(result.product(|sample| sample.bytes as f64) as u64),
        );
        if with_commits {
            let commits = result.commits();
            let commits = commits.map_or(String::new(), |commits| format!(" × {commits:.2}"));
            let _ = write!(text, "{commits} |");
        }
        text.push('\n');
    }
    text
}

/// Formats a number of bytes with a binary unit.
#[must_use]
pub fn format_bytes(count: u64) -> String {
    match count {
        0..10_240 => format!("{} B", format_thousands(count)),
        10_240..1_048_576 => format!("{} KiB", count / 1_024),
        _ => format!("{:.1} MiB", count as f64 / f64::from(1 << 20)),
    }
}

/// Formats microseconds as milliseconds.
#[must_use]
pub fn format_millis(micros: f64) -> String {
    let millis = micros / 1_000.0;
    if millis < 10.0 { format!("{millis:.2} ms") } else { format!("{millis:.0} ms") }
}

/// Formats a number with thousands separators.
#[must_use]
pub fn format_thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_between_the_markers_changes() -> Result<()> {
        let document = "a\n<!-- bench:x -->\nold\n<!-- /bench:x -->\nb\n";
        let new = replace_between_markers(document, "x", "new\n")?;
        assert_eq!(new, "a\n<!-- bench:x -->\nnew\n<!-- /bench:x -->\nb\n");
        assert_eq!(replace_between_markers(&new, "x", "new")?, new);
        assert!(replace_between_markers(document, "y", "").is_err());
        Ok(())
    }

    #[test]
    fn numbers_are_formatted() {
        assert_eq!(format_thousands(7), "7");
        assert_eq!(format_thousands(1_234_567), "1,234,567");
        assert_eq!(format_millis(1_234.0), "1.23 ms");
        assert_eq!(format_millis(123_400.0), "123 ms");
        assert_eq!(format_bytes(10_000), "10,000 B");
        assert_eq!(format_bytes(20_480), "20 KiB");
        assert_eq!(format_bytes(3 << 19), "1.5 MiB");
    }
}
