//! What others than the log write to standard error: a decoder that complains of a picture, the runtime. While the
//! server runs, that is a pipe which a thread empties at all times. What comes out of it becomes lines of the log, so
//! nobody who writes there waits for whoever reads the log, or breaks its form.

use std::fs::File;
use std::io::{self, Write};
use std::sync::OnceLock;

/// The standard error that the process was started with, once a pipe is in its place.
static REAL: OnceLock<File> = OnceLock::new();

/// What the log calls it.
pub(super) const TARGET: &str = "stderr";

/// Where lines of the log go.
#[derive(Debug)]
pub(super) struct Real;

impl Write for Real {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match REAL.get() {
            Some(mut real) => real.write(bytes),
            None => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is written to standard error is in the log, until this is dropped.
#[cfg(unix)]
#[derive(Debug)]
pub struct Caught(Option<std::thread::JoinHandle<()>>);

/// Begins to catch what others write to standard error.
#[cfg(unix)]
pub fn catch() -> io::Result<Caught> {
    use std::os::fd::AsFd as _;
    let (pipe, end) = io::pipe()?;
    let real = io::stderr().as_fd().try_clone_to_owned()?;
    // Before the pipe takes its place: the log must not be written into it.
    REAL.get_or_init(|| real.into());
    let thread = std::thread::Builder::new().name("stderr".to_owned());
    let thread = thread.spawn(|| tell(io::BufReader::new(pipe)))?;
    rustix::stdio::dup2_stderr(end)?;
    Ok(Caught(Some(thread)))
}

#[cfg(unix)]
impl Drop for Caught {
    fn drop(&mut self) {
        let is_back = REAL
            .get()
            .is_some_and(|real| rustix::stdio::dup2_stderr(real).is_ok());
        // Nobody can write into the pipe any more: the thread tells what is left in it, and ends.
        if let Some(thread) = self.0.take_if(|_| is_back) {
            let _ = thread.join();
        }
    }
}

/// The longest line that is told; a longer one is several.
#[cfg(unix)]
const LONGEST: u64 = 1_024;

#[cfg(unix)]
fn tell(mut pipe: impl io::BufRead) {
    use std::io::{BufRead as _, Read as _};
    let mut line = Vec::new();
    while let Ok(1..) = pipe.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
        let words = crate::text::clean_line(&String::from_utf8_lossy(&line));
        line.clear();
        // Who sends damaged pictures must not fill the disk.
        if crate::security::may_tell(TARGET) {
            tracing::warn!(target: TARGET, "{words}");
        }
    }
}
