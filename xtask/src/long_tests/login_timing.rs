//! `cargo xtask login-timing`: checks that response times do not reveal membership.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

use crate::services::postgres::{Cluster, free_port};
use crate::support::cargo::{self, Profile};
use crate::support::child::ChildGuard;
use crate::support::process;

/// Maximum startup time, on a busy machine.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum difference of the two medians.
const MAX_DIFFERENCE: Duration = Duration::from_millis(1);

const KNOWN: &str = "known@example.org";
const UNKNOWN: &str = "never@example.org";

/// Parsed arguments.
#[derive(Debug, PartialEq, Eq)]
struct Args {
    pairs: u32,
    is_release: bool,
    on_postgres: bool,
}

/// Requests login links alternately for a member's email and an unknown one; fails if the median
/// response times differ by a millisecond or more.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    let args = parse_args(arguments)?;
    let binary = cargo::build(if args.is_release { Profile::Release } else { Profile::Debug })?;
    let cluster = args.on_postgres.then(Cluster::start).transpose()?;
    let folder = std::env::temp_dir().join(format!("kith-timing-{}", std::process::id()));
    fs::create_dir(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let database = cluster.as_ref().map(Cluster::url);
    let mut server = Server::start(&binary, &folder, database)?;
    let mut set_email = process::kith(&binary, "member", &folder, database);
    process::output(set_email.args(["email", "founder", KNOWN]))?;
    let (known, unknown) = measure_medians(&mut server, args.pairs)?;
    let difference = known.abs_diff(unknown);
    println!(
        "login-timing: {} pairs; median for a member {} µs, for an unknown email {} µs, difference {} µs",
        args.pairs,
        known.as_micros(),
        unknown.as_micros(),
        difference.as_micros()
    );
    ensure!(
        difference < MAX_DIFFERENCE,
        "the response time reveals membership: the medians differ by {} µs",
        difference.as_micros()
    );
    Ok(())
}

fn measure_medians(server: &mut Server, pairs: u32) -> Result<(Duration, Duration)> {
    // Warms up connections, prepared statements and caches.
    for _ in 0..50 {
        server.request_link(KNOWN)?;
        server.request_link(UNKNOWN)?;
    }
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for pair in 0..pairs {
        // Alternates the order, since the email worker's job of one request slows the next.
        if pair % 2 == 0 {
            known.push(server.request_link(KNOWN)?);
            unknown.push(server.request_link(UNKNOWN)?);
        } else {
            unknown.push(server.request_link(UNKNOWN)?);
            known.push(server.request_link(KNOWN)?);
        }
    }
    Ok((median(&mut known), median(&mut unknown)))
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// A running server with a connection; it stops, and its folder is removed, on drop.
struct Server {
    address: String,
    connection: BufReader<TcpStream>,
    _leash: ChildGuard,
}

impl Server {
    fn start(binary: &Path, folder: &Path, database: Option<&str>) -> Result<Self> {
        let address = format!("127.0.0.1:{}", free_port()?);
        let mut serve = process::kith(binary, "serve", folder, database);
        serve
            .args(["--listen", &address, "--rate-limits", "off"])
            .args(["--admin-listen", &format!("127.0.0.1:{}", free_port()?)])
            .args(["--public-url", &format!("http://{address}")])
            .stdout(File::create(folder.join("printed"))?)
            .stderr(File::create(folder.join("log"))?);
        let mut server = ChildGuard::start(&mut serve, "TERM", Some(folder))?;
        let begun = Instant::now();
        while begun.elapsed() < START_TIMEOUT {
            // The founder now exists; the test sets their email.
            if fs::read_to_string(folder.join("printed"))?.contains("Invite code") {
                let stream = TcpStream::connect(&address)?;
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(START_TIMEOUT))?;
                return Ok(Self { address, connection: BufReader::new(stream), _leash: server });
            }
            if let Some(status) = server.exit_status()? {
                let log = fs::read_to_string(folder.join("log"))?;
                bail!("the server exited with {status}; its log: {}", log.trim());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        bail!("the server was not ready after {} s", START_TIMEOUT.as_secs());
    }

    /// Time from sending the first byte to receiving the last one.
    fn request_link(&mut self, email: &str) -> Result<Duration> {
        let body = format!("{{\"email\":\"{email}\"}}");
        let request = format!(
            "POST /api/auth/request-login-link HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        let begun = Instant::now();
        self.connection.get_mut().write_all(request.as_bytes())?;
        let (mut head, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            self.connection.read_line(&mut line)?;
            let line = line.trim_end().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
            head += &line;
        }
        let mut body = vec![0; length];
        self.connection.read_exact(&mut body)?;
        let elapsed = begun.elapsed();
        ensure!(head.starts_with("http/1.1 200"), "the server responded {head}");
        Ok(elapsed)
    }
}

fn parse_args(arguments: &[String]) -> Result<Args> {
    let mut args = Args { pairs: 2_000, is_release: false, on_postgres: false };
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        match word {
            "--pairs" => {
                let number = words.next().and_then(|word| word.parse().ok());
                args.pairs = number.context("`--pairs` takes a number")?;
            }
            "--release" => args.is_release = true,
            "--postgres" => args.on_postgres = true,
            other => {
                bail!("unknown flag `{other}`; known: --pairs N, --release and --postgres")
            }
        }
    }
    ensure!(args.pairs > 0, "`--pairs` takes a number above 0");
    Ok(args)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::arguments;

    #[test]
    fn the_command_line_is_parsed() {
        let parse = |words: &[&str]| super::parse_args(&arguments(words));
        let usual = parse(&[]).expect("no flag is required");
        assert_eq!((usual.pairs, usual.is_release, usual.on_postgres), (2_000, false, false));
        let all = parse(&["--pairs", "7", "--release", "--postgres"]).expect("all flags");
        assert_eq!((all.pairs, all.is_release, all.on_postgres), (7, true, true));
        for wrong in [&["--pairs"][..], &["--pairs", "0"], &["--fast"]] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_median_is_the_middle_value() {
        let mut times = [9, 1, 5].map(Duration::from_millis);
        assert_eq!(median(&mut times), Duration::from_millis(5));
    }
}
