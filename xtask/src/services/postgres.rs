//! Private PostgreSQL clusters for tests.

mod account;
mod programs;
mod standby;

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use account::Account;
use anyhow::{Context as _, Result, bail, ensure};
pub(crate) use standby::ReplicatedCluster;

use crate::support::child::ChildGuard;
use crate::support::process;

/// Maximum startup time, on a busy machine.
const START_TIMEOUT: Duration = Duration::from_mins(1);

/// Parent of folders on disk.
const DISK: &str = "/tmp";
/// Free bytes for a cluster in memory: all tests together need about 6 GB.
const MIN_MEMORY: u64 = 16 << 30;

/// Settings of every cluster.
const COMMON_SETTINGS: &[&str] = &["max_connections=200", "logging_collector=off"];

/// Settings for tests, which need no durability.
const FAST_SETTINGS: &[&str] =
    &["fsync=off", "synchronous_commit=off", "full_page_writes=off", "shared_buffers=64MB"];

/// Settings for tests of replication: a commit waits for the standby, but not for a disk.
const REPLICATED_SETTINGS: &[&str] = &["fsync=off", "full_page_writes=off", "shared_buffers=64MB"];

/// Settings as in production: durable commits, and shared buffers of a quarter of 4 GB.
const DURABLE_SETTINGS: &[&str] = &["shared_buffers=1GB", "max_wal_size=4GB"];

/// Folder of PostgreSQL's programs, installed if missing; tests that start servers get it in `KITH_PG_BIN`.
pub(crate) fn programs() -> Result<PathBuf> {
    programs::find_or_install()
}

/// A running cluster; it stops, and its files are removed, on drop or when this process ends.
pub(crate) struct Cluster {
    url: String,
    port: u16,
    server: ChildGuard,
}

impl Cluster {
    /// Starts an empty cluster without durability; installs PostgreSQL if missing.
    pub(crate) fn start() -> Result<Self> {
        Self::start_in(parent_folder(), FAST_SETTINGS, init_cluster)
    }

    /// Starts an empty cluster with durable commits, below `/tmp`.
    pub(crate) fn start_durable() -> Result<Self> {
        Self::start_in(Path::new(DISK), DURABLE_SETTINGS, init_cluster)
    }

    /// Starts a server on the data folder that `init` creates below `parent`.
    fn start_in(
        parent: &Path,
        settings: &[&str],
        init: impl FnOnce(&Path, &Account, &Path) -> Result<()>,
    ) -> Result<Self> {
        let programs = programs::find_or_install()?;
        let account = Account::choose()?;
        let folder = new_folder(parent, &account)?;
        let started = init(&programs, &account, &folder)
            .and_then(|()| start_server(&programs, &account, &folder, settings));
        if started.is_err() {
            fs::remove_dir_all(&folder).ok();
        }
        started
    }

    /// URL of the database `postgres`, for a superuser without a password.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Exit status of the server, or `None` while it runs.
    pub(crate) fn exit_status(&mut self) -> Result<Option<ExitStatus>> {
        self.server.exit_status()
    }
}

/// Creates a folder that the server's account can enter. Its path is short, since a Unix socket's path
/// is limited to about 100 characters.
fn new_folder(parent: &Path, account: &Account) -> Result<PathBuf> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = parent.join(format!("kith-pg-{}-{number}", std::process::id()));
    fs::create_dir(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    account.chown(&folder)?;
    Ok(folder)
}

/// Folder in memory if it has room, otherwise on disk: each of hundreds of databases has 600 files, whose creation takes
/// half of a disk's time.
fn parent_folder() -> &'static Path {
    let memory = Path::new("/dev/shm");
    let mut free = process::command("df", &["--block-size=1", "--output=avail", "/dev/shm"]);
    let free = process::stdout_of(&mut free).unwrap_or_default();
    let free = free.lines().nth(1).and_then(|line| line.trim().parse::<u64>().ok());
    if free.is_some_and(|bytes| bytes >= MIN_MEMORY) { memory } else { Path::new(DISK) }
}

fn init_cluster(programs: &Path, account: &Account, folder: &Path) -> Result<()> {
    let data = folder.join("data");
    let mut error = String::new();
    // Not every system has C.UTF-8; plain C has the same sort order.
    for locale in ["C.UTF-8", "C"] {
        let output = account
            .command(&programs.join("initdb"))
            .args(["--auth=trust", "--no-sync", "-E", "UTF8", "-U", "postgres"])
            .arg(format!("--locale={locale}"))
            .arg("-D")
            .arg(&data)
            .current_dir(folder)
            .output()
            .context("cannot start initdb")?;
        if output.status.success() {
            return Ok(());
        }
        error = String::from_utf8_lossy(&output.stderr).into_owned();
    }
    bail!("initdb failed: {}", error.trim());
}

fn start_server(
    programs: &Path,
    account: &Account,
    folder: &Path,
    settings: &[&str],
) -> Result<Cluster> {
    let data = folder.join("data");
    let log = folder.join("log");
    let port = free_port()?;
    let output = fs::File::create(&log)?;
    let mut command = account.command(&programs.join("postgres"));
    command.arg("-D").arg(&data).arg("-k").arg(folder);
    command.args(["-h", "127.0.0.1", "-p", &port.to_string()]);
    for setting in COMMON_SETTINGS.iter().chain(settings) {
        command.args(["-c", setting]);
    }
    command.current_dir(folder).stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
    // SIGINT is PostgreSQL's fast shutdown.
    let mut server = ChildGuard::start(&mut command, "INT", Some(folder))?;
    let ready = wait_until_ready(&mut server, &data.join("postmaster.pid"), port);
    if let Err(error) = ready {
        let log = fs::read_to_string(&log).unwrap_or_default();
        return Err(error.context(format!("PostgreSQL did not start; its log: {}", log.trim())));
    }
    let url = format!("postgres://postgres@127.0.0.1:{port}/postgres");
    Ok(Cluster { url, port, server })
}

/// Waits until the pid file contains `ready` and the port accepts connections.
fn wait_until_ready(server: &mut ChildGuard, pid_file: &Path, port: u16) -> Result<()> {
    let start = Instant::now();
    while start.elapsed() < START_TIMEOUT {
        if let Some(status) = server.exit_status()? {
            bail!("it exited with {status}");
        }
        let states = fs::read_to_string(pid_file).unwrap_or_default();
        let is_marked_ready = states.lines().any(|line| line.trim() == "ready");
        if is_marked_ready && TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    bail!("it was not ready after {} s", START_TIMEOUT.as_secs());
}

/// A TCP port on the loopback address without a listener.
pub(crate) fn free_port() -> Result<u16> {
    let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
    ensure!(port != 0, "the system assigned no port");
    Ok(port)
}
