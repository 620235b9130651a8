//! Several servers in one address, and what each connection is told.

use crate::support::{Insert, SCHEMA, Then, count, postgres, postgres_url};
use kith_db::{Config, Db, Sql, sql};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const PATIENCE: Sql = sql!("select current_setting('idle_in_transaction_session_timeout')");

/// Takes connections and says nothing; counts them.
fn silent() -> (u16, Arc<AtomicUsize>) {
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

/// A machine that is there, while its PostgreSQL is not, takes connections without a word.
/// proves: db-silent-server
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_server_is_passed_over_once() {
    let (port, tried) = silent();
    let url = postgres_url().await;
    let (start, rest) = url.split_once('@').unwrap();
    let url = format!("{start}@127.0.0.1:{port},{rest}");
    let db = Db::open(&Config::postgres(url), SCHEMA).await.unwrap();
    let write = |id| {
        let then = Then::Dawdle(20);
        db.write(Insert { id, then })
    };
    let written = futures_util::future::join_all((1..=6).map(write)).await;
    assert!(written.iter().all(Result::is_ok), "{written:?}");
    assert_eq!(count(&db).await, 6);
    assert_eq!(
        tried.load(Relaxed),
        1,
        "the one that answered is asked first"
    );
}

/// proves: db-vanished
#[tokio::test]
async fn what_a_vanished_process_holds_is_let_go_soon() {
    let scratch = postgres().await;
    let patience = scratch.db.one(&PATIENCE, &[], |row| row.text(0));
    assert_eq!(patience.await.unwrap(), "15s");
}
