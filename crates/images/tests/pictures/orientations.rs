//! Orientation.

use kith_images::{Crop, Preset, process};

use crate::corpus::{QUARTERS, Seen, file, files_of, is_near};

/// Each file is stored as by a camera held in that orientation, and shows the same upright picture.
#[test]
fn every_orientation_is_corrected() {
    for (name, bytes) in files_of("turn-") {
        let seen = Seen::largest(&bytes);
        assert_eq!((seen.width, seen.height), (64, 48), "{name}");
        seen.shows(&name, QUARTERS);
    }
}

#[test]
fn a_crop_is_of_the_upright_picture() {
    for (name, bytes) in files_of("turn-") {
        let corners = [(0.1, 0.1), (0.6, 0.1), (0.1, 0.6), (0.6, 0.6)];
        for ((x, y), colour) in corners.into_iter().zip(QUARTERS) {
            let crop = Crop::new(x, y, 0.3, 0.3);
            let made = process(&bytes, Preset::Avatar, crop).unwrap();
            let seen = Seen::of(made.renditions.last().unwrap());
            assert_eq!((seen.width, seen.height), (14, 14), "{name}");
            let middle = seen.at(7, 7);
            assert!(is_near(middle, colour, 24), "{name}, {x} {y}: {middle:?}");
        }
    }
}

/// The cropped parts are in the file, gray, on all four sides, and absent from every rendition.
/// proves: image-cut-away
#[test]
fn cropped_parts_are_not_shown() {
    let seen = Seen::largest(&file("cut.avif"));
    assert_eq!((seen.width, seen.height), (64, 48));
    let [red, green, blue, yellow] = QUARTERS;
    for (x, y, colour) in [(0, 0, red), (63, 0, green), (0, 47, blue), (63, 47, yellow)] {
        let corner = seen.at(x, y);
        assert!(is_near(corner, colour, 24), "{x} {y}: {corner:?}");
    }
}
