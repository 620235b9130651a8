//! Files of other types, and polyglots.

use kith_images::{Format, ImageError, MAX_BYTES, Preset, process};

use crate::corpus::{Seen, file, post};

fn error(bytes: &[u8]) -> ImageError {
    process(bytes, Preset::Post, None).expect_err("this is rejected")
}

#[test]
fn other_files_are_rejected_whatever_their_type() {
    for bytes in [
        &b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>1</script></svg>"[..],
        b"<?xml version=\"1.0\"?><svg/>",
        b"<!doctype html><img src=x onerror=alert(1)>",
        b"\xEF\xBB\xBF<html>",
        b"BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00",
        b"II*\x00\x08\x00\x00\x00",
        b"MM\x00*\x00\x00\x00\x08",
        b"\x00\x00\x01\x00\x01\x00\x10\x10",
        b"8BPS\x00\x01",
        b"%PDF-1.7\n",
        b"PK\x03\x04",
        b"\x1A\x45\xDF\xA3",
        b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic",
        b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00isommp42",
        b"\x00\x00\x00\x0CJXL \r\n\x87\n",
        b"P6 1 1 255 abc",
        b"qoif\x00\x00\x00\x01",
        b"#!/bin/sh\n",
        b"\x7FELF",
        b"GIF8",
        b"\xFF\xD8",
        b"RIFF\x04\x00\x00\x00WAVE",
        b"a",
    ] {
        assert_eq!(error(bytes), ImageError::NotAnImage, "{bytes:?}");
    }
}

#[test]
fn a_signature_alone_is_damaged() {
    // These four bytes are dimensions: 12605 by 10799.
    assert_eq!(error(b"GIF89a=1/*"), ImageError::TooManyPixels);
    for beginning in [
        &b"\xFF\xD8\xFF<script>alert(1)</script>"[..],
        b"\x89PNG\r\n\x1a\n<html><body>",
        b"RIFF\x20\x00\x00\x00WEBP<svg/>",
        b"GIF89a=\x00/\x00",
        b"\x00\x00\x00\x14ftypavif\x00\x00\x00\x00avif<script>",
    ] {
        assert_eq!(error(beginning), ImageError::Broken, "{beginning:?}");
    }
}

#[test]
fn the_size_limit_is_exact() {
    assert_eq!(error(&[]), ImageError::Empty);
    let mut longest = file("plain-420.jpg");
    longest.resize(MAX_BYTES, 0);
    assert_eq!(longest.len(), 10_485_760);
    assert!(post(&longest) == post(&file("plain-420.jpg")));
    longest.push(0);
    assert_eq!(error(&longest), ImageError::TooLarge);
}

/// Data behind the picture and in its comments are ignored by decoders and absent from encoded files.
#[test]
fn a_polyglot_becomes_a_picture_only() {
    const SCRIPT: &[u8] = b"<script>alert('polyglot')</script>";
    let mut with_comment = file("plain-420.jpg");
    let length = u16::try_from(SCRIPT.len() + 2).unwrap().to_be_bytes();
    let comment = [&[0xFF, 0xFE][..], &length, SCRIPT].concat();
    with_comment.splice(2..2, comment);
    let behind =
        |name: &str| [file(name), SCRIPT.to_vec(), b"PK\x03\x04polyglot".to_vec()].concat();
    let mut files = vec![("plain-420.jpg", with_comment)];
    for name in ["plain-420.jpg", "rgb8.png", "plain.gif", "lossy.webp", "plain-420.avif"] {
        files.push((name, behind(name)));
    }
    for (name, bytes) in files {
        let made = post(&bytes);
        assert!(made == post(&file(name)), "{name}");
        for rendition in made.renditions {
            assert!(!rendition.bytes.windows(8).any(|eight| eight == b"polyglot"));
        }
    }
}

/// The bytes `/*` and `*/` in the dimensions and behind the data make a GIF a script.
#[test]
fn a_gif_that_is_a_script_is_rejected_or_a_picture() {
    let mut script = file("plain.gif");
    script[6..8].copy_from_slice(b"/*");
    script.extend(b"*/=1;alert(1)");
    let made = process(&script, Preset::Post, None).unwrap();
    assert_eq!(made.width, 2048);
    for rendition in made.renditions {
        assert!(rendition.bytes.starts_with(b"RIFF"));
    }
}

#[test]
fn the_type_is_detected_from_the_bytes() {
    let bytes = file("rgb8.png");
    assert_eq!(Format::sniff(&bytes), Some(Format::Png));
    assert_eq!(Seen::largest(&bytes).width, 64);
}

#[test]
fn errors_are_sentences() {
    for error in [
        ImageError::Empty,
        ImageError::TooLarge,
        ImageError::NotAnImage,
        ImageError::TooManyPixels,
        ImageError::TooWide,
        ImageError::Broken,
        ImageError::TooComplex,
    ] {
        let sentence = error.to_string();
        assert!(sentence.ends_with('.') && sentence.starts_with(char::is_uppercase));
    }
}
