//! From a picture's own colours to sRGB, by `moxcms`.

use moxcms::{ColorProfile, DataColorSpace, Layout as Shape, TransformOptions};

use crate::picture::{Layout, Picture};

/// The picture in sRGB, as RGB or RGBA. A profile that can't be read, or is of another kind of
/// colour than the picture, is passed over: the colours are then taken for sRGB.
pub(crate) fn to_srgb(picture: Picture, profile: Option<&[u8]>) -> Picture {
    let converted = profile.and_then(|profile| convert(&picture, profile));
    converted.unwrap_or_else(|| spread(picture))
}

fn convert(picture: &Picture, profile: &[u8]) -> Option<Picture> {
    let profile = ColorProfile::new_from_slice(profile).ok()?;
    let (space, from, to) = match picture.layout {
        Layout::Gray => (DataColorSpace::Gray, Shape::Gray, Layout::Rgb),
        Layout::GrayAlpha => (DataColorSpace::Gray, Shape::GrayAlpha, Layout::Rgba),
        Layout::Rgb => (DataColorSpace::Rgb, Shape::Rgb, Layout::Rgb),
        Layout::Rgba => (DataColorSpace::Rgb, Shape::Rgba, Layout::Rgba),
        Layout::Cmyk => (DataColorSpace::Cmyk, Shape::Rgba, Layout::Rgb),
    };
    if profile.color_space != space {
        return None;
    }
    let shape = if to == Layout::Rgb {
        Shape::Rgb
    } else {
        Shape::Rgba
    };
    let srgb = ColorProfile::new_srgb();
    let options = TransformOptions::default();
    let transform = profile
        .create_transform_8bit(from, &srgb, shape, options)
        .ok()?;
    let mut target = Picture::blank(picture.width, picture.height, to);
    if picture.layout == Layout::Cmyk {
        // Adobe stores how much paper is left; a profile is about how much ink there is.
        let ink: Vec<u8> = picture.pixels.iter().map(|paper| 255 - paper).collect();
        transform.transform(&ink, &mut target.pixels).ok()?;
    } else {
        transform
            .transform(&picture.pixels, &mut target.pixels)
            .ok()?;
    }
    Some(target)
}

/// The same colours as RGB or RGBA.
fn spread(picture: Picture) -> Picture {
    let pixels = &picture.pixels;
    let (layout, spread) = match picture.layout {
        Layout::Rgb | Layout::Rgba => return picture,
        Layout::Gray => {
            let pixels = pixels.iter().flat_map(|gray| [*gray; 3]);
            (Layout::Rgb, pixels.collect())
        }
        Layout::GrayAlpha => {
            let pixels = pixels.as_chunks().0.iter();
            let pixels = pixels.flat_map(|[gray, alpha]| [*gray, *gray, *gray, *alpha]);
            (Layout::Rgba, pixels.collect())
        }
        Layout::Cmyk => {
            let pixels = pixels.as_chunks().0.iter();
            let pixels = pixels.flat_map(|[c, m, y, k]| [c, m, y].map(|paper| times(*paper, *k)));
            (Layout::Rgb, pixels.collect())
        }
    };
    Picture {
        layout,
        pixels: spread,
        ..picture
    }
}

/// The product of two shares of 255, to the nearest.
fn times(a: u8, b: u8) -> u8 {
    let product = (u16::from(a) * u16::from(b) + 127) / 255;
    u8::try_from(product).unwrap_or(u8::MAX)
}
