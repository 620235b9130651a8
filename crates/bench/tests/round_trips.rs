//! How often a call waits for PostgreSQL, counted on the wire.

use anyhow::{Context as _, Result, ensure};
use axum::body::Body;
use axum::extract::ConnectInfo;
use kith::app::App;
use kith::clock::Clock;
use kith::config::{Settings, Store, Switch};
use kith_bench::dataset::{self, Size};
use kith_bench::postgres;
use kith_bench::scenarios::{Scenario, ScenarioRun};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt as _;

/// Saturday, 21 November 2026.
const UNTIL: i64 = 1_795_253_400_000;
/// Calls of each path by one member, cold and then warm; the first ones open connections and prepare statements,
/// so the least counts.
const CALLS: u64 = 8;
/// How often a call waits once its statements are prepared: when nothing is remembered, and when all is that the
/// same member's call before it asked. Writes come first: time goes on, and who was away for an hour is noted.
const WAITS: [(Scenario, u64, u64); 11] = [
    (Scenario::CreatePost, 5, 2),
    (Scenario::Like, 7, 4),
    (Scenario::Follow, 5, 3),
    (Scenario::Friends, 10, 0),
    (Scenario::FriendsPage50, 16, 0),
    (Scenario::ForYou, 9, 0),
    (Scenario::Profile, 6, 0),
    (Scenario::Thread, 8, 0),
    (Scenario::Notifications, 5, 0),
    (Scenario::Search, 10, 5),
    (Scenario::Suggested, 6, 1),
];
/// How long the end of each answer is held back.
const HELD: Duration = Duration::from_millis(2);
/// The server's message that it is ready for more, with which each answer ends.
const READY: u8 = b'Z';
/// The application that follows what other processes change, beside all calls.
const FOLLOWER: &[u8] = b"kith changes";
/// Longer than anything is kept that is only kept for a while, such as who is near a reader.
const STALE: i64 = 61_000;

/// Round trips of a call over all connections. What is asked may depend on every answer that has come
/// before: it belongs to the trip after the latest of these. What is asked at once, over whichever
/// connections, shares a trip.
#[derive(Debug, Default)]
struct Trips {
    /// The latest trip of which an answer has come.
    answered: AtomicU64,
    /// The latest in which something was asked.
    asked: AtomicU64,
}

impl Trips {
    fn ask(&self) -> u64 {
        let trip = self.answered.load(SeqCst) + 1;
        self.asked.fetch_max(trip, SeqCst);
        trip
    }

    fn begin_anew(&self) {
        self.answered.store(0, SeqCst);
        self.asked.store(0, SeqCst);
    }
}

/// What happens on one connection.
struct Line {
    trips: Arc<Trips>,
    /// The trips of questions that were not answered yet; none of the follower's.
    waiting: Mutex<Option<VecDeque<u64>>>,
}

impl Line {
    /// A client asks until it sends one of these; the server says once for each that it is ready again.
    fn see(&self, is_client: bool, kind: u8) {
        let mut waiting = self.waiting.lock();
        match (waiting.as_mut(), is_client, kind) {
            (Some(waiting), true, b'S' | b'Q') => waiting.push_back(self.trips.ask()),
            (Some(waiting), false, READY) => {
                // It greets before anything is asked.
                let trip = waiting.pop_front().unwrap_or(0);
                self.trips.answered.fetch_max(trip, SeqCst);
            }
            _ => {}
        }
    }
}

/// Passes a connection on, in between message and message.
struct Wire {
    from: BufReader<OwnedReadHalf>,
    to: OwnedWriteHalf,
    line: Arc<Line>,
}

impl Wire {
    /// Passes message after message on, once it was seen; a client's first one has no kind.
    async fn pass(mut self, is_client: bool) -> Result<Infallible> {
        let mut has_kind = !is_client;
        loop {
            let mut message = Vec::new();
            if has_kind {
                message.push(self.from.read_u8().await?);
            }
            let length = self.from.read_u32().await?;
            let start = message.len() + 4;
            message.extend(length.to_be_bytes());
            message.resize(start + length as usize - 4, 0);
            self.from.read_exact(&mut message[start..]).await?;
            if !is_client && message[0] == READY {
                // What is asked at once has passed before the first of it is answered.
                tokio::time::sleep(HELD).await;
            }
            if has_kind {
                self.line.see(is_client, message[0]);
            } else if message.windows(FOLLOWER.len()).any(|part| part == FOLLOWER) {
                *self.line.waiting.lock() = None;
            }
            has_kind = true;
            self.to.write_all(&message).await?;
        }
    }
}

