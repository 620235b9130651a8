//! WebP encoder, by libwebp.

use webpx::{Encoder, Unstoppable};

use crate::bitmap::{Bitmap, Layout};

/// Quality of 100, below which flat areas show blocks.
const QUALITY: f32 = 80.0;

/// Effort of the encoder, from 0 to 6.
const METHOD: u8 = 4;

/// Encodes a bitmap as a WebP file.
pub(crate) fn encode(picture: &Bitmap) -> Vec<u8> {
    let (width, height) = (picture.width, picture.height);
    let encoder = match picture.layout {
        Layout::Rgba => Encoder::new_rgba(&picture.pixels, width, height),
        _ => Encoder::new_rgb(&picture.pixels, width, height),
    };
    let encoder = encoder.quality(QUALITY).method(METHOD);
    encoder
        .encode(Unstoppable)
        .expect("libwebp takes every RGB or RGBA picture of up to 16383 pixels a side")
}
