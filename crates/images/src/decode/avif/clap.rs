//! Which part of a picture is to be seen: the box `clap`, for *clean aperture*.
//!
//! Who cuts a picture with a program that writes it leaves in the file what was cut away.

use super::boxes::Reader;
use crate::ImageError;
use crate::crop::Rect;

/// Reads the box of a picture that has these measures: the whole pixels that are to be seen.
pub(super) fn read(mut body: Reader<'_>, width: u32, height: u32) -> Result<Rect, ImageError> {
    let (across, down) = (fraction(&mut body)?, fraction(&mut body)?);
    let (right, below) = (fraction(&mut body)?, fraction(&mut body)?);
    let (x, width) = span(width, unsigned(across), signed(right)).ok_or(ImageError::Broken)?;
    let (y, height) = span(height, unsigned(down), signed(below)).ok_or(ImageError::Broken)?;
    Ok(Rect {
        x,
        y,
        width,
        height,
    })
}

/// A number and what it is divided by.
type Fraction = (i128, i128);

fn fraction(body: &mut Reader<'_>) -> Result<(u32, u32), ImageError> {
    Ok((body.long()?, body.long()?))
}

fn unsigned((number, by): (u32, u32)) -> Fraction {
    (number.into(), by.into())
}

fn signed((number, by): (u32, u32)) -> Fraction {
    (number.cast_signed().into(), by.into())
}

/// The first pixel and the number of whole visible pixels of a side, whose middle is `offset` beside the side's. `None`
/// unless it is inside and has a pixel.
fn span(side: u32, length: Fraction, offset: Fraction) -> Option<(u32, u32)> {
    if length.1 == 0 || offset.1 == 0 {
        return None;
    }
    let by = 2 * length.1 * offset.1;
    let start = (i128::from(side) * length.1 - length.0) * offset.1 + 2 * length.1 * offset.0;
    let end = start + 2 * length.0 * offset.1;
    if start < 0 || end > i128::from(side) * by {
        return None;
    }
    // The division rounds down, and its opposite up.
    let first = u32::try_from(-(-start).div_euclid(by)).ok()?;
    let end = u32::try_from(end.div_euclid(by)).ok()?;
    (first < end).then(|| (first, end - first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_counted_from_the_middles() {
        assert_eq!(span(100, (100, 1), (0, 1)), Some((0, 100)));
        assert_eq!(span(100, (50, 1), (0, 7)), Some((25, 50)));
        assert_eq!(span(100, (50, 1), (-25, 1)), Some((0, 50)));
        assert_eq!(span(100, (99, 2), (101, 4)), Some((51, 49)));
        assert_eq!(span(100, (1, 1), (99, 2)), Some((99, 1)));
    }

    #[test]
    fn of_pieces_of_pixels_nothing_is_seen() {
        assert_eq!(span(101, (50, 1), (0, 1)), Some((26, 49)));
        assert_eq!(span(100, (101, 2), (0, 1)), Some((25, 50)));
        assert_eq!(span(101, (1, 2), (0, 1)), None);
    }

    #[test]
    fn what_is_not_inside_is_none() {
        for (length, offset) in [
            ((0, 1), (0, 1)),
            ((101, 1), (0, 1)),
            ((50, 1), (26, 1)),
            ((50, 1), (-26, 1)),
            ((50, 0), (0, 1)),
            ((50, 1), (0, 0)),
            ((u32::MAX, u32::MAX), (i32::MIN, 1)),
            ((u32::MAX, 1), (i32::MAX, u32::MAX)),
        ] {
            let length = (length.0.into(), i128::from(length.1));
            let offset = (offset.0.into(), i128::from(offset.1));
            assert_eq!(span(100, length, offset), None, "{length:?} {offset:?}");
        }
    }
}
