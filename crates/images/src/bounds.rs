//! How large a picture may be.

use crate::Refusal;

/// The longest file that is taken, in bytes.
pub const MAX_BYTES: usize = 10_485_760;

/// The most pixels that a picture may have.
pub const MAX_PIXELS: u64 = 50_000_000;

/// The most pixels that a picture may be wide or high.
pub const MAX_SIDE: u32 = 16_384;

/// Refuses measures that are too large, or none at all.
pub(crate) fn measures(width: u32, height: u32) -> Result<(), Refusal> {
    if width == 0 || height == 0 {
        Err(Refusal::Broken)
    } else if width > MAX_SIDE || height > MAX_SIDE {
        Err(Refusal::TooWide)
    } else if u64::from(width) * u64::from(height) > MAX_PIXELS {
        Err(Refusal::TooManyPixels)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_bounded_to_the_pixel() {
        assert_eq!(measures(10_000, 5_000), Ok(()));
        assert_eq!(measures(10_001, 5_000), Err(Refusal::TooManyPixels));
        assert_eq!(measures(16_384, 1), Ok(()));
        assert_eq!(measures(1, 16_385), Err(Refusal::TooWide));
        assert_eq!(measures(u32::MAX, u32::MAX), Err(Refusal::TooWide));
        assert_eq!(measures(0, 7), Err(Refusal::Broken));
    }
}
