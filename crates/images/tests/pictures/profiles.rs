//! Colour profiles that would become large, or slow to read.

use kith_images::{Kind, make};

use crate::corpus::{file, post};

/// A WebP with another colour profile.
fn with_profile(file: &[u8], profile: &[u8]) -> Vec<u8> {
    let (start, end) = profile_in(file);
    let length = u32::try_from(profile.len()).unwrap();
    let padding = &[0][..profile.len() % 2];
    let mut file = [
        &file[..start - 4],
        &length.to_le_bytes(),
        profile,
        padding,
        &file[end + (end - start) % 2..],
    ]
    .concat();
    let length = u32::try_from(file.len() - 8).unwrap();
    file[4..8].copy_from_slice(&length.to_le_bytes());
    file
}

/// Where the profile of a WebP begins and ends.
fn profile_in(file: &[u8]) -> (usize, usize) {
    let start = file.windows(4).position(|four| four == b"ICCP").unwrap() + 8;
    let length = u32::from_le_bytes(*file[start - 4..].first_chunk().unwrap());
    (start, start + length as usize)
}

/// A profile with so many more tags of one name behind its own, all of which have these data.
fn with_tags(profile: &[u8], name: [u8; 4], times: u32, data: &[u8]) -> Vec<u8> {
    let number = |at: usize| u32::from_be_bytes(*profile[at..].first_chunk().unwrap());
    let count = number(128);
    let table = 132 + 12 * count as usize;
    let longer = 12 * times;
    let mut longer_profile = profile[..128].to_vec();
    longer_profile.extend((count + times).to_be_bytes());
    for line in (132..table).step_by(12) {
        longer_profile.extend(&profile[line..line + 4]);
        longer_profile.extend((number(line + 4) + longer).to_be_bytes());
        longer_profile.extend(&profile[line + 8..line + 12]);
    }
    let start = u32::try_from(profile.len()).unwrap() + longer;
    let length = u32::try_from(data.len()).unwrap();
    for _ in 0..times {
        longer_profile.extend([name, start.to_be_bytes(), length.to_be_bytes()].concat());
    }
    longer_profile.extend(&profile[table..]);
    longer_profile.extend(data);
    longer_profile
}

/// A text in so many languages, in all of which it is the same megabyte.
fn said_in(languages: u32) -> Vec<u8> {
    let mut text = b"mluc\0\0\0\0".to_vec();
    text.extend([languages.to_be_bytes(), 12_u32.to_be_bytes()].concat());
    let length = 1_u32 << 20;
    for _ in 0..languages {
        text.extend(b"enUS");
        text.extend([length.to_be_bytes(), (16 + 12 * languages).to_be_bytes()].concat());
    }
    text.extend(b"\x4E\x00".repeat(length as usize / 2));
    text
}

/// Checks that the tags change nothing.
fn says_the_same_with(name: [u8; 4], times: u32, data: &[u8]) {
    let sane = file("wide-profile.webp");
    let (start, end) = profile_in(&sane);
    let profile = &sane[start..end];
    let none = with_profile(&sane, b"no profile");
    let expected = post(&sane);
    assert_ne!(post(&none), expected);
    assert_eq!(post(&with_profile(&sane, profile)), expected);
    let more = with_profile(&sane, &with_tags(profile, name, times, data));
    assert_eq!(make(&more, Kind::Post, None), Ok(expected));
}

/// Each copy of the text would take 1.5 MB.
#[test]
fn a_text_of_a_profile_in_countless_languages_does_no_harm() {
    says_the_same_with(*b"cprt", 1, &said_in(400));
}

/// Whoever reads them finds a text without an end, and would pass the profile over.
#[test]
fn the_texts_of_a_profile_are_not_read() {
    for name in [*b"cprt", *b"desc", *b"dmnd", *b"dmdd", *b"vued", *b"targ"] {
        says_the_same_with(name, 1, b"mluc\0\0\0\0\0\0\0\x01");
    }
}

/// If the last one counted, red would be none at all.
#[test]
fn a_tag_that_is_listed_countless_times_counts_once() {
    says_the_same_with(*b"rXYZ", 1_000, b"XYZ \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
}
