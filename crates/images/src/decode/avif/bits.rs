//! Reading numbers of some bits, the highest first.

use crate::Refusal;

/// Bits that are read from the front. Reading past the end is [`Refusal::Broken`].
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

    pub(super) fn flag(&mut self) -> Result<bool, Refusal> {
        let byte = self.bytes.get(self.at / 8).ok_or(Refusal::Broken)?;
        let bit = byte >> (7 - self.at % 8) & 1;
        self.at += 1;
        Ok(bit == 1)
    }

    /// A number of `count` bits, at most 32.
    pub(super) fn number(&mut self, count: u32) -> Result<u32, Refusal> {
        let mut number = 0;
        for _ in 0..count {
            number = number << 1 | u32::from(self.flag()?);
        }
        Ok(number)
    }

    pub(super) fn skip(&mut self, count: u32) -> Result<(), Refusal> {
        for _ in 0..count {
            self.flag()?;
        }
        Ok(())
    }

    /// Passes over a number that is written as so many zeros, a one, and as many bits again.
    pub(super) fn skip_variable(&mut self) -> Result<(), Refusal> {
        let mut zeros = 0;
        while !self.flag()? {
            zeros += 1;
        }
        self.skip(if zeros < 32 { zeros } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_read_from_the_highest() {
        let mut bits = Bits::new(&[0b1010_0011, 0b1000_0000]);
        assert_eq!(bits.flag(), Ok(true));
        assert_eq!(bits.number(3), Ok(0b010));
        assert_eq!(bits.number(5), Ok(0b0_0111));
        assert_eq!(bits.skip(7), Ok(()));
        assert_eq!(bits.flag(), Err(Refusal::Broken));
    }

    #[test]
    fn variable_numbers_are_passed_over() {
        let mut bits = Bits::new(&[0b0010_1110, 0xFF]);
        assert_eq!(bits.skip_variable(), Ok(()));
        assert_eq!(bits.number(3), Ok(0b110));
        assert_eq!(Bits::new(&[0]).skip_variable(), Err(Refusal::Broken));
    }
}
