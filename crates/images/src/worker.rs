//! The image worker: a process that decodes one file in a sandbox, responds and exits.
//!
//! A decoder that crashes, loops, allocates without end or runs an attacker's code costs one image.
//! The parent sends [`request_header`] and the file through a pipe, and reads a [`Response`].

use crate::sandbox::{self, Sandbox};
use crate::{Crop, ImageError, Preset, ProcessedImage, Rendition};
use serde::{Deserialize, Serialize};
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// The command-line argument that starts the worker.
pub const ARGUMENT: &str = "image-worker";

/// The whole environment: mimalloc would otherwise reserve a gigabyte, past the memory limit.
pub const ENVIRONMENT: [(&str, &str); 1] = [("MIMALLOC_ARENA_EAGER_COMMIT", "0")];

/// Time limit of the parent. A busy decoder ends earlier, at its CPU limit.
pub const TIMEOUT: Duration = Duration::from_secs(20);

/// Largest response, in bytes.
pub const MAX_RESPONSE_BYTES: u64 = 32 << 20;

/// Path of the running program, valid also after an upgrade replaced its file.
#[must_use]
pub fn own_program() -> PathBuf {
    let linked = PathBuf::from("/proc/self/exe");
    if linked.exists() { linked } else { std::env::current_exe().unwrap_or(linked) }
}

/// Serializes the header of a request, sent before the file.
#[must_use]
pub fn request_header(kind: Preset, crop: Option<Crop>) -> Vec<u8> {
    postcard::to_allocvec(&(kind, crop)).unwrap_or_default()
}

/// The worker's response.
#[derive(Debug, Serialize, Deserialize)]
pub struct Response {
    /// The sandbox that the worker ran in.
    pub sandbox: Sandbox,
    made: Result<(Vec<u8>, Vec<Rendition>), ImageError>,
}

impl Response {
    /// Parses a response, which an attacker may control after an exploit of a decoder.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }

    /// The processed image, or why the file was rejected.
    pub fn made(self, kind: Preset) -> Result<ProcessedImage, ImageError> {
        let (thumbhash, renditions) = self.made?;
        ProcessedImage::of(kind, thumbhash, renditions).ok_or(ImageError::Broken)
    }
}

/// Runs the worker: enters the sandbox, serves one request and exits.
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
    if served.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
