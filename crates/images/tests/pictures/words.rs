//! Metadata about author, place and tools is removed.

use image_webp::WebPDecoder;
use kith_images::{Preset, Rendition, process};
use std::io::Cursor;

use crate::corpus::{files, files_of, post};

/// Text that the corpus has in every metadata field.
const SECRET: &str = "planted-secret-7261";

/// Names and signatures of metadata blocks.
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

/// Names of the chunks of a WebP.
fn chunks(rendition: &Rendition) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = 12;
    while let Some(head) = rendition.bytes.get(at..at + 8) {
        names.push(String::from_utf8_lossy(&head[..4]).into_owned());
        let length = u32::from_le_bytes(*head[4..].first_chunk().unwrap()) as usize;
        at += 8 + length.next_multiple_of(2);
    }
    assert_eq!(at, rendition.bytes.len(), "nothing is behind the last chunk");
    names
}

/// proves: image-metadata
#[test]
fn planted_metadata_is_removed() {
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
fn only_pixel_chunks_are_written() {
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
