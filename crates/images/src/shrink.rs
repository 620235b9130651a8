//! Smaller pictures from larger ones, by `fast_image_resize`.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{PixelType, ResizeOptions, Resizer};

use crate::crop::Area;
use crate::picture::{Layout, Picture};

/// The part `area` of a picture in the size `width` × `height`.
pub(crate) fn shrink(picture: &Picture, area: Area, (width, height): (u32, u32)) -> Picture {
    let layout = picture.layout;
    let options = ResizeOptions::new().use_alpha(layout.has_alpha()).crop(
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
