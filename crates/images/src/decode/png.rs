//! PNG, by `png`.

use std::io::Cursor;

use png::{ColorType, Decoder, DecodingError, Info, Limits, Transformations};

use super::Decoded;
use crate::bitmap::{Bitmap, Layout};
use crate::color::ColorSpace;
use crate::orientation::Orientation;
use crate::{ImageError, limits};

/// Memory limit of the decoder beside the pixels, in bytes: rows and an ICC profile.
const BESIDE: usize = 16 << 20;

pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, ImageError> {
    let limits = Limits { bytes: BESIDE };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_ignore_text_chunk(true);
    let head = decoder.read_header_info().map_err(|error| image_error(&error))?;
    limits::check_dimensions(head.width, head.height)?;
    // Palettes, transparent colours and fewer than 8 bits become whole bytes; 16 bits become 8.
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(|error| image_error(&error))?;
    let (width, height) = reader.info().size();
    let layout = match reader.output_color_type().0 {
        ColorType::Grayscale => Layout::Gray,
        ColorType::GrayscaleAlpha => Layout::GrayAlpha,
        ColorType::Rgb => Layout::Rgb,
        ColorType::Rgba => Layout::Rgba,
        ColorType::Indexed => return Err(ImageError::Broken),
    };
    let mut picture = Bitmap::blank(width, height, layout);
    reader.next_frame(&mut picture.pixels).map_err(|error| image_error(&error))?;
    let info = reader.info();
    let exif = info.exif_metadata.as_deref().map(Orientation::from_exif);
    Ok(Decoded { picture, orientation: exif.unwrap_or_default(), colours: colours(info) })
}

/// Color space of the file; CICP precedes an ICC profile.
fn colours(info: &Info<'_>) -> ColorSpace {
    match &info.coding_independent_code_points {
        Some(code) => {
            ColorSpace::Cicp { primaries: code.color_primaries, transfer: code.transfer_function }
        }
        None => ColorSpace::of(info.icc_profile.as_deref().map(<[u8]>::to_vec)),
    }
}

fn image_error(error: &DecodingError) -> ImageError {
    match error {
        DecodingError::LimitsExceeded => ImageError::TooComplex,
        _ => ImageError::Broken,
    }
}
