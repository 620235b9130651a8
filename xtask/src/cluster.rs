//! `cargo xtask cluster`: one network on three nodes behind a proxy, with a replicated PostgreSQL and S3.

use std::fs::{self, File};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};

use crate::after_dashes;
use crate::browser::e2e;
use crate::services::caddy;
use crate::services::postgres::{ReplicatedCluster, free_port};
use crate::services::s3_server::Bucket;
use crate::support::cargo::{self, Profile};
use crate::support::child::ChildGuard;
use crate::support::http::is_ready;
use crate::support::{paths, process, web_app};

const NODES: usize = 3;
/// Flag that runs the browser tests instead of serving.
const E2E: &str = "--e2e";
/// Tests that cannot hold behind the proxy, or on several nodes.
const SKIPPED: &[&str] = &[
    // Caddy answers a path with an incomplete escape itself.
    "a hashtag without posts, and an invalid one",
    // Each node allows as many requests.
    "a member who exceeds a rate limit",
    // It sends files itself, as the server takes them; at S3 only browsers may.
    "no script in any field runs on any screen",
    // The tab shows the other member before the test presses its button.
    "a suspended tab learns of a logout from the server",
];
/// Port of the proxy, as of `cargo xtask run`.
const DEFAULT_PORT: &str = "8080";
/// Maximum startup time of a node or the proxy, on a busy machine.
const START_TIMEOUT: Duration = Duration::from_mins(1);
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Serves until Ctrl+C, or runs the browser tests with `--e2e`.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [E2E, ..] => run_browser_tests(after_dashes(&arguments[1..])),
        [] => serve(DEFAULT_PORT),
        ["--port", port] => serve(port),
        _ => bail!("the flags are --port PORT, or --e2e and arguments of playwright test"),
    }
}

/// Runs the browser tests, whose every network is on three nodes behind a proxy.
fn run_browser_tests(arguments: &[String]) -> Result<()> {
    web_app::build()?;
    let binary = cargo::build(Profile::Debug)?;
    let (database, bucket) = (ReplicatedCluster::start()?, Bucket::start()?);
    let skipped = format!("--grep-invert={}", SKIPPED.join("|"));
    let mut words = vec![skipped.as_str()];
    words.extend(arguments.iter().map(String::as_str));
    let mut command = e2e::playwright_command("e2e", &binary, &words)?;
    command
        .env("KITH_TEST_POSTGRES", database.primary_url())
        .env("KITH_E2E_NODES", NODES.to_string())
        .env("KITH_CADDY", caddy::find_or_install()?);
    process::run(command.envs(bucket.environment()))
}

/// A server of the cluster.
struct Server {
    name: String,
    process: ChildGuard,
}

fn serve(port: &str) -> Result<()> {
    web_app::build()?;
    let binary = cargo::build(Profile::Local)?;
    let (mut database, bucket) = (ReplicatedCluster::start()?, Bucket::start()?);
    let nodes = Nodes {
        binary,
        url: format!("http://localhost:{port}"),
        ports: [free_port()?, free_port()?],
        database_url: database.url(),
        bucket,
    };
    let mut servers = Vec::new();
    for number in 0..NODES {
        servers.push(nodes.start(number)?);
    }
    servers.push(nodes.start_proxy(port)?);
    println!("Logs and data of the servers are in {}", new_path("*").display());
    println!("Ctrl+C stops the cluster and deletes them.");
    let (name, status) = wait_for_exit(&mut servers, &mut database)?;
    bail!("{name} exited with {status}");
}

/// Waits until a server exits, which none does by itself.
fn wait_for_exit(
    servers: &mut [Server],
    database: &mut ReplicatedCluster,
) -> Result<(String, ExitStatus)> {
    loop {
        for server in &mut *servers {
            if let Some(status) = server.process.exit_status()? {
                return Ok((server.name.clone(), status));
            }
        }
        if let Some((name, status)) = database.find_exited()? {
            return Ok((name.to_owned(), status));
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Path of a server's folder, which goes with the server.
fn new_path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("kith-cluster-{}-{name}", std::process::id()))
}

/// Settings of the nodes. As on machines of their own, all have the same ports.
struct Nodes {
    binary: PathBuf,
    url: String,
    /// Public and admin port.
    ports: [u16; 2],
    database_url: String,
    bucket: Bucket,
}

impl Nodes {
    fn folder(number: usize) -> PathBuf {
        new_path(&format!("node-{}", number + 1))
    }

    fn address(number: usize, port: u16) -> String {
        format!("127.0.0.{}:{port}", number + 2)
    }

    /// Starts a node. The first one creates the key, and the others get a copy.
    fn start(&self, number: usize) -> Result<Server> {
        let (folder, name) = (Self::folder(number), format!("node {}", number + 1));
        fs::create_dir_all(folder.join("data"))?;
        if number > 0 {
            let key = |number: usize| Self::folder(number).join("data/secret.key");
            fs::copy(key(0), key(number))?;
        }
        let [public, admin] = self.ports.map(|port| Self::address(number, port));
        let mut serve = process::kith(&self.binary, "serve", &folder, Some(&self.database_url));
        serve
            .args(["--listen", &public, "--admin-listen", &admin])
            .args(["--public-url", &self.url, "--trusted-proxies", "127.0.0.1"])
            .envs(self.bucket.environment())
            .env("KITH_STORAGE_URL", self.bucket.url())
            .stderr(File::create(folder.join("log"))?);
        // The first node prints the founder's link; the others only the network's URL once more.
        if number > 0 {
            serve.stdout(Stdio::null());
        }
        let mut process = ChildGuard::start(&mut serve, "TERM", Some(&folder))?;
        wait_until(&name, &mut process, || is_ready(&admin))?;
        Ok(Server { name, process })
    }

    /// Starts Caddy with the configuration of `deploy/`.
    fn start_proxy(&self, port: &str) -> Result<Server> {
        let folder = new_path("caddy");
        fs::create_dir(&folder)?;
        let upstreams = (0..NODES).map(|number| Self::address(number, self.ports[0]));
        let mut caddy =
            process::command(caddy::find_or_install()?, &["run", "--adapter", "caddyfile"]);
        caddy
            .arg("--config")
            .arg(paths::root().join("deploy/Caddyfile"))
            .env("KITH_SITE", &self.url)
            .env("KITH_UPSTREAM", upstreams.collect::<Vec<_>>().join(" "))
            .env("KITH_HEALTH_PORT", self.ports[1].to_string())
            .env("XDG_DATA_HOME", &folder)
            .env("XDG_CONFIG_HOME", &folder)
            .stderr(File::create(folder.join("log"))?);
        let mut process = ChildGuard::start(&mut caddy, "TERM", Some(&folder))?;
        let address = format!("127.0.0.1:{port}");
        wait_until("Caddy", &mut process, || TcpStream::connect(&address).is_ok())?;
        Ok(Server { name: "Caddy".to_owned(), process })
    }
}

/// Polls a starting server.
fn wait_until(name: &str, process: &mut ChildGuard, is_up: impl Fn() -> bool) -> Result<()> {
    let start = Instant::now();
    while !is_up() {
        if let Some(status) = process.exit_status()? {
            bail!("{name} exited with {status}");
        }
        ensure!(start.elapsed() < START_TIMEOUT, "{name} did not start in time");
        std::thread::sleep(POLL_INTERVAL);
    }
    Ok(())
}
