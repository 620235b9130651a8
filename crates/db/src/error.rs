//! What can go wrong below a feature.

use rusqlite::ErrorCode;
use tokio_postgres::error::SqlState;

/// The result of everything in this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A failure of the database itself; never a member's mistake.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The storage cannot serve now (full disk, lost server, too many waiting); trying later may work.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// A write met another one that waited for it. It did nothing and is run again: by itself it is no failure.
    #[error("two writes were in each other's way: {0}")]
    Contended(String),
    /// A statement was refused: a defect in the program.
    #[error("a statement failed: {0}")]
    Statement(String),
    /// A column held another type than the reader asked for.
    #[error("a column could not be read: {0}")]
    Decode(String),
    /// The schema on disk does not fit this program.
    #[error("{0}")]
    Schema(String),
}

/// A query returned no row although it always has one.
pub(crate) fn no_row() -> Error {
    Error::Decode("the query answered no row".into())
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        let code = error.sqlite_error_code();
        let text = error.to_string();
        match code {
            Some(
                ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
                | ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::CannotOpen
                | ErrorCode::ReadOnly
                | ErrorCode::OutOfMemory
                | ErrorCode::FileLockingProtocolFailed,
            ) => Self::Unavailable(text),
            None if !matches!(error, rusqlite::Error::SqlInputError { .. }) => Self::Decode(text),
            _ => Self::Statement(text),
        }
    }
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        // `Display` of the driver hides the server's sentence; the log needs it.
        let text = match error.as_db_error() {
            Some(db) => format!("{} ({})", db.message(), db.code().code()),
            None => causes(&error),
        };
        match error.code() {
            Some(code) if !is_outage(code) => Self::Statement(text),
            _ => Self::Unavailable(text),
        }
    }
}

impl Error {
    /// What went wrong inside a write, which may only have met another one.
    pub(crate) fn of_write(error: tokio_postgres::Error) -> Self {
        // The second is of a statement that travelled behind the one that failed.
        let is_contended =
            |code: &SqlState| is_retryable(code) || *code == SqlState::IN_FAILED_SQL_TRANSACTION;
        let is_contended = error.code().is_some_and(is_contended);
        match error.into() {
            Self::Unavailable(text) | Self::Statement(text) if is_contended => {
                Self::Contended(text)
            }
            other => other,
        }
    }
}

impl From<deadpool_postgres::PoolError> for Error {
    fn from(error: deadpool_postgres::PoolError) -> Self {
        Self::Unavailable(causes(&error))
    }
}

/// An error with what caused it: by themselves many only say what they were about.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        next = cause.source();
    }
    text
}

/// Connection (08), resources (53), operator (57), a write on a standby, and the two that retries did not fix.
fn is_outage(code: &SqlState) -> bool {
    matches!(&code.code()[..2], "08" | "53" | "57")
        || *code == SqlState::READ_ONLY_SQL_TRANSACTION
        || is_retryable(code)
}

/// Serialization failures and deadlocks: the transaction did nothing and may simply run again.
pub(crate) fn is_retryable(code: &SqlState) -> bool {
    *code == SqlState::T_R_SERIALIZATION_FAILURE || *code == SqlState::T_R_DEADLOCK_DETECTED
}
