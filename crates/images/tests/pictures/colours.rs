//! Conversion of other colour spaces to sRGB.

use crate::corpus::{BLUE, GREEN, QUARTERS, RED, Seen, file, is_near};

const CYAN: [u8; 3] = [0, 255, 255];

/// A profile that permutes red, green and blue, so that ignoring it is visible.
#[test]
fn icc_profiles_are_applied() {
    for name in ["wide-profile.jpg", "wide-profile.png", "wide-profile.webp", "wide-profile.avif"] {
        Seen::largest(&file(name)).shows(name, [GREEN, BLUE, RED, CYAN]);
    }
}

#[test]
fn unreadable_profiles_are_ignored() {
    Seen::largest(&file("broken-profile.jpg")).shows("broken-profile.jpg", QUARTERS);
}

#[test]
fn gray_profiles_are_applied() {
    let gray = Seen::largest(&file("gray-profile.jpg")).at(32, 24);
    // Half of a curve of the fourth power is 6 % of the light.
    assert!(is_near(gray, [72; 3], 6), "{gray:?}");
}

#[test]
fn cmyk_without_a_profile_is_converted() {
    Seen::largest(&file("ink.jpg")).shows("ink.jpg", QUARTERS);
}

/// Red is made of magenta and yellow, which this profile maps to green and blue, and so on.
#[test]
fn cmyk_with_a_profile_is_converted_by_it() {
    let seen = Seen::largest(&file("ink-profile.jpg"));
    seen.shows("ink-profile.jpg", [CYAN, [255, 0, 255], [255, 255, 0], BLUE]);
}

#[test]
fn cicp_transfer_curves_are_applied() {
    for name in ["linear.png", "linear.avif"] {
        let gray = Seen::largest(&file(name)).at(32, 24);
        assert!(is_near(gray, [188; 3], 4), "{name}: {gray:?}");
    }
}

#[test]
fn cicp_wide_primaries_are_applied() {
    let pink = Seen::largest(&file("wide-code.avif")).at(32, 24);
    // 200, 100, 100 in Display P3.
    assert!(is_near(pink, [213, 95, 98], 5), "{pink:?}");
}

/// Half of PQ is 92 nits, slightly less than half of the light of white paper.
#[test]
fn hdr_is_mapped_to_sdr() {
    let gray = Seen::largest(&file("bright.avif")).at(32, 24);
    assert!(is_near(gray, [151; 3], 5), "{gray:?}");
}
