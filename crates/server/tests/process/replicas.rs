//! Two private servers of PostgreSQL, one of which follows the other.

#![cfg(target_os = "linux")]

use crate::port::Port;
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_mins(1);
/// As who watches over a pair does: a primary that is alone waits for nobody.
const ALONE: &str = "alter system set synchronous_standby_names = ''";

/// PostgreSQL's programs and how to run them.
pub(crate) struct Programs {
    folder: PathBuf,
    /// The numbers of an account without rights: PostgreSQL refuses to run as root.
    account: Option<(u32, u32)>,
}

/// Finds them as `cargo xtask` does, which installs them before the tests. Without them nothing would be
/// shown, so the test fails.
pub(crate) fn programs() -> Programs {
    let number = |which: &str, name: &[&str]| {
        let output = Command::new("id").arg(which).args(name).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    };
    let said = Command::new("pg_config").arg("--bindir").output().ok();
    let said = said.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let mut versions = versions
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .collect::<Vec<_>>();
    versions.sort();
    let folder = std::env::var_os("KITH_PG_BIN")
        .map(PathBuf::from)
        .into_iter()
        .chain(said.map(PathBuf::from))
        .chain(versions.into_iter().rev())
        .find(|folder| folder.join("pg_basebackup").is_file() && folder.join("initdb").is_file());
    let folder = folder.unwrap_or_else(|| {
        panic!(
            "PostgreSQL's server programs are not here: run `cargo xtask test` or `cargo xtask prove failover`, \
             which install them, or name their folder in KITH_PG_BIN"
        )
    });
    let is_root = number("-u", &[]) == Some(0);
    let account = is_root.then(|| {
        let mut found = ["postgres", "nobody"]
            .iter()
            .filter_map(|name| Some((number("-u", &[name])?, number("-g", &[name])?)));
        found.next().unwrap()
    });
    Programs { folder, account }
}

impl Programs {
    fn command(&self, name: &str) -> Command {
        let program = self.folder.join(name);
        let Some((user, group)) = self.account else {
            return Command::new(program);
        };
        let mut command = Command::new("setpriv");
        command.arg(format!("--reuid={user}"));
        command.args([&format!("--regid={group}"), "--clear-groups"]);
        command.arg(program);
        command
    }

    fn run(&self, name: &str, arguments: &[&str]) -> String {
        let mut command = self.command(name);
        let output = command
            .args(arguments)
            .current_dir("/tmp")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }
}

/// One server and its folder.
struct Node {
    data: PathBuf,
    /// Kept while the server is down: the program knows its address, and nobody else may be given it.
    port: Port,
    running: Option<Child>,
}

impl Node {
    fn new(data: PathBuf) -> Self {
        Self {
            data,
            port: Port::reserve(),
            running: None,
        }
    }

    fn start(&mut self, programs: &Programs) {
        let mut command = programs.command("postgres");
        command.args([
            "-h",
            "127.0.0.1",
            "-p",
            &self.port.number().to_string(),
            "-D",
        ]);
        command.arg(&self.data).arg("-k").arg(&self.data);
        // Nothing here must survive a power cut: what is to survive is in the other server.
        for setting in ["fsync=off", "wal_keep_size=256MB", "max_connections=60"] {
            command.args(["-c", setting]);
        }
        command.stdout(Stdio::null()).stderr(Stdio::null());
        self.running = Some(command.current_dir("/tmp").spawn().unwrap());
        until(|| self.try_ask(programs, "select 1").is_some());
    }

    /// Kills the server and all that it started, none of which can end its work first.
    fn kill(&mut self) {
        let Some(mut server) = self.running.take() else {
            return;
        };
        signal_all(server.id(), "STOP", "KILL");
        let _ = server.kill();
        let _ = server.wait();
    }

    fn try_ask(&self, programs: &Programs, sql: &str) -> Option<String> {
        let mut command = programs.command("psql");
        let port = self.port.number();
        let address = format!("postgres://postgres@127.0.0.1:{port}/postgres");
        command.args([&address, "-XAtq", "-F", "\t", "-c", sql]);
        let output = command.current_dir("/tmp").output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    }

    fn ask(&self, programs: &Programs, sql: &str) -> String {
        self.try_ask(programs, sql).unwrap()
    }
}

/// One signal for a server, and one for each that it started.
fn signal_all(server: u32, own: &str, others: &str) {
    let children = fs::read_to_string(format!("/proc/{server}/task/{server}/children"));
    let _ = signal(own, &server.to_string());
    for child in children.unwrap_or_default().split_whitespace() {
        let _ = signal(others, child);
    }
}

fn signal(name: &str, id: &str) -> std::io::Result<std::process::Output> {
    Command::new("kill").args(["-s", name, id]).output()
}

fn until(mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "it does not come to it");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A primary and its synchronous standby; gone when it is dropped.
pub(crate) struct Pair<'a> {
    programs: &'a Programs,
    folder: PathBuf,
    nodes: [Node; 2],
    /// Which of the two takes writes.
    primary: usize,
    killed: Instant,
}

