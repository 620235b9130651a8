//! What a file says about who made it, where and with what must not come out again.

use image_webp::WebPDecoder;
use kith_images::{Preset, Rendition, process};
use std::io::Cursor;

use crate::corpus::{files, files_of, post};

/// What the corpus plants wherever a format has a place for words.
const SECRET: &str = "planted-secret-7261";

/// Names and beginnings of the blocks in which files keep words.
const TRACES: [&[u8]; 12] = [
    SECRET.as_bytes(),
    b"Exif",
    b"EXIF",
    b"GPS",
    b"XMP",
    b"xmp",
    b"http",
    b"ICCP",
    b"acsp",
    b"Adobe",
    b"II*\0",
    b"MM\0*",
];

fn holds(bytes: &[u8], trace: &[u8]) -> bool {
    bytes.windows(trace.len()).any(|window| window == trace)
}

/// The names of the chunks in a WebP.
fn chunks(rendition: &Rendition) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = 12;
    while let Some(head) = rendition.bytes.get(at..at + 8) {
        names.push(String::from_utf8_lossy(&head[..4]).into_owned());
        let length = u32::from_le_bytes(*head[4..].first_chunk().unwrap()) as usize;
        at += 8 + length.next_multiple_of(2);
    }
    assert_eq!(
        at,
        rendition.bytes.len(),
        "nothing is behind the last chunk"
    );
    names
}

/// proves: image-metadata
#[test]
fn nothing_that_was_planted_comes_out() {
    for (name, bytes) in files_of("words") {
        assert!(holds(&bytes, SECRET.as_bytes()), "{name} has its secret");
        for rendition in post(&bytes).renditions {
            for trace in TRACES {
                let trace_text = String::from_utf8_lossy(trace);
                assert!(!holds(&rendition.bytes, trace), "{name}: {trace_text}");
            }
        }
    }
}

#[test]
fn no_block_but_pixels_is_written() {
    for (name, bytes) in files() {
        for kind in [Preset::Post, Preset::Avatar, Preset::Header] {
            for rendition in process(&bytes, kind, None).unwrap().renditions {
                let chunks = chunks(&rendition);
                let are_pixels = matches!(
                    chunks.iter().map(String::as_str).collect::<Vec<_>>()[..],
                    ["VP8 "] | ["VP8X", "ALPH", "VP8 "]
                );
                assert!(are_pixels, "{name}: {chunks:?}");
                let mut decoder = WebPDecoder::new(Cursor::new(&rendition.bytes)).unwrap();
                assert_eq!(decoder.exif_metadata().unwrap(), None, "{name}");
                assert_eq!(decoder.icc_profile().unwrap(), None, "{name}");
                assert_eq!(decoder.xmp_metadata().unwrap(), None, "{name}");
            }
        }
    }
}
