//! What the frame of a JPEG says, and what decoding it costs.

use crate::Refusal;

/// The measures of a frame, and how it is stored.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) width: u32,
    pub(super) height: u32,
    /// For each component how many columns and rows of blocks a unit has.
    sampling: Vec<(u32, u32)>,
    is_progressive: bool,
    /// How often the decoder goes over the picture.
    scans: usize,
    /// Whether the first scan has all components, so that pixels come out as it goes.
    is_interleaved: bool,
}

/// The most scans of a progressive picture. Encoders use about ten.
const SCANS: usize = 100;

impl Head {
    /// Whether this marker begins a frame.
    pub(super) fn is_frame(marker: u8) -> bool {
        matches!(marker, 0xC0..=0xCF) && !matches!(marker, 0xC4 | 0xC8 | 0xCC)
    }

    /// Reads what stands behind the marker of a frame.
    pub(super) fn read(marker: u8, body: &[u8]) -> Result<Self, Refusal> {
        let [8, h1, h0, w1, w0, count, components @ ..] = body else {
            return Err(Refusal::Broken);
        };
        let (components, rest) = components.as_chunks::<3>();
        let is_whole = rest.is_empty() && components.len() == usize::from(*count);
        // Lossless and arithmetic coding are in no photograph.
        if !is_whole || !(1..=4).contains(count) || marker > 0xC2 {
            return Err(Refusal::Broken);
        }
        let sampling = components.iter().map(|[_, both, _]| {
            let (columns, rows) = (u32::from(both >> 4), u32::from(both & 0xF));
            (columns.clamp(1, 4), rows.clamp(1, 4))
        });
        Ok(Self {
            width: u32::from(u16::from_be_bytes([*w1, *w0])),
            height: u32::from(u16::from_be_bytes([*h1, *h0])),
            sampling: sampling.collect(),
            is_progressive: marker == 0xC2,
            scans: 0,
            is_interleaved: false,
        })
    }

    /// Counts a scan of so many components.
    pub(super) fn add_scan(&mut self, components: u8) {
        if self.scans == 0 {
            self.is_interleaved = usize::from(components) == self.sampling.len();
        }
        self.scans += 1;
    }

    pub(super) fn has_scans(&self) -> bool {
        self.scans > 0
    }

    /// Whether the decoder goes over the picture more often than any encoder needs.
    pub(super) fn is_endless(&self) -> bool {
        let most = if self.is_progressive {
            SCANS
        } else {
            self.sampling.len()
        };
        self.scans > most
    }

    /// Bytes that the decoder holds beside the picture: two for each sample, unless the pixels
    /// come out as it goes.
    pub(super) fn held(&self) -> u64 {
        if !self.is_progressive && self.is_interleaved {
            return 0;
        }
        let sampling = || self.sampling.iter().copied();
        let columns = sampling().map(|(columns, _)| columns).max().unwrap_or(1);
        let rows = sampling().map(|(_, rows)| rows).max().unwrap_or(1);
        let units = u64::from(self.width.div_ceil(8 * columns));
        let units = units * u64::from(self.height.div_ceil(8 * rows));
        let blocks: u32 = sampling().map(|(columns, rows)| columns * rows).sum();
        units * u64::from(blocks) * 64 * 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 100 by 50, three components, twice as much brightness in both directions.
    fn head(marker: u8, components: u8, scans: usize) -> Head {
        let body = [8, 0, 50, 0, 100, 3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0];
        let mut head = Head::read(marker, &body).unwrap();
        assert_eq!((head.width, head.height), (100, 50));
        for _ in 0..scans {
            head.add_scan(components);
        }
        head
    }

    #[test]
    fn what_is_held_is_counted_by_whole_units() {
        // Seven by four units of six blocks.
        let all = 7 * 4 * 6 * 64 * 2;
        assert_eq!(head(0xC0, 3, 1).held(), 0);
        assert_eq!(head(0xC0, 1, 3).held(), all);
        assert_eq!(head(0xC2, 3, 1).held(), all);
    }

    #[test]
    fn scans_are_bounded() {
        for (marker, most) in [(0xC0, 3), (0xC1, 3), (0xC2, SCANS)] {
            assert!(!head(marker, 1, most).is_endless());
            assert!(head(marker, 1, most + 1).is_endless());
        }
    }

    #[test]
    fn frames_that_no_photograph_has_are_broken() {
        let body = |bits: u8, count: u8| [bits, 0, 50, 0, 100, count, 1, 0x11, 0];
        assert!(Head::read(0xC0, &body(8, 1)).is_ok());
        for (marker, bits, count) in [(0xC0, 12, 1), (0xC0, 8, 2), (0xC3, 8, 1), (0xC9, 8, 1)] {
            assert!(Head::is_frame(marker));
            assert_eq!(Head::read(marker, &body(bits, count)), Err(Refusal::Broken));
        }
        assert_eq!(Head::read(0xC0, &[]), Err(Refusal::Broken));
        assert!(!Head::is_frame(0xC4) && !Head::is_frame(0xDA));
    }
}
