//! Orientation of stored images, and rotation to upright.

use crate::bitmap::Bitmap;
use crate::crop::Rect;

/// How stored pixels become upright: rows and columns are swapped first, then the picture is mirrored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Orientation {
    /// Rows become columns.
    swap: bool,
    /// Left becomes right, after the swap.
    mirror_x: bool,
    /// Top becomes bottom, after the swap.
    mirror_y: bool,
}

impl Orientation {
    const fn of(swap: bool, mirror_x: bool, mirror_y: bool) -> Self {
        Self { swap, mirror_x, mirror_y }
    }

    /// Maps an EXIF value from 1 to 8; others mean upright.
    pub(crate) const fn from_exif_value(value: u16) -> Self {
        match value {
            2 => Self::of(false, true, false),
            3 => Self::of(false, true, true),
            4 => Self::of(false, false, true),
            5 => Self::of(true, false, false),
            6 => Self::of(true, true, false),
            7 => Self::of(true, true, true),
            8 => Self::of(true, false, true),
            _ => Self::of(false, false, false),
        }
    }

    /// Reads EXIF, which starts with a TIFF head. Unreadable EXIF means upright.
    pub(crate) fn from_exif(exif: &[u8]) -> Self {
        // Some writers keep the name that JPEG puts before the block.
        let tiff = exif.strip_prefix(b"Exif\0\0").unwrap_or(exif);
        orientation_tag(tiff).map_or(Self::default(), Self::from_exif_value)
    }

    /// Adds a mirroring: left to right, or top to bottom.
    pub(crate) const fn mirrored(self, is_sideways: bool) -> Self {
        Self {
            swap: self.swap,
            mirror_x: self.mirror_x != is_sideways,
            mirror_y: self.mirror_y == is_sideways,
        }
    }

    /// Swaps width and height between stored and upright, in either direction.
    pub(crate) const fn dimensions(self, width: u32, height: u32) -> (u32, u32) {
        if self.swap { (height, width) } else { (width, height) }
    }

    /// Maps a rectangle of the upright image (`width` × `height`) to the stored one.
    pub(crate) fn stored(self, area: Rect, width: u32, height: u32) -> Rect {
        let x = if self.mirror_x { width - area.x - area.width } else { area.x };
        let y = if self.mirror_y { height - area.y - area.height } else { area.y };
        let (x, y) = self.dimensions(x, y);
        let (width, height) = self.dimensions(area.width, area.height);
        Rect { x, y, width, height }
    }

    pub(crate) fn upright(self, stored: Bitmap) -> Bitmap {
        if self == Self::default() {
            return stored;
        }
        let (width, height) = self.dimensions(stored.width, stored.height);
        let mut upright = Bitmap::blank(width, height, stored.layout);
        let bytes = stored.layout.channels();
        let (columns, rows) = (width as usize, height as usize);
        let stride = stored.width as usize;
        let mut targets = upright.pixels.chunks_exact_mut(bytes);
        for row in 0..rows {
            let y = if self.mirror_y { rows - 1 - row } else { row };
            for (column, target) in targets.by_ref().take(columns).enumerate() {
                let x = if self.mirror_x { columns - 1 - column } else { column };
                let at = if self.swap { x * stride + y } else { y * stride + x };
                target.copy_from_slice(&stored.pixels[at * bytes..][..bytes]);
            }
        }
        upright
    }
}

