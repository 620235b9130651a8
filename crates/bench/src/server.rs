//! The servers of a run, in processes of their own, and what the system says of them.

use anyhow::{Context as _, Result, bail, ensure};
use kith::config::Store;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a start may take.
const TIMEOUT: Duration = Duration::from_mins(1);
/// Calls that the product works on at once: more than callers, so that none of them ever waits for a
/// place. What the bound does is not what is measured here.
const IN_FLIGHT: usize = 4_096;

/// A running server; it ends with this value.
#[derive(Debug)]
pub struct Server {
    child: Child,
    /// Where it answers.
    pub address: SocketAddr,
    /// From the start of the process until it was ready.
    pub start: Duration,
}

impl Server {
    /// Starts the program `kith` on a network, without limits on how often one may call.
    pub fn product(kith: &Path, store: &Store) -> Result<Self> {
        let data = &store.data;
        let (address, admin) = (free_address()?, free_address()?);
        let mut command = Command::new(kith);
        for (name, _) in std::env::vars_os() {
            // Settings of whoever runs this are no part of it.
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

    /// Starts the floor on what was saved in a folder, and on a database of PostgreSQL if one is named.
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
        ask: SocketAddr,
        log: &Path,
    ) -> Result<Self> {
        let begun = Instant::now();
        let child = command
            .stdin(Stdio::null())
            .spawn()
            .with_context(|| format!("{} can't be started", command.get_program().display()))?;
        let mut server = Self {
            child,
            address,
            start: Duration::ZERO,
        };
        while begun.elapsed() < TIMEOUT {
            if is_responding(ask) {
                server.start = begun.elapsed();
                return Ok(server);
            }
            if let Some(status) = server.child.try_wait()? {
                let said = fs::read_to_string(log).unwrap_or_default();
                bail!("a server ended with {status}; it said: {}", said.trim());
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        bail!("a server was not ready after {} s", TIMEOUT.as_secs())
    }

    /// Processor time that it has used so far, in user and system together.
    pub fn cpu_time(&self) -> Result<Duration> {
        let text = fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let ticks = ticks(&text).context("/proc does not tell a process's time")?;
        Ok(Duration::from_secs_f64(ticks as f64 / ticks_per_second()?))
    }

    /// Memory that it holds now, and the most that it has held, in bytes.
    pub fn memory(&self) -> Result<(u64, u64)> {
        let text = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let now = kibibytes(&text, "VmRSS:").context("/proc does not tell a process's memory")?;
        let most = kibibytes(&text, "VmHWM:").unwrap_or(now);
        Ok((now * 1024, most * 1024))
    }

    /// How often it has read from files so far, and how often it has written to them; calls about
    /// sockets do not count.
    pub fn file_syscalls(&self) -> Result<(u64, u64)> {
        let text = fs::read_to_string(format!("/proc/{}/io", self.child.id()))?;
        let of = |field| {
            let count = text.lines().find_map(|line| line.strip_prefix(field));
            let count = count.and_then(|count| count.trim().parse().ok());
            count.context("/proc does not tell a process's calls")
        };
        Ok((of("syscr:")?, of("syscw:")?))
    }

    /// Ends it in order, and fails if it does not end well.
    pub fn stop(mut self) -> Result<()> {
        self.terminate()?;
        let begun = Instant::now();
        while begun.elapsed() < TIMEOUT {
            if let Some(status) = self.child.try_wait()? {
                // The floor knows no order to stop.
                ensure!(
                    status.code().is_none_or(|code| code == 0),
                    "a server ended with {status}"
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
        // After an orderly stop there is nothing left of it.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// The most memory that this process has held, in bytes.
pub fn peak_memory() -> Result<u64> {
    let text = fs::read_to_string("/proc/self/status")?;
    let most = kibibytes(&text, "VmHWM:").context("/proc does not tell this process's memory")?;
    Ok(most * 1024)
}

fn free_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?)
}

/// Whether the product says that it is ready, or the floor that it knows no such address.
fn is_responding(address: SocketAddr) -> bool {
    let ask = || -> Result<bool> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        stream
            .write_all(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
        let mut answer = [0; 12];
        stream.read_exact(&mut answer)?;
        Ok(answer == *b"HTTP/1.1 200" || answer == *b"HTTP/1.1 404")
    };
    ask().unwrap_or(false)
}

/// User and system time in a process's `stat`, whose second field may hold spaces.
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
    fn what_the_system_says_is_read() {
        let stat = "12 (a (b) c) S 1 12 12 0 -1 4194560 900 0 0 0 37 5 0 0 20 0";
        assert_eq!(ticks(stat), Some(42));
        let status = "Name:\tkith\nVmHWM:\t  200 kB\nVmRSS:\t  100 kB\n";
        assert_eq!(kibibytes(status, "VmRSS:"), Some(100));
        assert_eq!(kibibytes(status, "VmHWM:"), Some(200));
    }
}
