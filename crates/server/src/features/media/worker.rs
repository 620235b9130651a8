//! Runs image workers: processes of this program that decode one file each, in a sandbox.

use kith_images::worker::{
    ARGUMENT, ENVIRONMENT, MAX_RESPONSE_BYTES, Response, TIMEOUT, request_header,
};
use kith_images::{Crop, ImageError, Preset, ProcessedImage, Sandbox};
use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;

/// GIF of one pixel.
const TEST_IMAGE: &[u8] =
    b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xFF\xFF\xFF\x2C\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0\x3B";

/// Processes a file in a worker. The outer error is the worker's or the system's, not the file's.
pub(super) async fn process(
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
    use std::os::unix::fs::PermissionsExt;

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
