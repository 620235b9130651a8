//! Server processes of a run, and their CPU time, memory and system calls from `/proc`.

use anyhow::{Context as _, Result, bail, ensure};
use kith::platform::config::DatabaseArgs;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Maximum time for a start or stop.
const TIMEOUT: Duration = Duration::from_mins(1);
/// Concurrency limit of the product, above the number of callers: load shedding is not measured.
const IN_FLIGHT: usize = 4_096;

/// A running server process, killed on drop.
#[derive(Debug)]
pub struct Server {
    child: Child,
    /// Socket address that it listens on.
    pub address: SocketAddr,
    /// Time from the start of the process until it was ready.
    pub startup_time: Duration,
}

impl Server {
    /// Starts `kith serve` on a data set, without rate limits.
    pub fn product(kith: &Path, store: &DatabaseArgs) -> Result<Self> {
        let data = &store.data;
        let (address, admin) = (free_address()?, free_address()?);
        let mut command = Command::new(kith);
        for (name, _) in std::env::vars_os() {
            // Settings of the operator's shell must not apply.
            if name.to_string_lossy().starts_with("KITH_") {
                command.env_remove(name);
            }
        }
        command
            .args(["serve", "--rate-limits", "off", "--in-flight"])
            .arg(IN_FLIGHT.to_string())
            .args(["--listen", &address.to_string()])
            .args(["--admin-listen", &admin.to_string()])
            .args(["--public-url", &format!("http://{address}")])
            .env("KITH_DATABASE_URL", &store.database_url)
            .arg("--data")
            .arg(data)
            .stdout(Stdio::null())
            .stderr(File::create(data.join("log"))?);
        Self::start(command, address, admin, &data.join("log"))
    }

    /// Starts the baseline server on the responses recorded in `folder`, with SQLite if `database_url`
    /// is empty.
    pub fn baseline(folder: &Path, database_url: &str) -> Result<Self> {
        let address = free_address()?;
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(["baseline", "--listen", &address.to_string()])
            .args(["--database-url", database_url, "--folder"])
            .arg(folder)
            .stdout(Stdio::null())
            .stderr(File::create(folder.join("baseline-log"))?);
        Self::start(command, address, address, &folder.join("baseline-log"))
    }

    fn start(
        mut command: Command,
        address: SocketAddr,
        probe: SocketAddr,
        log: &Path,
    ) -> Result<Self> {
        let begun = Instant::now();
        let child = command
            .stdin(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", command.get_program().display()))?;
        let mut server = Self { child, address, startup_time: Duration::ZERO };
        while begun.elapsed() < TIMEOUT {
            if is_responding(probe) {
                server.startup_time = begun.elapsed();
                return Ok(server);
            }
            if let Some(status) = server.child.try_wait()? {
                let log = fs::read_to_string(log).unwrap_or_default();
                bail!("a server exited with {status}; its log: {}", log.trim());
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        bail!("a server was not ready after {} s", TIMEOUT.as_secs())
    }

    /// Process ID.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// User and system CPU time used so far.
    pub fn cpu_time(&self) -> Result<Duration> {
        let text = fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let ticks = ticks(&text).context("/proc/PID/stat has no CPU time")?;
        Ok(Duration::from_secs_f64(ticks as f64 / ticks_per_second()?))
    }

    /// Resident memory now and at its peak, in bytes.
    pub fn memory(&self) -> Result<(u64, u64)> {
        let text = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let now = kibibytes(&text, "VmRSS:").context("/proc/PID/status has no VmRSS")?;
        let peak = kibibytes(&text, "VmHWM:").unwrap_or(now);
        Ok((now * 1024, peak * 1024))
    }

    /// Number of file reads and file writes so far; sockets do not count.
    pub fn file_syscalls(&self) -> Result<(u64, u64)> {
        let text = fs::read_to_string(format!("/proc/{}/io", self.child.id()))?;
        let of = |field| {
            let count = text.lines().find_map(|line| line.strip_prefix(field));
            let count = count.and_then(|count| count.trim().parse().ok());
            count.context("/proc/PID/io has no count of reads or writes")
        };
        Ok((of("syscr:")?, of("syscw:")?))
    }

    /// Sends SIGTERM and waits; fails unless the process exits with 0.
    pub fn stop(mut self) -> Result<()> {
        self.terminate()?;
        let begun = Instant::now();
        while begun.elapsed() < TIMEOUT {
            if let Some(status) = self.child.try_wait()? {
                // The baseline server has no SIGTERM handler, so it has no exit code.
                ensure!(
                    status.code().is_none_or(|code| code == 0),
                    "a server exited with {status}"
                );
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        bail!("a server did not stop")
    }

    fn terminate(&self) -> Result<()> {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-s", "TERM", &id]).status()?;
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // After a successful stop, kill and wait have no effect.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Peak resident memory of this process, in bytes.
pub fn peak_memory() -> Result<u64> {
    let text = fs::read_to_string("/proc/self/status")?;
    let peak = kibibytes(&text, "VmHWM:").context("/proc/self/status has no VmHWM")?;
    Ok(peak * 1024)
}

fn free_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?)
}

/// Whether the product is ready, or the baseline server returns 404.
fn is_responding(address: SocketAddr) -> bool {
    let probe = || -> Result<bool> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        stream
            .write_all(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
        let mut status_line = [0; 12];
        stream.read_exact(&mut status_line)?;
        Ok(status_line == *b"HTTP/1.1 200" || status_line == *b"HTTP/1.1 404")
    };
    probe().unwrap_or(false)
}

/// User plus system ticks of `/proc/PID/stat`; the second field may contain spaces.
fn ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split(' ').skip(11);
    let mut next = || fields.next()?.parse::<u64>().ok();
    Some(next()? + next()?)
}

fn ticks_per_second() -> Result<f64> {
    let output = Command::new("getconf").arg("CLK_TCK").output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().parse()?)
}

fn kibibytes(status: &str, field: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_time_and_memory_are_parsed_from_proc() {
        let stat = "12 (a (b) c) S 1 12 12 0 -1 4194560 900 0 0 0 37 5 0 0 20 0";
        assert_eq!(ticks(stat), Some(42));
        let status = "Name:\tkith\nVmHWM:\t  200 kB\nVmRSS:\t  100 kB\n";
        assert_eq!(kibibytes(status, "VmRSS:"), Some(100));
        assert_eq!(kibibytes(status, "VmHWM:"), Some(200));
    }
}
