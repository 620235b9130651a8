//! Small files that decode to large pictures.

use kith_images::{ImageError, MAX_SIDE, Preset, process};

use crate::built::{self, Flat, Frame};
use crate::corpus::{RED, Seen, file, is_near};

fn error(bytes: &[u8]) -> ImageError {
    process(bytes, Preset::Post, None).expect_err("this is rejected")
}

/// Headers with these dimensions, without pixels.
fn headers(width: u32, height: u32) -> Vec<(&'static str, Vec<u8>)> {
    let avif = built::avif_of(&file("plain-420.avif"), width, height);
    let mut headers = vec![
        ("png", built::png_head(width, height)),
        ("webp", built::webp_head(width, height, false)),
        ("moving webp", built::webp_head(width, height, true)),
        ("avif", avif),
    ];
    if let (Ok(width), Ok(height)) = (width.try_into(), height.try_into()) {
        let mut jpeg = Flat::baseline(width, 1).jpeg();
        let frame = jpeg.windows(2).position(|two| two == [0xFF, 0xC0]).unwrap();
        jpeg[frame + 5..frame + 7].copy_from_slice(&u16::to_be_bytes(height));
        headers.push(("jpeg", jpeg));
        let mut gif = built::gif(1, 1, &[]);
        gif[6..8].copy_from_slice(&u16::to_le_bytes(width));
        gif[8..10].copy_from_slice(&u16::to_le_bytes(height));
        headers.push(("gif", gif));
    }
    headers
}

/// proves: image-pixels
#[test]
fn more_than_50_megapixels_are_rejected_by_the_header() {
    for (width, height) in [(10_001, 5_000), (16_384, 16_384), (7_072, 7_072)] {
        let headers = headers(width, height);
        assert_eq!(headers.len(), 6);
        for (name, head) in headers {
            assert_eq!(error(&head), ImageError::TooManyPixels, "{name}");
        }
    }
}

#[test]
fn sides_that_are_too_long_are_rejected_by_the_header() {
    for (width, height) in [(MAX_SIDE + 1, 1), (1, MAX_SIDE + 1), (65_535, 65_535)] {
        for (name, head) in headers(width, height) {
            assert_eq!(error(&head), ImageError::TooWide, "{name}");
        }
    }
    let endless = built::png_head(i32::MAX as u32, i32::MAX as u32);
    assert_eq!(error(&endless), ImageError::TooWide);
    let endless = built::avif_of(&file("plain-420.avif"), u32::MAX, u32::MAX);
    assert_eq!(error(&endless), ImageError::TooWide);
}

#[test]
fn an_empty_picture_is_rejected() {
    assert_eq!(error(&built::png_head(0, 5)), ImageError::Broken);
    let none = built::avif_of(&file("plain-420.avif"), 0, 0);
    assert_eq!(error(&none), ImageError::Broken);
}

/// A frame must have the dimensions of its boxes.
#[test]
fn an_avif_with_wrong_dimensions_is_broken() {
    for (width, height) in [(65, 48), (64, 47), (32, 24), (1, 1), (7_000, 7_000)] {
        let lie = built::avif_of(&file("plain-420.avif"), width, height);
        assert_eq!(error(&lie), ImageError::Broken, "{width} × {height}");
    }
}

/// The later frames are damaged, which only a decoder of them would notice.
#[test]
fn later_frames_are_not_decoded() {
    let frame = |index: u8| Frame { left: 0, top: 0, width: 40, height: 30, index };
    let whole = built::gif(40, 30, &[frame(1), frame(2), frame(3)]);
    let first = built::gif(40, 30, &[frame(1)]);
    let mut damaged = whole;
    for byte in damaged.iter_mut().skip(first.len()) {
        *byte = 0xFF;
    }
    let seen = Seen::largest(&damaged);
    assert!(is_near(seen.at(20, 15), RED, 24));
}

/// Compressed data of clear codes only; one code covers all pixels after them.
fn gif_of_clear_codes(code_size: u8, length: usize) -> Vec<u8> {
    let frame = Frame { left: 0, top: 0, width: 1, height: 1, index: 0 };
    let mut file = built::gif(1, 1, &[frame]);
    let place = file.windows(5).position(|five| five == [0x2C, 0, 0, 0, 0]);
    file.truncate(place.unwrap() + 10);
    file.push(code_size);
    let (clear, mut data) = (1_u32 << code_size, Vec::new());
    let (mut bits, mut count) = (0, 0);
    while data.len() < length {
        bits |= clear << count;
        count += u32::from(code_size) + 1;
        while count >= 8 {
            data.push((bits & 0xFF) as u8);
            (bits, count) = (bits >> 8, count - 8);
        }
    }
    // The first colour at any position in the remaining bits, and the end code.
    data.extend([0; 4]);
    for block in data.chunks(255) {
        file.push(u8::try_from(block.len()).unwrap());
        file.extend(block);
    }
    file.extend([0, 0x3B]);
    file
}

