//! WebP, by `image-webp`; the first picture of an animation.

mod container;
mod groups;
mod prefix;

use std::io::Cursor;

use image_webp::WebPDecoder;

use self::container::{Container, Frame, Pixels};
use super::Decoded;
use crate::colour::Colours;
use crate::orientation::Orientation;
use crate::picture::{Layout, Picture};
use crate::{Refusal, bounds};

pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, Refusal> {
    let container = Container::read(bytes)?;
    let frame = container.frame;
    let pixels = |width: u32, height: u32| u64::from(width) * u64::from(height);
    let is_whole = (frame.width, frame.height) == (container.width, container.height);
    let of_frame = pixels(frame.width, frame.height) * bytes_of(frame.pixels);
    let of_canvas = if is_whole {
        0
    } else {
        pixels(container.width, container.height) * 4
    };
    bounds::memory(of_frame + of_canvas, 1)?;
    let of_codes = groups::memory(&frame)?;
    bounds::memory(of_frame + of_canvas + of_codes, 1)?;
    let mut picture = pixels_of(&frame)?;
    if !is_whole {
        let mut canvas = Picture::blank(container.width, container.height, Layout::Rgba);
        canvas.lay(&picture, (frame.x, frame.y));
        picture = canvas;
    }
    let exif = container.exif.map(Orientation::from_exif);
    Ok(Decoded {
        picture,
        orientation: exif.unwrap_or_default(),
        colours: Colours::of(container.profile.map(<[u8]>::to_vec)),
    })
}

/// What the decoder holds for each pixel, in bytes: its own planes beside the picture.
fn bytes_of(pixels: Pixels<'_>) -> u64 {
    match pixels {
        Pixels::Lossless(_) => 7,
        Pixels::Lossy { alpha: None, .. } => 5,
        // Alpha is a lossless picture of its own.
        Pixels::Lossy { alpha: Some(_), .. } => 11,
    }
}

fn pixels_of(frame: &Frame<'_>) -> Result<Picture, Refusal> {
    let file = frame.file();
    let mut decoder = WebPDecoder::new(Cursor::new(&file[..])).map_err(|_| Refusal::Broken)?;
    if decoder.dimensions() != (frame.width, frame.height) {
        return Err(Refusal::Broken);
    }
    let layout = if decoder.has_alpha() {
        Layout::Rgba
    } else {
        Layout::Rgb
    };
    let mut picture = Picture::blank(frame.width, frame.height, layout);
    let done = decoder.read_image(&mut picture.pixels);
    done.map_err(|_| Refusal::Broken)?;
    Ok(picture)
}
