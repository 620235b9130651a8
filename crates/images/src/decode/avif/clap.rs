//! Clean aperture: the box `clap` with the visible part of an image.
//!
//! Programs that crop with this box keep the hidden pixels in the file.

use super::boxes::Reader;
use crate::ImageError;
use crate::crop::Rect;

/// Parses the box of a `width` × `height` image into the visible whole pixels.
pub(super) fn read(mut body: Reader<'_>, width: u32, height: u32) -> Result<Rect, ImageError> {
    let (across, down) = (fraction(&mut body)?, fraction(&mut body)?);
    let (right, below) = (fraction(&mut body)?, fraction(&mut body)?);
    let (x, width) = span(width, unsigned(across), signed(right)).ok_or(ImageError::Broken)?;
    let (y, height) = span(height, unsigned(down), signed(below)).ok_or(ImageError::Broken)?;
    Ok(Rect { x, y, width, height })
}

/// Numerator and denominator.
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

/// First pixel and number of whole visible pixels of a side, given the offset between the centers.
/// `None` unless the span is inside and not empty.
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
    // The start rounds up and the end down.
    let first = u32::try_from(-(-start).div_euclid(by)).ok()?;
    let end = u32::try_from(end.div_euclid(by)).ok()?;
    (first < end).then(|| (first, end - first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_measured_from_the_centers() {
        assert_eq!(span(100, (100, 1), (0, 1)), Some((0, 100)));
        assert_eq!(span(100, (50, 1), (0, 7)), Some((25, 50)));
        assert_eq!(span(100, (50, 1), (-25, 1)), Some((0, 50)));
        assert_eq!(span(100, (99, 2), (101, 4)), Some((51, 49)));
        assert_eq!(span(100, (1, 1), (99, 2)), Some((99, 1)));
    }

    #[test]
    fn partial_pixels_are_hidden() {
        assert_eq!(span(101, (50, 1), (0, 1)), Some((26, 49)));
        assert_eq!(span(100, (101, 2), (0, 1)), Some((25, 50)));
        assert_eq!(span(101, (1, 2), (0, 1)), None);
    }

    #[test]
    fn a_span_outside_is_none() {
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
