//! A server that accepts requests and never responds.

use crate::support::{COUNT, Insert, SCHEMA, Then, WriteError, count, postgres_url};
use kith_db::{Config, Db, Error};
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

/// Proxy in front of a server.
#[derive(Clone, Default)]
struct Relay {
    hangs: Arc<AtomicBool>,
    /// Accepted connections.
    count: Arc<AtomicUsize>,
}

impl Relay {
    /// Starts the proxy for the server of `url` and returns the URL of the proxy.
    fn before(&self, url: &str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (start, rest) = url.split_once('@').unwrap();
        let (server, database) = rest.split_once('/').unwrap();
        let (relay, server) = (self.clone(), server.to_owned());
        std::thread::spawn(move || {
            for client in listener.incoming() {
                relay.count.fetch_add(1, SeqCst);
                let (client, server) = (client.unwrap(), TcpStream::connect(&server).unwrap());
                let ways =
                    [(client.try_clone().unwrap(), server.try_clone().unwrap()), (server, client)];
                for (from, to) in ways {
                    let relay = relay.clone();
                    std::thread::spawn(move || relay.pass(from, to));
                }
            }
        });
        format!("{start}@127.0.0.1:{port}/{database}")
    }

    fn pass(&self, mut from: TcpStream, mut to: TcpStream) {
        let mut piece = [0; 4096];
        while let Ok(length @ 1..) = from.read(&mut piece) {
            while self.hangs.load(SeqCst) {
                std::thread::sleep(Duration::from_millis(5));
            }
            if to.write_all(&piece[..length]).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Both);
    }

    /// Awaits a request while the server hangs; paused time makes its timeout immediate.
    async fn while_it_hangs<T>(&self, request: impl Future<Output = T>) -> T {
        self.hangs.store(true, SeqCst);
        tokio::time::pause();
        let result = tokio::time::timeout(Duration::from_hours(1), request).await;
        tokio::time::resume();
        self.hangs.store(false, SeqCst);
        result.unwrap()
    }
}

/// proves: db-hung-server
#[tokio::test]
async fn requests_to_a_hung_server_time_out() {
    let relay = Relay::default();
    let config = Config::Postgres { url: relay.before(&postgres_url().await), pool_size: 1 };
    let db = Db::open(&config, SCHEMA).await.unwrap();
    let then = Then::Succeed;
    let written = relay.while_it_hangs(db.write(Insert { id: 1, then })).await;
    assert!(matches!(written, Err(WriteError::Database(Error::Unavailable(_)))));
    // The write kept the only connection until the server responded.
    assert_eq!(count(&db).await, 1);
    assert!(matches!(
        relay.while_it_hangs(db.one(&COUNT, &[], |row| row.int(0))).await,
        Err(Error::Unavailable(_))
    ));
    db.write(Insert { id: 2, then }).await.unwrap();
    assert_eq!(count(&db).await, 2);
    assert_eq!(relay.count.load(SeqCst), 2, "the read closed its connection");
}
