//! Downscaling, by `fast_image_resize`.

use fast_image_resize::images::TypedImage;
use fast_image_resize::pixels::{U8x3, U8x4};
use fast_image_resize::{MulDiv, PixelTrait, ResizeOptions, Resizer};

use crate::bitmap::{Bitmap, Layout};
use crate::crop::Rect;

/// Scales the part `area` of a bitmap to `size` (width, height). Writes nothing to the bitmap; it is mutable because with
/// the library's code for a second type of source, this crate would take half as long again to compile.
pub(crate) fn resize(picture: &mut Bitmap, area: Rect, size: (u32, u32)) -> Bitmap {
    if picture.layout.is_gray() {
        return resize_owned(picture.clone(), area, size);
    }
    resize_into(picture, area, size, picture.layout.has_alpha())
}

/// Scales a bitmap that is no longer needed. Premultiplies alpha in place, which saves a copy.
///
/// Gray is scaled as RGB, because code for two more pixel types would add a megabyte to the program.
pub(crate) fn resize_owned(mut picture: Bitmap, area: Rect, size: (u32, u32)) -> Bitmap {
    if picture.layout.is_gray() {
        return resize_owned(picture.into_color(), area, size).into_gray();
    }
    if !picture.layout.has_alpha() {
        return resize_into(&mut picture, area, size, false);
    }
    multiply(&mut picture, true);
    let mut small = resize_into(&mut picture, area, size, false);
    multiply(&mut small, false);
    small
}

/// Premultiplies the colors of an RGBA bitmap by alpha, or reverts that.
fn multiply(picture: &mut Bitmap, is_on: bool) {
    let (width, height) = (picture.width, picture.height);
    let mut pixels = TypedImage::<U8x4>::from_buffer(width, height, &mut picture.pixels)
        .expect("a picture has as many bytes as its measures say");
    let done = if is_on {
        MulDiv::new().multiply_alpha_inplace_typed(&mut pixels)
    } else {
        MulDiv::new().divide_alpha_inplace_typed(&mut pixels)
    };
    done.expect("this layout has an alpha");
}

/// Scales with one of two pixel types, because the library's choice would link eleven more.
/// `is_mixed` premultiplies alpha in a copy.
fn resize_into(picture: &mut Bitmap, area: Rect, size: (u32, u32), is_mixed: bool) -> Bitmap {
    let options = ResizeOptions::new().use_alpha(is_mixed).crop(
        f64::from(area.x),
        f64::from(area.y),
        f64::from(area.width),
        f64::from(area.height),
    );
    let pixels = if picture.layout == Layout::Rgb {
        resize_pixels::<U8x3>(picture, size, &options)
    } else {
        resize_pixels::<U8x4>(picture, size, &options)
    };
    Bitmap { width: size.0, height: size.1, layout: picture.layout, pixels }
}

fn resize_pixels<P: PixelTrait>(
    picture: &mut Bitmap,
    (width, height): (u32, u32),
    options: &ResizeOptions,
) -> Vec<u8> {
    let source = TypedImage::<P>::from_buffer(picture.width, picture.height, &mut picture.pixels)
        .expect("a picture has as many bytes as its measures say");
    let mut pixels = vec![0; width as usize * height as usize * size_of::<P>()];
    let mut target = TypedImage::<P>::from_buffer(width, height, &mut pixels)
        .expect("as many bytes as the measures say");
    Resizer::new()
        .resize_typed(&source, &mut target, options)
        .expect("the area is inside of the picture");
    pixels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resizing_an_owned_bitmap_gives_equal_pixels() {
        for layout in [Layout::Gray, Layout::GrayAlpha, Layout::Rgb, Layout::Rgba] {
            let mut picture = Bitmap::blank(40, 30, layout);
            for (at, byte) in picture.pixels.iter_mut().enumerate() {
                *byte = u8::try_from(at * 37 % 251).unwrap();
            }
            let area = Rect::full(40, 30);
            let small = resize(&mut picture, area, (13, 11));
            assert_eq!(resize_owned(picture, area, (13, 11)), small);
        }
    }

    #[test]
    fn gray_stays_gray() {
        for (layout, into_color) in [(Layout::Gray, Layout::Rgb), (Layout::GrayAlpha, Layout::Rgba)]
        {
            let mut picture = Bitmap::blank(16, 16, layout);
            picture.pixels.fill(200);
            let small = resize(&mut picture, Rect::full(16, 16), (4, 4));
            assert_eq!((small.layout, small.pixels.len()), (layout, 16 * layout.channels()));
            assert!(small.pixels.iter().all(|byte| byte.abs_diff(200) < 2), "{small:?}");
            assert_eq!(picture.clone().into_color().layout, into_color);
            assert_eq!(picture.clone().into_color().into_gray(), picture);
        }
    }
}
