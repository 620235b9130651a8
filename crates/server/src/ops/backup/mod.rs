//! Backup and restore of a network in one file: a snapshot of the database, the key, and the images.
//!
//! The file is a tar archive (`archive`). `create` writes one while the server runs; `restore` fills an empty data
//! folder from one and verifies it.

mod archive;
mod create;
mod restore;
mod unpack;

pub use create::{BackupReport, create_backup};
pub use restore::{CountMismatch, RestoreReport, restore_backup};

use crate::platform::output;
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

/// Time before the first and between two lines of progress.
const LINE_INTERVAL: Duration = Duration::from_secs(2);
/// Time between two redraws of a progress bar.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);
/// Width of a progress bar, in characters.
const BAR_WIDTH: usize = 30;

/// Reports progress on standard error: a bar on a terminal, otherwise a line every [`LINE_INTERVAL`].
#[derive(Debug)]
pub struct ProgressReporter {
    last: Instant,
    is_enabled: bool,
    is_terminal: bool,
    /// Whether the cursor is at the end of a bar.
    is_drawn: bool,
}

impl ProgressReporter {
    /// Starts measuring time. Nothing is printed unless `is_enabled`.
    #[must_use]
    pub fn start(is_enabled: bool) -> Self {
        Self {
            last: Instant::now(),
            is_enabled,
            is_terminal: std::io::stderr().is_terminal(),
            is_drawn: false,
        }
    }

    /// Reports that `done` of `total` steps are done; `total` is `None` if it is unknown.
    pub(crate) fn report(&mut self, label: &str, done: u64, total: Option<u64>) {
        if !self.is_enabled {
            return;
        }
        let elapsed = self.last.elapsed();
        match total {
            Some(total) if self.is_terminal => {
                if elapsed >= REDRAW_INTERVAL || done >= total {
                    self.last = Instant::now();
                    self.is_drawn = true;
                    output::redraw_line(format_args!("{}", render_bar(label, done, total)));
                }
                if done >= total {
                    self.end_line();
                }
            }
            _ if elapsed < LINE_INTERVAL => {}
            _ => {
                self.last = Instant::now();
                self.end_line();
                match total {
                    Some(total) => output::print_stderr(format_args!("{label}: {done} of {total}")),
                    None => output::print_stderr(format_args!("{label}: {done}")),
                }
            }
        }
    }

    fn end_line(&mut self) {
        if std::mem::take(&mut self.is_drawn) {
            output::print_stderr(format_args!(""));
        }
    }
}

impl Drop for ProgressReporter {
    fn drop(&mut self) {
        self.end_line();
    }
}

fn render_bar(label: &str, done: u64, total: u64) -> String {
    let percent = (done.min(total) * 100).checked_div(total).unwrap_or(100);
    let filled = usize::try_from(percent).unwrap_or(100) * BAR_WIDTH / 100;
    format!("{label} [{}{}] {percent:3} %", "#".repeat(filled), ".".repeat(BAR_WIDTH - filled))
}

#[cfg(test)]
mod tests {
    use super::render_bar;

    #[test]
    fn a_progress_bar_shows_the_fraction_done() {
        for (done, shown) in [
            (0, "Posts [..............................]   0 %"),
            (50, "Posts [###############...............]  50 %"),
            (200, "Posts [##############################] 100 %"),
        ] {
            assert_eq!(render_bar("Posts", done, 100), shown);
        }
        assert!(render_bar("Posts", 0, 0).ends_with("100 %"));
    }
}
