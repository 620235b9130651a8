//! What the codes of a lossless WebP take in memory, found before the decoder makes them.
//!
//! A picture is cut into blocks, and a small image ahead of it, the entropy image, says which
//! group of five codes each block uses. Its largest value is how many groups there are: up to
//! 65,536 in a picture of a few pixels, each of some tens of kilobytes in memory, and the decoder
//! knows no limit. So all that stands before the pixels (RFC 9649, section 3) is read here first,
//! as the decoder would read it.

use super::container::{Frame, Pixels};
use super::prefix::{Bits, Code};
use crate::Refusal;

/// The most groups of codes that are taken. libwebp makes 2,600 blocks at most.
const MAX_GROUPS: u32 = 4_096;

/// Lengths of copies have symbols from here on, behind the 256 of a colour.
const COPIES: u32 = 256;

/// Places in the cache of colours have symbols from here on.
const CACHED: u32 = COPIES + 24;

/// What the decoder will hold for the codes of a picture or of its alpha, in bytes.
pub(super) fn memory(frame: &Frame<'_>) -> Result<u64, Refusal> {
    let stream = match frame.pixels {
        // The measures were read, and the decoder looks at the rest of this head.
        Pixels::Lossless([_, _, _, _, _, stream @ ..]) => stream,
        Pixels::Lossy {
            alpha: Some([head, stream @ ..]),
            ..
        } if head & 3 == 1 => stream,
        _ => return Ok(0),
    };
    let mut scan = Scan {
        bits: Bits::new(stream),
        near: near(),
    };
    let width = scan.transforms(frame.width, frame.height)?;
    let cache = scan.cache()?;
    let groups = scan.groups(width, frame.height)?;
    if groups > MAX_GROUPS {
        return Err(Refusal::TooComplex);
    }
    let mut bytes = 0;
    for _ in 0..groups {
        bytes += scan.group(cache)?.iter().map(Code::memory).sum::<u64>();
    }
    Ok(bytes)
}

/// A stream that is read up to the pixels of its picture.
struct Scan<'a> {
    bits: Bits<'a>,
    near: Vec<(i64, i64)>,
}

