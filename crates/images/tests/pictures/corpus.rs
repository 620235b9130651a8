//! The corpus files, and inspection of processed images.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use image_webp::WebPDecoder;
use kith_images::{Preset, ProcessedImage, Rendition, process};

/// The quarters of every corpus picture, from the top left to the bottom right.
pub(crate) const QUARTERS: [[u8; 3]; 4] = [RED, GREEN, BLUE, YELLOW];

pub(crate) const RED: [u8; 3] = [255, 0, 0];
pub(crate) const GREEN: [u8; 3] = [0, 255, 0];
pub(crate) const BLUE: [u8; 3] = [0, 0, 255];
pub(crate) const YELLOW: [u8; 3] = [255, 255, 0];

/// The corpus folder.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

/// A corpus file.
pub(crate) fn file(name: &str) -> Vec<u8> {
    fs::read(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Every corpus picture with its name.
pub(crate) fn files() -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| is_picture(name)).collect();
    names.sort();
    let read = names.into_iter().map(|name| (name.clone(), file(&name)));
    read.collect()
}

/// Whether a file is a picture, rather than the generator script or its output.
fn is_picture(name: &str) -> bool {
    let ending = Path::new(name).extension();
    ending.is_some_and(|ending| ending != "py" && ending != "txt")
}

/// The corpus pictures with this name prefix.
pub(crate) fn files_of(start: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = files();
    files.retain(|(name, _)| name.starts_with(start));
    assert!(!files.is_empty(), "{start}");
    files
}

/// Processes a file as a post's image.
pub(crate) fn post(bytes: &[u8]) -> ProcessedImage {
    process(bytes, Preset::Post, None).expect("this picture is taken")
}

/// A decoded rendition in RGBA.
#[derive(Debug, PartialEq)]
pub(crate) struct Seen {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) has_alpha: bool,
    pixels: Vec<[u8; 4]>,
}

impl Seen {
    pub(crate) fn of(rendition: &Rendition) -> Self {
        let mut decoder = WebPDecoder::new(Cursor::new(&rendition.bytes)).unwrap();
        let (width, height) = decoder.dimensions();
        assert_eq!((width, height), (rendition.width, rendition.height));
        let has_alpha = decoder.has_alpha();
        let mut bytes = vec![0; decoder.output_buffer_size().unwrap()];
        decoder.read_image(&mut bytes).unwrap();
        let pixels = if has_alpha {
            bytes.as_chunks().0.to_vec()
        } else {
            let pixels = bytes.as_chunks().0.iter();
            pixels.map(|[r, g, b]| [*r, *g, *b, 255]).collect()
        };
        Self { width, height, has_alpha, pixels }
    }

    /// The largest rendition of a file processed as a post's image.
    pub(crate) fn largest(bytes: &[u8]) -> Self {
        Self::of(post(bytes).renditions.last().unwrap())
    }

    pub(crate) fn at(&self, x: u32, y: u32) -> [u8; 4] {
        self.pixels[(y * self.width + x) as usize]
    }

    /// The centres of the four quarters.
    pub(crate) fn quarters(&self) -> [[u8; 4]; 4] {
        let (left, right) = (self.width / 4, self.width - self.width.div_ceil(4));
        let (top, bottom) = (self.height / 4, self.height - self.height.div_ceil(4));
        [(left, top), (right, top), (left, bottom), (right, bottom)].map(|(x, y)| self.at(x, y))
    }

    /// Fails unless the quarters have these colours.
    pub(crate) fn shows(&self, name: &str, colours: [[u8; 3]; 4]) {
        for (seen, colour) in self.quarters().into_iter().zip(colours) {
            assert!(is_near(seen, colour, 24), "{name}: {seen:?} is not {colour:?}");
        }
    }
}

/// Whether two colours are equal up to compression errors.
pub(crate) fn is_near(seen: [u8; 4], colour: [u8; 3], tolerance: u8) -> bool {
    let channels = seen.iter().zip(&colour);
    channels.fold(true, |so_far, (a, b)| so_far && a.abs_diff(*b) <= tolerance)
}
