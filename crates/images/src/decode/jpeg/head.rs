//! What the frame of a JPEG says, and what decoding it costs.

use crate::{MAX_PIXELS, Refusal};

/// The measures of a frame, and how it is stored.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) width: u32,
    pub(super) height: u32,
    components: Vec<Component>,
    is_progressive: bool,
    /// How often the decoder goes over the picture.
    scans: usize,
    /// The numbers that the decoder visits in all scans, whatever there is to read for them.
    work: u64,
    /// Whether the first scan has all components, so that pixels come out as it goes.
    is_interleaved: bool,
}

/// The brightness of a picture, or one of its colours.
#[derive(Debug, PartialEq, Eq)]
struct Component {
    id: u8,
    /// How many columns and rows of blocks a unit has.
    columns: u32,
    rows: u32,
}

/// The most scans of a progressive picture. Encoders use about ten.
const SCANS: usize = 100;

/// The most numbers that are visited. Encoders come back to each three to five times; the
/// decoder goes over the whole picture for a scan of a few bytes too.
const WORK: u64 = 10 * MAX_PIXELS;

/// What coming to a block costs, in numbers of it.
const BLOCK: u64 = 4;

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
        let components = components.iter().map(|[id, both, _]| Component {
            id: *id,
            columns: u32::from(both >> 4).clamp(1, 4),
            rows: u32::from(both & 0xF).clamp(1, 4),
        });
        Ok(Self {
            width: u32::from(u16::from_be_bytes([*w1, *w0])),
            height: u32::from(u16::from_be_bytes([*h1, *h0])),
            components: components.collect(),
            is_progressive: marker == 0xC2,
            scans: 0,
            work: 0,
            is_interleaved: false,
        })
    }

    /// Counts a scan by what stands behind its marker.
    pub(super) fn add_scan(&mut self, body: &[u8]) -> Result<(), Refusal> {
        let [count, components @ .., first, last, _] = body else {
            return Err(Refusal::Broken);
        };
        let (components, rest) = components.as_chunks::<2>();
        if !rest.is_empty() || components.len() != usize::from(*count) {
            return Err(Refusal::Broken);
        }
        let numbers = if self.is_progressive {
            (u64::from(*last) + 1).saturating_sub(u64::from(*first))
        } else {
            64
        };
        let units = self.units();
        for [id, _] in components {
            let found = self.components.iter().find(|found| found.id == *id);
            let blocks = units * found.ok_or(Refusal::Broken)?.blocks();
            self.work += blocks * (numbers + BLOCK);
        }
        if self.scans == 0 {
            self.is_interleaved = components.len() == self.components.len();
        }
        self.scans += 1;
        Ok(())
    }

    pub(super) fn has_scans(&self) -> bool {
        self.scans > 0
    }

    /// Whether the decoder goes over the picture more often than any encoder needs.
    pub(super) fn is_endless(&self) -> bool {
        let most = if self.is_progressive {
            SCANS
        } else {
            self.components.len()
        };
        self.scans > most || self.work > WORK
    }

    /// Bytes that the decoder holds beside the picture: two for each sample, unless the pixels
    /// come out as it goes.
    pub(super) fn held(&self) -> u64 {
        if !self.is_progressive && self.is_interleaved {
            return 0;
        }
        let blocks: u64 = self.components.iter().map(Component::blocks).sum();
        self.units() * blocks * 64 * 2
    }

    /// The units that cover the picture, each of some blocks of every component.
    fn units(&self) -> u64 {
        let columns = self.components.iter().map(|found| found.columns).max();
        let rows = self.components.iter().map(|found| found.rows).max();
        let across = self.width.div_ceil(8 * columns.unwrap_or(1));
        u64::from(across) * u64::from(self.height.div_ceil(8 * rows.unwrap_or(1)))
    }
}

impl Component {
    /// The blocks of a unit.
    fn blocks(&self) -> u64 {
        u64::from(self.columns * self.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three components, twice as much brightness in both directions.
    fn head(marker: u8, (width, height): (u16, u16)) -> Head {
        let ([h1, h0], [w1, w0]) = (height.to_be_bytes(), width.to_be_bytes());
        let body = [8, h1, h0, w1, w0, 3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0];
        let head = Head::read(marker, &body).unwrap();
        assert_eq!((head.width, head.height), (width.into(), height.into()));
        head
    }

    /// Adds so many scans of these components.
    fn with(mut head: Head, components: &[u8], numbers: (u8, u8), scans: usize) -> Head {
        let count = u8::try_from(components.len()).unwrap();
        let components: Vec<u8> = components.iter().flat_map(|id| [*id, 0]).collect();
        let body = [&[count][..], &components, &[numbers.0, numbers.1, 0]].concat();
        for _ in 0..scans {
            head.add_scan(&body).unwrap();
        }
        head
    }

    #[test]
    fn what_is_held_is_counted_by_whole_units() {
        // Seven by four units of six blocks.
        let all = 7 * 4 * 6 * 64 * 2;
        let held = |marker: u8, components: &[u8]| {
            with(head(marker, (100, 50)), components, (0, 0), 1).held()
        };
        assert_eq!(held(0xC0, &[1, 2, 3]), 0);
        assert_eq!(held(0xC0, &[1]), all);
        assert_eq!(held(0xC2, &[1, 2, 3]), all);
    }

    #[test]
    fn scans_are_bounded() {
        for (marker, most) in [(0xC0, 3), (0xC1, 3), (0xC2, SCANS)] {
            let few = || head(marker, (100, 50));
            assert!(!with(few(), &[1], (0, 0), most).is_endless());
            assert!(with(few(), &[1], (0, 0), most + 1).is_endless());
        }
    }

    /// What `jpegtran -progressive` writes, and what mozjpeg does at most.
    #[test]
    fn scans_of_encoders_are_within_the_work() {
        let large = || head(0xC2, (8_660, 5_773));
        let colours = |head, numbers| with(with(head, &[2], numbers, 1), &[3], numbers, 1);
        let mut usual = with(large(), &[1, 2, 3], (0, 0), 2);
        for numbers in [(1, 5), (6, 63), (1, 63), (1, 63)] {
            usual = with(usual, &[1], numbers, 1);
        }
        usual = colours(colours(usual, (1, 63)), (1, 63));
        assert!(!usual.is_endless());
        let mut thorough = colours(with(large(), &[1], (0, 0), 1), (0, 0));
        for numbers in [(1, 8), (9, 63), (1, 63), (1, 63), (1, 63)] {
            thorough = colours(with(thorough, &[1], numbers, 1), numbers);
        }
        assert!(!thorough.is_endless());
    }

    #[test]
    fn work_is_counted_by_the_numbers_that_scans_visit() {
        let large = || head(0xC2, (8_000, 6_000));
        assert!(!with(large(), &[1], (1, 63), 9).is_endless());
        assert!(with(large(), &[1], (1, 63), 11).is_endless());
        assert!(!with(large(), &[2], (1, 63), 36).is_endless());
        assert!(with(large(), &[2], (1, 63), 44).is_endless());
    }

    #[test]
    fn scans_of_no_component_are_broken() {
        for body in [
            &[][..],
            &[1, 1, 0, 0, 63],
            &[1, 4, 0, 0, 63, 0],
            &[2, 1, 0, 0, 63, 0],
        ] {
            let added = head(0xC2, (100, 50)).add_scan(body);
            assert_eq!(added, Err(Refusal::Broken), "{body:?}");
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
