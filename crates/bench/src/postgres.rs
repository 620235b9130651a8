//! Databases on the PostgreSQL server of a run.

use anyhow::{Context as _, Result};
use tokio_postgres::{Client, NoTls};

/// Connects to a database without TLS.
pub async fn connect(url: &str) -> Result<Client> {
    let connected = tokio_postgres::connect(url, NoTls).await;
    let (client, connection) = connected.context("cannot connect to PostgreSQL")?;
    // The task ends with the client, which also returns its errors.
    tokio::spawn(connection);
    Ok(client)
}

/// Drops the database `name` on the server at URL `cluster`, creates it empty and returns its URL.
/// Returns an empty URL if `cluster` is empty, which means SQLite.
pub async fn recreate_database(cluster: &str, name: &str) -> Result<String> {
    create_database(cluster, name, "").await
}

/// Drops the database `name` and creates it as a copy of `of`, which must have no connections.
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
    client.batch_execute(&format!("create database {name} {how}")).await?;
    let (server, _) =
        cluster.rsplit_once('/').context("the URL of the server names no database")?;
    Ok(format!("{server}/{name}"))
}
