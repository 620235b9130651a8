//! Non-blocking writers of the log and standard output, so that a slow consumer never blocks requests.

use parking_lot::Mutex;
use std::io::{self, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tracing_appender::non_blocking::{NonBlocking, NonBlockingBuilder, WorkerGuard};

/// Capacity of the buffer in lines. Further lines are dropped.
const MAX_LINES: usize = 8_192;
/// Maximum wait for the last lines when the process ends.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

const DROPPED: &str = "kith_log_lines_dropped_total";

/// Writers of the log, of standard output, and of standard error; the first and the last are usually the same.
static OUTPUTS: OnceLock<[NonBlocking; 3]> = OnceLock::new();
/// Guards of the writer threads, which end when their guards are dropped.
static GUARDS: Mutex<Vec<WorkerGuard>> = Mutex::new(Vec::new());
/// Number of lines that could not be written.
static FAILED: AtomicU64 = AtomicU64::new(0);

/// Starts the writer threads, unless they run, and returns the writer of the log: the file if there is one, else
/// standard error.
pub(super) fn start(file: Option<Box<dyn Write + Send>>) -> NonBlocking {
    let start = |name: &str, out: Box<dyn Write + Send>| {
        let builder = NonBlockingBuilder::default().thread_name(name);
        let builder = builder.buffered_lines_limit(MAX_LINES);
        let (output, guard) = builder.finish(CountingWriter(out));
        GUARDS.lock().push(guard);
        output
    };
    let outputs = OUTPUTS.get_or_init(|| {
        let errors = start("errors", Box::new(io::stderr()));
        let log = file.map_or_else(|| errors.clone(), |file| start("log", file));
        [log, start("print", Box::new(io::stdout())), errors]
    });
    outputs[0].clone()
}

/// Counts lines that cannot be written, and reports no error to its thread.
struct CountingWriter(Box<dyn Write + Send>);

impl Write for CountingWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.0.write_all(line).and_then(|()| self.0.flush()).is_err() {
            FAILED.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Prints a line on standard output without blocking.
pub fn print(line: &str) {
    if let Some([_, printed, _]) = OUTPUTS.get() {
        // Never fails: dropped lines are counted.
        let _ = printed.clone().write_all(line.as_bytes());
    }
}

/// Prints a line on standard error without blocking.
pub fn eprint(line: &str) {
    let _ = match OUTPUTS.get() {
        Some([.., errors]) => errors.clone().write_all(line.as_bytes()),
        None => io::stderr().write_all(line.as_bytes()),
    };
}

/// Flushes the buffered lines before the process ends, for at most two seconds. Later lines are dropped.
pub fn flush() {
    let guards = std::mem::take(&mut *GUARDS.lock());
    // A guard that cannot end its thread prints to standard output, which can block, too.
    let (ended, end) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        drop(guards);
        ended.send(())
    });
    let _ = end.recv_timeout(FLUSH_TIMEOUT);
}

pub(super) fn describe() {
    metrics::describe_counter!(
        DROPPED,
        "Lines of the log that could not be written, or waited with too many"
    );
    measure();
}

/// Publishes the number of lost lines as a metric.
pub fn measure() {
    // Clones of a writer have the same counter; lines to standard error that a file replaces are few.
    let outputs = OUTPUTS.get().into_iter().flat_map(|outputs| &outputs[..2]);
    let dropped: usize = outputs.map(|output| output.error_counter().dropped_lines()).sum();
    let lost = FAILED.load(Ordering::Relaxed) + dropped as u64;
    metrics::counter!(DROPPED).absolute(lost);
}
