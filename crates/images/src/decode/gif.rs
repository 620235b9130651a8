//! GIF, first frame, by `gif`.

use gif::{ColorOutput, DecodeOptions, DecodingError, Frame};

use super::Decoded;
use crate::bitmap::{Bitmap, Layout};
use crate::color::ColorSpace;
use crate::orientation::Orientation;
use crate::{ImageError, limits};

pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, ImageError> {
    let (_, screen) = bytes.split_at_checked(6).ok_or(ImageError::Broken)?;
    let [w0, w1, h0, h1, ..] = screen else {
        return Err(ImageError::Broken);
    };
    let side = |low, high| u32::from(u16::from_le_bytes([low, high]));
    let (width, height) = (side(*w0, *w1), side(*h0, *h1));
    limits::check_dimensions(width, height)?;
    let mut options = DecodeOptions::new();
    // One byte per pixel; the palette is applied during the blit.
    options.set_color_output(ColorOutput::Indexed);
    let mut decoder = options.read_info(bytes).map_err(|error| image_error(&error))?;
    let frame = decoder.next_frame_info().map_err(|error| image_error(&error))?;
    let mut frame = frame.ok_or(ImageError::Broken)?.clone();
    limits::check_dimensions(u32::from(frame.width), u32::from(frame.height))?;
    let mut indices = vec![0; decoder.buffer_size()];
    decoder.read_into_buffer(&mut indices).map_err(|error| image_error(&error))?;
    let palette = decoder.palette().map_err(|error| image_error(&error))?;
    let palette = colours(palette, frame.transparent);
    frame.buffer = indices.into();
    let mut picture = Bitmap::blank(width, height, Layout::Rgba);
    blit(&mut picture, &frame, &palette);
    Ok(Decoded {
        picture,
        orientation: Orientation::default(),
        colours: ColorSpace::of(decoder.icc_profile().map(<[u8]>::to_vec)),
    })
}

/// RGBA color per index; indices beyond the palette are transparent.
fn colours(palette: &[u8], transparent: Option<u8>) -> [[u8; 4]; 256] {
    let mut colours = [[0; 4]; 256];
    for (colour, rgb) in colours.iter_mut().zip(palette.as_chunks::<3>().0) {
        *colour = [rgb[0], rgb[1], rgb[2], 255];
    }
    if let Some(index) = transparent {
        colours[usize::from(index)] = [0; 4];
    }
    colours
}

/// Copies a frame onto a transparent canvas, and clips it.
fn blit(canvas: &mut Bitmap, frame: &Frame<'_>, palette: &[[u8; 4]; 256]) {
    let width = usize::from(frame.width);
    let rows = canvas.pixels.chunks_exact_mut(canvas.width as usize * 4);
    let rows = rows.skip(usize::from(frame.top));
    for (row, indices) in rows.zip(frame.buffer.chunks_exact(width)) {
        let row = row.get_mut(usize::from(frame.left) * 4..);
        let (pixels, _) = row.unwrap_or_default().as_chunks_mut::<4>();
        for (pixel, index) in pixels.iter_mut().zip(indices) {
            *pixel = palette[usize::from(*index)];
        }
    }
}

fn image_error(error: &DecodingError) -> ImageError {
    match error {
        DecodingError::OutOfMemory => ImageError::TooComplex,
        _ => ImageError::Broken,
    }
}
