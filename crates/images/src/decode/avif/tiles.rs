//! The frames of which a picture is put together: one, or a grid of them.

use super::allowance::Allowance;
use super::boxes::Reader;
use super::items::Contents;
use super::planes::{self, Planes};
use super::sequence::Sequence;
use super::stream::Stream;
use crate::picture::Picture;
use crate::{Refusal, bounds};

/// What has more pixels is large: the largest rendition of it has at most half as many columns.
const LARGE: u64 = 12_000_000;

/// The frames of an item, row by row.
#[derive(Debug)]
pub(super) struct Tiles<'a> {
    contents: &'a Contents<'a>,
    items: Vec<u32>,
    columns: usize,
    /// Width and height of each.
    size: (u32, u32),
}

/// The most tiles of a picture.
const TILES: usize = 1024;

impl<'a> Tiles<'a> {
    /// The frames of an item, which must cover it, if they are all within the allowance.
    pub(super) fn of(
        contents: &'a Contents<'a>,
        item: u32,
        allowance: &mut Allowance,
    ) -> Result<Self, Refusal> {
        let (items, columns) = match contents.kind(item).as_ref() {
            Some(b"av01") => (vec![item], 1),
            Some(b"grid") => grid(contents, item)?,
            _ => return Err(Refusal::Broken),
        };
        let first = *items.first().ok_or(Refusal::Broken)?;
        let size = contents.properties.measures(first)?;
        bounds::measures(size.0, size.1)?;
        let (width, height) = contents.properties.measures(item)?;
        let covers = |tile: u32, count: usize, whole: u32| {
            // Not one row or column more than it takes.
            u32::try_from(count).is_ok_and(|count| whole.div_ceil(tile) == count)
        };
        let rows = items.len() / columns;
        if !covers(size.0, columns, width) || !covers(size.1, rows, height) {
            return Err(Refusal::Broken);
        }
        for item in &items {
            let data = contents.data(*item)?;
            allowance.read(data.len())?;
            allowance.decode(&Stream::read(&data)?, size)?;
        }
        Ok(Self {
            contents,
            items,
            columns,
            size,
        })
    }

    /// The item of the first frame.
    pub(super) fn first(&self) -> u32 {
        self.items[0]
    }

    /// What the first frame says of itself.
    pub(super) fn head(&self) -> Result<Sequence, Refusal> {
        Ok(self.stream(self.first())?.sequence)
    }

    fn stream(&self, item: u32) -> Result<Stream, Refusal> {
        Stream::read(&self.contents.data(item)?)
    }

    /// Decodes the frames one after the other and has each painted in its place.
    pub(super) fn paint(
        &self,
        picture: &mut Picture,
        mut paint: impl FnMut(&Planes, &mut Picture, (usize, usize)) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        for (at, item) in self.items.iter().enumerate() {
            let stream = self.stream(*item)?;
            self.check(&stream, picture.pixels.len())?;
            let is_large = self.pixels() * stream.frames > LARGE;
            let planes = planes::decode(stream, self.size, is_large)?;
            let (row, column) = (at / self.columns, at % self.columns);
            let place = (planes.width() * column, planes.height() * row);
            paint(&planes, picture, place)?;
        }
        Ok(())
    }

    /// The pixels of all frames.
    fn pixels(&self) -> u64 {
        let (width, height) = self.size;
        self.items.len() as u64 * u64::from(width) * u64::from(height)
    }

    /// Refuses what there is no memory for.
    fn check(&self, stream: &Stream, canvas: usize) -> Result<(), Refusal> {
        let (width, height) = self.size;
        let pixels = u64::from(width) * u64::from(height);
        let pixels = pixels * stream.frames;
        let held = if stream.sequence.is_stretched { 2 } else { 1 };
        // Beside its planes a frame takes up to two bytes a pixel while it is decoded.
        let quarters = stream.sequence.samples.bytes_of_four() * held + 8;
        bounds::memory(pixels * quarters / 4 + canvas as u64, 1)
    }
}

/// The items and the columns of a grid.
fn grid(contents: &Contents<'_>, item: u32) -> Result<(Vec<u32>, usize), Refusal> {
    let data = contents.data(item)?;
    let mut body = Reader::new(&data);
    body.byte()?;
    let is_wide = body.byte()? & 1 == 1;
    let (rows, columns) = (usize::from(body.byte()?) + 1, usize::from(body.byte()?) + 1);
    let measures = (body.short_or_long(is_wide)?, body.short_or_long(is_wide)?);
    let items = contents.referred(*b"dimg", item);
    if measures != contents.properties.measures(item)? || items.len() != rows * columns {
        return Err(Refusal::Broken);
    }
    if items.len() > TILES {
        return Err(Refusal::TooComplex);
    }
    let is_frame = |tile: &u32| contents.kind(*tile) == Some(*b"av01");
    if !items.iter().all(is_frame) {
        return Err(Refusal::Broken);
    }
    Ok((items.to_vec(), columns))
}
