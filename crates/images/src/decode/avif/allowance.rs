//! What decoding one file may cost, its colours and its alpha together.

use super::stream::Stream;
use crate::{MAX_PIXELS, Refusal};

/// The least samples that a frame counts as, however small it is: setting the decoder up for it
/// takes longer than decoding it.
const LEAST: u64 = 256 * 256;

/// The decoder works on blocks of so many columns and rows, however narrow the frame.
const BLOCK: u64 = 128;

/// What tiles that are alike may have more than the file, because encoders store them once: they
/// are of one colour. One large item for each of many tiles is none of that.
const ALIKE: usize = 1 << 20;

/// What may still be spent.
#[derive(Debug)]
pub(super) struct Allowance {
    bytes: usize,
    samples: u64,
}

impl Allowance {
    /// What a file of so many bytes may cost.
    pub(super) const fn of(file: usize) -> Self {
        Self {
            bytes: file + ALIKE,
            // Brightness, two colours and alpha, of which tiles reach over the edges.
            samples: 5 * MAX_PIXELS,
        }
    }

    /// Spends what decoding a stream costs, which shows a picture of these measures.
    pub(super) fn decode(
        &mut self,
        stream: &Stream,
        (width, height): (u32, u32),
    ) -> Result<(), Refusal> {
        let (width, height) = (u64::from(width).max(BLOCK), u64::from(height).max(BLOCK));
        let mut pixels = stream.frames * width * height;
        if stream.frames > 1 {
            // Of layers only the area is bounded: they may be narrow and long.
            let (widest, highest) = stream.sequence.bounds;
            let beside = (u64::from(widest) + u64::from(highest)) * BLOCK;
            pixels += (stream.frames - 1) * beside;
        }
        let samples = pixels * stream.sequence.samples.of_four() / 4;
        let left = self.samples.checked_sub(samples.max(LEAST));
        self.samples = left.ok_or(Refusal::TooComplex)?;
        Ok(())
    }

    /// Spends what reading an item of so many bytes costs.
    pub(super) fn read(&mut self, bytes: usize) -> Result<(), Refusal> {
        let left = self.bytes.checked_sub(bytes);
        self.bytes = left.ok_or(Refusal::TooComplex)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::sequence::{Colour, Sequence};
    use super::*;

    fn stream(colour: Colour, frames: u64) -> Stream {
        Stream {
            sequence: Sequence::plain(colour),
            frames,
            bytes: Vec::new(),
        }
    }

    /// How many frames of these measures are decoded, at most so many.
    fn decoded(stream: &Stream, measures: (u32, u32), most: usize) -> usize {
        let mut allowance = Allowance::of(0);
        let decoded = (0..most).take_while(|_| allowance.decode(stream, measures).is_ok());
        decoded.count()
    }

    #[test]
    fn small_and_narrow_frames_cost_what_the_decoder_does_for_each() {
        let gray = stream(Colour::Gray, 1);
        assert_eq!(decoded(&gray, (1, 1), 5_000), 3_814);
        assert_eq!(decoded(&gray, (4, 16_384), 5_000), 119);
        let bright = stream(Colour::One, 1);
        assert_eq!(decoded(&bright, (16_384, 4), 5_000), 39);
        // Four layers, of which three may be as long as their head can say.
        let layered = stream(Colour::Gray, 4);
        assert_eq!(decoded(&layered, (256, 256), 5_000), 4);
    }

    #[test]
    fn the_largest_pictures_of_encoders_are_within_the_allowance() {
        let [gray, four, one] = [Colour::Gray, Colour::Four, Colour::One];
        for (colour, alpha) in [(one, gray), (four, four), (four, gray)] {
            let (colour, alpha) = (stream(colour, 1), stream(alpha, 1));
            // Whole, of phones' tiles, of large tiles, and of as many as there can be.
            let tiles = [
                ((10_000, 5_000), 1),
                ((512, 512), 20 * 10),
                ((1_024, 1_024), 10 * 5),
                ((226, 216), 1_024),
            ];
            for (measures, count) in tiles {
                let mut allowance = Allowance::of(0);
                for _ in 0..count {
                    assert_eq!(allowance.decode(&colour, measures), Ok(()));
                    assert_eq!(allowance.decode(&alpha, measures), Ok(()));
                }
            }
        }
    }

    #[test]
    fn bytes_are_summed_over_all_items() {
        let mut allowance = Allowance::of(5_000_000);
        assert_eq!(allowance.read(5_000_000), Ok(()));
        assert_eq!(allowance.read(ALIKE), Ok(()));
        assert_eq!(allowance.read(1), Err(Refusal::TooComplex));
    }
}