impl Scan<'_> {
    /// Passes over what was done to the pixels; returns how wide the stored picture is.
    fn transforms(&mut self, mut width: u32, height: u32) -> Result<u32, Refusal> {
        let mut seen = [false; 4];
        while self.bits.flag()? {
            let kind = self.bits.number(2)?;
            let seen = seen.get_mut(kind as usize).ok_or(Refusal::Broken)?;
            if std::mem::replace(seen, true) {
                return Err(Refusal::Broken);
            }
            match kind {
                // A guess at each pixel from its neighbours; colours that follow from others.
                0 | 1 => {
                    let size = 2 + self.bits.number(3)?;
                    self.image(blocks(width, size), blocks(height, size))?;
                }
                // Green taken from the others.
                2 => {}
                // A table of colours. Of a small one several pixels share a byte.
                _ => {
                    let colours = 1 + self.bits.number(8)?;
                    self.image(colours, 1)?;
                    let shared = match colours {
                        0..=2 => 3,
                        3..=4 => 2,
                        5..=16 => 1,
                        _ => 0,
                    };
                    width = blocks(width, shared);
                }
            }
        }
        Ok(width)
    }

    /// How many places the cache of colours has.
    fn cache(&mut self) -> Result<u32, Refusal> {
        if !self.bits.flag()? {
            return Ok(0);
        }
        match self.bits.number(4)? {
            bits @ 1..=11 => Ok(1 << bits),
            _ => Err(Refusal::Broken),
        }
    }

    /// How many groups of codes there are.
    fn groups(&mut self, width: u32, height: u32) -> Result<u32, Refusal> {
        if !self.bits.flag()? {
            return Ok(1);
        }
        let size = 2 + self.bits.number(3)?;
        let image = self.image(blocks(width, size), blocks(height, size))?;
        // Red and green are the group.
        let last = image.iter().map(|colour| colour >> 8 & 0xFFFF).max();
        Ok(last.unwrap_or(0) + 1)
    }

    /// The codes for green with copies and cached colours, for red, blue, alpha and distances.
    fn group(&mut self, cache: u32) -> Result<[Code; 5], Refusal> {
        let mut code = |size| Code::read(&mut self.bits, size);
        Ok([
            code(CACHED + cache)?,
            code(256)?,
            code(256)?,
            code(256)?,
            code(40)?,
        ])
    }

    /// An image that says something of each block of another: alpha, red, green and blue of each
    /// pixel, alpha the highest.
    fn image(&mut self, width: u32, height: u32) -> Result<Vec<u32>, Refusal> {
        let cache = self.cache()?;
        let [green, red, blue, alpha, distance] = self.group(cache)?;
        let mut cache = Cache(vec![0; cache as usize]);
        let count = width as usize * height as usize;
        let mut pixels = Vec::with_capacity(count);
        while pixels.len() < count {
            let symbol = green.symbol(&mut self.bits)?;
            if symbol < COPIES {
                let red = red.symbol(&mut self.bits)?;
                let blue = blue.symbol(&mut self.bits)?;
                let alpha = alpha.symbol(&mut self.bits)?;
                let colour = [alpha, red, symbol, blue];
                let colour = colour.into_iter().fold(0, |all, part| all << 8 | part);
                pixels.push(colour);
                cache.insert(colour);
            } else if symbol < CACHED {
                let length = self.copy(symbol - COPIES)?;
                let symbol = distance.symbol(&mut self.bits)?;
                let distance = self.copy(symbol)?;
                let distance = self.distance(distance, width);
                let from = pixels.len().checked_sub(distance);
                let from = from.ok_or(Refusal::Broken)?;
                if length > count - pixels.len() {
                    return Err(Refusal::Broken);
                }
                for at in from..from + length {
                    let colour = pixels.get(at).copied().ok_or(Refusal::Broken)?;
                    pixels.push(colour);
                    // The decoder leaves the cache as it is here, and for what comes out of it.
                    if distance > 1 {
                        cache.insert(colour);
                    }
                }
            } else {
                let colour = cache.0.get((symbol - CACHED) as usize);
                pixels.push(*colour.ok_or(Refusal::Broken)?);
            }
        }
        Ok(pixels)
    }

    /// A length or a distance: its symbol says how large it is about, and bits of its own the rest.
    fn copy(&mut self, symbol: u32) -> Result<usize, Refusal> {
        if symbol < 4 {
            return Ok(symbol as usize + 1);
        }
        let more = (symbol - 2) / 2;
        let least = (2 + symbol % 2) << more;
        Ok((least + self.bits.number(more)?) as usize + 1)
    }

    /// How many pixels back a distance is: small ones name a place near the pixel.
    fn distance(&self, distance: usize, width: u32) -> usize {
        match self.near.get(distance - 1) {
            Some((left, up)) => {
                usize::try_from(left + up * i64::from(width)).map_or(1, |at| at.max(1))
            }
            None => distance - self.near.len(),
        }
    }
}

/// The latest colours, each where a hash of it says.
struct Cache(Vec<u32>);

impl Cache {
    fn insert(&mut self, colour: u32) {
        let bits = self.0.len().checked_ilog2().unwrap_or(0);
        let hash = 0x1E35_A7BD_u32.wrapping_mul(colour);
        let place = hash.checked_shr(32 - bits).unwrap_or(0);
        if let Some(place) = self.0.get_mut(place as usize) {
            *place = colour;
        }
    }
}

/// How many blocks of 2^`size` pixels a side has.
fn blocks(side: u32, size: u32) -> u32 {
    side.div_ceil(1 << size)
}

/// The 120 places that small distances name, as pixels to the left and up, the nearest first. Of
/// those as near as each other the one with the least to the side is first, and the left before
/// the right.
fn near() -> Vec<(i64, i64)> {
    let all = (-7..=8).flat_map(|left| (0..=7).map(move |up| (left, up)));
    let mut near: Vec<(i64, i64)> = all.filter(|(left, up)| *up > 0 || *left > 0).collect();
    near.sort_by_key(|(left, up)| (left * left + up * up, left.abs(), *left < 0));
    near
}
