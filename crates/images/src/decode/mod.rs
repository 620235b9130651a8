//! From the bytes of a file to its pixels.
//!
//! Every decoder reads the measures first, has them checked, and only then allocates. Each is
//! the one that the crate `image` wraps, called directly: so 16-bit PNG is narrowed while it is
//! read, ink reaches the colour profile that describes it, and the first picture of an animation
//! takes the memory of one picture.

mod avif;
mod gif;
mod jpeg;
mod png;
mod webp;

use crate::bitmap::Bitmap;
use crate::color::ColorSpace;
use crate::orientation::Orientation;
use crate::{Format, ImageError};

/// A picture as its file stores it.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub(crate) picture: Bitmap,
    /// How it becomes upright.
    pub(crate) orientation: Orientation,
    /// What its colours mean.
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