impl<'a> Pair<'a> {
    pub(crate) fn start(programs: &'a Programs) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Relaxed);
        // A short path, since a socket's may have 100 characters.
        let folder = PathBuf::from(format!("/tmp/kith-pair-{}-{number}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        if let Some((user, group)) = programs.account {
            std::os::unix::fs::chown(&folder, Some(user), Some(group)).unwrap();
        }
        let nodes = ["a", "b"].map(|name| Node::new(folder.join(name)));
        let mut pair = Self {
            programs,
            folder,
            nodes,
            primary: 0,
            killed: Instant::now(),
        };
        let data = pair.nodes[0].data.to_str().unwrap().to_owned();
        let flags = ["--auth=trust", "--no-sync", "-E", "UTF8", "-U", "postgres"];
        programs.run("initdb", &[&flags[..], &["-D", &data]].concat());
        pair.nodes[0].start(programs);
        pair.rebuild_standby();
        pair
    }

    /// Names both servers; the program finds the one that takes writes.
    pub(crate) fn url(&self) -> String {
        let [a, b] = [&self.nodes[0], &self.nodes[1]].map(|node| node.port.number());
        format!("postgres://postgres@127.0.0.1:{a},127.0.0.1:{b}/postgres")
    }

    pub(crate) fn kill_primary(&mut self) {
        self.killed = Instant::now();
        self.nodes[self.primary].kill();
    }

    /// The primary says nothing any more; its machine takes connections and what is sent to it.
    pub(crate) fn hang_primary(&mut self) {
        self.killed = Instant::now();
        let server = self.nodes[self.primary].running.as_ref().unwrap();
        signal_all(server.id(), "STOP", "STOP");
    }

    /// The server that hung goes on as a primary, beside the one that took over, and waits for no other.
    pub(crate) fn thaw_old_primary(&self) {
        let node = &self.nodes[1 - self.primary];
        let server = node.running.as_ref().unwrap();
        signal_all(server.id(), "CONT", "CONT");
        node.ask(self.programs, ALONE);
        node.ask(self.programs, "select pg_reload_conf()");
    }

    /// The primary says nothing for so long.
    pub(crate) fn pause_primary(&self, pause: Duration) {
        let server = self.nodes[self.primary].running.as_ref().unwrap();
        signal_all(server.id(), "STOP", "STOP");
        std::thread::sleep(pause);
        signal_all(server.id(), "CONT", "CONT");
    }

    /// Waits until nobody is connected to the server that was the primary before.
    pub(crate) fn until_nobody_is_at_the_old_primary(&self) {
        let others = "select count(*) from pg_stat_activity
            where backend_type = 'client backend' and pid <> pg_backend_pid()";
        until(|| self.nodes[1 - self.primary].ask(self.programs, others) == "0");
    }

    /// The standby takes writes, and waits for no other until there is one.
    pub(crate) fn promote(&mut self) {
        self.primary = 1 - self.primary;
        let node = &self.nodes[self.primary];
        let data = node.data.to_str().unwrap();
        self.programs.run("pg_ctl", &["promote", "-w", "-D", data]);
        node.ask(self.programs, ALONE);
        node.ask(self.programs, "select pg_reload_conf()");
    }

    /// How long ago the last primary was killed.
    pub(crate) fn since_kill(&self) -> Duration {
        self.killed.elapsed()
    }

    /// The other server is made anew from the primary, which waits for it from then on.
    pub(crate) fn rebuild_standby(&mut self) {
        let (programs, primary) = (self.programs, self.primary);
        let port = self.nodes[primary].port.number().to_string();
        let other = &mut self.nodes[1 - primary];
        if other.data.exists() {
            fs::remove_dir_all(&other.data).unwrap();
        }
        let data = other.data.to_str().unwrap().to_owned();
        let from = [
            "-h",
            "127.0.0.1",
            "-p",
            &port,
            "-U",
            "postgres",
            "-D",
            &data,
        ];
        let how = ["-R", "-X", "stream", "--checkpoint=fast", "--no-sync"];
        programs.run("pg_basebackup", &[&from[..], &how[..]].concat());
        other.start(programs);
        let node = &self.nodes[primary];
        let both = "alter system set synchronous_standby_names = '*'";
        node.ask(programs, both);
        node.ask(programs, "select pg_reload_conf()");
        // What was acknowledged while the primary was alone must have arrived.
        let reached = node.ask(programs, "select pg_current_wal_flush_lsn()");
        let state = format!(
            "select count(*) from pg_stat_replication
             where sync_state = 'sync' and state = 'streaming' and flush_lsn >= '{reached}'"
        );
        until(|| node.ask(programs, &state) == "1");
    }

    /// Whether an invite code is there.
    pub(crate) fn has_code(&self, code: &str) -> bool {
        let sql = format!("select count(*) from invites where code = '{code}'");
        self.nodes[self.primary].ask(self.programs, &sql) == "1"
    }

    /// The texts of all posts, and how often each is there.
    pub(crate) fn posts(&self) -> HashMap<String, usize> {
        let sql = "select content, count(*) from posts group by content";
        let text = self.nodes[self.primary].ask(self.programs, sql);
        let rows = text.lines().map(|line| line.split_once('\t').unwrap());
        rows.map(|(content, times)| (content.to_owned(), times.parse().unwrap()))
            .collect()
    }
}

impl Drop for Pair<'_> {
    fn drop(&mut self) {
        for node in &mut self.nodes {
            node.kill();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}
