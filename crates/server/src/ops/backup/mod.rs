//! A whole network in one file: the database as of one moment, the key, and the images.
//!
//! The file is a plain tar archive (`archive`). `make` writes one beside a running server; `restore`
//! fills an empty data folder from one and looks whether all of it is right.

mod archive;
mod create;
mod restore;
mod unpack;

pub use create::{Made, make};
pub use restore::{Found, WrongCount, restore};

use crate::platform::output;
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

/// How long work is silent before, and between, words about its progress.
const SILENCE: Duration = Duration::from_secs(2);
/// How often a bar on a terminal is drawn again.
const FRAME: Duration = Duration::from_millis(100);
/// Characters of a bar.
const WIDE: usize = 30;

/// Shows progress on standard error: a bar on a terminal, else a line now and then; nothing for short work.
#[derive(Debug)]
pub struct Progress {
    last: Instant,
    spoken: bool,
    is_terminal: bool,
    /// Whether the cursor is behind a bar.
    is_drawn: bool,
}

impl Progress {
    /// Begins to measure.
    #[must_use]
    pub fn start(spoken: bool) -> Self {
        Self {
            last: Instant::now(),
            spoken,
            is_terminal: std::io::stderr().is_terminal(),
            is_drawn: false,
        }
    }

    pub(crate) fn say(&mut self, what: &str, done: u64, of: Option<u64>) {
        if !self.spoken {
            return;
        }
        let waited = self.last.elapsed();
        match of {
            Some(all) if self.is_terminal => {
                if waited >= FRAME || done >= all {
                    self.last = Instant::now();
                    self.is_drawn = true;
                    output::redraw(format_args!("{}", bar(what, done, all)));
                }
                if done >= all {
                    self.end_line();
                }
            }
            _ if waited < SILENCE => {}
            _ => {
                self.last = Instant::now();
                self.end_line();
                match of {
                    Some(all) => output::aside(format_args!("{what}: {done} of {all}")),
                    None => output::aside(format_args!("{what}: {done}")),
                }
            }
        }
    }

    fn end_line(&mut self) {
        if std::mem::take(&mut self.is_drawn) {
            output::aside(format_args!(""));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end_line();
    }
}

fn bar(what: &str, done: u64, all: u64) -> String {
    let percent = (done.min(all) * 100).checked_div(all).unwrap_or(100);
    let full = usize::try_from(percent).unwrap_or(100) * WIDE / 100;
    format!(
        "{what} [{}{}] {percent:3} %",
        "#".repeat(full),
        ".".repeat(WIDE - full)
    )
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn a_bar_is_as_full_as_the_work_is_done() {
        for (done, shown) in [
            (0, "Posts [..............................]   0 %"),
            (50, "Posts [###############...............]  50 %"),
            (200, "Posts [##############################] 100 %"),
        ] {
            assert_eq!(bar("Posts", done, 100), shown);
        }
        assert!(bar("Posts", 0, 0).ends_with("100 %"));
    }
}
