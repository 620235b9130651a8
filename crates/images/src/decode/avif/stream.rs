//! The units of an AV1 stream: what the decoder is given, and what it isn't.

use super::sequence::Sequence;
use crate::Refusal;

/// A stream without the units that no picture needs.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) sequence: Sequence,
    /// How many frames the decoder will work on.
    pub(super) frames: u64,
    /// The head and the frames, ready for the decoder.
    pub(super) bytes: Vec<u8>,
}

const SEQUENCE: u8 = 1;
const FRAME_HEAD: u8 = 3;
const TILES: u8 = 4;
const FRAME: u8 = 6;

impl Stream {
    /// Reads the units of an item. Only the first head of a sequence and the parts of frames go
    /// on to the decoder: metadata, padding, further heads and lists of tiles don't.
    pub(super) fn read(mut item: &[u8]) -> Result<Self, Refusal> {
        let mut sequence: Option<Sequence> = None;
        let mut frames = 0;
        let mut bytes = Vec::with_capacity(item.len());
        while !item.is_empty() {
            let (kind, unit, body) = next_unit(&mut item)?;
            match kind {
                SEQUENCE if sequence.is_none() => sequence = Some(Sequence::read(body)?),
                FRAME_HEAD | FRAME if sequence.is_some() => frames += 1,
                TILES if frames > 0 => {}
                _ => continue,
            }
            // A picture has one, or one for each of its layers.
            if frames > sequence.as_ref().map_or(0, |sequence| sequence.layers) {
                return Err(Refusal::TooComplex);
            }
            bytes.extend_from_slice(unit);
        }
        Ok(Self {
            sequence: sequence.filter(|_| frames > 0).ok_or(Refusal::Broken)?,
            frames,
            bytes,
        })
    }
}

/// Takes a unit from the front: its kind, all of it, and what is in it.
fn next_unit<'a>(item: &mut &'a [u8]) -> Result<(u8, &'a [u8], &'a [u8]), Refusal> {
    let head = *item.first().ok_or(Refusal::Broken)?;
    let (kind, is_extended, has_length) = (head >> 3 & 0xF, head & 4 != 0, head & 2 != 0);
    let start = if is_extended { 2 } else { 1 };
    let rest = item.get(start..).ok_or(Refusal::Broken)?;
    let (used, length) = if has_length {
        length(rest)?
    } else {
        (0, rest.len())
    };
    let end = start + used + length;
    let (unit, behind) = item.split_at_checked(end).ok_or(Refusal::Broken)?;
    *item = behind;
    Ok((kind, unit, &unit[start + used..]))
}

/// The bytes that a length takes, and the length: seven bits a byte, the lowest first.
fn length(bytes: &[u8]) -> Result<(usize, usize), Refusal> {
    let mut length = 0;
    for (at, byte) in bytes.iter().take(5).enumerate() {
        length |= usize::from(byte & 0x7F) << (7 * at);
        if byte & 0x80 == 0 {
            return Ok((at + 1, length));
        }
    }
    Err(Refusal::Broken)
}
