//! Item properties: dimensions, color space, orientation, alpha.

use super::boxes::{Box, Reader};
use super::clap;
use crate::ImageError;
use crate::color::ColorSpace;
use crate::crop::Rect;
use crate::orientation::Orientation;

#[derive(Debug, Default)]
pub(super) struct Properties<'a> {
    all: Vec<Box<'a>>,
    /// Item ids with the 1-based indices of their properties in `all`.
    owned: Vec<(u32, Vec<u16>)>,
}

/// Color description by code points of H.273.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cicp {
    pub(super) primaries: u16,
    pub(super) transfer: u16,
    pub(super) matrix: u16,
    pub(super) is_full_range: bool,
}

impl<'a> Properties<'a> {
    pub(super) fn read(mut body: Reader<'a>) -> Result<Self, ImageError> {
        let mut properties = Self::default();
        while let Some(next) = body.next_box()? {
            let mut body = next.body;
            match &next.kind {
                b"ipco" => {
                    while let Some(property) = body.next_box()? {
                        properties.all.push(property);
                    }
                }
                b"ipma" => owners(body, &mut properties.owned)?,
                _ => {}
            }
        }
        Ok(properties)
    }

    /// Properties of an item with the given type.
    fn of(&self, item: u32, kind: [u8; 4]) -> impl Iterator<Item = Reader<'a>> {
        let owned = self.owned.iter().filter(move |(owner, _)| *owner == item);
        let places = owned.flat_map(|(_, places)| places);
        let found = places.filter_map(|place| self.all.get(usize::from(*place).checked_sub(1)?));
        found.filter(move |found| found.kind == kind).map(|found| found.body)
    }

    pub(super) fn dimensions(&self, item: u32) -> Result<(u32, u32), ImageError> {
        let mut body = self.of(item, *b"ispe").next().ok_or(ImageError::Broken)?;
        body.version()?;
        Ok((body.long()?, body.long()?))
    }

    /// The visible part, before rotation.
    pub(super) fn aperture(&self, item: u32, width: u32, height: u32) -> Result<Rect, ImageError> {
        match self.of(item, *b"clap").next() {
            Some(body) => clap::read(body, width, height),
            None => Ok(Rect::full(width, height)),
        }
    }

    /// Rotation to upright: `irot`, then `imir`.
    pub(super) fn orientation(&self, item: u32) -> Result<Orientation, ImageError> {
        let mut orientation = Orientation::default();
        if let Some(mut turn) = self.of(item, *b"irot").next() {
            // EXIF values of counterclockwise quarter turns.
            let value = [1, 8, 3, 6][usize::from(turn.byte()? & 3)];
            orientation = Orientation::from_exif_value(value);
        }
        if let Some(mut mirror) = self.of(item, *b"imir").next() {
            let is_sideways = mirror.byte()? & 1 == 1;
            orientation = orientation.mirrored(is_sideways);
        }
        Ok(orientation)
    }

    /// ICC profile and CICP of an item; the caller prefers the profile.
    pub(super) fn colours(
        &self,
        item: u32,
    ) -> Result<(Option<ColorSpace>, Option<Cicp>), ImageError> {
        let (mut profile, mut code) = (None, None);
        for mut body in self.of(item, *b"colr") {
            match &body.array()? {
                b"nclx" if code.is_none() => {
                    code = Some(Cicp {
                        primaries: body.short()?,
                        transfer: body.short()?,
                        matrix: body.short()?,
                        is_full_range: body.byte()? & 0x80 != 0,
                    });
                }
                b"prof" | b"rICC" if profile.is_none() => {
                    profile = Some(ColorSpace::Profile(body.rest().to_vec()));
                }
                _ => {}
            }
        }
        Ok((profile, code))
    }

    /// Whether an item is an alpha image.
    pub(super) fn is_alpha(&self, item: u32) -> bool {
        const NAMES: [&[u8]; 2] =
            [b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0", b"urn:mpeg:hevc:2015:auxid:1\0"];
        self.of(item, *b"auxC").any(|mut body| {
            let is_read = body.version().is_ok();
            is_read && NAMES.iter().any(|name| body.rest().starts_with(name))
        })
    }
}

fn owners(mut body: Reader<'_>, owned: &mut Vec<(u32, Vec<u16>)>) -> Result<(), ImageError> {
    let (version, flags) = body.version()?;
    for _ in 0..body.long()? {
        let item = body.short_or_long(version > 0)?;
        let mut places = Vec::new();
        let many = body.byte()?;
        for _ in 0..many {
            // The highest bit marks an essential property.
            let place = if flags & 1 == 1 {
                body.short()? & 0x7FFF
            } else {
                u16::from(body.byte()? & 0x7F)
            };
            places.push(place);
        }
        owned.push((item, places));
    }
    Ok(())
}
