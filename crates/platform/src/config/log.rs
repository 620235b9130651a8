//! Settings of the log.

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser as _};
use std::path::PathBuf;

const DEFAULT_FILTER: &str = "info";

/// Settings of the server's log.
#[derive(Debug, Clone, Args)]
pub struct LogSettings {
    /// Log filter, such as `warn` or `kith=debug`.
    #[arg(long = "log", env = "KITH_LOG", value_name = "FILTER", default_value = DEFAULT_FILTER)]
    pub filter: String,
    /// Format of the log [default: text if it is printed to a terminal, else json].
    #[arg(long = "log-format", env = "KITH_LOG_FORMAT", value_name = "FORMAT")]
    pub format: Option<LogFormat>,
    /// File of the log; empty for standard error. Each day (UTC) has its own: for kith.log, kith.2026-03-01.log. The
    /// newest 30 are kept.
    #[arg(
        long = "log-file",
        env = "KITH_LOG_FILE",
        value_name = "FILE",
        default_value = "",
        value_parser = OsStringValueParser::new().map(PathBuf::from)
    )]
    pub file: PathBuf,
}

/// Format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// A JSON object in each line.
    Json,
}

impl LogSettings {
    /// Returns the settings of a command that is not the server: it logs to standard error, with the filter of the
    /// environment.
    #[must_use]
    pub fn for_command() -> Self {
        let filter = std::env::var("KITH_LOG").unwrap_or_else(|_| DEFAULT_FILTER.to_owned());
        Self { filter, format: None, file: PathBuf::new() }
    }
}
