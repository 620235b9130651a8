//! Printing to standard output. `println!` would panic on a closed pipe, as with `| head -1`, or on a full disk.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};

/// Prints a line on standard output. Ignores a closed pipe; other errors are returned as a sentence.
pub fn print_stdout(text: Arguments<'_>) -> Result<(), String> {
    write_line(&mut std::io::stdout().lock(), text)
}

/// Prints a line on standard error. Ignores errors, because no other output could report them.
pub fn print_stderr(text: Arguments<'_>) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Overwrites the current line of standard error, for progress bars.
pub fn redraw_line(text: Arguments<'_>) {
    let mut err = std::io::stderr().lock();
    let _ = write!(err, "\r{text}\u{1b}[K").and_then(|()| err.flush());
}

fn write_line(out: &mut impl Write, text: Arguments<'_>) -> Result<(), String> {
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("Output cannot be written: {error}."))
        }
        _ => Ok(()),
    }
}

/// Prints a line on standard output like `println!`, but returns errors as [`print_stdout`] does.
#[macro_export]
macro_rules! print_line {
    ($($part:tt)*) => { $crate::output::print_stdout(format_args!($($part)*)) };
}
pub use crate::print_line;

#[cfg(test)]
mod tests {
    use super::write_line;
    use std::io::{Error, ErrorKind, Write};

    struct FailingWriter(ErrorKind);

    impl Write for FailingWriter {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(Error::from(self.0))
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// proves: operate-closed-pipe
    #[test]
    fn a_closed_pipe_is_not_an_error() {
        let mut closed = FailingWriter(ErrorKind::BrokenPipe);
        assert_eq!(write_line(&mut closed, format_args!("ada")), Ok(()));
        let full = write_line(&mut FailingWriter(ErrorKind::StorageFull), format_args!("ada"));
        assert!(full.is_err_and(|error| error.starts_with("Output cannot be written")));
        let mut written = Vec::new();
        assert_eq!(write_line(&mut written, format_args!("{}", "ada")), Ok(()));
        assert_eq!(written, b"ada\n");
    }
}
