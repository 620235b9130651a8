//! JPEG, by `zune-jpeg`.

use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use super::Decoded;
use crate::colour::Colours;
use crate::orientation::Orientation;
use crate::picture::{Layout, Picture};
use crate::{Refusal, bounds};

pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, Refusal> {
    let options = DecoderOptions::default()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        // Otherwise what is missing would be gray, which no member means to post.
        .set_strict_mode(true);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(|_| Refusal::Broken)?;
    if !has_end(bytes) {
        return Err(Refusal::Broken);
    }
    let info = decoder.info().ok_or(Refusal::Broken)?;
    let (width, height) = (info.width.into(), info.height.into());
    bounds::measures(width, height)?;
    let (output, layout) = match decoder.input_colorspace() {
        Some(ColorSpace::Luma) => (ColorSpace::Luma, Layout::Gray),
        Some(ColorSpace::CMYK) => (ColorSpace::CMYK, Layout::Cmyk),
        _ => (ColorSpace::RGB, Layout::Rgb),
    };
    decoder.set_options(options.jpeg_set_out_colorspace(output));
    let mut picture = Picture::blank(width, height, layout);
    let done = decoder.decode_into(&mut picture.pixels);
    done.map_err(|_| Refusal::Broken)?;
    let exif = decoder.exif().map(|exif| Orientation::from_exif(exif));
    Ok(Decoded {
        picture,
        orientation: exif.unwrap_or_default(),
        colours: Colours::of(decoder.icc_profile()),
    })
}

/// Whether the last scan ends: the decoder forgives a few bytes that are missing, even when it is strict.
fn has_end(bytes: &[u8]) -> bool {
    let mut pairs = bytes.windows(2);
    let scan = pairs.rposition(|pair| pair == [0xFF, 0xDA]);
    scan.is_some_and(|scan| bytes[scan..].windows(2).any(|pair| pair == [0xFF, 0xD9]))
}
