//! A database per test, copied from a migrated template, and a prefix in an S3 bucket.

use kith::platform::migrations::MIGRATIONS;
use kith_db::{Config, Db};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio::sync::{Mutex, OnceCell};

static TEMPLATE: OnceCell<String> = OnceCell::const_new();
/// Serializes copies: the template must not be in use while it is copied.
static COPYING: Mutex<()> = Mutex::const_new(());
static NEXT: AtomicU32 = AtomicU32::new(0);

/// Creates a migrated SQLite database at `file`.
pub(crate) async fn create_sqlite(file: &Path) {
    static TEMPLATE: OnceCell<Vec<u8>> = OnceCell::const_new();
    let template = TEMPLATE.get_or_init(|| async {
        let folder = tempfile::tempdir().unwrap();
        let template = folder.path().join("template.db");
        Db::open(&Config::sqlite(&template), MIGRATIONS).await.unwrap().close().await;
        std::fs::read(template).unwrap()
    });
    std::fs::write(file, template.await).unwrap();
}

/// Returns the URL of a fresh, migrated database.
pub(crate) async fn postgres_url() -> String {
    copy_of_postgres(TEMPLATE.get_or_init(make_template).await).await
}

/// Copies the database at `url` and returns the copy's URL. The source must have no connections.
pub(crate) async fn copy_of_postgres(url: &str) -> String {
    let (_, template) = url.rsplit_once('/').unwrap();
    let name = format!("kith_test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let _one = COPYING.lock().await;
    run_on_postgres(&format!("create database {name} template {template} strategy file_copy"))
        .await;
    url_of(&name)
}

/// Returns the URL of an empty database.
pub(crate) async fn empty_postgres_url(name: &str) -> String {
    let name = format!("kith_{name}_{}", std::process::id());
    run_on_postgres(&format!("create database {name}")).await;
    url_of(&name)
}

async fn make_template() -> String {
    let url = empty_postgres_url("template").await;
    Db::open(&Config::postgres(&url), MIGRATIONS).await.unwrap().close().await;
    url
}

fn cluster() -> String {
    std::env::var("KITH_TEST_POSTGRES").unwrap_or_else(|_| {
        panic!("KITH_TEST_POSTGRES is not set: run `cargo xtask test`, or `cargo xtask pg -- cargo test`")
    })
}

fn url_of(database: &str) -> String {
    let cluster = cluster();
    let (server, _) = cluster.rsplit_once('/').unwrap();
    format!("{server}/{database}")
}

/// Returns a bucket URL with a prefix that no other test uses.
pub(crate) fn bucket_url() -> String {
    let bucket = std::env::var("KITH_TEST_S3").unwrap_or_else(|_| {
        panic!("KITH_TEST_S3 is not set: run `cargo xtask test`, or `cargo xtask s3 -- cargo xtask pg -- cargo test`")
    });
    let (bucket, query) = bucket.split_once('?').unwrap();
    let prefix = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{bucket}/test-{}-{prefix}?{query}", std::process::id())
}

/// Runs a statement on the cluster outside any test database, such as `create database`.
pub(crate) async fn run_on_postgres(sql: &str) {
    let (client, connection) =
        tokio_postgres::connect(&cluster(), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute(sql).await.unwrap();
}
