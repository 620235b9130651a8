//! A PostgreSQL server on which runs have databases of their own.

use anyhow::{Context as _, Result};
use tokio_postgres::{Client, NoTls};

/// Connects to a database.
pub async fn connect(url: &str) -> Result<Client> {
    let connected = tokio_postgres::connect(url, NoTls).await;
    let (client, connection) = connected.context("PostgreSQL does not answer")?;
    // It ends with the client; what goes wrong before is the client's error, too.
    tokio::spawn(connection);
    Ok(client)
}

/// Makes an empty database on the server of `cluster` in place of any of that name, and answers its
/// address. Without a server, an empty `cluster`, there is nothing to make and no address.
pub async fn recreate_database(cluster: &str, name: &str) -> Result<String> {
    create_database(cluster, name, "").await
}

/// The same, with everything that is in another database there, to which nobody may be connected.
pub async fn clone_database(cluster: &str, of: &str, name: &str) -> Result<String> {
    create_database(cluster, name, &format!("template {of} strategy file_copy")).await
}

async fn create_database(cluster: &str, name: &str, how: &str) -> Result<String> {
    if cluster.is_empty() {
        return Ok(String::new());
    }
    let client = connect(cluster).await?;
    let dropped = format!("drop database if exists {name} with (force)");
    client.batch_execute(&dropped).await?;
    client
        .batch_execute(&format!("create database {name} {how}"))
        .await?;
    let (server, _) = cluster
        .rsplit_once('/')
        .context("the server's address names no database")?;
    Ok(format!("{server}/{name}"))
}
