//! The smallest, the thinnest and the largest pictures, and what is cut out of them.

use kith_images::{Crop, Kind, MAX_PIXELS, Made, make};
use png::{BitDepth, ColorType};

use crate::built::{self, Flat};
use crate::corpus::{BLUE, GREEN, Seen, file, is_near};

fn gray(width: u32, height: u32) -> Vec<u8> {
    built::png(width, height, ColorType::Grayscale, BitDepth::Eight)
}

fn sizes(made: &Made) -> Vec<(u32, u32)> {
    let renditions = made.renditions.iter();
    renditions
        .map(Seen::of)
        .map(|seen| (seen.width, seen.height))
        .collect()
}

#[test]
fn one_pixel_is_a_picture() {
    for kind in [Kind::Post, Kind::Avatar, Kind::Header] {
        let made = make(&gray(1, 1), kind, None).unwrap();
        assert_eq!(sizes(&made), [(1, 1)]);
        assert_eq!((made.width, made.height), (1, 1));
    }
}

#[test]
fn a_line_is_a_picture() {
    let made = make(&gray(16_384, 1), Kind::Post, None).unwrap();
    assert_eq!(sizes(&made), [(400, 1), (800, 1), (1600, 1), (2048, 1)]);
    let made = make(&gray(1, 16_384), Kind::Post, None).unwrap();
    assert_eq!(sizes(&made), [(1, 2048)]);
    let made = make(&gray(1, 16_384), Kind::Avatar, None).unwrap();
    assert_eq!(sizes(&made), [(1, 1)]);
}

#[test]
fn exactly_50_megapixels_are_taken() {
    assert_eq!(10_000 * 5_000, MAX_PIXELS);
    let made = make(&gray(10_000, 5_000), Kind::Avatar, None).unwrap();
    assert_eq!(sizes(&made), [(96, 96), (200, 200), (400, 400)]);
}

#[test]
fn a_post_has_four_widths_at_most() {
    let photo = Flat {
        sampling: 2,
        ..Flat::baseline(4000, 3000)
    };
    let made = make(&photo.jpeg(), Kind::Post, None).unwrap();
    assert_eq!(
        sizes(&made),
        [(400, 300), (800, 600), (1600, 1200), (2048, 1536)]
    );
    assert_eq!((made.width, made.height), (2048, 1536));
    let seen = Seen::of(&made.renditions[0]);
    assert!(is_near(seen.at(200, 150), [128; 3], 2));
}

#[test]
fn a_small_picture_is_not_enlarged() {
    let made = make(&gray(500, 20), Kind::Post, None).unwrap();
    assert_eq!(sizes(&made), [(400, 16), (500, 20)]);
    let made = make(&gray(300, 200), Kind::Avatar, None).unwrap();
    assert_eq!(sizes(&made), [(96, 96), (200, 200)]);
    let made = make(&gray(900, 900), Kind::Header, None).unwrap();
    assert_eq!(sizes(&made), [(600, 200), (900, 300)]);
}

/// The right half is green above blue.
#[test]
fn only_the_crop_is_shown() {
    let crop = Crop::new(0.5, 0.0, 0.5, 1.0);
    let made = make(&file("rgb8.png"), Kind::Post, crop).unwrap();
    assert_eq!(sizes(&made), [(32, 48)]);
    let seen = Seen::of(&made.renditions[0]);
    assert!(is_near(seen.at(16, 12), GREEN, 24));
    let crop = Crop::new(0.0, 0.5, 0.5, 0.5);
    let made = make(&file("rgb8.png"), Kind::Avatar, crop).unwrap();
    assert_eq!(sizes(&made), [(24, 24)]);
    let seen = Seen::of(&made.renditions[0]);
    for (x, y) in [(0, 0), (23, 0), (0, 23), (23, 23)] {
        assert!(is_near(seen.at(x, y), BLUE, 24));
    }
}
