//! `cargo xtask attack`: attacks the real binary from outside.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::services::postgres::{Cluster, free_port};
use crate::services::python;
use crate::support::cargo::{self, Profile};
use crate::support::child::ChildGuard;
use crate::support::{paths, process};

/// Maximum startup time, on a busy machine.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// Public URL of the server; the host need not exist, since requests go to the loopback address.
const ORIGIN: &str = "https://kith.test";

/// Starts a server as if behind a proxy and runs `xtask/attack`; fails if an attack succeeds.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    let mut words = arguments.iter().map(String::as_str);
    let (mut on_postgres, mut only) = (false, None);
    while let Some(word) = words.next() {
        match word {
            "--postgres" => on_postgres = true,
            "--only" => only = Some(words.next().context("`--only` takes a step")?),
            other => bail!("unknown flag `{other}`; known: --postgres and --only STEP"),
        }
    }
    let python = python::find_or_install()?;
    let binary = cargo::build(Profile::Debug)?;
    let cluster = on_postgres.then(Cluster::start).transpose()?;
    let database = cluster.as_ref().map(Cluster::url);
    let folder = std::env::temp_dir().join(format!("kith-attack-{}", std::process::id()));
    fs::create_dir(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let port = free_port()?;
    let _server = start(&binary, &folder, database, port)?;
    let mut attack = process::command(&python, &["-B"]);
    attack
        .arg(paths::root().join("xtask/attack/attack.py"))
        .args(["--port", &port.to_string(), "--origin", ORIGIN])
        .args(["--database-url", database.unwrap_or_default()])
        .arg("--program")
        .arg(&binary);
    for (flag, name) in [("--data", "data"), ("--log", "log"), ("--printed", "printed")] {
        attack.arg(flag).arg(folder.join(name));
    }
    if let Some(step) = only {
        attack.args(["--only", step]);
    }
    process::run(&mut attack)
}

/// Starts a server with rate limits, a trusted proxy and debug logs; its folder is removed on drop.
fn start(binary: &Path, folder: &Path, database: Option<&str>, port: u16) -> Result<ChildGuard> {
    let mut serve = process::kith(binary, "serve", folder, database);
    serve
        .env("KITH_LOG", "debug")
        .args(["--listen", &format!("127.0.0.1:{port}")])
        .args(["--admin-listen", &format!("127.0.0.1:{}", free_port()?)])
        .args(["--public-url", ORIGIN, "--trusted-proxies", "127.0.0.1"])
        .stdout(File::create(folder.join("printed"))?)
        .stderr(File::create(folder.join("log"))?);
    let mut server = ChildGuard::start(&mut serve, "TERM", Some(folder))?;
    let begun = Instant::now();
    while begun.elapsed() < START_TIMEOUT {
        if fs::read_to_string(folder.join("printed"))?.contains("Invite code") {
            return Ok(server);
        }
        if let Some(status) = server.exit_status()? {
            let log = fs::read_to_string(folder.join("log"))?;
            bail!("the server exited with {status}; its log: {}", log.trim());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    bail!("the server was not ready after {} s", START_TIMEOUT.as_secs());
}
