//! AVIF: a container of boxes, read here, around frames of AV1.
//!
//! The picture that the file calls its primary item is decoded, whole or from its tiles, with the
//! alpha that belongs to it. Everything that decoding would cost is computed from heads first.

mod allowance;
mod aperture;
mod bits;
mod boxes;
mod convert;
mod items;
mod planes;
mod properties;
mod sequence;
mod stream;
mod tiles;

use std::collections::HashSet;

use self::allowance::Allowance;
use self::items::Contents;
use self::properties::Code;
use self::sequence::Colour;
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
    let mut allowance = Allowance::of(bytes.len());
    let tiles = Tiles::of(&contents, primary, &mut allowance)?;
    let alpha = Alpha::of(&contents, primary, &mut allowance)?;
    let head = tiles.head()?;
    let (profile, code) = contents.properties.colours(primary)?;
    let (_, code_of_tile) = contents.properties.colours(tiles.first())?;
    let code = code.or(code_of_tile).unwrap_or(head.code);
    let is_gray = head.samples.colour == Colour::Gray;
    let layout = match (is_gray, alpha.is_some()) {
        (true, false) => Layout::Gray,
        (true, true) => Layout::GrayAlpha,
        (false, false) => Layout::Rgb,
        (false, true) => Layout::Rgba,
    };
    let mut picture = Picture::blank(width, height, layout);
    tiles.paint(&mut picture, |planes, picture, at| {
        // Tiles must be of one kind, or a gray one would be painted in colour.
        if planes.is_gray() != is_gray {
            return Err(Refusal::Broken);
        }
        convert::paint(planes, code, picture, at)
    })?;
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
    fn of(
        contents: &'a Contents<'a>,
        item: u32,
        allowance: &mut Allowance,
    ) -> Result<Option<Self>, Refusal> {
        let mut auxiliary = contents.referring(*b"auxl", item);
        // An item may be said to refer here any number of times.
        let mut seen = HashSet::new();
        let is_alpha = |found: &u32| seen.insert(*found) && contents.properties.is_alpha(*found);
        let Some(alpha) = auxiliary.find(is_alpha) else {
            return Ok(None);
        };
        Ok(Some(Self {
            tiles: Tiles::of(contents, alpha, allowance)?,
            size: contents.properties.measures(alpha)?,
            is_premultiplied: contents.referred(*b"prem", item).contains(&alpha),
        }))
    }

    fn paint(self, picture: &mut Picture) -> Result<(), Refusal> {
        if self.size != (picture.width, picture.height) {
            return Err(Refusal::Broken);
        }
        let is_full_range = self.tiles.head()?.code.is_full_range;
        self.tiles.paint(picture, |planes, picture, at| {
            convert::paint_alpha(planes, is_full_range, picture, at);
            Ok(())
        })?;
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
