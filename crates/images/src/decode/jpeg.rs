//! JPEG, by `zune-jpeg`.

use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

use super::Decoded;
use crate::colour::Colours;
use crate::orientation::Orientation;
use crate::picture::{Layout, Picture};
use crate::{Refusal, bounds};

pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, Refusal> {
    let options = DecoderOptions::default()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .set_strict_mode(true);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(|error| refusal(&error))?;
    let info = decoder.info().ok_or(Refusal::Broken)?;
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    bounds::measures(width, height)?;
    let (output, layout) = match decoder.input_colorspace() {
        Some(ColorSpace::Luma) => (ColorSpace::Luma, Layout::Gray),
        Some(ColorSpace::CMYK) => (ColorSpace::CMYK, Layout::Cmyk),
        _ => (ColorSpace::RGB, Layout::Rgb),
    };
    decoder.set_options(options.jpeg_set_out_colorspace(output));
    let mut picture = Picture::blank(width, height, layout);
    decoder
        .decode_into(&mut picture.pixels)
        .map_err(|error| refusal(&error))?;
    let exif = decoder.exif().map(|exif| Orientation::from_exif(exif));
    Ok(Decoded {
        picture,
        orientation: exif.unwrap_or_default(),
        colours: Colours::of(decoder.icc_profile()),
    })
}

fn refusal(error: &DecodeErrors) -> Refusal {
    match error {
        DecodeErrors::LargeDimensions(_) => Refusal::TooWide,
        _ => Refusal::Broken,
    }
}
