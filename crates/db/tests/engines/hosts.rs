//! Several hosts in one URL, and session settings.

use crate::support::{Insert, SCHEMA, Then, count, postgres, postgres_url};
use kith_db::{Config, Db, Sql, sql};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const IDLE_TIMEOUT: Sql = sql!("select current_setting('idle_in_transaction_session_timeout')");

/// Listens on a port without ever responding, and counts connections.
fn unresponsive_host() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    std::thread::spawn(move || {
        let mut held = Vec::new();
        for stream in listener.incoming() {
            held.push(stream.unwrap());
            counted.fetch_add(1, Relaxed);
        }
    });
    (port, count)
}

/// A host without PostgreSQL may accept connections and never respond.
/// proves: db-silent-server
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unresponsive_host_is_skipped_once() {
    let (port, attempts) = unresponsive_host();
    let url = postgres_url().await;
    let (start, rest) = url.split_once('@').unwrap();
    let url = format!("{start}@127.0.0.1:{port},{rest}");
    let db = Db::open(&Config::postgres(url), SCHEMA).await.unwrap();
    let write = |id| {
        let then = Then::Sleep(20);
        db.write(Insert { id, then })
    };
    let written = futures_util::future::join_all((1..=6).map(write)).await;
    assert!(written.iter().all(Result::is_ok), "{written:?}");
    assert_eq!(count(&db).await, 6);
    assert_eq!(attempts.load(Relaxed), 1, "the responsive host is tried first");
}

/// proves: db-vanished
#[tokio::test]
async fn locks_of_a_vanished_process_are_released_soon() {
    let scratch = postgres().await;
    let timeout = scratch.db.one(&IDLE_TIMEOUT, &[], |row| row.text(0));
    assert_eq!(timeout.await.unwrap(), "15s");
}
