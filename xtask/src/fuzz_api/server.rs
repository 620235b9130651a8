//! Server under test: the real binary with its own data folder.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

use crate::services::postgres::free_port;
use crate::support::child::ChildGuard;
use crate::support::process;

/// Maximum startup time, on a busy machine.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// Sign-in links beside the first, for requests that use them up.
const SIGN_IN_LINKS: usize = 3;

/// A running server; it stops, and its folder is removed, on drop or when this process ends.
pub(super) struct TestServer {
    /// Base URL.
    pub(super) url: String,
    /// Folder of the server, also used by schemathesis.
    pub(super) folder: PathBuf,
    /// First invite code of the founder.
    pub(super) code: String,
    /// Single-use links that sign in the founder.
    pub(super) sign_in_links: Vec<String>,
    /// The program.
    pub(super) binary: PathBuf,
    /// URL of its database, unless it is in the folder.
    pub(super) database: Option<String>,
    server: ChildGuard,
}

impl TestServer {
    /// Starts the server on free ports with an empty database.
    pub(super) fn start(binary: &Path, database: Option<&str>) -> Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("kith-fuzz-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let url = format!("http://127.0.0.1:{}", free_port()?);
        let mut serve = process::kith(binary, "serve", &folder, database);
        serve
            .args(["--listen", url.trim_start_matches("http://")])
            .args(["--admin-listen", &format!("127.0.0.1:{}", free_port()?)])
            .args(["--public-url", &url, "--rate-limits", "off"])
            .env("KITH_LOG", "info")
            .stdout(File::create(folder.join("printed"))?)
            .stderr(File::create(folder.join("log"))?);
        let server = ChildGuard::start(&mut serve, "TERM", Some(&folder))?;
        let mut server = Self {
            url,
            folder,
            code: String::new(),
            sign_in_links: Vec::new(),
            binary: binary.to_owned(),
            database: database.map(str::to_owned),
            server,
        };
        server.wait_until_ready()?;
        for _ in 0..SIGN_IN_LINKS {
            let mut sign_in = process::kith(binary, "member", &server.folder, database);
            let printed = process::output(sign_in.args(["sign-in", "founder"]))?;
            let printed = String::from_utf8_lossy(&printed).trim().to_owned();
            server.sign_in_links.push(printed);
        }
        Ok(server)
    }

    /// Waits for the founder's link and invite code on standard output and stores them.
    fn wait_until_ready(&mut self) -> Result<()> {
        let start = Instant::now();
        while start.elapsed() < START_TIMEOUT {
            let printed = fs::read_to_string(self.folder.join("printed"))?;
            let after = |text: &str| {
                let mut lines = printed.lines();
                let line = lines.find(|line| line.starts_with(text))?;
                line.split_once(": ").map(|(_, value)| value.to_owned())
            };
            if let (Some(link), Some(code)) = (after("Founder's"), after("Invite code")) {
                self.sign_in_links.push(link);
                self.code = code;
                return Ok(());
            }
            self.check_health()?;
            std::thread::sleep(Duration::from_millis(50));
        }
        bail!("the server was not ready after {} s", START_TIMEOUT.as_secs());
    }

    /// Fails if the server exited, panicked or logged an error.
    pub(super) fn check_health(&mut self) -> Result<()> {
        let log = fs::read_to_string(self.folder.join("log"))?;
        if let Some(status) = self.server.exit_status()? {
            bail!("the server exited with {status}; its log: {}", log.trim());
        }
        let bad = |line: &&str| line.contains("\"level\":\"ERROR\"") || line.contains("panicked");
        let errors = log.lines().filter(bad).take(20).collect::<Vec<_>>();
        ensure!(errors.is_empty(), "the log of the server has errors:\n{}", errors.join("\n"));
        Ok(())
    }
}
