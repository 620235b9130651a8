//! The frames of an item: one, or a grid.

use super::av1::{self, Planes};
use super::boxes::Reader;
use super::items::ItemTable;
use crate::{ImageError, limits};

/// Pixels above which an image is large: its largest rendition has at most half as many columns.
const LARGE: u64 = 12_000_000;

/// The frames of an item, row by row.
#[derive(Debug)]
pub(super) struct Tiles<'a> {
    contents: &'a ItemTable<'a>,
    items: Vec<u32>,
    columns: usize,
    /// Width and height of each frame.
    size: (u32, u32),
}

impl<'a> Tiles<'a> {
    /// Collects the frames of an item, which must cover it exactly.
    pub(super) fn of(contents: &'a ItemTable<'a>, item: u32) -> Result<Self, ImageError> {
        let (items, columns) = match contents.kind(item).as_ref() {
            Some(b"av01") => (vec![item], 1),
            Some(b"grid") => grid(contents, item)?,
            _ => return Err(ImageError::Broken),
        };
        let first = *items.first().ok_or(ImageError::Broken)?;
        let size = contents.properties.dimensions(first)?;
        limits::check_dimensions(size.0, size.1)?;
        let (width, height) = contents.properties.dimensions(item)?;
        let covers = |tile: u32, count: usize, whole: u32| {
            // Without surplus rows or columns.
            u32::try_from(count).is_ok_and(|count| whole.div_ceil(tile) == count)
        };
        let rows = items.len() / columns;
        if !covers(size.0, columns, width) || !covers(size.1, rows, height) {
            return Err(ImageError::Broken);
        }
        Ok(Self { contents, items, columns, size })
    }

    /// The item of the first frame.
    pub(super) fn first(&self) -> u32 {
        self.items[0]
    }

    /// Decodes the frames in order, each with its position in the image.
    pub(super) fn decoded(
        &self,
    ) -> impl Iterator<Item = Result<(Planes, (usize, usize)), ImageError>> {
        let is_large = self.pixels() > LARGE;
        self.items.iter().enumerate().map(move |(at, item)| {
            let planes = av1::decode(&self.contents.data(*item)?, self.size, is_large)?;
            let (row, column) = (at / self.columns, at % self.columns);
            let place = (planes.width() * column, planes.height() * row);
            Ok((planes, place))
        })
    }

    /// Number of pixels of all frames.
    fn pixels(&self) -> u64 {
        let (width, height) = self.size;
        self.items.len() as u64 * u64::from(width) * u64::from(height)
    }
}

/// Parses a grid into its items and number of columns.
fn grid(contents: &ItemTable<'_>, item: u32) -> Result<(Vec<u32>, usize), ImageError> {
    let data = contents.data(item)?;
    let mut body = Reader::new(&data);
    body.byte()?;
    let is_wide = body.byte()? & 1 == 1;
    let (rows, columns) = (usize::from(body.byte()?) + 1, usize::from(body.byte()?) + 1);
    let measures = (body.short_or_long(is_wide)?, body.short_or_long(is_wide)?);
    let items = contents.referred(*b"dimg", item);
    if measures != contents.properties.dimensions(item)? || items.len() != rows * columns {
        return Err(ImageError::Broken);
    }
    let is_frame = |tile: &u32| contents.kind(*tile) == Some(*b"av01");
    if !items.iter().all(is_frame) {
        return Err(ImageError::Broken);
    }
    Ok((items.to_vec(), columns))
}
