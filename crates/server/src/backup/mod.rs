//! A whole network in one file: the database as of one moment, the key, and the images.
//!
//! The file is a plain tar archive (`archive`). `make` writes one beside a running server; `restore`
//! fills an empty data folder from one and looks whether all of it is right.

mod archive;
mod make;
mod restore;
mod unpack;

pub use make::{Made, make};
pub(crate) use restore::is_broken_off;
pub use restore::{Found, WrongCount, restore};

use crate::output;
use std::time::{Duration, Instant};

/// How long work is silent before, and between, words about its progress.
const SILENCE: Duration = Duration::from_secs(2);

/// Says on standard error how far long work is; short work says nothing.
#[derive(Debug)]
pub struct Progress {
    last: Instant,
    spoken: bool,
}

impl Progress {
    /// Begins to measure.
    #[must_use]
    pub fn start(spoken: bool) -> Self {
        Self {
            last: Instant::now(),
            spoken,
        }
    }

    fn say(&mut self, what: &str, done: u64, of: Option<u64>) {
        if self.spoken && self.last.elapsed() >= SILENCE {
            self.last = Instant::now();
            match of {
                Some(all) => output::aside(format_args!("{what}: {done} of {all}")),
                None => output::aside(format_args!("{what}: {done}")),
            }
        }
    }
}
