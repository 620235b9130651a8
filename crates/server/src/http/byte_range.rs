//! Parses the `Range` header of video players and resumed downloads.

/// Parses a single byte range into its first and last byte. `None` for any other header: the response is the whole
/// file.
///
/// # Errors
/// If the range begins after the end of the file.
#[must_use]
pub fn parse(text: &str, size: usize) -> Option<Result<(usize, usize), ()>> {
    let (first, last) = text.strip_prefix("bytes=")?.split_once('-')?;
    let end = size.checked_sub(1)?;
    let (first, last) = match (first.trim(), last.trim()) {
        ("", suffix) => (size.saturating_sub(suffix.parse::<usize>().ok()?), end),
        (first, "") => (first.parse().ok()?, end),
        (first, last) => (first.parse().ok()?, last.parse().ok()?),
    };
    if first > last && first <= end {
        return None;
    }
    Some(if first > end { Err(()) } else { Ok((first, last.min(end))) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_clamped_to_the_file() {
        assert_eq!(parse("bytes=0-", 10), Some(Ok((0, 9))));
        assert_eq!(parse("bytes=2-3", 10), Some(Ok((2, 3))));
        assert_eq!(parse("bytes=2-99", 10), Some(Ok((2, 9))));
        assert_eq!(parse("bytes=-4", 10), Some(Ok((6, 9))));
        assert_eq!(parse("bytes=-0", 10), Some(Err(())));
        assert_eq!(parse("bytes=10-", 10), Some(Err(())));
        for whole in ["bytes=5-3", "bytes=0-1,3-4", "items=0-1", "bytes=a-b", ""] {
            assert_eq!(parse(whole, 10), None, "{whole}");
        }
    }
}
