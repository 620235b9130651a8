//! Time limits of everything that waits for PostgreSQL.

use crate::{Error, Result};
use std::future::Future;
use std::time::Duration;
use tokio::time::timeout;

/// Limit for a free connection, for a new connection to one host, and for a write permit.
pub(crate) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// Ends statements that a cancelled request left running; regular ones need a fraction of this.
pub(crate) const STATEMENT_TIMEOUT: &str = "set statement_timeout = '1min'";
/// Limit for a response: a healthy server has ended the statement by then.
pub(crate) const RESPONSE_TIMEOUT: Duration = Duration::from_secs(75);
/// Migrations have no time limit.
pub(crate) const NO_STATEMENT_TIMEOUT: &str = "set statement_timeout = 0";

/// Awaits a response and fails if the server hangs: a frozen machine keeps its connections open. The caller must
/// close the connection of a failed read.
pub(crate) async fn with_response_timeout<T>(response: impl Future<Output = T>) -> Result<T> {
    let response = timeout(RESPONSE_TIMEOUT, response).await;
    response.map_err(|_| Error::Unavailable("the server does not respond".into()))
}