#[test]
fn a_frame_larger_than_its_screen_is_cropped() {
    let frame = Frame { left: 20, top: 0, width: 400, height: 300, index: 1 };
    let seen = Seen::largest(&built::gif(40, 30, &[frame]));
    assert_eq!((seen.width, seen.height), (40, 30));
    let [clear, red, _, _] = seen.quarters();
    assert!(clear[3] <= 2 && is_near(red, RED, 24) && red[3] == 255);
}

#[test]
fn a_frame_too_large_for_any_picture_is_rejected() {
    let frame = Frame { left: 0, top: 0, width: 1, height: 1, index: 1 };
    let mut file = built::gif(1, 1, &[frame]);
    let place = file.windows(5).position(|five| five == [0x2C, 0, 0, 0, 0]);
    let measures = place.unwrap() + 5;
    file[measures..measures + 4].copy_from_slice(&[0xFF; 4]);
    assert_eq!(error(&file), ImageError::TooWide);
}

#[test]
fn a_frame_smaller_than_its_screen_is_placed_in_it() {
    let frame = Frame { left: 20, top: 15, width: 20, height: 15, index: 1 };
    let seen = Seen::largest(&built::gif(40, 30, &[frame]));
    let [clear, _, _, red] = seen.quarters();
    assert!(clear[3] <= 2 && is_near(red, RED, 24) && red[3] == 255);
}

/// A colour profile a thousand times as long as its compressed form.
#[test]
fn a_profile_bomb_is_harmless() {
    let mut bomb = built::png_head(1, 1);
    let zeros = vec![0; 64 << 20];
    let packed = deflated(&zeros);
    built::png_chunk(&mut bomb, *b"iCCP", &[&b"a\0\0"[..], &packed].concat());
    built::png_chunk(&mut bomb, *b"IDAT", &deflated(&[0, 9, 9, 9, 255]));
    built::png_chunk(&mut bomb, *b"IEND", &[]);
    assert!(packed.len() < 100_000);
    let made = process(&bomb, Preset::Post, None);
    assert!(matches!(made, Ok(_) | Err(ImageError::TooComplex)), "{made:?}");
}

/// Files that make a decoder use far more work or memory than their size suggests.
pub(crate) fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("codes that clear the table", gif_of_clear_codes(11, 10_000_000)),
        ("passes", passes(60)),
        ("more passes", passes(1_000)),
    ]
}

/// A picture of 50 megapixels in a few kilobytes: decoders pass over all of it for each scan, even an empty one.
fn passes(scans: usize) -> Vec<u8> {
    let flat = Flat { sampling: 2, scans: Some(scans), ..Flat::baseline(8_192, 6_100) };
    let whole = flat.jpeg();
    let mut file = Vec::new();
    let mut at = 0;
    // Without the data of the scans, except for a few zeros.
    while let Some(found) = whole[at..].windows(2).position(|two| two == [0xFF, 0xDA]) {
        let end = at + found + 2 + usize::from(whole[at + found + 3]);
        file.extend_from_slice(&whole[at..end]);
        file.extend([0; 12]);
        let next = whole[end..].iter().position(|byte| *byte == 0xFF).unwrap();
        at = end + next;
    }
    file.extend_from_slice(&whole[at..]);
    file
}

/// Compressed by hand, as blocks of repetitions.
fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let width = u32::try_from(bytes.len()).unwrap();
    let mut encoder = png::Encoder::new(&mut file, width, 1);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_filter(png::Filter::NoFilter);
    encoder.set_compression(png::Compression::Balanced);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(bytes).unwrap();
    writer.finish().unwrap();
    let mut packed = Vec::new();
    let mut at = 8;
    while let Some(head) = file.get(at..at + 8) {
        let length = u32::from_be_bytes(*head.first_chunk().unwrap()) as usize;
        if &head[4..] == b"IDAT" {
            packed.extend_from_slice(&file[at + 8..at + 8 + length]);
        }
        at += length + 12;
    }
    packed
}
