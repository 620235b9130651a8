//! Truncated and damaged files.

use kith_images::{ImageError, Preset, ProcessedImage, process};

use crate::corpus::{file, files, post};

/// Number of positions at which each file is truncated.
const CUTS: usize = 40;

/// A truncated file is rejected, unless the missing part does not affect the picture.
#[test]
fn a_truncated_file_is_rejected_or_complete() {
    let mut rejected = 0;
    for (name, bytes) in files() {
        let whole = post(&bytes);
        let step = (bytes.len() / CUTS).max(1);
        for end in (0..bytes.len()).step_by(step) {
            match process(&bytes[..end], Preset::Post, None) {
                Ok(made) => assert!(made == whole, "{name}, {end} of {}", bytes.len()),
                Err(ImageError::Empty) => assert_eq!(end, 0, "{name}"),
                Err(ImageError::NotAnImage) => assert!(end < 40, "{name}, {end}"),
                Err(error) => assert_eq!(error, ImageError::Broken, "{name}, {end}"),
            }
            rejected += 1;
        }
    }
    assert!(rejected > 3000, "{rejected}");
}

/// The last byte of pixels is missing.
#[test]
fn a_file_without_its_last_pixels_is_rejected() {
    for (name, missing) in [
        ("plain-420.jpg", 3),
        ("busy.jpg", 3),
        ("busy-progressive.jpg", 3),
        ("busy.png", 14),
        ("busy.gif", 30),
        ("busy.webp", 3),
        ("busy-lossless.webp", 3),
        ("busy.avif", 1),
    ] {
        let bytes = file(name);
        let cut = &bytes[..bytes.len() - missing];
        let rejected = process(cut, Preset::Post, None) == Err(ImageError::Broken);
        assert!(rejected, "{name}");
    }
}

/// PNG chunks have checksums, which detect damage.
#[test]
fn a_png_with_a_wrong_checksum_is_rejected() {
    let whole = file("busy.png");
    let start = whole.windows(4).position(|name| name == b"IDAT").unwrap();
    for at in [start + 4, start + 200, whole.len() - 20] {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        assert_eq!(process(&damaged, Preset::Post, None), Err(ImageError::Broken), "{at}");
    }
}

/// The middle of the file is overwritten with one byte.
#[test]
fn an_overwritten_file_is_rejected_or_some_picture() {
    for (name, bytes) in files() {
        for filler in [0x00, 0xFF, 0x55] {
            let mut damaged = bytes.clone();
            let middle = bytes.len() / 2;
            damaged[middle..middle + bytes.len() / 8].fill(filler);
            let made = process(&damaged, Preset::Post, None);
            assert!(made.as_ref().map_or(true, is_sound), "{name}, {filler}");
        }
    }
}

/// Whether a processed image is consistent, whatever its input.
pub(crate) fn is_sound(made: &ProcessedImage) -> bool {
    let ascending = made.renditions.is_sorted_by(|a, b| a.width < b.width);
    let Some(largest) = made.renditions.last() else {
        return false;
    };
    ascending && (largest.width, largest.height) == (made.width, made.height)
}
