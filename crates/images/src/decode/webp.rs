//! WebP, by `image-webp`; the first picture of an animation.

use std::io::Cursor;

use image_webp::WebPDecoder;

use super::Decoded;
use crate::colour::Colours;
use crate::orientation::Orientation;
use crate::picture::{Layout, Picture};
use crate::{Refusal, bounds};

pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, Refusal> {
    if !is_whole(bytes) {
        return Err(Refusal::Broken);
    }
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(|_| Refusal::Broken)?;
    let (width, height) = decoder.dimensions();
    bounds::measures(width, height)?;
    let layout = if decoder.has_alpha() {
        Layout::Rgba
    } else {
        Layout::Rgb
    };
    let mut picture = Picture::blank(width, height, layout);
    let done = decoder.read_image(&mut picture.pixels);
    done.map_err(|_| Refusal::Broken)?;
    let exif = decoder.exif_metadata().ok().flatten();
    Ok(Decoded {
        picture,
        orientation: exif.map_or_else(Orientation::default, |exif| Orientation::from_exif(&exif)),
        colours: Colours::of(decoder.icc_profile().ok().flatten()),
    })
}

/// Whether the file has the length that its RIFF header states: the decoder shows what there is of a cut one.
fn is_whole(bytes: &[u8]) -> bool {
    let size = bytes.get(4..).and_then(<[u8]>::first_chunk);
    size.is_some_and(|size| u64::from(u32::from_le_bytes(*size)) + 8 <= bytes.len() as u64)
}
