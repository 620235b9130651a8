//! What an answer must be, so that a server is not praised for answering wrongly.

use anyhow::{Context as _, Result, ensure};
use hyper::StatusCode;
use serde_json::Value;

/// What holds for every answer to a call.
#[derive(Debug)]
pub struct ExpectedResponse {
    /// Its status.
    pub status: StatusCode,
    /// Its first bytes.
    pub prefix: &'static str,
    /// Its last bytes.
    pub suffix: &'static str,
    /// Its size in bytes.
    pub size: std::ops::RangeInclusive<usize>,
    /// What is looked for inside of samples; the error says what is missing.
    pub check_json: fn(&Value) -> Result<()>,
}

impl ExpectedResponse {
    /// Fails with a sentence that shows what is wrong.
    pub(super) fn check(&self, status: StatusCode, body: &[u8], sampled: bool) -> Result<()> {
        let shown = || String::from_utf8_lossy(&body[..body.len().min(200)]).into_owned();
        ensure!(
            status == self.status,
            "the status is {status}, not {}: {}",
            self.status,
            shown()
        );
        ensure!(
            body.starts_with(self.prefix.as_bytes()) && body.ends_with(self.suffix.as_bytes()),
            "an answer does not begin with {} and end with {}: {}",
            self.prefix,
            self.suffix,
            shown()
        );
        ensure!(
            self.size.contains(&body.len()),
            "an answer has {} bytes, not {:?}",
            body.len(),
            self.size
        );
        if sampled {
            let value = serde_json::from_slice(body)
                .with_context(|| format!("an answer is no JSON: {}", shown()))?;
            (self.check_json)(&value)
                .with_context(|| format!("an answer is wrong: {}", shown()))?;
        }
        Ok(())
    }
}

/// Fails unless a body is the very one that was kept: not another reader's, for one.
pub(super) fn check_same(kept: &[u8], body: &[u8]) -> Result<()> {
    let at = kept.iter().zip(body).position(|(one, other)| one != other);
    let at = at.unwrap_or(kept.len().min(body.len()));
    let shown = |body: &[u8]| {
        let from = at.saturating_sub(40);
        String::from_utf8_lossy(&body[from..body.len().min(at + 80)]).into_owned()
    };
    ensure!(
        kept == body,
        "an answer is not the one that was kept, from byte {at} on: {}, not {}",
        shown(body),
        shown(kept)
    );
    Ok(())
}
