//! The tables of a run, as they stand in `docs/performance.md`.

use crate::network::Size;
use crate::run::{Figures, Rounds};
use anyhow::{Context as _, Result, ensure};
use kith_db::Engine;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Single figures of a run, each with what it is.
#[derive(Debug, Default)]
pub struct Facts(Vec<(String, String)>);

impl Facts {
    /// Adds one, and says it.
    pub fn add(&mut self, what: &str, measured: String) {
        println!("{what}: {measured}");
        self.0.push((what.to_owned(), measured));
    }

    /// As a table.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = String::from("| What | Measured |\n|---|---|\n");
        for (what, measured) in &self.0 {
            let _ = writeln!(text, "| {what} | {measured} |");
        }
        text
    }
}

/// What a network has, and how many of its posts were made a second.
#[must_use]
pub fn of_size(size: &Size, rate: Option<f64>) -> Facts {
    let mut facts = Facts::default();
    facts.add("Members", thousands(size.members as u64));
    facts.add("Posts", thousands(size.posts as u64));
    if let Some(rate) = rate {
        facts.add("Posts made a second", thousands(rate as u64));
    }
    facts.add("A reader's follows", thousands(size.follows[0] as u64));
    facts
}

/// Tables, and plots to go with them.
#[derive(Debug)]
pub struct Report {
    /// What stands before the names, which are told apart by the engine.
    prefix: &'static str,
    /// The name between the markers, and the text.
    tables: Vec<(String, String)>,
    /// The name of a file, and the picture.
    plots: Vec<(String, String)>,
}

impl Report {
    /// An empty one.
    #[must_use]
    pub const fn on(engine: Engine) -> Self {
        Self {
            prefix: match engine {
                Engine::Sqlite => "",
                Engine::Postgres => "postgres-",
            },
            tables: Vec::new(),
            plots: Vec::new(),
        }
    }

    /// The tables of reads, writes and the process.
    #[must_use]
    pub fn of_run(engine: Engine, reads: &[Rounds], writes: &[Rounds], facts: &Facts) -> Self {
        let mut report = Self::on(engine);
        report.add("reads", table(reads));
        report.add("writes", table(writes));
        report.add("process", facts.table());
        report
    }

    /// Adds a table.
    pub fn add(&mut self, name: &str, text: String) {
        self.tables.push((format!("{}{name}", self.prefix), text));
    }

    /// Adds a plot, which is shown below the table of the same name.
    pub fn plot(&mut self, name: &str, picture: String) {
        self.plots.push((format!("{}{name}", self.prefix), picture));
    }

    /// Prints the tables.
    pub fn print(&self) {
        for (name, text) in &self.tables {
            println!("\n{name}\n\n{text}");
        }
    }

    /// Writes the tables between their markers in a document, and the plots into the folder `bench`
    /// beside it.
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
            text = replaced(&text, name, &table)?;
        }
        Ok(fs::write(document, text)?)
    }
}

/// The document with another text between the markers of a name.
fn replaced(document: &str, name: &str, text: &str) -> Result<String> {
    let (begin, end) = (
        format!("<!-- bench:{name} -->"),
        format!("<!-- /bench:{name} -->"),
    );
    let missing = || format!("the document has no {begin} … {end}");
    let (before, rest) = document.split_once(&begin).with_context(missing)?;
    let (_, after) = rest.split_once(&end).with_context(missing)?;
    ensure!(!after.contains(&begin), "{begin} is there twice");
    Ok(format!("{before}{begin}\n{}\n{end}{after}", text.trim()))
}

fn table(paths: &[Rounds]) -> String {
    let mut columns = vec![
        "Path",
        "Callers",
        "Processor time",
        "Floor",
        "Rate, of the floor's",
        "Calls a second",
        "p50",
        "p99",
        "p99.9",
        "Floor's p50, p99, p99.9",
        "Bytes",
    ];
    let with_commits = paths.iter().any(|path| path.commits().is_some());
    if with_commits {
        columns.push("Of a bare commit");
    }
    let mut text = format!(
        "| {} |\n|{}\n",
        columns.join(" | "),
        "---|".repeat(columns.len())
    );
    for path in paths {
        let [share, least, most] =
            path.spread(|[product, floor]| 100.0 * product.rate / floor.rate);
        let quantiles = |figures: &Figures| [figures.half, figures.most, figures.nearly_all];
        let time = |server: usize, which: usize| {
            let [middle, ..] = path.spread(|turn| quantiles(&turn[server])[which] as f64);
            milliseconds(middle)
        };
        let times = |server| [0, 1, 2].map(|which| time(server, which));
        let _ = write!(
            text,
            "| {} | {} | {:.0} µs | {:.0} µs | {share:.0} % ({least:.0} to {most:.0}) | {} | {} | {} | {} |",
            path.path.name(),
            path.callers,
            path.product(|figures| figures.processor),
            path.floor(|figures| figures.processor),
            thousands(path.product(|figures| figures.rate) as u64),
            times(0).join(" | "),
            times(1).join(", "),
            thousands(path.product(|figures| figures.bytes as f64) as u64),
        );
        if with_commits {
            let commits = path.commits();
            let commits = commits.map_or(String::new(), |commits| format!(" × {commits:.2}"));
            let _ = write!(text, "{commits} |");
        }
        text.push('\n');
    }
    text
}

/// A size to read.
#[must_use]
pub fn bytes(count: u64) -> String {
    match count {
        0..10_240 => format!("{} B", thousands(count)),
        10_240..1_048_576 => format!("{} KiB", count / 1_024),
        _ => format!("{:.1} MiB", count as f64 / f64::from(1 << 20)),
    }
}

/// A time to read, of so many microseconds.
#[must_use]
pub fn milliseconds(micros: f64) -> String {
    let millis = micros / 1_000.0;
    if millis < 10.0 {
        format!("{millis:.2} ms")
    } else {
        format!("{millis:.0} ms")
    }
}

/// A number with a comma between every three digits.
#[must_use]
pub fn thousands(number: u64) -> String {
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
    fn only_what_is_between_the_markers_changes() -> Result<()> {
        let document = "a\n<!-- bench:x -->\nold\n<!-- /bench:x -->\nb\n";
        let new = replaced(document, "x", "new\n")?;
        assert_eq!(new, "a\n<!-- bench:x -->\nnew\n<!-- /bench:x -->\nb\n");
        assert_eq!(replaced(&new, "x", "new")?, new);
        assert!(replaced(document, "y", "").is_err());
        Ok(())
    }

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(milliseconds(1_234.0), "1.23 ms");
        assert_eq!(milliseconds(123_400.0), "123 ms");
        assert_eq!(bytes(10_000), "10,000 B");
        assert_eq!(bytes(20_480), "20 KiB");
        assert_eq!(bytes(3 << 19), "1.5 MiB");
    }
}
