//! JPEG, by `zune-jpeg`.

use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace as JpegColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use super::Decoded;
use crate::bitmap::{Bitmap, Layout};
use crate::color::ColorSpace;
use crate::orientation::Orientation;
use crate::{ImageError, limits};

pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, ImageError> {
    let options = DecoderOptions::default()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        // Otherwise missing data would decode as gray.
        .set_strict_mode(true);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(|_| ImageError::Broken)?;
    if !has_end(bytes) {
        return Err(ImageError::Broken);
    }
    let info = decoder.info().ok_or(ImageError::Broken)?;
    let (width, height) = (info.width.into(), info.height.into());
    limits::check_dimensions(width, height)?;
    let (output, layout) = match decoder.input_colorspace() {
        Some(JpegColorSpace::Luma) => (JpegColorSpace::Luma, Layout::Gray),
        Some(JpegColorSpace::CMYK) => (JpegColorSpace::CMYK, Layout::Cmyk),
        _ => (JpegColorSpace::RGB, Layout::Rgb),
    };
    decoder.set_options(options.jpeg_set_out_colorspace(output));
    let mut picture = Bitmap::blank(width, height, layout);
    let done = decoder.decode_into(&mut picture.pixels);
    done.map_err(|_| ImageError::Broken)?;
    let exif = decoder.exif().map(|exif| Orientation::from_exif(exif));
    Ok(Decoded {
        picture,
        orientation: exif.unwrap_or_default(),
        colours: ColorSpace::of(decoder.icc_profile()),
    })
}

/// Whether the last scan has an end marker: even the strict decoder accepts a few missing bytes.
fn has_end(bytes: &[u8]) -> bool {
    let mut pairs = bytes.windows(2);
    let scan = pairs.rposition(|pair| pair == [0xFF, 0xDA]);
    scan.is_some_and(|scan| bytes[scan..].windows(2).any(|pair| pair == [0xFF, 0xD9]))
}
