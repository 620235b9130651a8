//! Bounds the log lines that clients can cause, so that they cannot fill the disk.

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::num::NonZeroU32;
use std::sync::LazyLock;

/// Lines per minute and reason.
const MAX_LINES: NonZeroU32 = NonZeroU32::new(60).expect("it is not zero");
static LINES: LazyLock<DefaultKeyedRateLimiter<&'static str>> =
    LazyLock::new(|| RateLimiter::keyed(Quota::per_minute(MAX_LINES)));

/// Whether another line for this reason may be logged now.
pub(crate) fn allow(reason: &'static str) -> bool {
    LINES.check_key(&reason).is_ok()
}
