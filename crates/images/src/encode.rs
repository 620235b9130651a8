//! Writing WebP, by libwebp.

use webpx::{Encoder, Unstoppable};

use crate::bitmap::{Bitmap, Layout};
use crate::pipeline::Rendition;

/// Of 100; below it flat areas begin to show blocks.
const QUALITY: f32 = 80.0;

/// How hard the encoder tries, from 0 to 6.
const METHOD: u8 = 4;

pub(crate) fn encode(picture: &Bitmap) -> Rendition {
    let (width, height) = (picture.width, picture.height);
    let encoder = match picture.layout {
        Layout::Rgba => Encoder::new_rgba(&picture.pixels, width, height),
        _ => Encoder::new_rgb(&picture.pixels, width, height),
    };
    let encoder = encoder.quality(QUALITY).method(METHOD);
    let bytes = encoder
        .encode(Unstoppable)
        .expect("libwebp takes every RGB or RGBA picture of up to 16383 pixels a side");
    Rendition {
        width,
        height,
        bytes,
    }
}
