//! Printing to standard output. `println!` would panic on a closed pipe, as with `| head -1`, or on a full disk.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};

/// Prints a line on standard output.
///
/// # Errors
/// A sentence if it cannot be written. That nobody reads any more is none: they have what they wanted.
pub fn line(text: Arguments<'_>) -> Result<(), String> {
    write(&mut std::io::stdout().lock(), text)
}

/// Prints a line on standard error, if that can be.
pub fn aside(text: Arguments<'_>) {
    // There is no other place where one could say that it cannot.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Writes over the line of standard error that the cursor is in.
pub fn redraw(text: Arguments<'_>) {
    let mut err = std::io::stderr().lock();
    let _ = write!(err, "\r{text}\u{1b}[K").and_then(|()| err.flush());
}

fn write(out: &mut impl Write, text: Arguments<'_>) -> Result<(), String> {
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("Output cannot be written: {error}."))
        }
        _ => Ok(()),
    }
}

/// [`line`], as `println!` takes its parts.
macro_rules! say {
    ($($part:tt)*) => { $crate::platform::output::line(format_args!($($part)*)) };
}
pub(crate) use say;

#[cfg(test)]
mod tests {
    use super::write;
    use std::io::{Error, ErrorKind, Write};

    struct Refusing(ErrorKind);

    impl Write for Refusing {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(Error::from(self.0))
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// proves: operate-closed-pipe
    #[test]
    fn a_reader_who_has_gone_is_no_error() {
        let mut gone = Refusing(ErrorKind::BrokenPipe);
        assert_eq!(write(&mut gone, format_args!("ada")), Ok(()));
        let full = write(&mut Refusing(ErrorKind::StorageFull), format_args!("ada"));
        assert!(full.is_err_and(|error| error.starts_with("Output cannot be written")));
        let mut read = Vec::new();
        assert_eq!(write(&mut read, format_args!("{}", "ada")), Ok(()));
        assert_eq!(read, b"ada\n");
    }
}
