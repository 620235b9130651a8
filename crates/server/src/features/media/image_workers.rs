//! Image workers: processes of this program that decode one file each, in a sandbox. A few run concurrently, and one
//! per member.

use crate::http::error::{ApiError, Result};
use crate::platform::ids::Id;
use kith_images::worker::{
    ARGUMENT, ENVIRONMENT, MAX_RESPONSE_BYTES, Response, TIMEOUT, request_header,
};
use kith_images::{Crop, ImageError, Preset, ProcessedImage, Sandbox};
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

/// How long a request waits for the member's lock and a worker permit.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// GIF of one pixel.
const TEST_IMAGE: &[u8] =
    b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xFF\xFF\xFF\x2C\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0\x3B";

/// Pool of worker permits. Each worker needs a core, and memory for its pixels.
#[derive(Debug)]
pub struct ImageWorkers {
    permits: Arc<Semaphore>,
    // Locks of members who are processing or waiting: one member's queue must not block other members.
    locks: Mutex<HashMap<Id, Weak<AsyncMutex<()>>>>,
}

/// Permit to process one image.
#[derive(Debug)]
pub(super) struct WorkerPermit {
    _worker: OwnedSemaphorePermit,
    lock: MemberLock,
}

/// Lock that keeps a member's other images from being processed.
pub(super) type MemberLock = OwnedMutexGuard<()>;

impl WorkerPermit {
    /// Releases the worker but keeps the member's lock while the image is stored.
    pub(super) fn release_worker(self) -> MemberLock {
        self.lock
    }
}

impl Default for ImageWorkers {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { permits: Arc::new(Semaphore::new((cores / 2).max(1))), locks: Mutex::default() }
    }
}

impl ImageWorkers {
    /// Acquires a permit for one image of a member; 503 after 10 seconds.
    pub(super) async fn acquire(&self, member: Id) -> Result<WorkerPermit> {
        let lock = self.member_lock(member);
        let acquire = async {
            let lock = lock.lock_owned().await;
            let worker = self.permits.clone().acquire_owned().await.ok()?;
            Some(WorkerPermit { _worker: worker, lock })
        };
        let permit = tokio::time::timeout(MAX_WAIT, acquire).await;
        permit.ok().flatten().ok_or_else(ApiError::unavailable)
    }

    /// Returns the lock of a member, and evicts unused locks when it creates one.
    fn member_lock(&self, member: Id) -> Arc<AsyncMutex<()>> {
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lock) = locks.get(&member).and_then(Weak::upgrade) {
            return lock;
        }
        locks.retain(|_, lock| lock.strong_count() > 0);
        let lock = Arc::new(AsyncMutex::default());
        locks.insert(member, Arc::downgrade(&lock));
        lock
    }
}

/// Processes a file in a worker. The outer error is the worker's or the system's, not the file's.
pub(super) async fn process_in_worker(
    program: &Path,
    file: &[u8],
    preset: Preset,
    crop: Option<Crop>,
) -> io::Result<Result<ProcessedImage, ImageError>> {
    let response = run_worker(program, file, preset, crop, TIMEOUT).await?;
    Ok(response.map_or(Err(ImageError::TooComplex), |response| response.made(preset)))
}

/// Runs a worker on a test image and returns its sandbox.
pub async fn test_worker(program: &Path) -> io::Result<Sandbox> {
    let response = run_worker(program, TEST_IMAGE, Preset::Post, None, TIMEOUT).await?;
    let no_response = || io::Error::other("it ended before it answered");
    let response = response.ok_or_else(no_response)?;
    let sandbox = response.sandbox;
    response.made(Preset::Post).map_err(io::Error::other)?;
    Ok(sandbox)
}

/// Runs a worker with a timeout; `None` if it reached a limit or crashed.
async fn run_worker(
    program: &Path,
    file: &[u8],
    preset: Preset,
    crop: Option<Crop>,
    timeout: Duration,
) -> io::Result<Option<Response>> {
    let result =
        tokio::time::timeout(timeout, exchange(program, file, &request_header(preset, crop))).await;
    let Ok(exchanged) = result else {
        return Ok(None);
    };
    let (status, response) = exchanged?;
    match status.code() {
        Some(0) => Ok(Response::read(&response)),
        // The worker could not start, for example because the sandbox was denied.
        Some(1) => Err(io::Error::other("the image worker could not start")),
        _ => Ok(None),
    }
}

/// Spawns a worker and exchanges request and response. The worker is killed when the future is dropped.
async fn exchange(program: &Path, file: &[u8], head: &[u8]) -> io::Result<(ExitStatus, Vec<u8>)> {
    let mut worker = Command::new(program)
        .arg(ARGUMENT)
        .env_clear()
        .envs(ENVIRONMENT)
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let (Some(mut stdin), Some(stdout)) = (worker.stdin.take(), worker.stdout.take()) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let send = async move {
        // Ignores write errors, because a crashed worker is detected by its exit status.
        let _ = stdin.write_all(head).await;
        let _ = stdin.write_all(file).await;
    };
    let mut response = Vec::new();
    let mut stdout = stdout.take(MAX_RESPONSE_BYTES);
    let ((), read) = tokio::join!(send, stdout.read_to_end(&mut response));
    read?;
    drop(stdout);
    Ok((worker.wait().await?, response))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;
    use std::os::unix::fs::PermissionsExt;

    #[tokio::test]
    async fn a_member_has_one_permit_at_a_time() {
        let pool = ImageWorkers { permits: Arc::new(Semaphore::new(2)), locks: Mutex::default() };
        let acquire = |member| pool.acquire(Id(member)).now_or_never();
        let first = acquire(1);
        assert!(matches!(first, Some(Ok(_))));
        assert!(acquire(1).is_none(), "their second waits");
        let other = acquire(2);
        assert!(matches!(other, Some(Ok(_))), "another member's does not");
        assert!(acquire(3).is_none(), "it is full");
        drop(first);
        assert!(matches!(acquire(1), Some(Ok(_))));
        drop(other);
        pool.member_lock(Id(4));
        let locks = pool.locks.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(locks.len(), 1, "unused locks are evicted");
    }

    /// Runs a shell script as the worker.
    async fn run_script(script: &str) -> io::Result<Option<Response>> {
        let folder = tempfile::tempdir()?;
        let program = folder.path().join("worker");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n"))?;
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o700))?;
        let timeout = Duration::from_millis(500);
        run_worker(&program, &vec![7; 1_000_000], Preset::Post, None, timeout).await
    }

    /// proves: image-worker
    #[tokio::test]
    async fn a_worker_without_a_response_fails_its_image_only() {
        for script in [
            "kill -SEGV $$",
            "kill -KILL $$",
            "exit 101",
            "exec sleep 1000",
            "while :; do :; done",
            "exec cat /dev/zero",
            "cat; echo",
            "echo nonsense",
        ] {
            let response = run_script(script).await;
            assert!(matches!(response, Ok(None)), "{script}: {response:?}");
        }
    }

    #[tokio::test]
    async fn a_worker_that_cannot_start_is_not_an_image_error() {
        assert!(run_script("exit 1").await.is_err());
        let missing = test_worker(Path::new("/nonexistent/kith")).await;
        assert_eq!(missing.map_err(|error| error.kind()), Err(io::ErrorKind::NotFound));
    }
}
