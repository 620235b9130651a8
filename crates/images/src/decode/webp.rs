//! WebP, first frame, by `image-webp`.

use std::io::Cursor;

use image_webp::WebPDecoder;

use super::Decoded;
use crate::bitmap::{Bitmap, Layout};
use crate::color::ColorSpace;
use crate::orientation::Orientation;
use crate::{ImageError, limits};

pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, ImageError> {
    if !is_whole(bytes) {
        return Err(ImageError::Broken);
    }
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(|_| ImageError::Broken)?;
    let (width, height) = decoder.dimensions();
    limits::check_dimensions(width, height)?;
    let layout = if decoder.has_alpha() { Layout::Rgba } else { Layout::Rgb };
    let mut picture = Bitmap::blank(width, height, layout);
    let done = decoder.read_image(&mut picture.pixels);
    done.map_err(|_| ImageError::Broken)?;
    let exif = decoder.exif_metadata().ok().flatten();
    Ok(Decoded {
        picture,
        orientation: exif.map_or_else(Orientation::default, |exif| Orientation::from_exif(&exif)),
        colours: ColorSpace::of(decoder.icc_profile().ok().flatten()),
    })
}

/// Whether the file is as long as its RIFF header states: the decoder accepts truncated files.
fn is_whole(bytes: &[u8]) -> bool {
    let size = bytes.get(4..).and_then(<[u8]>::first_chunk);
    size.is_some_and(|size| u64::from(u32::from_le_bytes(*size)) + 8 <= bytes.len() as u64)
}
