//! Limits on the size of an image.

use crate::ImageError;

/// Largest accepted file, in bytes.
pub const MAX_BYTES: usize = 10_485_760;

/// Largest number of pixels of an image.
pub const MAX_PIXELS: u64 = 50_000_000;

/// Largest width or height of an image, in pixels.
pub const MAX_SIDE: u32 = 16_384;

/// Rejects dimensions that are zero or above a limit.
pub(crate) fn check_dimensions(width: u32, height: u32) -> Result<(), ImageError> {
    if width == 0 || height == 0 {
        Err(ImageError::Broken)
    } else if width > MAX_SIDE || height > MAX_SIDE {
        Err(ImageError::TooWide)
    } else if u64::from(width) * u64::from(height) > MAX_PIXELS {
        Err(ImageError::TooManyPixels)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_are_bounded_to_the_pixel() {
        assert_eq!(check_dimensions(10_000, 5_000), Ok(()));
        assert_eq!(check_dimensions(10_001, 5_000), Err(ImageError::TooManyPixels));
        assert_eq!(check_dimensions(16_384, 1), Ok(()));
        assert_eq!(check_dimensions(1, 16_385), Err(ImageError::TooWide));
        assert_eq!(check_dimensions(u32::MAX, u32::MAX), Err(ImageError::TooWide));
        assert_eq!(check_dimensions(0, 7), Err(ImageError::Broken));
    }
}
