//! Errors of this crate.

use rusqlite::ErrorCode;
use tokio_postgres::error::SqlState;

/// Result with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A failure of the database itself, never of a member's input.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database cannot serve now (full disk, lost server, full queue); a later attempt may succeed.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// A serialization failure or deadlock. The write changed nothing and runs again, so the error alone is no fault.
    #[error("a write conflicted with a concurrent one: {0}")]
    Contended(String),
    /// A statement failed: a defect in the program.
    #[error("a statement failed: {0}")]
    Statement(String),
    /// A column has another type than the caller reads.
    #[error("a column could not be read: {0}")]
    Decode(String),
    /// The schema does not fit this program.
    #[error("{0}")]
    Schema(String),
}

/// Error of a query that always has a row and returned none.
pub(crate) fn no_row() -> Error {
    Error::Decode("the query returned no row".into())
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
        // The driver's `Display` omits the server's message.
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
    /// Converts the error of a statement inside a write: [`Error::Contended`] if the write may run again.
    pub(crate) fn from_write(error: tokio_postgres::Error) -> Self {
        // Pipelined statements behind the failed one fail with this code.
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

/// Joins an error and its causes, because many errors name only their context.
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

/// Connection (08), resources (53), operator (57), writes on a standby, and conflicts that outlasted the retries.
fn is_outage(code: &SqlState) -> bool {
    matches!(&code.code()[..2], "08" | "53" | "57")
        || *code == SqlState::READ_ONLY_SQL_TRANSACTION
        || is_retryable(code)
}

/// Serialization failure or deadlock: the transaction changed nothing and may run again.
pub(crate) fn is_retryable(code: &SqlState) -> bool {
    *code == SqlState::T_R_SERIALIZATION_FAILURE || *code == SqlState::T_R_DEADLOCK_DETECTED
}
