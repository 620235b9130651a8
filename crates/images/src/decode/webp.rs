//! WebP, by `image-webp`.

use std::io::Cursor;

use image_webp::{DecodingError, WebPDecoder};

use super::Decoded;
use crate::colour::Colours;
use crate::orientation::Orientation;
use crate::picture::{Layout, Picture};
use crate::{Refusal, bounds};

/// What the decoder may allocate for one of the file's blocks of metadata, in bytes.
const BESIDE: usize = 16 << 20;

pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, Refusal> {
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(|error| refusal(&error))?;
    decoder.set_memory_limit(BESIDE);
    let (width, height) = decoder.dimensions();
    bounds::measures(width, height)?;
    let layout = if decoder.has_alpha() {
        Layout::Rgba
    } else {
        Layout::Rgb
    };
    // An animation is laid on a canvas of its own, and so is copied twice.
    let copies = if decoder.is_animated() { 3 } else { 1 };
    bounds::memory(u64::from(width) * u64::from(height), 4 * copies)?;
    let exif = decoder.exif_metadata().map_err(|error| refusal(&error))?;
    let profile = decoder.icc_profile().map_err(|error| refusal(&error))?;
    let mut picture = Picture::blank(width, height, layout);
    decoder
        .read_image(&mut picture.pixels)
        .map_err(|error| refusal(&error))?;
    let exif = exif.map(|exif| Orientation::from_exif(&exif));
    Ok(Decoded {
        picture,
        orientation: exif.unwrap_or_default(),
        colours: Colours::of(profile),
    })
}

fn refusal(error: &DecodingError) -> Refusal {
    match error {
        DecodingError::MemoryLimitExceeded | DecodingError::ImageTooLarge => Refusal::TooComplex,
        _ => Refusal::Broken,
    }
}
