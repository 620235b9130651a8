//! Writing WebP, by libwebp.

use webp::{Encoder, WebPConfig};

use crate::made::Rendition;
use crate::picture::{Layout, Picture};

/// Of 100; below it flat areas begin to show blocks.
const QUALITY: f32 = 80.0;

/// How hard the encoder tries, from 0 to 6.
const METHOD: i32 = 4;

/// Encodes an RGB or RGBA picture.
pub(crate) fn encode(picture: &Picture) -> Rendition {
    let (width, height) = (picture.width, picture.height);
    let encoder = match picture.layout {
        Layout::Rgba => Encoder::from_rgba(&picture.pixels, width, height),
        _ => Encoder::from_rgb(&picture.pixels, width, height),
    };
    let mut config = WebPConfig::new().expect("libwebp is of the version it was built against");
    config.quality = QUALITY;
    config.method = METHOD;
    let encoded = encoder
        .encode_advanced(&config)
        .expect("libwebp takes every RGB or RGBA picture of up to 16383 pixels a side");
    Rendition {
        width,
        height,
        bytes: encoded.to_vec(),
    }
}
