//! AVIF: an ISO BMFF container of AV1 frames.
//!
//! Decodes the primary item, a single frame or a grid, with its alpha.

mod av1;
mod boxes;
mod clap;
mod grid;
mod items;
mod properties;
mod yuv;

use self::grid::Tiles;
use self::items::ItemTable;
use self::properties::Cicp;
use super::Decoded;
use crate::bitmap::{Bitmap, Layout};
use crate::color::ColorSpace;
use crate::{ImageError, limits};

pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, ImageError> {
    let contents = ItemTable::of(bytes)?;
    let primary = contents.primary;
    let (width, height) = contents.properties.dimensions(primary)?;
    limits::check_dimensions(width, height)?;
    let aperture = contents.properties.aperture(primary, width, height)?;
    let tiles = Tiles::of(&contents, primary)?;
    let alpha = Alpha::of(&contents, primary)?;
    let (profile, code) = contents.properties.colours(primary)?;
    let (_, code_of_tile) = contents.properties.colours(tiles.first())?;
    let said = code.or(code_of_tile);
    // The first frame's CICP applies when the boxes have none.
    let mut begun: Option<(Bitmap, Cicp)> = None;
    for tile in tiles.decoded() {
        let (planes, at) = tile?;
        let (picture, code) = begun.get_or_insert_with(|| {
            let layout = match (planes.is_gray(), alpha.is_some()) {
                (true, false) => Layout::Gray,
                (true, true) => Layout::GrayAlpha,
                (false, false) => Layout::Rgb,
                (false, true) => Layout::Rgba,
            };
            let code = said.unwrap_or_else(|| planes.cicp());
            (Bitmap::blank(width, height, layout), code)
        });
        // All tiles must be gray or none, or a gray one would be painted in color.
        if planes.is_gray() != picture.layout.is_gray() {
            return Err(ImageError::Broken);
        }
        yuv::paint(&planes, *code, picture, at)?;
    }
    let (mut picture, code) = begun.ok_or(ImageError::Broken)?;
    if let Some(alpha) = alpha {
        alpha.paint(&mut picture)?;
    }
    Ok(Decoded {
        picture: picture.crop(aperture),
        orientation: contents.properties.orientation(primary)?,
        colours: profile.unwrap_or_else(|| colours_of(code)),
    })
}

/// The alpha image of an item.
#[derive(Debug)]
struct Alpha<'a> {
    tiles: Tiles<'a>,
    /// Width and height.
    size: (u32, u32),
    /// Whether the colors are premultiplied.
    is_premultiplied: bool,
}

impl<'a> Alpha<'a> {
    /// Finds the alpha image of an item.
    fn of(contents: &'a ItemTable<'a>, item: u32) -> Result<Option<Self>, ImageError> {
        let mut auxiliary = contents.referring(*b"auxl", item);
        let alpha = auxiliary.find(|found| contents.properties.is_alpha(*found));
        let Some(alpha) = alpha else {
            return Ok(None);
        };
        Ok(Some(Self {
            tiles: Tiles::of(contents, alpha)?,
            size: contents.properties.dimensions(alpha)?,
            is_premultiplied: contents.referred(*b"prem", item).contains(&alpha),
        }))
    }

    fn paint(self, picture: &mut Bitmap) -> Result<(), ImageError> {
        if self.size != (picture.width, picture.height) {
            return Err(ImageError::Broken);
        }
        for tile in self.tiles.decoded() {
            let (planes, at) = tile?;
            yuv::paint_alpha(&planes, picture, at);
        }
        if self.is_premultiplied {
            picture.unpremultiply();
        }
        Ok(())
    }
}

fn colours_of(code: Cicp) -> ColorSpace {
    ColorSpace::Cicp {
        primaries: u8::try_from(code.primaries).unwrap_or(2),
        transfer: u8::try_from(code.transfer).unwrap_or(2),
    }
}
