//! AVIF: a container of boxes, read here, around frames of AV1.
//!
//! The picture that the file calls its primary item is decoded, whole or from its tiles, with the
//! alpha that belongs to it.

mod aperture;
mod boxes;
mod convert;
mod items;
mod planes;
mod properties;
mod tiles;

use self::items::Contents;
use self::properties::Code;
use self::tiles::Tiles;
use super::Decoded;
use crate::colour::Colours;
use crate::picture::{Layout, Picture};
use crate::{Refusal, bounds};

pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, Refusal> {
    let contents = Contents::of(bytes)?;
    let primary = contents.primary;
    let (width, height) = contents.properties.measures(primary)?;
    bounds::measures(width, height)?;
    let aperture = contents.properties.aperture(primary, width, height)?;
    let tiles = Tiles::of(&contents, primary)?;
    let alpha = Alpha::of(&contents, primary)?;
    let (profile, code) = contents.properties.colours(primary)?;
    let (_, code_of_tile) = contents.properties.colours(tiles.first())?;
    let said = code.or(code_of_tile);
    // What the first frame says decides when the boxes say nothing.
    let mut begun: Option<(Picture, Code)> = None;
    for tile in tiles.decoded() {
        let (planes, at) = tile?;
        let (picture, code) = begun.get_or_insert_with(|| {
            let layout = match (planes.is_gray(), alpha.is_some()) {
                (true, false) => Layout::Gray,
                (true, true) => Layout::GrayAlpha,
                (false, false) => Layout::Rgb,
                (false, true) => Layout::Rgba,
            };
            let code = said.unwrap_or_else(|| planes.code());
            (Picture::blank(width, height, layout), code)
        });
        // Tiles must be of one kind, or a gray one would be painted in colour.
        if planes.is_gray() != picture.layout.is_gray() {
            return Err(Refusal::Broken);
        }
        convert::paint(&planes, *code, picture, at)?;
    }
    let (mut picture, code) = begun.ok_or(Refusal::Broken)?;
    if let Some(alpha) = alpha {
        alpha.paint(&mut picture)?;
    }
    Ok(Decoded {
        picture: picture.cut(aperture),
        orientation: contents.properties.orientation(primary)?,
        colours: profile.unwrap_or_else(|| colours_of(code)),
    })
}

/// What says how opaque a picture is.
#[derive(Debug)]
struct Alpha<'a> {
    tiles: Tiles<'a>,
    /// Width and height.
    size: (u32, u32),
    /// Whether the colours were multiplied by it.
    is_premultiplied: bool,
}

impl<'a> Alpha<'a> {
    /// The alpha of an item, if it has one.
    fn of(contents: &'a Contents<'a>, item: u32) -> Result<Option<Self>, Refusal> {
        let mut auxiliary = contents.referring(*b"auxl", item);
        let alpha = auxiliary.find(|found| contents.properties.is_alpha(*found));
        let Some(alpha) = alpha else {
            return Ok(None);
        };
        Ok(Some(Self {
            tiles: Tiles::of(contents, alpha)?,
            size: contents.properties.measures(alpha)?,
            is_premultiplied: contents.referred(*b"prem", item).contains(&alpha),
        }))
    }

    fn paint(self, picture: &mut Picture) -> Result<(), Refusal> {
        if self.size != (picture.width, picture.height) {
            return Err(Refusal::Broken);
        }
        for tile in self.tiles.decoded() {
            let (planes, at) = tile?;
            convert::paint_alpha(&planes, picture, at);
        }
        if self.is_premultiplied {
            picture.divide_by_alpha();
        }
        Ok(())
    }
}

fn colours_of(code: Code) -> Colours {
    Colours::Code {
        primaries: u8::try_from(code.primaries).unwrap_or(2),
        transfer: u8::try_from(code.transfer).unwrap_or(2),
    }
}
