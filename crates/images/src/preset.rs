//! Presets: the purposes of images, with their aspect ratios and sizes.

use serde::{Deserialize, Serialize};

use crate::crop::{Crop, Rect};

/// Purpose of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Preset {
    /// Shown in a post, whole unless cropped: 400, 800, 1600 and 2048 pixels wide, neither side
    /// longer than 2048.
    Post,
    /// Profile picture: a square with sides of 96, 200 and 400 pixels.
    Avatar,
    /// Image above a profile, three times as wide as high: 600, 1200 and 1500 pixels wide.
    Header,
}

/// Crop and output sizes of an upright image.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ResizePlan {
    /// The visible part.
    pub(crate) area: Rect,
    /// Width and height of each rendition, the smallest first; at least one.
    pub(crate) sizes: Vec<(u32, u32)>,
}

impl Preset {
    /// Output widths in ascending order; those above the image's width are skipped.
    fn steps(self) -> &'static [u32] {
        match self {
            Self::Post => &[400, 800, 1600, 2048],
            Self::Avatar => &[96, 200, 400],
            Self::Header => &[600, 1200, 1500],
        }
    }

    /// Aspect ratio (width, height) that the preset enforces.
    fn shape(self) -> Option<(u32, u32)> {
        match self {
            Self::Post => None,
            Self::Avatar => Some((1, 1)),
            Self::Header => Some((3, 1)),
        }
    }

    /// Plans the crop and sizes of an upright image. A crop of another aspect ratio is reduced around its center.
    pub(crate) fn plan(self, width: u32, height: u32, crop: Option<Crop>) -> ResizePlan {
        let mut area = crop.map_or(Rect::full(width, height), |crop| crop.area(width, height));
        if let Some(shape) = self.shape() {
            area = area.centered(shape);
        }
        let steps = self.steps();
        let longest = steps.last().copied().unwrap_or(1);
        let (width, height) = (area.width, area.height);
        let largest = if width.max(height) <= longest {
            (width, height)
        } else if width >= height {
            (longest, scale(height, longest, width))
        } else {
            (scale(width, longest, height), longest)
        };
        let mut sizes = vec![largest];
        for step in steps.iter().rev().copied() {
            let next = sizes.last().map_or(0, |(width, _)| *width);
            if is_useful_step(step, next) {
                sizes.push((step, scale(area.height, step, area.width)));
            }
        }
        sizes.reverse();
        ResizePlan { area, sizes }
    }
}

/// Whether a width is at least a fifth smaller than the next larger one.
fn is_useful_step(step: u32, next: u32) -> bool {
    u64::from(step) * 5 <= u64::from(next) * 4
}

/// `length` scaled by `to / from`, to the nearest pixel, at least one.
fn scale(length: u32, to: u32, from: u32) -> u32 {
    let scaled = (u64::from(length) * u64::from(to) + u64::from(from) / 2) / u64::from(from);
    u32::try_from(scaled).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(kind: Preset, width: u32, height: u32) -> Vec<(u32, u32)> {
        kind.plan(width, height, None).sizes
    }

    #[test]
    fn a_post_is_never_enlarged_and_never_longer_than_2048() {
        let all = [(400, 300), (800, 600), (1600, 1200), (2048, 1536)];
        assert_eq!(sizes(Preset::Post, 4000, 3000), all);
        let high = [(400, 533), (800, 1067), (1536, 2048)];
        assert_eq!(sizes(Preset::Post, 3000, 4000), high);
        assert_eq!(sizes(Preset::Post, 640, 480), [(400, 300), (640, 480)]);
        assert_eq!(sizes(Preset::Post, 399, 10), [(399, 10)]);
    }

    #[test]
    fn steps_that_save_little_are_left_out() {
        assert_eq!(sizes(Preset::Post, 499, 100), [(499, 100)]);
        assert_eq!(sizes(Preset::Post, 500, 100), [(400, 80), (500, 100)]);
        let nearly = [(400, 400), (800, 800), (1900, 1900)];
        assert_eq!(sizes(Preset::Post, 1900, 1900), nearly);
    }

    #[test]
    fn no_side_becomes_zero() {
        assert_eq!(sizes(Preset::Post, 1, 1), [(1, 1)]);
        let flat = [(400, 1), (800, 1), (1600, 1), (2048, 1)];
        assert_eq!(sizes(Preset::Post, 16_384, 1), flat);
        assert_eq!(sizes(Preset::Post, 1, 16_384), [(1, 2048)]);
        assert_eq!(sizes(Preset::Header, 1, 1), [(1, 1)]);
    }

    #[test]
    fn avatars_are_square_and_headers_three_to_one() {
        let squares = [(96, 96), (200, 200), (400, 400)];
        assert_eq!(sizes(Preset::Avatar, 4000, 3000), squares);
        assert_eq!(sizes(Preset::Avatar, 100, 150), [(100, 100)]);
        let wide = [(600, 200), (1200, 400), (1500, 500)];
        assert_eq!(sizes(Preset::Header, 4000, 3000), wide);
    }

    #[test]
    fn a_crop_keeps_its_place_and_the_kind_its_shape() {
        let crop = Crop::new(0.5, 0.0, 0.5, 1.0);
        let plan = Preset::Avatar.plan(400, 100, crop);
        let area = plan.area;
        assert_eq!((area.x, area.y, area.width, area.height), (250, 0, 100, 100));
        let plan = Preset::Post.plan(400, 100, crop);
        assert_eq!((plan.area.x, plan.area.width), (200, 200));
        assert_eq!(plan.sizes, [(200, 100)]);
    }
}
