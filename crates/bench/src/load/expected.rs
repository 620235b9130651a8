//! Verifies responses, so that a wrong response never counts as a fast one.

use anyhow::{Context as _, Result, ensure};
use hyper::StatusCode;
use serde_json::Value;

/// Conditions that every response of a scenario meets.
#[derive(Debug)]
pub struct ExpectedResponse {
    /// Status code.
    pub status: StatusCode,
    /// First bytes of the body.
    pub prefix: &'static str,
    /// Last bytes of the body.
    pub suffix: &'static str,
    /// Size of the body in bytes.
    pub size: std::ops::RangeInclusive<usize>,
    /// Checks the parsed body of a sampled response.
    pub check_json: fn(&Value) -> Result<()>,
}

impl ExpectedResponse {
    /// Fails with a sentence that shows the mismatch and the start of the body.
    pub(super) fn check(&self, status: StatusCode, body: &[u8], sampled: bool) -> Result<()> {
        let shown = || String::from_utf8_lossy(&body[..body.len().min(200)]).into_owned();
        ensure!(status == self.status, "the status is {status}, not {}: {}", self.status, shown());
        ensure!(
            body.starts_with(self.prefix.as_bytes()) && body.ends_with(self.suffix.as_bytes()),
            "a response does not begin with {} and end with {}: {}",
            self.prefix,
            self.suffix,
            shown()
        );
        ensure!(
            self.size.contains(&body.len()),
            "a response has {} bytes, not {:?}",
            body.len(),
            self.size
        );
        if sampled {
            let value = serde_json::from_slice(body)
                .with_context(|| format!("a response is not JSON: {}", shown()))?;
            (self.check_json)(&value)
                .with_context(|| format!("a response is wrong: {}", shown()))?;
        }
        Ok(())
    }
}

/// Fails unless the body equals the recorded one, which catches a response for another reader.
pub(super) fn check_recorded_body(kept: &[u8], body: &[u8]) -> Result<()> {
    let at = kept.iter().zip(body).position(|(one, other)| one != other);
    let at = at.unwrap_or(kept.len().min(body.len()));
    let shown = |body: &[u8]| {
        let from = at.saturating_sub(40);
        String::from_utf8_lossy(&body[from..body.len().min(at + 80)]).into_owned()
    };
    ensure!(
        kept == body,
        "a response differs from the recorded one, from byte {at} on: {}, not {}",
        shown(body),
        shown(kept)
    );
    Ok(())
}