/// Listens before a server; answers where, and the round trips.
async fn counted(server: SocketAddr) -> Result<(SocketAddr, Arc<Trips>)> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let trips = Arc::new(Trips::default());
    let counter = trips.clone();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let server = TcpStream::connect(server).await?;
            // Message by message goes on at once.
            client.set_nodelay(true)?;
            server.set_nodelay(true)?;
            let (from_client, to_client) = client.into_split();
            let (from_server, to_server) = server.into_split();
            let line = Arc::new(Line {
                trips: counter.clone(),
                waiting: Mutex::new(Some(VecDeque::new())),
            });
            let there = Wire {
                from: BufReader::new(from_client),
                to: to_server,
                line: line.clone(),
            };
            let back = Wire {
                from: BufReader::new(from_server),
                to: to_client,
                line,
            };
            tokio::spawn(there.pass(true));
            tokio::spawn(back.pass(false));
        }
        anyhow::Ok(())
    });
    Ok((address, trips))
}

/// One thread runs all, so that what is asked at once leaves at once.
#[tokio::test]
async fn each_call_waits_for_postgres_a_known_number_of_times() -> Result<()> {
    let cluster = std::env::var("KITH_TEST_POSTGRES")
        .context("KITH_TEST_POSTGRES is not set: run `cargo xtask pg -- cargo test`")?;
    let folder = tempfile::tempdir()?;
    let name = format!("kith_trips_{}", std::process::id());
    let mut store = Store {
        data: folder.path().to_path_buf(),
        database_url: postgres::recreate_database(&cluster, &name).await?,
    };
    let size = Size {
        members: 500,
        posts: 3_000,
        follows: vec![50],
        cold: 0,
        seed: 1,
    };
    let mut fixtures = dataset::generate(&store, &size, UNTIL).await?;
    // One of them, or each write would be of somebody of whom nothing is remembered.
    fixtures.writers.truncate(1);
    // Of all ages, so that there is one of which a like does not move the rank, for which it would wait once more.
    let apart = fixtures.posts.len() / (2 * usize::try_from(CALLS)?);
    fixtures.posts = fixtures.posts.into_iter().step_by(apart).collect();
    let fixtures = Arc::new(fixtures);
    let readers = fixtures.readers_of(50);
    let rest = store.database_url.split_once('@').context("no user")?;
    let (server, _) = rest.1.split_once('/').context("no database")?;
    let (address, trips) = counted(server.parse()?).await?;
    store.database_url = format!("{}@{address}/{name}", rest.0);
    let settings = Settings {
        rate_limits: Switch::Off,
        ..Settings::for_command(store)
    };
    let clock = Clock::manual(UNTIL);
    let app = App::open(settings, clock.clone(), 0).await;
    let app = app.map_err(anyhow::Error::msg)?;
    let router = kith::router::router(app.clone());
    let mut wrong = Vec::new();
    for (scenario, cold, warm) in WAITS {
        let scenario_run = if scenario == Scenario::FriendsPage50 {
            let middle = fixtures.posts[fixtures.posts.len() / 2];
            let target = format!("/api/posts/feed?cursor={middle}");
            let read = vec![(target, readers[0].clone())];
            ScenarioRun::with_reads(scenario, &fixtures, read, 2..=usize::MAX)
        } else {
            ScenarioRun::new(scenario, &fixtures, &readers[..1], 2..=usize::MAX)
        };
        for (state, known) in [("cold", cold), ("warm", warm)] {
            let mut least = u64::MAX;
            for number in 0..CALLS {
                let call = scenario_run.next_request(number);
                let mut request = call.request.map(Body::new);
                let client = ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 1)));
                request.extensions_mut().insert(client);
                if state == "cold" {
                    app.memory.forget();
                    clock.advance(STALE);
                }
                trips.begin_anew();
                let response = router.clone().oneshot(request).await?;
                ensure!(response.status() == call.expected.status, "{response:?}");
                axum::body::to_bytes(response.into_body(), usize::MAX).await?;
                least = least.min(trips.asked.load(SeqCst));
            }
            println!("{}, {state}: {least} round trips", scenario.name());
            if least != known {
                let name = scenario.name();
                wrong.push(format!("{name}, {state}, waits {least} times, not {known}"));
            }
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("; "));
    Ok(())
}
