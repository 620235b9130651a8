//! Lines of the log, on their way to standard error. A thread of their own writes them: who has something to
//! tell neither waits for whoever reads, nor fails where nobody can.

use super::stderr::Real;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Lines that wait at most, and their bytes. More are dropped.
const MOST: usize = 8_192;
const MOST_BYTES: usize = 4 * 1_024 * 1_024;

/// How long the end of a process waits for its last lines.
const LAST: Duration = Duration::from_secs(2);
/// The same for a panic, which need not be the end.
const PANIC: Duration = Duration::from_millis(500);

const DROPPED: &str = "kith_log_lines_dropped_total";

/// The lines of this process.
static LINES: Lines = Lines::new();
/// What a server prints on standard output while it serves.
static PRINTED: Lines = Lines::new();

/// Starts the threads.
pub(super) fn start() -> io::Result<()> {
    let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
    thread("log").spawn(|| write(&LINES, || Real))?;
    thread("print").spawn(|| write(&PRINTED, io::stdout))?;
    Ok(())
}

fn write<Out: Write>(lines: &Lines, out: fn() -> Out) {
    loop {
        if lines.write_next(&mut out()).is_err() {
            drop_one();
        }
    }
}

/// Prints a line on standard output, which nobody may be reading: for what is written elsewhere, too.
pub fn print(line: &str) {
    if !PRINTED.add(line.as_bytes()) {
        drop_one();
    }
}

/// Waits until the lines so far were written, for a process that is about to end. False when nobody reads the log.
pub fn flush() -> bool {
    PRINTED.flush(LAST);
    LINES.flush(LAST)
}

/// The same, for a panic.
pub(super) fn flush_panic() {
    LINES.flush(PANIC);
}

pub(super) fn describe() {
    metrics::describe_counter!(
        DROPPED,
        "Lines of the log that could not be written, or waited with too many"
    );
    metrics::counter!(DROPPED).absolute(0);
}

fn drop_one() {
    metrics::counter!(DROPPED).increment(1);
}

/// Where the log is written: each time it writes, that is one line.
#[derive(Debug)]
pub(super) struct Line;

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !LINES.add(bytes) {
            drop_one();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Lines that wait to be written.
#[derive(Debug)]
struct Lines {
    queue: Mutex<Queue>,
    /// One came.
    added: Condvar,
    /// One was written, or could not be.
    done: Condvar,
}

#[derive(Debug)]
struct Queue {
    waiting: VecDeque<Box<[u8]>>,
    /// Of those that wait.
    bytes: usize,
    /// How many were ever taken in.
    added: u64,
    /// How many of these are done with.
    done: u64,
}

impl Lines {
    const fn new() -> Self {
        Self {
            queue: Mutex::new(Queue {
                waiting: VecDeque::new(),
                bytes: 0,
                added: 0,
                done: 0,
            }),
            added: Condvar::new(),
            done: Condvar::new(),
        }
    }

    /// Takes a line in; false when too much waits already.
    fn add(&self, line: &[u8]) -> bool {
        let mut queue = self.queue.lock();
        if queue.waiting.len() >= MOST || queue.bytes + line.len() > MOST_BYTES {
            return false;
        }
        queue.bytes += line.len();
        queue.added += 1;
        queue.waiting.push_back(line.into());
        drop(queue);
        self.added.notify_one();
        true
    }

    /// Waits for a line, and writes it.
    fn write_next(&self, out: &mut impl Write) -> io::Result<()> {
        let mut queue = self.queue.lock();
        let line = loop {
            match queue.waiting.pop_front() {
                Some(line) => break line,
                None => self.added.wait(&mut queue),
            }
        };
        queue.bytes -= line.len();
        drop(queue);
        let written = out.write_all(&line);
        self.queue.lock().done += 1;
        self.done.notify_all();
        written
    }

    /// Waits until the lines so far are done with, but no longer than that; whether they are.
    fn flush(&self, patience: Duration) -> bool {
        let end = Instant::now() + patience;
        let mut queue = self.queue.lock();
        let last = queue.added;
        while queue.done < last {
            if self.done.wait_until(&mut queue, end).timed_out() {
                return queue.done >= last;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: log-unread
    #[test]
    fn what_nobody_reads_is_dropped_and_nobody_waits_for_it() {
        let lines = Lines::new();
        let taken = (0..MOST + 7).filter(|_| lines.add(b"one\n")).count();
        assert_eq!(taken, MOST);
        assert!(!lines.flush(Duration::ZERO));
        let mut read = Vec::new();
        for _ in 0..MOST {
            assert!(lines.write_next(&mut read).is_ok());
        }
        assert_eq!(read.len(), MOST * 4);
        assert!(lines.flush(Duration::ZERO));
        let long = vec![b'x'; MOST_BYTES / 2];
        let taken = [&long[..], &long, b"\n"].map(|line| lines.add(line));
        assert_eq!(taken, [true, true, false]);
    }

    /// proves: log-unwritten
    #[test]
    fn a_line_that_cannot_be_written_is_done_with() {
        let lines = Lines::new();
        assert!(lines.add(b"one\n"));
        let mut full: &mut [u8] = &mut [0; 3];
        assert!(lines.write_next(&mut full).is_err());
        assert!(lines.flush(Duration::ZERO));
    }
}
