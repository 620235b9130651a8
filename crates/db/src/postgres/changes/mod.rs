//! Change feed between processes that share one PostgreSQL database: statements return the rows that
//! they change, transactions publish them in the table `changes`, and every process polls that table.

use crate::Result;
use tokio_postgres::Client;

mod encoding;
pub(crate) mod feed;
pub(crate) mod instrument;
pub(crate) mod subscriber;
pub(crate) mod transaction_changes;

/// `application_name` of the connection that polls, by which a running server is recognised.
pub(crate) const APPLICATION_NAME: &str = "kith changes";

/// Returns whether another process follows the change feed of the database.
pub(crate) async fn has_other_server(client: &Client) -> Result<bool> {
    let select = "select 1 from pg_stat_activity
        where datname = current_database() and application_name = $1 limit 1";
    Ok(client.query_opt(select, &[&APPLICATION_NAME]).await?.is_some())
}
