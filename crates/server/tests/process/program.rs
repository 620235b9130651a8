//! A running `kith` process, and a minimal HTTP client.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Longest wait before a test fails.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A server process; dropped, it is killed.
pub(crate) struct Program {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
    pub(crate) address: SocketAddr,
    pub(crate) admin: SocketAddr,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

/// Ports of servers: below those that systems assign, since other tests could get a chosen one before its server starts.
const PORTS: Range<u32> = 4_000..12_000;

/// Returns a port that no test has got before and that has no listener.
pub(crate) fn free_port() -> SocketAddr {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        // Concurrent runs start at different ports.
        let number = NEXT.fetch_add(1, Ordering::Relaxed).wrapping_add(std::process::id() * 97);
        let port = PORTS.start + number % (PORTS.end - PORTS.start);
        let address = SocketAddr::from(([127, 0, 0, 1], u16::try_from(port).unwrap()));
        if TcpListener::bind(address).is_ok() {
            return address;
        }
    }
}

/// Returns the `kith` command without `KITH_*` variables: the binary built for the tests, or the
/// one that a proof names (`cargo xtask prove … --release`).
pub(crate) fn kith() -> Command {
    let binary = std::env::var_os("KITH_PROOF_BINARY");
    let mut command = Command::new(binary.unwrap_or(env!("CARGO_BIN_EXE_kith").into()));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("KITH_")) {
        command.env_remove(name);
    }
    command
}

impl Program {
    /// Starts a server on free ports and waits until it is ready.
    pub(crate) fn start(data: &Path) -> Self {
        Self::start_with(data, &[])
    }

    /// Starts a server with additional settings.
    pub(crate) fn start_with(data: &Path, settings: &[&str]) -> Self {
        Self::start_logging(data, settings, Stdio::null())
    }

    /// Starts a server with additional settings and a destination for its log.
    pub(crate) fn start_logging(data: &Path, settings: &[&str], log: Stdio) -> Self {
        Self::launch(kith(), data, settings, log)
    }

    /// Starts a server by a wrapper command that takes the command line as its last arguments.
    #[cfg(target_os = "linux")]
    pub(crate) fn start_under(mut other: Command, data: &Path) -> Self {
        other.arg(kith().get_program());
        Self::launch(other, data, &[], Stdio::null())
    }

    /// Starts a server from a prepared command.
    #[cfg(target_os = "linux")]
    pub(crate) fn start_as(command: Command, data: &Path, log: Stdio) -> Self {
        Self::launch(command, data, &[], log)
    }

    fn launch(command: Command, data: &Path, settings: &[&str], log: Stdio) -> Self {
        let (address, admin) = (free_port(), free_port());
        let public_url = format!("http://{address}");
        Self::start_at(command, data, (address, admin), &public_url, settings, log)
    }

    /// Starts a server from a command with all its settings; only the address that members use is added.
    pub(crate) fn start_configured(mut command: Command, admin: SocketAddr) -> Self {
        let address = free_port();
        command.args(["--listen", &address.to_string(), "--public-url"]);
        command.arg(format!("http://{address}")).stderr(Stdio::null());
        Self::spawn(command, address, admin)
    }

    /// Starts a server on given addresses.
    pub(crate) fn start_at(
        mut command: Command,
        data: &Path,
        (address, admin): (SocketAddr, SocketAddr),
        public_url: &str,
        settings: &[&str],
        log: Stdio,
    ) -> Self {
        command
            .args(["serve", "--data", data.to_str().unwrap()])
            .env("KITH_RATE_LIMITS", "off")
            .args(["--listen", &address.to_string(), "--admin-listen", &admin.to_string()])
            .args(["--public-url", public_url])
            .args(settings)
            .stderr(log);
        Self::spawn(command, address, admin)
    }

