//! Rate limit of log lines that clients can cause, so that they cannot fill the disk.

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::num::NonZeroU32;
use std::sync::LazyLock;

/// Maximum lines per minute and reason.
const MAX_LINES: NonZeroU32 = NonZeroU32::new(60).expect("it is not zero");
static LINES: LazyLock<DefaultKeyedRateLimiter<&'static str>> =
    LazyLock::new(|| RateLimiter::keyed(Quota::per_minute(MAX_LINES)));

/// Takes a token for a log line; returns false if the reason has used up its limit.
pub fn allow(reason: &'static str) -> bool {
    LINES.check_key(&reason).is_ok()
}
