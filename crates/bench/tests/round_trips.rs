//! Counts the round trips to PostgreSQL per request, on the wire.

use anyhow::{Context as _, Result, ensure};
use axum::body::Body;
use axum::extract::ConnectInfo;
use kith::platform::clock::Clock;
use kith::platform::config::{DatabaseArgs, Settings, Toggle};
use kith::state::AppState;
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
/// Requests per scenario and cache state. The minimum counts, since the first ones open connections and
/// prepare statements.
const REQUESTS: u64 = 8;
/// Round trips per scenario with prepared statements: with a cold cache, and after one member repeated
/// the request. Writes come first: the clock advances, and an hour of absence is recorded.
const ROUND_TRIPS: [(Scenario, u64, u64); 11] = [
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
/// Delay of the end of each response.
const RESPONSE_DELAY: Duration = Duration::from_millis(2);
/// Tag of the `ReadyForQuery` message, which ends each response.
const READY_FOR_QUERY: u8 = b'Z';
/// Application name of the change feed's connection, which is not counted.
const CHANGE_FEED: &[u8] = b"kith changes";
/// Milliseconds after which every cache entry with a TTL has expired.
const CACHE_TTL_MILLIS: i64 = 61_000;

/// Counts the round trips of a request over all connections. A query may depend on every response before
/// it, so it belongs to the trip after the latest of them. Concurrent queries share a trip.
#[derive(Debug, Default)]
struct Trips {
    /// Latest trip with a response.
    answered: AtomicU64,
    /// Latest trip with a query.
    asked: AtomicU64,
}

impl Trips {
    fn start_query(&self) -> u64 {
        let trip = self.answered.load(SeqCst) + 1;
        self.asked.fetch_max(trip, SeqCst);
        trip
    }

    fn reset(&self) {
        self.answered.store(0, SeqCst);
        self.asked.store(0, SeqCst);
    }
}

/// State of one proxied connection.
struct ProxiedConnection {
    trips: Arc<Trips>,
    /// Trips of unanswered queries; `None` for the change feed's connection.
    waiting: Mutex<Option<VecDeque<u64>>>,
}

impl ProxiedConnection {
    /// `Sync` or `Query` of the client starts a trip; `ReadyForQuery` of the server ends it.
    fn count_message(&self, is_client: bool, kind: u8) {
        let mut waiting = self.waiting.lock();
        match (waiting.as_mut(), is_client, kind) {
            (Some(waiting), true, b'S' | b'Q') => waiting.push_back(self.trips.start_query()),
            (Some(waiting), false, READY_FOR_QUERY) => {
                // The first `ReadyForQuery` follows the login, not a query.
                let trip = waiting.pop_front().unwrap_or(0);
                self.trips.answered.fetch_max(trip, SeqCst);
            }
            _ => {}
        }
    }
}

/// One direction of a proxied connection.
struct Forwarder {
    from: BufReader<OwnedReadHalf>,
    to: OwnedWriteHalf,
    connection: Arc<ProxiedConnection>,
}

impl Forwarder {
    /// Forwards messages and counts them; the client's first message has no type byte.
    async fn forward(mut self, is_client: bool) -> Result<Infallible> {
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
            if !is_client && message[0] == READY_FOR_QUERY {
                // Lets all concurrent queries pass before the first response.
                tokio::time::sleep(RESPONSE_DELAY).await;
            }
            if has_kind {
                self.connection.count_message(is_client, message[0]);
            } else if message.windows(CHANGE_FEED.len()).any(|part| part == CHANGE_FEED) {
                *self.connection.waiting.lock() = None;
            }
            has_kind = true;
            self.to.write_all(&message).await?;
        }
    }
}

/// Starts a counting proxy before `server`; returns its socket address and counters.
async fn start_counting_proxy(server: SocketAddr) -> Result<(SocketAddr, Arc<Trips>)> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let trips = Arc::new(Trips::default());
    let counter = trips.clone();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let server = TcpStream::connect(server).await?;
            // Forwards each message immediately.
            client.set_nodelay(true)?;
            server.set_nodelay(true)?;
            let (from_client, to_client) = client.into_split();
            let (from_server, to_server) = server.into_split();
            let connection = Arc::new(ProxiedConnection {
                trips: counter.clone(),
                waiting: Mutex::new(Some(VecDeque::new())),
            });
            let there = Forwarder {
                from: BufReader::new(from_client),
                to: to_server,
                connection: connection.clone(),
            };
            let back = Forwarder { from: BufReader::new(from_server), to: to_client, connection };
            tokio::spawn(there.forward(true));
            tokio::spawn(back.forward(false));
        }
        anyhow::Ok(())
    });
    Ok((address, trips))
}

/// A single thread, so that concurrent queries are sent together.
#[tokio::test]
async fn each_request_needs_a_known_number_of_round_trips() -> Result<()> {
    let cluster = std::env::var("KITH_TEST_POSTGRES")
        .context("KITH_TEST_POSTGRES is not set: run `cargo xtask pg -- cargo test`")?;
    let folder = tempfile::tempdir()?;
    let name = format!("kith_trips_{}", std::process::id());
    let mut store =
        DatabaseArgs::new(folder.path(), postgres::recreate_database(&cluster, &name).await?);
    let size = Size { members: 500, posts: 3_000, follows: vec![50], cold: 0, seed: 1 };
    let mut fixtures = dataset::generate(&store, &size, UNTIL).await?;
    // One writer only: with several, each write would have cold caches.
    fixtures.writers.truncate(1);
    // Posts of all ages: for some of them a like does not change the rank, which costs another round trip.
    let apart = fixtures.posts.len() / (2 * usize::try_from(REQUESTS)?);
    fixtures.posts = fixtures.posts.into_iter().step_by(apart).collect();
    let fixtures = Arc::new(fixtures);
    let readers = fixtures.readers_of(50);
    let rest = store.database_url.split_once('@').context("no user")?;
    let (server, _) = rest.1.split_once('/').context("no database")?;
    let (address, trips) = start_counting_proxy(server.parse()?).await?;
    store.database_url = format!("{}@{address}/{name}", rest.0);
    let settings = Settings { rate_limits: Toggle::Off, ..Settings::for_command(store) };
    let clock = Clock::manual(UNTIL);
    let app = AppState::open(settings, clock.clone(), 0).await;
    let app = app.map_err(anyhow::Error::msg)?;
    let router = kith::router::router(app.clone());
    let mut wrong = Vec::new();
    for (scenario, cold, warm) in ROUND_TRIPS {
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
            for number in 0..REQUESTS {
                let call = scenario_run.next_request(number);
                let mut request = call.request.map(Body::new);
                let client = ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 1)));
                request.extensions_mut().insert(client);
                if state == "cold" {
                    app.versions.invalidate_all();
                    clock.advance(CACHE_TTL_MILLIS);
                }
                trips.reset();
                let response = router.clone().oneshot(request).await?;
                ensure!(response.status() == call.expected.status, "{response:?}");
                axum::body::to_bytes(response.into_body(), usize::MAX).await?;
                least = least.min(trips.asked.load(SeqCst));
            }
            println!("{}, {state}: {least} round trips", scenario.name());
            if least != known {
                let name = scenario.name();
                wrong.push(format!("{name}, {state}: {least} round trips, not {known}"));
            }
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("; "));
    Ok(())
}
