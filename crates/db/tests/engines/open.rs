//! Opening a database: migrations run once, unsuitable schemas are errors.

use crate::support::{SCHEMA, postgres_url};
use kith_db::{Config, Db, Error, Migration};

const ADDITIVE: Migration = Migration {
    version: 2,
    name: "0002_notes",
    sql: "-- additive\ncreate table notes (id bigint);\n",
};

const NEXT: Migration =
    Migration { version: 2, name: "0002_note", sql: "alter table ledger add column note text;\n" };

async fn checks_migrations(config: Config) {
    Db::open(&config, SCHEMA).await.unwrap().close().await;
    Db::open(&config, SCHEMA).await.unwrap().close().await;
    let both = [SCHEMA[0], NEXT];
    Db::open(&config, &both).await.unwrap().close().await;
    let older = Db::open(&config, SCHEMA).await;
    assert!(matches!(older, Err(Error::Schema(reason)) if reason.contains("newer")));
    let changed = [Migration { sql: "create table other (id bigint);", ..SCHEMA[0] }, NEXT];
    let changed = Db::open(&config, &changed).await;
    assert!(matches!(changed, Err(Error::Schema(reason)) if reason.contains("differs")));
    let broken = [
        SCHEMA[0],
        NEXT,
        Migration {
            version: 3,
            name: "0003_broken",
            sql: "create table half (id bigint);\nnonsense;\n",
        },
    ];
    assert!(Db::open(&config, &broken).await.is_err());
    let half = kith_db::sql!("select id from half");
    assert!(
        Db::open(&config, &both).await.unwrap().prepare(&half).await.is_err(),
        "a failed migration leaves nothing"
    );
}

#[tokio::test]
async fn sqlite() {
    let folder = tempfile::tempdir().unwrap();
    checks_migrations(Config::sqlite(folder.path().join("test.db"))).await;
}

async fn rejects_a_missing_migration(config: Config) {
    let running = Db::open(&config, SCHEMA).await.unwrap();
    let newer = Db::open_as_is(&config, &[SCHEMA[0], NEXT]).await;
    assert!(matches!(newer, Err(Error::Schema(reason)) if reason.contains("0002_note")));
    Db::open_as_is(&config, SCHEMA).await.unwrap();
    running.close().await;
}

#[tokio::test]
async fn a_file_in_use_is_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    rejects_a_missing_migration(Config::sqlite(folder.path().join("test.db"))).await;
}

#[tokio::test]
async fn a_postgres_database_in_use_is_not_changed() {
    let config = Config::postgres(postgres_url().await);
    let empty = Db::open_as_is(&config, SCHEMA).await.unwrap();
    empty.close().await;
    rejects_a_missing_migration(config).await;
}

#[tokio::test]
async fn postgres() {
    checks_migrations(Config::postgres(postgres_url().await)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_start_concurrently_migrate_once() {
    let config = Config::postgres(postgres_url().await);
    let starts = (0..8).map(|_| {
        let config = config.clone();
        tokio::spawn(async move { Db::open(&config, SCHEMA).await.map(drop) })
    });
    for start in starts.collect::<Vec<_>>() {
        start.await.unwrap().unwrap();
    }
}

/// An earlier version may start beside, and after, one that added tables.
async fn accepts_an_additive_schema(config: Config) {
    Db::open(&config, &[SCHEMA[0], ADDITIVE]).await.unwrap().close().await;
    Db::open(&config, SCHEMA).await.unwrap().close().await;
    Db::open_as_is(&config, SCHEMA).await.unwrap().close().await;
}

/// proves: upgrade-rolling
#[tokio::test]
async fn sqlite_accepts_an_additive_schema() {
    let folder = tempfile::tempdir().unwrap();
    accepts_an_additive_schema(Config::sqlite(folder.path().join("test.db"))).await;
}

/// proves: upgrade-rolling
#[tokio::test]
async fn postgres_accepts_an_additive_schema() {
    accepts_an_additive_schema(Config::postgres(postgres_url().await)).await;
}

/// proves: upgrade-rolling
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_breaking_migration_waits_until_other_servers_have_stopped() {
    let config = Config::postgres(postgres_url().await);
    let running = Db::open(&config, SCHEMA).await.unwrap();
    let _freshness = running.subscribe(&[], Box::new(|_| ())).await.unwrap();
    let additive = [SCHEMA[0], ADDITIVE];
    Db::open(&config, &additive).await.unwrap().close().await;
    let breaking = [SCHEMA[0], ADDITIVE, Migration { version: 3, ..NEXT }];
    let started = Db::open(&config, &breaking).await;
    assert!(matches!(started, Err(Error::Schema(reason)) if reason.contains("stop all of them")));
    running.close().await;
    drop(running);
    for _ in 0..100 {
        if Db::open(&config, &breaking).await.is_ok() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the connection of the stopped server is still open");
}

#[tokio::test]
async fn a_missing_folder_is_unavailable() {
    let error = Db::open(&Config::sqlite("/nonexistent/kith.db"), SCHEMA).await.unwrap_err();
    assert!(matches!(error, Error::Unavailable(_)), "{error}");
}
