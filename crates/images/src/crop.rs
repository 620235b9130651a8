//! Crop rectangles.

use serde::{Deserialize, Serialize};

/// The crop that a member chose of the upright image, in fractions of its sides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Crop {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// A nonempty pixel rectangle inside an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rect {
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// Tolerance of offset plus length, because browsers compute the fractions from pixels.
const SLACK: f64 = 1e-6;

impl Crop {
    /// The part that starts `x` and `y` from the top left corner. `None` unless all four are
    /// between 0 and 1, the part is not empty and ends inside of the picture.
    #[must_use]
    pub fn new(x: f64, y: f64, width: f64, height: f64) -> Option<Self> {
        let fits =
            |start: f64, length: f64| start >= 0.0 && length > 0.0 && start + length <= 1.0 + SLACK;
        (fits(x, width) && fits(y, height)).then_some(Self { x, y, width, height })
    }

    /// The pixel rectangle in an image of the given dimensions.
    pub(crate) fn area(self, width: u32, height: u32) -> Rect {
        let (x, across) = span(self.x, self.width, width);
        let (y, down) = span(self.y, self.height, height);
        Rect { x, y, width: across, height: down }
    }
}

impl Rect {
    /// The whole image.
    pub(crate) fn full(width: u32, height: u32) -> Self {
        Self { x: 0, y: 0, width, height }
    }

    /// The largest centered rectangle with the aspect ratio `across:down`.
    pub(crate) fn centered(self, (across, down): (u32, u32)) -> Self {
        let scaled = |length: u32, by: u32, to: u32| {
            let exact = u64::from(length) * u64::from(to);
            let nearest = (exact + u64::from(by) / 2) / u64::from(by);
            u32::try_from(nearest).unwrap_or(u32::MAX).max(1)
        };
        let width = self.width.min(scaled(self.height, down, across));
        let height = self.height.min(scaled(self.width, across, down));
        Self {
            x: self.x + (self.width - width) / 2,
            y: self.y + (self.height - height) / 2,
            width,
            height,
        }
    }
}

/// The first pixel and the number of pixels of a fraction of a side.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a fraction of a side is at least 0 and at most the side, which is a u32"
)]
fn span(start: f64, length: f64, side: u32) -> (u32, u32) {
    let pixel = |fraction: f64| ((fraction * f64::from(side)).round() as u32).min(side);
    let first = pixel(start).min(side - 1);
    let end = pixel(start + length).max(first + 1);
    (first, end - first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parts_of_the_picture_are_crops() {
        assert!(Crop::new(0.0, 0.0, 1.0, 1.0).is_some());
        assert!(Crop::new(0.25, 0.5, 0.75, 0.5).is_some());
        for (x, y, width, height) in [
            (-0.1, 0.0, 1.0, 1.0),
            (0.0, 0.0, 0.0, 1.0),
            (0.0, 0.0, 1.0, -1.0),
            (0.5, 0.0, 0.6, 1.0),
            (0.0, 0.0, f64::NAN, 1.0),
            (f64::NAN, 0.0, 1.0, 1.0),
            (0.0, 0.0, f64::INFINITY, 1.0),
            (f64::NEG_INFINITY, 0.0, f64::INFINITY, 1.0),
        ] {
            assert_eq!(Crop::new(x, y, width, height), None, "{x} {y} {width} {height}");
        }
    }

    #[test]
    fn an_area_is_inside_and_never_empty() {
        let third = Crop::new(1.0 / 3.0, 0.0, 1.0 / 3.0, 1.0).unwrap();
        let area = third.area(300, 1);
        assert_eq!((area.x, area.width, area.y, area.height), (100, 100, 0, 1));
        for crop in [(0.999, 0.999, 0.001, 0.001), (0.0, 0.0, 1e-9, 1e-9)] {
            let crop = Crop::new(crop.0, crop.1, crop.2, crop.3).unwrap();
            for (width, height) in [(1, 1), (2, 3), (16_384, 1)] {
                let area = crop.area(width, height);
                assert!(area.width >= 1 && area.x + area.width <= width, "{area:?}");
                assert!(area.height >= 1 && area.y + area.height <= height, "{area:?}");
            }
        }
    }

    #[test]
    fn the_middle_keeps_the_ratio() {
        let area = Rect::full(400, 300).centered((1, 1));
        assert_eq!((area.x, area.y, area.width, area.height), (50, 0, 300, 300));
        let area = Rect::full(100, 1000).centered((3, 1));
        assert_eq!((area.x, area.y, area.width, area.height), (0, 483, 100, 33));
        let area = Rect::full(1, 1).centered((3, 1));
        assert_eq!((area.width, area.height), (1, 1));
    }
}
