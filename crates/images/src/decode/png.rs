//! PNG, by `png`.

use std::io::Cursor;

use png::{ColorType, Decoder, DecodingError, Info, Limits, Transformations};

use super::Decoded;
use crate::colour::Colours;
use crate::orientation::Orientation;
use crate::picture::{Layout, Picture};
use crate::{Refusal, bounds};

/// What the decoder may allocate beside the picture itself, in bytes: rows and a colour profile.
const BESIDE: usize = 16 << 20;

pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, Refusal> {
    let limits = Limits { bytes: BESIDE };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_ignore_text_chunk(true);
    let head = decoder
        .read_header_info()
        .map_err(|error| refusal(&error))?;
    bounds::measures(head.width, head.height)?;
    // Palettes, transparent colours and fewer than 8 bits become whole bytes; 16 bits become 8.
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(|error| refusal(&error))?;
    let (width, height) = reader.info().size();
    let layout = match reader.output_color_type().0 {
        ColorType::Grayscale => Layout::Gray,
        ColorType::GrayscaleAlpha => Layout::GrayAlpha,
        ColorType::Rgb => Layout::Rgb,
        ColorType::Rgba => Layout::Rgba,
        ColorType::Indexed => return Err(Refusal::Broken),
    };
    let mut picture = Picture::blank(width, height, layout);
    reader
        .next_frame(&mut picture.pixels)
        .map_err(|error| refusal(&error))?;
    let info = reader.info();
    let exif = info.exif_metadata.as_deref().map(Orientation::from_exif);
    Ok(Decoded {
        picture,
        orientation: exif.unwrap_or_default(),
        colours: colours(info),
    })
}

/// What the file says about its colours; numbers count for more than a profile.
fn colours(info: &Info<'_>) -> Colours {
    match &info.coding_independent_code_points {
        Some(code) => Colours::Code {
            primaries: code.color_primaries,
            transfer: code.transfer_function,
        },
        None => Colours::of(info.icc_profile.as_deref().map(<[u8]>::to_vec)),
    }
}

fn refusal(error: &DecodingError) -> Refusal {
    match error {
        DecodingError::LimitsExceeded => Refusal::TooComplex,
        _ => Refusal::Broken,
    }
}
