//! Parser of ISO BMFF boxes and the numbers in them.

use crate::ImageError;

/// A cursor over bytes. Reading past the end is [`ImageError::Broken`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Box<'a> {
    pub(super) kind: [u8; 4],
    pub(super) body: Reader<'a>,
}

impl<'a> Reader<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub(super) const fn is_empty(self) -> bool {
        self.bytes.is_empty()
    }

    /// The unread bytes.
    pub(super) const fn rest(self) -> &'a [u8] {
        self.bytes
    }

    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], ImageError> {
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or(ImageError::Broken)?;
        self.bytes = rest;
        Ok(taken)
    }

    /// Reads a big-endian number of `length` bytes, at most 8.
    pub(super) fn number(&mut self, length: usize) -> Result<u64, ImageError> {
        let bytes = self.take(length)?;
        Ok(bytes.iter().fold(0, |sum, byte| (sum << 8) | u64::from(*byte)))
    }

    pub(super) fn byte(&mut self) -> Result<u8, ImageError> {
        Ok(self.array::<1>()?[0])
    }

    pub(super) fn short(&mut self) -> Result<u16, ImageError> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    pub(super) fn long(&mut self) -> Result<u32, ImageError> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    pub(super) fn short_or_long(&mut self, wide: bool) -> Result<u32, ImageError> {
        if wide { self.long() } else { self.short().map(u32::from) }
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], ImageError> {
        let taken = self.take(N)?;
        taken.try_into().map_err(|_| ImageError::Broken)
    }

    /// Reads the version and flags of a full box.
    pub(super) fn version(&mut self) -> Result<(u8, u32), ImageError> {
        let both = self.long()?;
        Ok((self::top_byte(both), both & 0x00FF_FFFF))
    }

    /// Reads the next box; `None` at the end.
    pub(super) fn next_box(&mut self) -> Result<Option<Box<'a>>, ImageError> {
        if self.is_empty() {
            return Ok(None);
        }
        let short = self.long()?;
        let kind = self.array()?;
        let length = match short {
            // The box extends to the end of its container.
            0 => self.bytes.len(),
            1 => body_length(self.number(8)?, 16)?,
            _ => body_length(u64::from(short), 8)?,
        };
        let body = Self::new(self.take(length)?);
        Ok(Some(Box { kind, body }))
    }

    /// Finds the first of the remaining boxes of a kind.
    pub(super) fn find(mut self, kind: [u8; 4]) -> Result<Option<Reader<'a>>, ImageError> {
        while let Some(found) = self.next_box()? {
            if found.kind == kind {
                return Ok(Some(found.body));
            }
        }
        Ok(None)
    }
}

fn body_length(length: u64, head: u64) -> Result<usize, ImageError> {
    let body = length.checked_sub(head).ok_or(ImageError::Broken)?;
    usize::try_from(body).map_err(|_| ImageError::Broken)
}

fn top_byte(number: u32) -> u8 {
    number.to_be_bytes()[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_follow_each_other_and_may_be_long() {
        let bytes = [
            &b"\x00\x00\x00\x09free\xAA"[..],
            b"\x00\x00\x00\x01wide\x00\x00\x00\x00\x00\x00\x00\x11\xBB",
            b"\x00\x00\x00\x00last\xCC\xDD",
        ];
        let bytes = bytes.concat();
        let mut reader = Reader::new(&bytes);
        let mut found = Vec::new();
        while let Some(next) = reader.next_box().unwrap() {
            found.push((next.kind, next.body.rest().to_vec()));
        }
        let expected =
            [(*b"free", vec![0xAA]), (*b"wide", vec![0xBB]), (*b"last", vec![0xCC, 0xDD])];
        assert_eq!(found, expected);
        let last = Reader::new(&bytes).find(*b"last").unwrap();
        assert_eq!(last.unwrap().rest(), b"\xCC\xDD");
    }

    #[test]
    fn boxes_that_lie_about_their_length_are_broken() {
        for bytes in [
            &b"\x00\x00\x00\x07tiny"[..],
            b"\x00\x00\x00\x09more",
            b"\x00\x00\x00\x01wide\x00\x00\x00\x00\x00\x00\x00\x0F",
            b"\x00\x00\x00\x01wide\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF",
            b"\x00\x00\x00",
        ] {
            let next = Reader::new(bytes).next_box();
            assert!(matches!(next, Err(ImageError::Broken)), "{bytes:?}");
        }
    }
}
