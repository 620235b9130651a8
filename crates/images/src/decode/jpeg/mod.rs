//! JPEG, by `zune-jpeg`.

mod head;
mod segments;

use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use self::segments::Segments;
use super::Decoded;
use crate::colour::Colours;
use crate::orientation::Orientation;
use crate::picture::{Layout, Picture};
use crate::{Refusal, bounds};

pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, Refusal> {
    let segments = Segments::read(bytes)?;
    let head = &segments.head;
    bounds::measures(head.width, head.height)?;
    if head.is_endless() {
        return Err(Refusal::TooComplex);
    }
    let options = DecoderOptions::default()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        // Otherwise what is missing would be gray, which nobody means to post.
        .set_strict_mode(true);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&segments.pixels[..]), options);
    decoder.decode_headers().map_err(|_| Refusal::Broken)?;
    let (output, layout) = match decoder.input_colorspace() {
        Some(ColorSpace::Luma) => (ColorSpace::Luma, Layout::Gray),
        Some(ColorSpace::CMYK) => (ColorSpace::CMYK, Layout::Cmyk),
        _ => (ColorSpace::RGB, Layout::Rgb),
    };
    decoder.set_options(options.jpeg_set_out_colorspace(output));
    let mut picture = Picture::blank(head.width, head.height, layout);
    bounds::memory(head.held() + picture.pixels.len() as u64, 1)?;
    let done = decoder.decode_into(&mut picture.pixels);
    done.map_err(|_| Refusal::Broken)?;
    let exif = segments.exif.map(Orientation::from_exif);
    Ok(Decoded {
        picture,
        orientation: exif.unwrap_or_default(),
        colours: Colours::of(segments.profile()),
    })
}