/// The value of the tag *Orientation* in the first directory of a TIFF file.
fn orientation_tag(tiff: &[u8]) -> Option<u16> {
    const TAG: u16 = 0x0112;
    const SHORT: u16 = 3;
    let little = match tiff.get(..4)? {
        b"II*\0" => true,
        b"MM\0*" => false,
        _ => return None,
    };
    let short = |at: usize| {
        let bytes = *tiff.get(at..)?.first_chunk::<2>()?;
        Some(if little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    };
    let offset = *tiff.get(4..)?.first_chunk::<4>()?;
    let offset = if little { u32::from_le_bytes(offset) } else { u32::from_be_bytes(offset) };
    let directory = usize::try_from(offset).ok()?;
    let count = usize::from(short(directory)?);
    let entries = (0..count).map(|entry| directory.saturating_add(2 + entry * 12));
    for entry in entries {
        if short(entry)? == TAG {
            return (short(entry + 2)? == SHORT).then(|| short(entry + 8))?;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitmap::Layout;

    /// Three by two: `a b c` above `d e f`.
    fn stored() -> Bitmap {
        Bitmap { width: 3, height: 2, layout: Layout::Gray, pixels: b"abcdef".to_vec() }
    }

    /// Definition of the eight values in EXIF: side of the stored picture that the viewer sees at the top and at the
    /// left.
    const UPRIGHT: [(u16, u32, &str); 8] = [
        (1, 3, "abcdef"),
        (2, 3, "cbafed"),
        (3, 3, "fedcba"),
        (4, 3, "defabc"),
        (5, 2, "adbecf"),
        (6, 2, "daebfc"),
        (7, 2, "fcebda"),
        (8, 2, "cfbead"),
    ];

    #[test]
    fn all_eight_orientations_are_corrected() {
        for (value, width, pixels) in UPRIGHT {
            let upright = Orientation::from_exif_value(value).upright(stored());
            assert_eq!((upright.width, upright.height), (width, 6 / width), "{value}");
            assert_eq!(upright.pixels, pixels.as_bytes(), "{value}");
        }
    }

    #[test]
    fn a_crop_of_the_upright_picture_is_found_in_the_stored_one() {
        for (value, width, pixels) in UPRIGHT {
            let orientation = Orientation::from_exif_value(value);
            let height = 6 / width;
            for (at, pixel) in pixels.bytes().enumerate() {
                let at = u32::try_from(at).unwrap();
                let area = Rect { x: at % width, y: at / width, width: 1, height: 1 };
                let found = orientation.stored(area, width, height);
                let place = (found.y * 3 + found.x) as usize;
                assert_eq!(stored().pixels[place], pixel, "{value}: {area:?}");
            }
        }
    }

    fn exif(big: bool, kind: u16, value: u16) -> Vec<u8> {
        let short = |n: u16| {
            if big { n.to_be_bytes() } else { n.to_le_bytes() }
        };
        let long = |n: u32| {
            if big { n.to_be_bytes() } else { n.to_le_bytes() }
        };
        let mut bytes = if big { b"MM\0*".to_vec() } else { b"II*\0".to_vec() };
        bytes.extend(long(8));
        bytes.extend(short(2));
        for (tag, kind, value) in [(0x010F, 2, 0), (0x0112, kind, value)] {
            bytes.extend(short(tag));
            bytes.extend(short(kind));
            bytes.extend(long(1));
            bytes.extend(short(value));
            bytes.extend([0, 0]);
        }
        bytes
    }

    #[test]
    fn exif_is_read_in_both_byte_orders() {
        for big in [false, true] {
            let six = Orientation::from_exif_value(6);
            assert_eq!(Orientation::from_exif(&exif(big, 3, 6)), six);
            let named = [b"Exif\0\0".to_vec(), exif(big, 3, 6)].concat();
            assert_eq!(Orientation::from_exif(&named), six);
            assert_eq!(Orientation::from_exif(&exif(big, 4, 6)), Orientation::default());
            assert_eq!(Orientation::from_exif(&exif(big, 3, 9)), Orientation::default());
        }
    }

    #[test]
    fn broken_exif_is_upright() {
        let whole = exif(false, 3, 6);
        for end in 0..whole.len() - 4 {
            assert_eq!(Orientation::from_exif(&whole[..end]), Orientation::default());
        }
        let mut far = whole;
        far[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(Orientation::from_exif(&far), Orientation::default());
    }
}
