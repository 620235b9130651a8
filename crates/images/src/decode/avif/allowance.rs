//! What decoding one file may cost, its colours and its alpha together.

use crate::{MAX_BYTES, MAX_PIXELS, Refusal};

/// The least pixels that a frame counts as, however small it is: setting the decoder up for it
/// takes longer than decoding it.
const LEAST: u64 = 256 * 256;

/// What may still be spent.
#[derive(Debug)]
pub(super) struct Allowance {
    bytes: usize,
    pixels: u64,
}

impl Allowance {
    pub(super) const fn whole() -> Self {
        Self {
            // Tiles that are alike are stored once by encoders, so that all tiles together may
            // have more bytes than the file; but not one large item for each of many tiles.
            bytes: 2 * MAX_BYTES,
            // Colours and alpha, of which tiles reach over the edges.
            pixels: 3 * MAX_PIXELS,
        }
    }

    /// Spends what reading an item of so many bytes costs.
    pub(super) fn read(&mut self, bytes: usize) -> Result<(), Refusal> {
        let left = self.bytes.checked_sub(bytes);
        self.bytes = left.ok_or(Refusal::TooComplex)?;
        Ok(())
    }

    /// Spends what decoding so many frames of so many pixels costs.
    pub(super) fn decode(&mut self, frames: u64, pixels: u64) -> Result<(), Refusal> {
        let left = self.pixels.checked_sub(frames * pixels.max(LEAST));
        self.pixels = left.ok_or(Refusal::TooComplex)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_frames_cost_what_the_decoder_does_for_each() {
        let frames = 3 * MAX_PIXELS / LEAST;
        assert_eq!(Allowance::whole().decode(frames, 1), Ok(()));
        assert_eq!(
            Allowance::whole().decode(frames + 1, 1),
            Err(Refusal::TooComplex)
        );
        let mut allowance = Allowance::whole();
        assert_eq!(allowance.decode(2, MAX_PIXELS), Ok(()));
        assert_eq!(allowance.decode(2, MAX_PIXELS), Err(Refusal::TooComplex));
    }

    #[test]
    fn bytes_are_summed_over_all_items() {
        let mut allowance = Allowance::whole();
        assert_eq!(allowance.read(MAX_BYTES), Ok(()));
        assert_eq!(allowance.read(MAX_BYTES), Ok(()));
        assert_eq!(allowance.read(1), Err(Refusal::TooComplex));
    }
}
