//! Colours that are not sRGB, and what they become.

use crate::corpus::{BLUE, GREEN, QUARTERS, RED, Seen, file, is_near};

const CYAN: [u8; 3] = [0, 255, 255];

/// A profile that calls green red, blue green and red blue: only who reads it sees it so.
#[test]
fn icc_profiles_are_applied() {
    for name in [
        "wide-profile.jpg",
        "wide-profile.png",
        "wide-profile.webp",
        "wide-profile.avif",
    ] {
        Seen::largest(&file(name)).shows(name, [GREEN, BLUE, RED, CYAN]);
    }
}

#[test]
fn profiles_that_cannot_be_read_are_passed_over() {
    Seen::largest(&file("broken-profile.jpg")).shows("broken-profile.jpg", QUARTERS);
}

#[test]
fn gray_profiles_are_applied() {
    let gray = Seen::largest(&file("gray-profile.jpg")).at(32, 24);
    // Half of the way up a curve of the fourth power is 6 % of the light.
    assert!(is_near(gray, [72; 3], 6), "{gray:?}");
}

#[test]
fn ink_without_a_profile_is_mixed_plainly() {
    Seen::largest(&file("ink.jpg")).shows("ink.jpg", QUARTERS);
}

/// Red is made of magenta and yellow, which this profile calls green and blue, and so on.
#[test]
fn ink_with_a_profile_is_mixed_as_it_says() {
    let seen = Seen::largest(&file("ink-profile.jpg"));
    seen.shows(
        "ink-profile.jpg",
        [CYAN, [255, 0, 255], [255, 255, 0], BLUE],
    );
}

#[test]
fn numbers_that_stand_for_curves_are_applied() {
    for name in ["linear.png", "linear.avif"] {
        let gray = Seen::largest(&file(name)).at(32, 24);
        assert!(is_near(gray, [188; 3], 4), "{name}: {gray:?}");
    }
}

#[test]
fn numbers_that_stand_for_wide_colours_are_applied() {
    let pink = Seen::largest(&file("wide-code.avif")).at(32, 24);
    // 200, 100, 100 of Display P3.
    assert!(is_near(pink, [213, 95, 98], 5), "{pink:?}");
}

/// Half of PQ is 92 nits, a little less than half of the light of white paper.
#[test]
fn what_is_brighter_than_paper_is_brought_down() {
    let gray = Seen::largest(&file("bright.avif")).at(32, 24);
    assert!(is_near(gray, [151; 3], 5), "{gray:?}");
}
