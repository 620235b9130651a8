//! Three nodes on one PostgreSQL with a synchronous standby: one is killed, or all are restarted in turn.

#![cfg(target_os = "linux")]

use crate::program::{Program, free_port, kith, request};
use crate::proof::rounds;
use crate::replicas::{Pair, find_programs};
use crate::writers::{WRITERS, Writers};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const NODES: usize = 3;

/// A node, which keeps its addresses and its data folder.
struct Node {
    data: PathBuf,
    addresses: (SocketAddr, SocketAddr),
    program: Mutex<Option<Program>>,
}

/// Nodes with the same secret key.
struct Cluster {
    _folder: TempDir,
    all: Vec<Node>,
    database_url: String,
    public_url: String,
    cookie: String,
}

impl Cluster {
    fn start(pair: &Pair<'_>, public: SocketAddr) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (port, admin) = (free_port().port(), free_port().port());
        let node = |name: usize| {
            // As on machines of their own, all have the same ports.
            let ip = [127, 0, 0, 2 + u8::try_from(name).unwrap()];
            Node {
                data: folder.path().join(name.to_string()),
                addresses: ((ip, port).into(), (ip, admin).into()),
                program: Mutex::default(),
            }
        };
        let all = (0..NODES).map(node).collect::<Vec<_>>();
        let (database_url, public_url) = (pair.url(), format!("http://{public}"));
        let mut cluster =
            Self { _folder: folder, all, database_url, public_url, cookie: String::new() };
        let mut first = cluster.launch(0);
        let printed = first.read_line();
        cluster.cookie = first.log_in(&printed);
        *cluster.all[0].program.lock().unwrap() = Some(first);
        for name in 1..NODES {
            std::fs::create_dir(&cluster.all[name].data).unwrap();
            let key = |name: usize| cluster.all[name].data.join("secret.key");
            std::fs::copy(key(0), key(name)).unwrap();
            cluster.start_again(name);
        }
        cluster
    }

    fn launch(&self, name: usize) -> Program {
        let node = &self.all[name];
        let mut command = kith();
        command.env("KITH_DATABASE_URL", &self.database_url);
        let settings = ["--trusted-proxies", "127.0.0.1", "--drain-seconds", "3"];
        let log = Stdio::null();
        Program::start_at(command, &node.data, node.addresses, &self.public_url, &settings, log)
    }

    /// Starts a node that was killed or stopped, and waits until it is ready.
    fn start_again(&self, name: usize) {
        let program = self.launch(name);
        *self.all[name].program.lock().unwrap() = Some(program);
    }

    fn kill(&self, name: usize) {
        let program = self.all[name].program.lock().unwrap().take();
        // Dropping kills it.
        drop(program.unwrap());
    }

    fn stop(&self, name: usize) {
        let mut program = self.all[name].program.lock().unwrap().take().unwrap();
        program.signal("TERM");
        assert!(program.wait().success());
    }

    fn address(&self, name: usize) -> SocketAddr {
        self.all[name].addresses.0
    }
}

/// Asserts that each acknowledged post is stored once, and no other twice.
fn check_posts(pair: &Pair<'_>, writers: Writers<'_>) -> usize {
    let stored = pair.posts();
    let acknowledged = writers.acknowledged.into_inner().unwrap();
    for content in &acknowledged {
        assert_eq!(stored.get(content), Some(&1), "{content} was acknowledged");
    }
    assert!(stored.values().all(|times| *times == 1));
    acknowledged.len()
}

