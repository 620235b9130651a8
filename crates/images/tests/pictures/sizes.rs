//! The smallest, narrowest and largest pictures, and crops.

use kith_images::{Crop, MAX_PIXELS, Preset, ProcessedImage, process};
use png::{BitDepth, ColorType};

use crate::built::{self, Flat};
use crate::corpus::{BLUE, GREEN, Seen, file, is_near};

fn gray(width: u32, height: u32) -> Vec<u8> {
    built::png(width, height, ColorType::Grayscale, BitDepth::Eight)
}

fn sizes(made: &ProcessedImage) -> Vec<(u32, u32)> {
    let renditions = made.renditions.iter();
    renditions.map(Seen::of).map(|seen| (seen.width, seen.height)).collect()
}

#[test]
fn one_pixel_is_accepted() {
    for kind in [Preset::Post, Preset::Avatar, Preset::Header] {
        let made = process(&gray(1, 1), kind, None).unwrap();
        assert_eq!(sizes(&made), [(1, 1)]);
        assert_eq!((made.width, made.height), (1, 1));
    }
}

#[test]
fn a_line_is_accepted() {
    let made = process(&gray(16_384, 1), Preset::Post, None).unwrap();
    assert_eq!(sizes(&made), [(400, 1), (800, 1), (1600, 1), (2048, 1)]);
    let made = process(&gray(1, 16_384), Preset::Post, None).unwrap();
    assert_eq!(sizes(&made), [(1, 2048)]);
    let made = process(&gray(1, 16_384), Preset::Avatar, None).unwrap();
    assert_eq!(sizes(&made), [(1, 1)]);
}

#[test]
fn exactly_50_megapixels_are_accepted() {
    assert_eq!(10_000 * 5_000, MAX_PIXELS);
    let made = process(&gray(10_000, 5_000), Preset::Avatar, None).unwrap();
    assert_eq!(sizes(&made), [(96, 96), (200, 200), (400, 400)]);
}

#[test]
fn a_post_has_four_widths_at_most() {
    let photo = Flat { sampling: 2, ..Flat::baseline(4000, 3000) };
    let made = process(&photo.jpeg(), Preset::Post, None).unwrap();
    assert_eq!(sizes(&made), [(400, 300), (800, 600), (1600, 1200), (2048, 1536)]);
    assert_eq!((made.width, made.height), (2048, 1536));
    let seen = Seen::of(&made.renditions[0]);
    assert!(is_near(seen.at(200, 150), [128; 3], 2));
}

#[test]
fn a_small_picture_is_not_enlarged() {
    let made = process(&gray(500, 20), Preset::Post, None).unwrap();
    assert_eq!(sizes(&made), [(400, 16), (500, 20)]);
    let made = process(&gray(300, 200), Preset::Avatar, None).unwrap();
    assert_eq!(sizes(&made), [(96, 96), (200, 200)]);
    let made = process(&gray(900, 900), Preset::Header, None).unwrap();
    assert_eq!(sizes(&made), [(600, 200), (900, 300)]);
}

/// The right half is green above blue.
#[test]
fn only_the_crop_is_shown() {
    let crop = Crop::new(0.5, 0.0, 0.5, 1.0);
    let made = process(&file("rgb8.png"), Preset::Post, crop).unwrap();
    assert_eq!(sizes(&made), [(32, 48)]);
    let seen = Seen::of(&made.renditions[0]);
    assert!(is_near(seen.at(16, 12), GREEN, 24));
    let crop = Crop::new(0.0, 0.5, 0.5, 0.5);
    let made = process(&file("rgb8.png"), Preset::Avatar, crop).unwrap();
    assert_eq!(sizes(&made), [(24, 24)]);
    let seen = Seen::of(&made.renditions[0]);
    for (x, y) in [(0, 0), (23, 0), (0, 23), (23, 23)] {
        assert!(is_near(seen.at(x, y), BLUE, 24));
    }
}