    fn spawn(mut command: Command, address: SocketAddr, admin: SocketAddr) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        let mut program = Self { child, lines, address, admin };
        assert!(program.read_line().starts_with("Kith is at http://127.0.0.1:"));
        assert_eq!(program.request_admin("/readyz").status, 200);
        program
    }

    /// Reads a line from standard output.
    pub(crate) fn read_line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Sends a request to the public address; `head` adds header lines.
    pub(crate) fn request(&self, method: &str, path: &str, head: &str, body: &str) -> Reply {
        request(self.address, method, path, head, body.as_bytes()).unwrap()
    }

    /// Sends a request; `None` if the server dies before it responds.
    pub(crate) fn try_request(
        &self,
        method: &str,
        path: &str,
        head: &str,
        body: &str,
    ) -> Option<Reply> {
        request(self.address, method, path, head, body.as_bytes()).ok()
    }

    /// Opens a connection and sends `begun`.
    pub(crate) fn connect(&self, begun: &str) -> TcpStream {
        Self::connect_to(self.address, begun)
    }

    /// Opens a connection to the admin address and sends `begun`.
    pub(crate) fn connect_admin(&self, begun: &str) -> TcpStream {
        Self::connect_to(self.admin, begun)
    }

    fn connect_to(address: SocketAddr, begun: &str) -> TcpStream {
        let mut connection = TcpStream::connect(address).unwrap();
        connection.set_read_timeout(Some(TIMEOUT)).unwrap();
        connection.write_all(begun.as_bytes()).unwrap();
        connection
    }

    pub(crate) fn request_admin(&self, path: &str) -> Reply {
        request(self.admin, "GET", path, "", b"").unwrap()
    }

    /// Uploads a file by PUT.
    pub(crate) fn put_file(&self, path: &str, file: &[u8]) -> Reply {
        request(self.address, "PUT", path, "", file).unwrap()
    }

    /// Counts the open file descriptors of the process.
    #[cfg(target_os = "linux")]
    pub(crate) fn open_files(&self) -> usize {
        let files = std::fs::read_dir(format!("/proc/{}/fd", self.child.id()));
        files.unwrap().count()
    }

    /// Returns the process id.
    #[cfg(target_os = "linux")]
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the peak resident memory of the process in bytes.
    #[cfg(target_os = "linux")]
    pub(crate) fn peak_memory(&self) -> u64 {
        let status = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(status).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().nth(1));
        kilobytes.unwrap().parse::<u64>().unwrap() * 1_024
    }

    /// Returns the user and system CPU time of the process, to hundredths of a second.
    #[cfg(target_os = "linux")]
    pub(crate) fn processor_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        // Skips the process name, which can contain any character.
        let (_, fields) = stat.rsplit_once(')').unwrap();
        let fields = fields.split_whitespace().collect::<Vec<_>>();
        let ticks = fields[11..13].iter().map(|field| field.parse::<u64>().unwrap());
        Duration::from_millis(10 * ticks.sum::<u64>())
    }

    /// Logs in by a printed link and returns the cookie header.
    pub(crate) fn log_in(&self, printed: &str) -> String {
        let (_, query) = printed.split_once('?').unwrap();
        let reply = self.request("GET", &format!("/api/auth/verify?{query}"), "", "");
        assert_eq!(reply.status, 200, "{}", reply.body);
        let cookie =
            reply.head.lines().find_map(|line| line.strip_prefix("set-cookie: session=")).unwrap();
        format!("cookie: session={}\r\n", cookie.split(';').next().unwrap())
    }

    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    /// Waits until the process exits.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < TIMEOUT, "the program does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // The process may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a request on its own connection.
pub(crate) fn request(
    address: SocketAddr,
    method: &str,
    path: &str,
    head: &str,
    body: &[u8],
) -> std::io::Result<Reply> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{head}\r\n"
    )?;
    stream.write_all(body)?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").ok_or(std::io::ErrorKind::UnexpectedEof)?;
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|code| code.parse().ok())
        .ok_or(std::io::ErrorKind::InvalidData)?;
    Ok(Reply { status, head: head.to_owned(), body: body.to_owned() })
}