/// proves: node-kill
#[test]
fn a_killed_node_loses_no_acknowledged_post() {
    let programs = find_programs();
    let pair = Pair::start(&programs);
    let nodes = Cluster::start(&pair, free_port());
    let turn = AtomicUsize::new(0);
    let writers = Writers::new(&nodes.cookie, |head, body| {
        let address = nodes.address(turn.fetch_add(1, SeqCst) % NODES);
        request(address, "POST", "/api/posts", head, body.as_bytes()).ok()
    });
    let rounds = rounds(2);
    std::thread::scope(|scope| {
        let _over = writers.spawn(scope);
        for round in 0..rounds {
            writers.wait_for(10);
            std::thread::sleep(Duration::from_millis(7 * (round % 40) as u64));
            nodes.kill(round % NODES);
            writers.wait_for(WRITERS as u64 + 1);
            nodes.start_again(round % NODES);
        }
        writers.wait_for(10);
    });
    let uncertain = writers.uncertain.load(SeqCst);
    let acknowledged = check_posts(&pair, writers);
    println!(
        "{rounds} kills of one of {NODES} nodes: {acknowledged} posts acknowledged, none lost or doubled, \
         {uncertain} requests without a response repeated"
    );
}

/// Caddy with the configuration of `deploy/`; dropped, it is killed.
struct Proxy(Child);

