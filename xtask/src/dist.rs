//! `cargo xtask dist`: builds the binary for distribution; measures its size, startup time and memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

use crate::services::postgres;
use crate::support::cargo::{self, Profile};
use crate::support::child::ChildGuard;
use crate::support::http::is_ready;
use crate::support::{paths, process, web_app};

/// Maximum size of the binary: 40 MB.
const MAX_BINARY_BYTES: u64 = 40_000_000;

/// Maximum startup time.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// Builds `dist/kith` and prints its size, the time of a second start and its idle memory.
pub(crate) fn command(_arguments: &[String]) -> Result<()> {
    web_app::build()?;
    let binary = copy_to_dist(&cargo::build(Profile::Release)?)?;
    let size = fs::metadata(&binary)?.len();
    println!("dist/kith: {:.1} MiB", mebibytes(size));
    ensure!(size <= MAX_BINARY_BYTES, "dist/kith is over {:.1} MiB", mebibytes(MAX_BINARY_BYTES));

    let data = std::env::temp_dir().join(format!("kith-dist-{}", std::process::id()));
    fs::create_dir_all(&data)?;
    let measured = measure_start_and_memory(&binary, &data);
    fs::remove_dir_all(&data).ok();
    measured
}

/// Copies a built program to `dist/kith` and returns its path.
pub(crate) fn copy_to_dist(built: &Path) -> Result<PathBuf> {
    let folder = paths::root().join("dist");
    let binary = folder.join("kith");
    fs::create_dir_all(&folder)?;
    fs::copy(built, &binary).with_context(|| format!("cannot write {}", binary.display()))?;
    Ok(binary)
}

/// Starts twice: the first start creates the database, the second equals a restart.
fn measure_start_and_memory(binary: &Path, data: &Path) -> Result<()> {
    let (first, server) = start(binary, data)?;
    drop(server);
    let (second, server) = start(binary, data)?;
    println!("first start: {} ms, second start: {} ms", first.as_millis(), second.as_millis());
    std::thread::sleep(Duration::from_secs(5));
    match resident_kib(server.id())? {
        Some(kibibytes) => println!("idle after 5 s: {} MiB resident", kibibytes / 1024),
        None => println!("idle memory: unknown, this system has no /proc"),
    }
    Ok(())
}

/// Starts the server and waits for `/readyz`; returns the startup time.
fn start(binary: &Path, data: &Path) -> Result<(Duration, ChildGuard)> {
    let public = format!("127.0.0.1:{}", postgres::free_port()?);
    let admin = format!("127.0.0.1:{}", postgres::free_port()?);
    let mut command = process::command(binary, &["serve"]);
    command.args(["--listen", &public, "--admin-listen", &admin, "--data"]).arg(data);
    command.stdout(Stdio::null());
    let begun = Instant::now();
    let mut server = ChildGuard::start(&mut command, "TERM", None)?;
    while begun.elapsed() < START_TIMEOUT {
        if is_ready(&admin) {
            return Ok((begun.elapsed(), server));
        }
        if let Some(status) = server.exit_status()? {
            bail!("dist/kith exited with {status} instead of serving");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    bail!("dist/kith was not ready after {} s", START_TIMEOUT.as_secs());
}

/// Resident memory of a process in KiB; `None` without `/proc`.
fn resident_kib(process: u32) -> Result<Option<u64>> {
    let file = format!("/proc/{process}/status");
    let Some(text) = process::read_optional(Path::new(&file))? else {
        return Ok(None);
    };
    Ok(parse_resident_kib(&text))
}

fn parse_resident_kib(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[expect(clippy::cast_precision_loss, reason = "a size to one decimal needs no 53 bits")]
fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / 1024.0 / 1024.0
}

#[cfg(test)]
mod tests {
    use super::parse_resident_kib;

    #[test]
    fn resident_memory_is_read_from_proc() {
        assert_eq!(parse_resident_kib("Name:\tkith\nVmRSS:\t   30124 kB\n"), Some(30124));
        assert_eq!(parse_resident_kib("Name:\tkith\n"), None);
    }
}
