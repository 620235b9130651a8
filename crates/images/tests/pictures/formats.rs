//! Every format, and every pixel storage in it.

use crate::corpus::{GREEN, QUARTERS, RED, Seen, file, files_of, is_near};

fn shows_the_quarters(names: &[&str]) {
    for name in names {
        let seen = Seen::largest(&file(name));
        assert_eq!((seen.width, seen.height), (64, 48), "{name}");
        assert!(!seen.has_alpha, "{name}");
        seen.shows(name, QUARTERS);
    }
}

#[test]
fn every_kind_of_jpeg_is_accepted() {
    shows_the_quarters(&[
        "plain-420.jpg",
        "plain-422.jpg",
        "plain-444.jpg",
        "progressive.jpg",
        "restarts.jpg",
    ]);
}

#[test]
fn png_is_accepted_with_any_depth_and_color_type() {
    shows_the_quarters(&["rgb8.png", "rgb16.png", "interlaced.png", "palette.png"]);
}

#[test]
fn webp_is_accepted_lossy_and_lossless() {
    shows_the_quarters(&["lossy.webp", "lossless.webp"]);
}

#[test]
fn gif_is_accepted_with_and_without_interlacing() {
    shows_the_quarters(&["plain.gif", "interlaced.gif"]);
}

#[test]
fn avif_is_accepted_with_any_depth_and_sampling() {
    shows_the_quarters(&[
        "plain-420.avif",
        "plain-422.avif",
        "plain-444.avif",
        "limited.avif",
        "deep-10-420.avif",
        "deep-10-422.avif",
        "deep-12-444.avif",
    ]);
}

#[test]
fn avif_is_read_from_any_box_layout() {
    shows_the_quarters(&["inside.avif", "split.avif", "grid.avif"]);
}

#[test]
fn the_first_frame_of_an_animation_is_shown() {
    shows_the_quarters(&["moving.gif", "moving.webp", "moving.png", "moving.avif"]);
}

#[test]
fn alpha_is_kept() {
    for name in [
        "rgba8.png",
        "rgba16.png",
        "palette-clear.png",
        "rgb-clear.png",
        "lossy-alpha.webp",
        "lossless-alpha.webp",
        "moving-alpha.webp",
        "clear.gif",
        "alpha.avif",
        "premultiplied.avif",
    ] {
        let seen = Seen::largest(&file(name));
        let [red, green, _, clear] = seen.quarters();
        assert!(is_near(red, RED, 24) && red[3] == 255, "{name}: {red:?}");
        assert!(is_near(green, GREEN, 24) && green[3] == 255, "{name}: {green:?}");
        assert!(clear[3] <= 2, "{name}: {clear:?}");
    }
}

/// The brightness of red, green, blue and yellow, as computed by Pillow.
const GRAYS: [[u8; 3]; 4] = [[76; 3], [150; 3], [29; 3], [226; 3]];

#[test]
fn gray_stays_gray() {
    for name in ["gray.jpg", "gray8.png", "gray16.png", "gray.avif"] {
        Seen::largest(&file(name)).shows(name, GRAYS);
    }
    for name in ["gray-alpha8.png", "gray-alpha16.png"] {
        let [red, green, blue, clear] = Seen::largest(&file(name)).quarters();
        assert!(is_near(red, GRAYS[0], 8) && is_near(green, GRAYS[1], 8), "{name}");
        assert!(is_near(blue, GRAYS[2], 8) && clear[3] <= 2, "{name}");
    }
    let black_and_white = [[0; 3], [255; 3], [0; 3], [255; 3]];
    Seen::largest(&file("gray1.png")).shows("gray1.png", black_and_white);
}

/// All files of noise were made from one picture, so they must look alike.
#[test]
fn noise_is_similar_from_every_format() {
    let reference = Seen::largest(&file("busy.png"));
    for (name, bytes) in files_of("busy") {
        let seen = Seen::largest(&bytes);
        assert_eq!((seen.width, seen.height), (101, 71), "{name}");
        let mut total = 0;
        for (x, y) in (0..71).flat_map(|y| (0..101).map(move |x| (x, y))) {
            let (a, b) = (seen.at(x, y), reference.at(x, y));
            total += a.iter().zip(&b).map(|(a, b)| u32::from(a.abs_diff(*b))).sum::<u32>();
        }
        let mean = f64::from(total) / f64::from(101 * 71 * 3);
        // With 64 colours every pixel differs somewhat.
        let bound = if name == "busy.gif" { 16.0 } else { 12.0 };
        assert!(mean < bound, "{name}: {mean}");
    }
}
