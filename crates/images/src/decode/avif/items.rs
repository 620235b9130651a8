//! The `meta` box: the primary item, item types, locations and references.

use std::borrow::Cow;

use super::boxes::Reader;
use super::properties::Properties;
use crate::ImageError;

#[derive(Debug)]
pub(super) struct ItemTable<'a> {
    file: &'a [u8],
    /// The box `idat`, which holds small items.
    inside: &'a [u8],
    /// The id of the primary item.
    pub(super) primary: u32,
    kinds: Vec<(u32, [u8; 4])>,
    places: Vec<ItemLocation>,
    references: Vec<Reference>,
    /// Properties of the items.
    pub(super) properties: Properties<'a>,
}

#[derive(Debug)]
struct ItemLocation {
    item: u32,
    /// Whether offsets count from the start of `idat` rather than of the file.
    is_inside: bool,
    /// Offset and length of each extent; length 0 means the rest.
    parts: Vec<(u64, u64)>,
}

/// A typed reference from one item to others.
#[derive(Debug)]
struct Reference {
    kind: [u8; 4],
    from: u32,
    to: Vec<u32>,
}

impl<'a> ItemTable<'a> {
    /// Parses the `meta` box of a file.
    pub(super) fn of(file: &'a [u8]) -> Result<Self, ImageError> {
        let mut meta = Reader::new(file).find(*b"meta")?.ok_or(ImageError::Broken)?;
        meta.version()?;
        let mut contents = Self {
            file,
            inside: &[],
            primary: 0,
            kinds: Vec::new(),
            places: Vec::new(),
            references: Vec::new(),
            properties: Properties::default(),
        };
        while let Some(next) = meta.next_box()? {
            let body = next.body;
            match &next.kind {
                b"pitm" => contents.primary = primary(body)?,
                b"iinf" => contents.kinds = kinds(body)?,
                b"iloc" => contents.places = places(body)?,
                b"iref" => contents.references = references(body)?,
                b"iprp" => contents.properties = Properties::read(body)?,
                b"idat" => contents.inside = body.rest(),
                _ => {}
            }
        }
        Ok(contents)
    }

    pub(super) fn kind(&self, item: u32) -> Option<[u8; 4]> {
        let found = self.kinds.iter().find(|(number, _)| *number == item);
        found.map(|(_, kind)| *kind)
    }

    /// Items that `item` references with the given type.
    pub(super) fn referred(&self, kind: [u8; 4], item: u32) -> &[u32] {
        let mut references = self.references.iter();
        let found = references.find(|found| found.kind == kind && found.from == item);
        found.map_or(&[], |found| &found.to)
    }

    /// Items that reference `item` with the given type.
    pub(super) fn referring(&self, kind: [u8; 4], item: u32) -> impl Iterator<Item = u32> {
        let references = self.references.iter();
        references
            .filter(move |found| found.kind == kind && found.to.contains(&item))
            .map(|found| found.from)
    }

    pub(super) fn data(&self, item: u32) -> Result<Cow<'a, [u8]>, ImageError> {
        let place = self.places.iter().find(|place| place.item == item);
        let place = place.ok_or(ImageError::Broken)?;
        let whole = if place.is_inside { self.inside } else { self.file };
        let part = |(offset, length): (u64, u64)| {
            let start = usize::try_from(offset).ok()?;
            let rest = whole.get(start..)?;
            match usize::try_from(length).ok()? {
                0 => Some(rest),
                length => rest.get(..length),
            }
        };
        if let [only] = place.parts[..] {
            return part(only).map(Cow::Borrowed).ok_or(ImageError::Broken);
        }
        let mut data = Vec::new();
        for next in &place.parts {
            data.extend_from_slice(part(*next).ok_or(ImageError::Broken)?);
        }
        Ok(Cow::Owned(data))
    }
}

fn primary(mut body: Reader<'_>) -> Result<u32, ImageError> {
    let (version, _) = body.version()?;
    body.short_or_long(version > 0)
}

fn kinds(mut body: Reader<'_>) -> Result<Vec<(u32, [u8; 4])>, ImageError> {
    let (version, _) = body.version()?;
    body.short_or_long(version > 0)?;
    let mut kinds = Vec::new();
    while let Some(next) = body.next_box()? {
        let mut entry = next.body;
        let (version, _) = entry.version()?;
        // Older versions have no item type, and no image needs them.
        if next.kind == *b"infe" && matches!(version, 2 | 3) {
            let item = entry.short_or_long(version == 3)?;
            entry.short()?;
            kinds.push((item, entry.array()?));
        }
    }
    Ok(kinds)
}

fn places(mut body: Reader<'_>) -> Result<Vec<ItemLocation>, ImageError> {
    let (version, _) = body.version()?;
    let sizes = body.short()?;
    let size = |shift: u32| usize::from((sizes >> shift) & 0xF).min(8);
    let (of_offset, of_length, of_base) = (size(12), size(8), size(4));
    let of_index = if version == 0 { 0 } else { size(0) };
    // Extents of zero bytes in the box could be repeated without end.
    if of_offset == 0 && of_length == 0 {
        return Err(ImageError::Broken);
    }
    let count = body.short_or_long(version > 1)?;
    let mut places = Vec::new();
    for _ in 0..count {
        let item = body.short_or_long(version > 1)?;
        let method = if version == 0 { 0 } else { body.short()? & 0xF };
        let source = body.short()?;
        let base = body.number(of_base)?;
        let many = body.short()?;
        let mut parts = Vec::with_capacity(many.into());
        for _ in 0..many {
            body.number(of_index)?;
            let offset = base.checked_add(body.number(of_offset)?);
            let length = body.number(of_length)?;
            parts.push((offset.ok_or(ImageError::Broken)?, length));
        }
        // Skips items in other files and items constructed from items.
        if method < 2 && source == 0 {
            let is_inside = method == 1;
            places.push(ItemLocation { item, is_inside, parts });
        }
    }
    Ok(places)
}

fn references(mut body: Reader<'_>) -> Result<Vec<Reference>, ImageError> {
    let (version, _) = body.version()?;
    let mut references = Vec::new();
    while let Some(next) = body.next_box()? {
        let mut list = next.body;
        let from = list.short_or_long(version > 0)?;
        let mut to = Vec::new();
        for _ in 0..list.short()? {
            to.push(list.short_or_long(version > 0)?);
        }
        let kind = next.kind;
        references.push(Reference { kind, from, to });
    }
    Ok(references)
}
