//! Bits and prefix codes of a lossless WebP (RFC 9649, section 3.7).

use crate::Refusal;

/// The longest code, in bits.
const LONGEST: usize = 15;

/// What the decoder looks up at once, in bits. Longer codes have a tree behind its table.
const TABLE: usize = 10;

/// In which order the lengths of the codes for lengths are written.
const ORDER: [usize; 19] = [
    17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
];

/// Bits that are read from the lowest of each byte. Reading past the end is [`Refusal::Broken`].
#[derive(Debug)]
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    /// How many bits were read.
    at: usize,
}

impl<'a> Bits<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn bit(&mut self) -> Result<u32, Refusal> {
        let byte = self.bytes.get(self.at / 8).ok_or(Refusal::Broken)?;
        let bit = byte >> (self.at % 8) & 1;
        self.at += 1;
        Ok(u32::from(bit))
    }

    pub(super) fn flag(&mut self) -> Result<bool, Refusal> {
        Ok(self.bit()? == 1)
    }

    /// A number of `count` bits, the lowest first.
    pub(super) fn number(&mut self, count: u32) -> Result<u32, Refusal> {
        let mut number = 0;
        for place in 0..count {
            number |= self.bit()? << place;
        }
        Ok(number)
    }
}

/// Codes of some symbols, none of which begins another.
#[derive(Debug)]
pub(super) struct Code {
    /// How many codes have one bit, two bits and so on. None, if there is but one symbol, for
    /// which nothing is written.
    counts: [u32; LONGEST],
    /// In the order of their codes.
    symbols: Vec<u32>,
}

impl Code {
    /// Reads a code of `size` symbols.
    pub(super) fn read(bits: &mut Bits<'_>, size: u32) -> Result<Self, Refusal> {
        if bits.flag()? {
            return Self::read_simple(bits, size);
        }
        let mut lengths = [0; ORDER.len()];
        let written = 4 + bits.number(4)? as usize;
        for &place in ORDER.iter().take(written) {
            if let Some(length) = lengths.get_mut(place) {
                *length = bits.number(3)?;
            }
        }
        let lengths = Self::of(&lengths)?.lengths(bits, size as usize)?;
        Self::of(&lengths)
    }

    /// One symbol, or two of one bit each.
    fn read_simple(bits: &mut Bits<'_>, size: u32) -> Result<Self, Refusal> {
        let is_pair = bits.flag()?;
        let width = if bits.flag()? { 8 } else { 1 };
        let mut symbols = vec![bits.number(width)?];
        let mut counts = [0; LONGEST];
        if is_pair {
            symbols.push(bits.number(8)?);
            counts[0] = 2;
        }
        if symbols.iter().any(|&symbol| symbol >= size) {
            return Err(Refusal::Broken);
        }
        Ok(Self { counts, symbols })
    }

    /// Follows from how long the code of each symbol is; 0 is none.
    fn of(lengths: &[u32]) -> Result<Self, Refusal> {
        let mut used: Vec<_> = (0..).zip(lengths).filter(|used| *used.1 > 0).collect();
        used.sort_by_key(|used| used.1);
        let mut counts = [0; LONGEST];
        if used.len() != 1 {
            for (_, length) in &used {
                let count = counts.get_mut(**length as usize - 1);
                *count.ok_or(Refusal::Broken)? += 1;
            }
            // Each bit more halves what a code takes of all there could be.
            let taken = counts.iter().fold(0, |taken, count| taken * 2 + count);
            if taken != 1 << LONGEST {
                return Err(Refusal::Broken);
            }
        }
        let symbols = used.into_iter().map(|(symbol, _)| symbol).collect();
        Ok(Self { counts, symbols })
    }

    /// Reads the lengths of the codes of `size` symbols, which this code is for.
    fn lengths(&self, bits: &mut Bits<'_>, size: usize) -> Result<Vec<u32>, Refusal> {
        let mut left = size;
        if bits.flag()? {
            let width = 2 + 2 * bits.number(3)?;
            left = 2 + bits.number(width)? as usize;
            if left > size {
                return Err(Refusal::Broken);
            }
        }
        let mut lengths = Vec::with_capacity(size);
        let mut last = 8;
        while lengths.len() < size && left > 0 {
            left -= 1;
            let (length, times) = match self.symbol(bits)? {
                16 => (last, 3 + bits.number(2)?),
                17 => (0, 3 + bits.number(3)?),
                18 => (0, 11 + bits.number(7)?),
                0 => (0, 1),
                length => {
                    last = length;
                    (length, 1)
                }
            };
            let end = lengths.len() + times as usize;
            if end > size {
                return Err(Refusal::Broken);
            }
            lengths.resize(end, length);
        }
        Ok(lengths)
    }

    /// Reads a symbol, bit by bit: so work is bounded by the bytes of the file.
    pub(super) fn symbol(&self, bits: &mut Bits<'_>) -> Result<u32, Refusal> {
        if let [only] = self.symbols[..] {
            return Ok(only);
        }
        let (mut behind, mut from) = (0, 0);
        for count in self.counts {
            behind = behind * 2 + bits.bit()?;
            if behind < count {
                let symbol = self.symbols.get((from + behind) as usize);
                return symbol.copied().ok_or(Refusal::Broken);
            }
            behind -= count;
            from += count;
        }
        Err(Refusal::Broken)
    }

    /// What the decoder holds for this code, in bytes: itself, its table, and two nodes for each
    /// code that is longer than the table is wide.
    pub(super) fn memory(&self) -> u64 {
        let longest = self.counts.iter().rposition(|count| *count > 0);
        let table = longest.map_or(0, |at| 4 << (at + 1).min(TABLE));
        let long: u32 = self.counts.iter().skip(TABLE).sum();
        64 + table + u64::from(long) * 32
    }
}
