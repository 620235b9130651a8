//! Image workers: restrictions of the sandbox, and limits of misbehaving decoders.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use kith_images::worker::{ARGUMENT, ENVIRONMENT, Response, request_header};
use kith_images::{ImageError, Preset, ProcessedImage};

use crate::corpus::{file, post};
use crate::{bombs, codes, frames};

/// The real decoders, and one that follows orders in the file.
const WORKER: &str = env!("CARGO_BIN_EXE_planted-worker");

/// Result of the planted decoder when the sandbox denied its access.
const DENIED: ImageError = ImageError::NotAnImage;

/// The end of a worker.
#[derive(Debug)]
pub(crate) struct Ended {
    /// `None` if it sent no result.
    pub(crate) made: Option<Result<ProcessedImage, ImageError>>,
    /// Peak memory in bytes, as far as observed.
    pub(crate) memory: u64,
}

fn start() -> Child {
    Command::new(WORKER)
        .arg(ARGUMENT)
        .env_clear()
        .envs(ENVIRONMENT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Has a worker decode a file.
pub(crate) fn work(file: &[u8]) -> Ended {
    let mut child = start();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let response = thread::scope(|scope| {
        scope.spawn(move || {
            // A worker that has ended reads no more.
            let _ = stdin.write_all(&request_header(Preset::Post, None));
            let _ = stdin.write_all(file);
        });
        let response = scope.spawn(move || {
            let mut response = Vec::new();
            stdout.read_to_end(&mut response).unwrap();
            response
        });
        let mut memory = 0;
        while child.try_wait().unwrap().is_none() {
            memory = memory.max(most_memory(child.id()));
            thread::sleep(Duration::from_millis(2));
        }
        (response.join().unwrap(), memory)
    });
    let (response, memory) = response;
    Ended { made: Response::read(&response).map(|response| response.made(Preset::Post)), memory }
}

/// Peak memory of a process in bytes; 0 after its end.
fn most_memory(id: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = most.and_then(|most| most.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    kib.unwrap_or(0) * 1_024
}

/// Whether a decoder reaches its target without a sandbox.
fn reaches_outside(order: &str) -> bool {
    Command::new(WORKER).arg(order).status().unwrap().success()
}

#[test]
fn a_worker_has_the_same_result() {
    for name in ["busy.jpg", "busy.avif", "rgba16.png", "moving.webp", "plain.gif"] {
        let bytes = file(name);
        assert_eq!(work(&bytes).made, Some(Ok(post(&bytes))), "{name}");
    }
    assert_eq!(work(&[]).made, Some(Err(ImageError::Empty)));
}

/// Each access is possible without the sandbox, so the test fails if the sandbox denies nothing.
/// proves: image-worker
#[test]
fn a_decoder_has_no_access() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret.key");
    fs::write(&secret, "secret").unwrap();
    let secret = secret.to_str().unwrap();
    let new = folder.path().join("new");
    let removed = folder.path().join("removed");
    fs::write(&removed, "").unwrap();
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let socket = folder.path().join("socket");
    let _socket = UnixListener::bind(&socket).unwrap();
    let mut other = Command::new("sleep").arg("1000").spawn().unwrap();
    for order in [
        format!("read {secret}"),
        "read /proc/self/environ".to_owned(),
        format!("read /proc/{}/environ", std::process::id()),
        format!("list {}", folder.path().display()),
        format!("write {secret}"),
        format!("write {}", new.display()),
        format!("connect {}", tcp.local_addr().unwrap()),
        "datagram".to_owned(),
        format!("socket {}", socket.display()),
        "run /bin/true".to_owned(),
        format!("signal {}", other.id()),
        "environment PATH".to_owned(),
        format!("remove {}", removed.display()),
    ] {
        let made = work(order.as_bytes()).made;
        assert_eq!(made, Some(Err(DENIED)), "{order}");
        assert!(reaches_outside(&order), "{order}");
    }
    let _ = (other.kill(), other.wait());
}

/// proves: image-worker
#[test]
fn an_endless_decoder_is_killed() {
    for order in ["crash", "overflow", "allocate", "loop"] {
        let ended = work(order.as_bytes());
        assert_eq!(ended.made, None, "{order}");
        assert!(ended.memory < 450_000_000, "{order}: {ended:?}");
    }
}

/// Whatever the file makes a decoder do, it ends within the limits.
/// proves: image-worker
#[test]
fn a_bomb_stays_within_the_limits() {
    let bombs = [bombs::bombs(), codes::bombs(), frames::bombs()].concat();
    for (name, bytes) in bombs {
        let ended = work(&bytes);
        let made = ended.made.map(|made| made.map(|made| made.hash));
        println!("{name}: {made:?}, {} bytes", ended.memory);
        assert!(ended.memory < 450_000_000, "{name}: {} bytes", ended.memory);
    }
}

/// Files that its parent has open are not inherited by a worker.
#[test]
fn a_worker_inherits_only_its_pipes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("open");
    let _open = fs::File::create(&path).unwrap();
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let own = |id: u32| -> Vec<_> {
        let descriptors = fs::read_dir(format!("/proc/{id}/fd")).unwrap();
        let targets = descriptors.map(|entry| fs::read_link(entry.unwrap().path()));
        targets.flatten().collect()
    };
    let mut child = start();
    let opened = own(child.id());
    assert!(own(std::process::id()).contains(&path));
    assert!(!opened.contains(&path), "{opened:?}");
    let is_socket = |target: &PathBuf| target.to_string_lossy().starts_with("socket:");
    assert!(!opened.iter().any(is_socket), "{opened:?}");
    drop(tcp);
    child.kill().unwrap();
    child.wait().unwrap();
}
