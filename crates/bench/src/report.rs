//! The tables of a run, as they stand in `docs/performance.md`.

use crate::network::Size;
use crate::run::Rounds;
use anyhow::{Context as _, Result, ensure};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// What was seen of the product's process.
#[derive(Debug, Clone, Copy)]
pub struct Process {
    /// From its start until it was ready.
    pub start: Duration,
    /// Resident bytes before the first load.
    pub idle: u64,
    /// Resident bytes after all reads.
    pub loaded: u64,
    /// The most of the whole run, with the writes.
    pub most: u64,
    /// Bytes of the program.
    pub binary: u64,
    /// The rows of a page by key, in a process that does nothing else.
    pub row_reads: Duration,
}

/// Tables, and plots to go with them.
#[derive(Debug, Default)]
pub struct Report {
    /// The name between the markers, and the text.
    tables: Vec<(&'static str, String)>,
    /// The name of a file, and the picture.
    plots: Vec<(&'static str, String)>,
}

impl Report {
    /// The tables of reads, writes and the process.
    #[must_use]
    pub fn of_run(size: &Size, reads: &[Rounds], writes: &[Rounds], process: &Process) -> Self {
        let mut report = Self::default();
        report.add("reads", table(reads));
        report.add("writes", table(writes));
        report.add("process", of_process(size, process));
        report
    }

    /// Adds a table.
    pub fn add(&mut self, name: &'static str, text: String) {
        self.tables.push((name, text));
    }

    /// Adds a plot, which is shown below the table of the same name.
    pub fn plot(&mut self, name: &'static str, picture: String) {
        self.plots.push((name, picture));
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
    let mut text = String::from(
        "| Path | Callers | Processor time | Floor | Rate, of the floor's | Calls a second | p50 | p99 | p99.9 | Bytes |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for path in paths {
        let [share, least, most] =
            path.spread(|[product, floor]| 100.0 * product.rate / floor.rate);
        let time = |of: fn(&crate::run::Figures) -> u64| {
            milliseconds(path.product(|figures| of(figures) as f64))
        };
        let _ = writeln!(
            text,
            "| {} | {} | {:.0} µs | {:.0} µs | {share:.0} % ({least:.0} to {most:.0}) | {} | {} | {} | {} | {} |",
            path.path.name(),
            path.callers,
            path.product(|figures| figures.processor),
            path.floor(|figures| figures.processor),
            thousands(path.product(|figures| figures.rate) as u64),
            time(|figures| figures.half),
            time(|figures| figures.most),
            time(|figures| figures.nearly_all),
            thousands(path.product(|figures| figures.bytes as f64) as u64),
        );
    }
    text
}

fn of_process(size: &Size, process: &Process) -> String {
    let mib = |bytes: u64| format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20));
    let mut text = String::from("| What | Measured |\n|---|---|\n");
    let mut row = |what: &str, measured: String| {
        let _ = writeln!(text, "| {what} | {measured} |");
    };
    row("Members", thousands(size.members as u64));
    row("Posts", thousands(size.posts as u64));
    row("A reader's follows", thousands(size.follows[0] as u64));
    row(
        "From the start of the process until ready",
        milliseconds(process.start.as_secs_f64() * 1e6),
    );
    row("Resident memory, idle", mib(process.idle));
    row("After all reads", mib(process.loaded));
    row("At most, with the writes", mib(process.most));
    row("The program", mib(process.binary));
    let rows = process.row_reads.as_secs_f64() * 1e6;
    row(
        "The 20 rows of a page and their authors by key, in one process",
        format!("{rows:.0} µs"),
    );
    text
}

fn milliseconds(micros: f64) -> String {
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
    }
}
