//! Time limits of everything that waits for PostgreSQL.

use crate::{Error, Result};
use std::future::Future;
use std::time::Duration;
use tokio::time::timeout;

/// How long a request waits for a free connection, and each server may take for a new one.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// What a call that was given up left running ends by itself; no statement needs a part of this.
pub(crate) const ENDING: &str = "set statement_timeout = '1min'";
/// What a server that is well has ended by then.
pub(crate) const LONGEST: Duration = Duration::from_secs(75);
/// A migration takes as long as it takes.
pub(crate) const ENDLESS: &str = "set statement_timeout = 0";

/// An answer unless the server hangs: the connection of a frozen machine looks well. A given up read must close it.
pub(crate) async fn bounded<T>(answer: impl Future<Output = T>) -> Result<T> {
    let answer = timeout(LONGEST, answer).await;
    answer.map_err(|_| Error::Unavailable("the server is silent".into()))
}
