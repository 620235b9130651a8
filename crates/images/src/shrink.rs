//! Smaller pictures from larger ones, by `fast_image_resize`.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{MulDiv, PixelType, ResizeOptions, Resizer};

use crate::crop::Area;
use crate::picture::{Layout, Picture};

/// The part `area` of a picture in the size `width` × `height`.
pub(crate) fn shrink(picture: &Picture, area: Area, size: (u32, u32)) -> Picture {
    scaled(picture, area, size, picture.layout.has_alpha())
}

/// Does the same with a picture that nobody needs afterwards, which saves a copy of it: colours
/// have to be multiplied by their alpha before they are mixed.
pub(crate) fn shrink_last(mut picture: Picture, area: Area, size: (u32, u32)) -> Picture {
    if !picture.layout.has_alpha() {
        return scaled(&picture, area, size, false);
    }
    MulDiv::new()
        .multiply_alpha_inplace(&mut view(&mut picture))
        .expect("this layout has an alpha");
    let mut small = scaled(&picture, area, size, false);
    MulDiv::new()
        .divide_alpha_inplace(&mut view(&mut small))
        .expect("this layout has an alpha");
    small
}

fn view(picture: &mut Picture) -> Image<'_> {
    let (width, height, kind) = (picture.width, picture.height, pixel(picture.layout));
    Image::from_slice_u8(width, height, &mut picture.pixels, kind)
        .expect("a picture has as many bytes as its measures say")
}

/// `is_mixed` says that the colours are to be multiplied by their alpha, in a copy.
fn scaled(picture: &Picture, area: Area, (width, height): (u32, u32), is_mixed: bool) -> Picture {
    let layout = picture.layout;
    let options = ResizeOptions::new().use_alpha(is_mixed).crop(
        f64::from(area.x),
        f64::from(area.y),
        f64::from(area.width),
        f64::from(area.height),
    );
    let source = ImageRef::new(
        picture.width,
        picture.height,
        &picture.pixels,
        pixel(layout),
    )
    .expect("a picture has as many bytes as its measures say");
    let mut target = Image::new(width, height, pixel(layout));
    Resizer::new()
        .resize(&source, &mut target, &options)
        .expect("both pictures are of one type, and the area is inside of the first");
    Picture {
        width,
        height,
        layout,
        pixels: target.into_vec(),
    }
}

fn pixel(layout: Layout) -> PixelType {
    match layout {
        Layout::Gray => PixelType::U8,
        Layout::GrayAlpha => PixelType::U8x2,
        Layout::Rgb => PixelType::U8x3,
        Layout::Rgba | Layout::Cmyk => PixelType::U8x4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_that_is_not_needed_becomes_the_same() {
        for layout in [Layout::Gray, Layout::GrayAlpha, Layout::Rgb, Layout::Rgba] {
            let mut picture = Picture::blank(40, 30, layout);
            for (at, byte) in picture.pixels.iter_mut().enumerate() {
                *byte = u8::try_from(at * 37 % 251).unwrap();
            }
            let area = Area::whole(40, 30);
            let small = shrink(&picture, area, (13, 11));
            assert_eq!(shrink_last(picture, area, (13, 11)), small);
        }
    }
}
