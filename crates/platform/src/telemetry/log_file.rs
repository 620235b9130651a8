//! The log in files, one for each day.

use std::error::Error as _;
use std::io::Write;
use std::path::Path;
use tracing_appender::rolling::{RollingFileAppender, Rotation};

/// Number of files that are kept, today's included.
const MAX_FILES: usize = 30;

/// Opens today's file of a log; `None` for an empty path. The date is inserted before the extension.
pub(super) fn open(path: &Path) -> Result<Option<Box<dyn Write + Send>>, String> {
    if path.as_os_str().is_empty() {
        return Ok(None);
    }
    let shown = path.display();
    let no_file = || format!("KITH_LOG_FILE: {shown} is not the path of a file.");
    if path.is_dir() {
        return Err(no_file());
    }
    let stem = path.file_stem().and_then(|stem| stem.to_str()).ok_or_else(no_file)?;
    let mut builder = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix(stem)
        .max_log_files(MAX_FILES);
    if let Some(extension) = path.extension().and_then(|extension| extension.to_str()) {
        builder = builder.filename_suffix(extension);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let appender = builder.build(folder.unwrap_or_else(|| Path::new("."))).map_err(|error| {
        let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
        format!("KITH_LOG_FILE: {shown} cannot be written{cause}.")
    })?;
    Ok(Some(Box::new(appender)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: log-file
    #[test]
    fn each_day_has_its_own_file() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = open(&folder.path().join("logs/kith.log")).unwrap().unwrap();
        log.write_all(b"line\n").unwrap();
        log.flush().unwrap();
        let entries = std::fs::read_dir(folder.path().join("logs")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let names = names.collect::<Vec<_>>();
        let is_dated =
            |name: &str| name.starts_with("kith.20") && name.strip_suffix(".log").is_some();
        assert!(names.len() == 1 && is_dated(&names[0]), "{names:?}");
        // An append, so that a restart keeps the lines of the day.
        drop(log);
        drop(open(&folder.path().join("logs/kith.log")).unwrap());
        let written = std::fs::read_to_string(folder.path().join("logs").join(&names[0]));
        assert_eq!(written.unwrap(), "line\n");
    }

    #[test]
    fn a_path_that_cannot_be_written_is_an_error() {
        assert!(open(Path::new("")).unwrap().is_none());
        for path in ["/", "/dev/null/kith.log", "."] {
            let error = open(Path::new(path)).err().unwrap();
            assert!(error.starts_with("KITH_LOG_FILE: "), "{error}");
        }
    }
}
