//! `kith move`: a network goes from SQLite to PostgreSQL and back.

use crate::demo::{UNTIL, check_consistency, content, make, store};
use crate::harness::postgres_url;
use kith::ops::backup::ProgressReporter;
use kith::ops::move_network::{MoveReport, MoveTarget, move_network};
use kith::platform::clock::Clock;
use kith::platform::config::{DatabaseArgs, Settings};
use kith::state::AppState;

async fn move_to(store: &DatabaseArgs, target: &str) -> Result<MoveReport, String> {
    let target = target.parse::<MoveTarget>().unwrap();
    move_network(store, "", &target, &mut ProgressReporter::start(false)).await
}

/// Starts a server, which stores the key's fingerprint and takes locks.
async fn serve(store: &DatabaseArgs) -> AppState {
    let settings = Settings::for_command(store.clone());
    AppState::open(settings, Clock::manual(UNTIL), 0).await.unwrap()
}

/// proves: move-whole, move-verified
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_network_moves_to_postgres_and_back_whole() {
    let folder = tempfile::tempdir().unwrap();
    let on_sqlite = store(&folder, "");
    make(&on_sqlite, 1).await.unwrap();
    serve(&on_sqlite).await.db.close().await;
    let mut before = content(folder.path()).await;
    let url = postgres_url().await;
    let on_postgres = store(&folder, &url);

    let moved = move_to(&on_sqlite, &url).await.unwrap();
    assert!(moved.rows > 5_000 && moved.media.images > 40, "{moved:?}");
    assert!(moved.media.missing.is_empty() && moved.wrong_counts.is_empty(), "{moved:?}");
    assert!(!on_sqlite.database_file().exists(), "no server serves the old database");
    assert_eq!(moved.kept, Some(folder.path().join("kith.db.moved")));
    check_consistency(on_postgres.clone()).await;

    let back = move_to(&on_postgres, "sqlite").await.unwrap();
    assert!(back.rows >= moved.rows, "{back:?}");
    let mut after = content(folder.path()).await;
    before.sort_unstable();
    after.sort_unstable();
    assert!(before == after, "every row and image");
    check_consistency(on_sqlite).await;
}

/// proves: move-in-use
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_network_in_use_or_a_full_target_is_not_moved() {
    let folder = tempfile::tempdir().unwrap();
    let on_sqlite = store(&folder, "");
    make(&on_sqlite, 4).await.unwrap();
    let (full, empty) = (postgres_url().await, postgres_url().await);
    let elsewhere = tempfile::tempdir().unwrap();
    let other = store(&elsewhere, &full);
    make(&other, 5).await.unwrap();

    let error = move_to(&on_sqlite, &full).await.unwrap_err();
    assert!(error.contains("the target is not empty"), "{error}");
    let server = serve(&on_sqlite).await;
    let error = move_to(&on_sqlite, &empty).await.unwrap_err();
    assert!(error.contains("stop it first"), "{error}");
    server.db.close().await;
    drop(server);

    let server = serve(&other).await;
    let error = move_to(&other, "sqlite").await.unwrap_err();
    assert!(error.contains("stop all servers first"), "{error}");
    assert!(!other.database_file().exists());
    server.db.close().await;
    let error = move_to(&on_sqlite, "sqlite").await.unwrap_err();
    assert!(error.contains("on SQLite already"), "{error}");

    // Nothing was lost or half done.
    check_consistency(on_sqlite.clone()).await;
    move_to(&on_sqlite, &empty).await.unwrap();
}

/// A server that is started without `KITH_DATABASE_URL` does not begin a second network.
/// proves: operate-engine
#[tokio::test]
async fn a_key_without_its_database_starts_no_network() {
    let folder = tempfile::tempdir().unwrap();
    serve(&store(&folder, &postgres_url().await)).await.db.close().await;
    let on_sqlite = store(&folder, "");
    let started = AppState::open(Settings::for_command(on_sqlite.clone()), Clock::system(), 0);
    let error = started.await.unwrap_err();
    assert!(error.contains("set KITH_DATABASE_URL"), "{error}");
    assert!(!on_sqlite.database_file().exists());
}
