//! Decoders.
//!
//! Each checks the dimensions before it allocates. They are the decoders of the crate `image`, called
//! directly: so 16-bit PNG is narrowed while reading, CMYK reaches its profile, and the first frame
//! of an animation takes the memory of one image.

mod avif;
mod gif;
mod jpeg;
mod png;
mod webp;

use crate::bitmap::Bitmap;
use crate::color::ColorSpace;
use crate::orientation::Orientation;
use crate::{Format, ImageError};

/// A decoded image in stored orientation and color space.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub(crate) picture: Bitmap,
    /// Rotation to upright.
    pub(crate) orientation: Orientation,
    pub(crate) colours: ColorSpace,
}

pub(crate) fn decode(bytes: &[u8], format: Format) -> Result<Decoded, ImageError> {
    match format {
        Format::Jpeg => jpeg::decode(bytes),
        Format::Png => png::decode(bytes),
        Format::WebP => webp::decode(bytes),
        Format::Gif => gif::decode(bytes),
        Format::Avif => avif::decode(bytes),
    }
}