impl Proxy {
    fn start(public: SocketAddr, nodes: &Cluster, folder: &Path) -> Self {
        let health_port = nodes.all[0].addresses.1.port();
        let upstreams = (0..NODES).map(|name| nodes.address(name).to_string());
        let config = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/Caddyfile");
        let program = std::env::var_os("KITH_CADDY").unwrap_or_else(|| "caddy".into());
        let started = Command::new(program)
            .args(["run", "--adapter", "caddyfile", "--config", config])
            .env("KITH_SITE", format!("http://{public}"))
            .env("KITH_HEALTH_PORT", health_port.to_string())
            .env("KITH_UPSTREAM", upstreams.collect::<Vec<_>>().join(" "))
            .env("XDG_DATA_HOME", folder)
            .env("XDG_CONFIG_HOME", folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let proxy = Self(started.unwrap_or_else(|error| {
            panic!("Caddy is missing ({error}): run `cargo xtask test`, which installs it")
        }));
        let begun = Instant::now();
        while TcpStream::connect(public).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(20), "Caddy does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        proxy
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// proves: node-rolling-restart
#[test]
fn a_rolling_restart_fails_no_request() {
    let programs = find_programs();
    let (pair, public) = (Pair::start(&programs), free_port());
    let nodes = Cluster::start(&pair, public);
    let folder = tempfile::tempdir().unwrap();
    let _proxy = Proxy::start(public, &nodes, folder.path());
    let writers = Writers::new(&nodes.cookie, |head, body| {
        request(public, "POST", "/api/posts", head, body.as_bytes()).ok()
    });
    let (read, failed) = (AtomicU64::new(0), AtomicU64::new(0));
    let rounds = rounds(1);
    std::thread::scope(|scope| {
        let _over = writers.spawn(scope);
        for _ in 0..WRITERS {
            scope.spawn(|| {
                while !writers.over.load(SeqCst) {
                    let feed = "/api/posts/feed";
                    let reply = request(public, "GET", feed, &nodes.cookie, b"");
                    read.fetch_add(1, SeqCst);
                    if reply.map_or(true, |reply| reply.status != 200) {
                        failed.fetch_add(1, SeqCst);
                    }
                }
            });
        }
        for round in 0..rounds * NODES {
            writers.wait_for(20);
            nodes.stop(round % NODES);
            writers.wait_for(20);
            nodes.start_again(round % NODES);
        }
        writers.wait_for(20);
    });
    let uncertain = writers.uncertain.load(SeqCst);
    let acknowledged = check_posts(&pair, writers);
    let (read, failed) = (read.into_inner(), failed.into_inner());
    println!(
        "{rounds} rolling restarts of {NODES} nodes behind Caddy: {acknowledged} posts and {read} feeds, \
         {uncertain} and {failed} failed"
    );
    assert_eq!((uncertain, failed), (0, 0));
}

/// The members of other nodes have no cookie that makes their node catch up.
/// proves: node-latency
#[test]
fn a_write_reaches_members_of_other_nodes() {
    let programs = find_programs();
    let pair = Pair::start(&programs);
    let nodes = Cluster::start(&pair, free_port());
    let rounds = rounds(20);
    let mut times = Vec::with_capacity(rounds);
    for round in 0..rounds {
        let [writer, reader] = [round, round + 1].map(|turn| nodes.address(turn % NODES));
        let content = format!("post {round} to be seen");
        let body = format!("{{\"content\":\"{content}\"}}");
        let reply = request(writer, "POST", "/api/posts", &nodes.cookie, body.as_bytes()).unwrap();
        assert_eq!(reply.status, 201, "{}", reply.body);
        let acknowledged = Instant::now();
        while !request(reader, "GET", "/api/posts/feed", &nodes.cookie, b"")
            .unwrap()
            .body
            .contains(&content)
        {
            assert!(acknowledged.elapsed() < Duration::from_secs(20), "{content} is not visible");
        }
        times.push(acknowledged.elapsed());
    }
    print_times("posts, each read on another node", times);
}

fn print_times(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let percentile = |percent: usize| times[times.len() * percent / 100].as_millis();
    println!(
        "{} {what}: after {} ms (p50), {} ms (p95), {} ms (p99)",
        times.len(),
        percentile(50),
        percentile(95),
        percentile(99)
    );
}

/// A proxy that held events back until there are enough to compress would show here, too.
#[test]
fn an_event_reaches_browsers_of_other_nodes() {
    let programs = find_programs();
    let (pair, public) = (Pair::start(&programs), free_port());
    let nodes = Cluster::start(&pair, public);
    let folder = tempfile::tempdir().unwrap();
    let _proxy = Proxy::start(public, &nodes, folder.path());
    let cookie = &nodes.cookie;
    let post = request(public, "POST", "/api/posts", cookie, b"{\"content\":\"Hi\"}").unwrap();
    let post: serde_json::Value = serde_json::from_str(&post.body).unwrap();
    let post = post["id"].as_str().unwrap();
    let mut stream = TcpStream::connect(public).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    write!(stream, "GET /api/events?posts={post} HTTP/1.1\r\nhost: {public}\r\n{cookie}\r\n")
        .unwrap();
    let mut lines = BufReader::new(stream).lines();
    let mut wait_for_likes = |likes: usize| {
        let counts = format!("\"likes\":{likes}}}");
        assert!(lines.any(|line| line.unwrap().contains(&counts)), "the stream ended");
    };
    wait_for_likes(0);
    let rounds = rounds(20);
    let mut times = Vec::with_capacity(rounds);
    for round in 0..rounds {
        // A stream sends four times a second at most.
        std::thread::sleep(Duration::from_millis(300));
        let (method, likes) = [("POST", 1), ("DELETE", 0)][round % 2];
        let begun = Instant::now();
        let path = format!("/api/posts/{post}/like");
        let reply = request(nodes.address(round % NODES), method, &path, cookie, b"").unwrap();
        assert_eq!(reply.status, 200, "{}", reply.body);
        wait_for_likes(likes);
        times.push(begun.elapsed());
    }
    print_times("likes on three nodes, each sent to a browser", times);
}

/// Each node applies the changes of all others, which bounds how many nodes are worth it.
#[test]
fn a_node_applies_the_writes_of_another_one() {
    let programs = find_programs();
    let pair = Pair::start(&programs);
    let nodes = Cluster::start(&pair, free_port());
    let writers = Writers::new(&nodes.cookie, |head, body| {
        request(nodes.address(0), "POST", "/api/posts", head, body.as_bytes()).ok()
    });
    let times = || {
        let running = [0, 1].map(|name| nodes.all[name].program.lock().unwrap());
        running.map(|program| program.as_ref().unwrap().processor_time())
    };
    let before = times();
    std::thread::scope(|scope| {
        let _over = writers.spawn(scope);
        writers.wait_for(20 * rounds(1) as u64);
    });
    let after = times();
    let posts = check_posts(&pair, writers);
    let costs =
        [0, 1].map(|name| after[name].saturating_sub(before[name]).as_micros() / posts as u128);
    println!(
        "{posts} posts: {} µs of processor time each on their node, {} µs on another",
        costs[0], costs[1]
    );
}
