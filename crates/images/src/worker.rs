//! The image worker: a process that decodes one file in a sandbox, answers, and ends.
//!
//! A decoder that misbehaves there (crash, loop, allocate without end, run a stranger's code) costs that
//! one image. The parent sends [`request_header`] and the file through a pipe, and reads a [`Response`].

use crate::sandbox::{self, Sandbox};
use crate::{Crop, ImageError, Preset, ProcessedImage, Rendition};
use serde::{Deserialize, Serialize};
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// The argument with which a program becomes the worker.
pub const ARGUMENT: &str = "image-worker";

/// The whole environment: mimalloc would otherwise reserve a gigabyte, past the memory limit.
pub const ENVIRONMENT: [(&str, &str); 1] = [("MIMALLOC_ARENA_EAGER_COMMIT", "0")];

/// How long the parent waits. A decoder that computes ends earlier, at its processor time.
pub const TIMEOUT: Duration = Duration::from_secs(20);

/// The longest response, in bytes.
pub const MAX_RESPONSE_BYTES: u64 = 32 << 20;

/// The program that becomes an image worker: this one, also when an upgrade has replaced its file.
#[must_use]
pub fn own_program() -> PathBuf {
    let linked = PathBuf::from("/proc/self/exe");
    if linked.exists() {
        linked
    } else {
        std::env::current_exe().unwrap_or(linked)
    }
}

/// The request's header, sent before the file.
#[must_use]
pub fn request_header(kind: Preset, crop: Option<Crop>) -> Vec<u8> {
    postcard::to_allocvec(&(kind, crop)).unwrap_or_default()
}

/// The worker's response.
#[derive(Debug, Serialize, Deserialize)]
pub struct Response {
    /// The sandbox it ran in.
    pub sandbox: Sandbox,
    made: Result<(Vec<u8>, Vec<Rendition>), ImageError>,
}

impl Response {
    /// Reads what came from a worker, which may no longer be one of ours.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }

    /// The made image, or why the file was rejected.
    pub fn made(self, kind: Preset) -> Result<ProcessedImage, ImageError> {
        let (thumbhash, renditions) = self.made?;
        ProcessedImage::of(kind, thumbhash, renditions).ok_or(ImageError::Broken)
    }
}

/// Serves one request: the whole life of a worker.
#[must_use]
pub fn run(
    process: impl FnOnce(&[u8], Preset, Option<Crop>) -> Result<ProcessedImage, ImageError>,
) -> ExitCode {
    let served = sandbox::enter().and_then(|sandbox| {
        let mut request = Vec::new();
        io::stdin().lock().read_to_end(&mut request)?;
        let request = postcard::take_from_bytes::<(Preset, Option<Crop>)>(&request);
        let ((kind, crop), file) = request.map_err(io::Error::other)?;
        let made = process(file, kind, crop).map(|made| (made.thumbhash, made.renditions));
        let response = postcard::to_allocvec(&Response { sandbox, made });
        io::stdout().write_all(&response.map_err(io::Error::other)?)
    });
    if served.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
