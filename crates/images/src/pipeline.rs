//! The pipeline from an uploaded file to its renditions.

use std::panic::{self, AssertUnwindSafe};
use std::thread;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::bitmap::{Bitmap, Layout};
use crate::crop::{Crop, Rect};
use crate::decode::{self, Decoded};
use crate::{Format, ImageError, MAX_BYTES, Preset, color, encode, resize};

/// Longest side of the image that the thumbhash is computed from, in pixels.
const THUMB: u32 = 100;

/// One size of an image, as WebP without metadata.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rendition {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The WebP file.
    pub bytes: Vec<u8>,
}

/// The renditions of an image, with their hash and thumbhash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessedImage {
    /// SHA-256 of the preset and of the sizes and files of all renditions. Deterministic for one
    /// build on one type of processor.
    pub hash: [u8; 32],
    /// Width of the largest rendition, in pixels.
    pub width: u32,
    /// Height of the largest rendition, in pixels.
    pub height: u32,
    /// Thumbhash of at most 25 bytes, a blurred placeholder until the image has loaded.
    pub thumbhash: Vec<u8>,
    /// At least one rendition, by ascending width.
    pub renditions: Vec<Rendition>,
}

impl ProcessedImage {
    /// Builds an image from renditions; `None` when they are invalid.
    pub(crate) fn of(kind: Preset, thumbhash: Vec<u8>, renditions: Vec<Rendition>) -> Option<Self> {
        let last = renditions.last()?;
        let (width, height) = (last.width, last.height);
        let is_sound = thumbhash.len() <= 25
            && renditions.is_sorted_by(|a, b| a.width < b.width)
            && renditions.iter().all(Rendition::is_webp);
        is_sound.then(|| Self {
            hash: content_hash(kind, &renditions),
            width,
            height,
            thumbhash,
            renditions,
        })
    }
}

impl Rendition {
    fn encode(picture: &Bitmap) -> Self {
        Self { width: picture.width, height: picture.height, bytes: encode::encode(picture) }
    }

    fn is_webp(&self) -> bool {
        Format::sniff(&self.bytes) == Some(Format::WebP) && self.width.min(self.height) > 0
    }
}

/// Decodes a file, applies `crop`, and encodes the renditions of the preset.
///
/// Blocks for some seconds on at most two threads. A hostile file may take unlimited time and
/// memory, so call it in an [image worker](crate::worker).
///
/// # Errors
///
/// An [`ImageError`] when the file is rejected.
pub fn process(
    bytes: &[u8],
    kind: Preset,
    crop: Option<Crop>,
) -> Result<ProcessedImage, ImageError> {
    if bytes.is_empty() {
        return Err(ImageError::Empty);
    }
    if bytes.len() > MAX_BYTES {
        return Err(ImageError::TooLarge);
    }
    let format = Format::sniff(bytes).ok_or(ImageError::NotAnImage)?;
    // A panic of a decoder means a damaged file.
    let made = panic::catch_unwind(AssertUnwindSafe(|| {
        decode::decode(bytes, format).map(|decoded| render(decoded, kind, crop))
    }));
    made.unwrap_or(Err(ImageError::Broken))
}

fn render(decoded: Decoded, kind: Preset, crop: Option<Crop>) -> ProcessedImage {
    let Decoded { picture: stored, orientation, colours } = decoded;
    let (width, height) = orientation.dimensions(stored.width, stored.height);
    let plan = kind.plan(width, height, crop);
    let area = orientation.stored(plan.area, width, height);
    let (width, height) = plan.sizes.last().copied().unwrap_or((1, 1));
    let reduced = reduce(stored, area, orientation.dimensions(width, height));
    let mut largest = orientation.upright(color::to_srgb(reduced, &colours));
    if largest.is_opaque() {
        largest = largest.without_alpha();
    }
    let mut pictures = steps(largest, &plan.sizes);
    let thumbhash = thumbhash(&mut pictures[0]);
    let made = ProcessedImage::of(kind, thumbhash, encoded(&pictures));
    made.expect("a picture has a size, and is encoded in each of its sizes")
}

/// Scales the part `area` of a bitmap to `size`, unless it has that size.
fn reduce(picture: Bitmap, area: Rect, size: (u32, u32)) -> Bitmap {
    let whole = Rect::full(picture.width, picture.height);
    if area == whole && size == (picture.width, picture.height) {
        return picture;
    }
    resize::resize_owned(picture, area, size)
}

/// Scales a bitmap to each of `sizes`, each from the next larger one; the last is its own size.
fn steps(largest: Bitmap, sizes: &[(u32, u32)]) -> Vec<Bitmap> {
    let mut pictures = vec![largest];
    for size in sizes.iter().rev().skip(1) {
        let last = pictures.len() - 1;
        let larger = &mut pictures[last];
        let area = Rect::full(larger.width, larger.height);
        let smaller = resize::resize(larger, area, *size);
        pictures.push(smaller);
    }
    pictures.reverse();
    pictures
}

/// Encodes the bitmaps as WebP: the largest takes as long as all others, which get a thread.
fn encoded(pictures: &[Bitmap]) -> Vec<Rendition> {
    let Some((largest, smaller)) = pictures.split_last() else {
        return Vec::new();
    };
    if smaller.is_empty() {
        return vec![Rendition::encode(largest)];
    }
    thread::scope(|scope| {
        let beside = scope.spawn(|| smaller.iter().map(Rendition::encode).collect());
        let largest = Rendition::encode(largest);
        let mut renditions: Vec<Rendition> = match beside.join() {
            Ok(renditions) => renditions,
            Err(panic) => panic::resume_unwind(panic),
        };
        renditions.push(largest);
        renditions
    })
}

fn content_hash(kind: Preset, renditions: &[Rendition]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update([kind as u8]);
    for rendition in renditions {
        hash.update(rendition.width.to_be_bytes());
        hash.update(rendition.height.to_be_bytes());
        hash.update((rendition.bytes.len() as u64).to_be_bytes());
        hash.update(&rendition.bytes);
    }
    hash.finalize().into()
}

fn thumbhash(picture: &mut Bitmap) -> Vec<u8> {
    let longest = picture.width.max(picture.height);
    let scaled = |side: u32| (side * THUMB.min(longest) / longest).max(1);
    let (width, height) = (scaled(picture.width), scaled(picture.height));
    let area = Rect::full(picture.width, picture.height);
    let small = resize::resize(picture, area, (width, height));
    let rgba = if small.layout == Layout::Rgba {
        small.pixels
    } else {
        let pixels = small.pixels.as_chunks().0.iter();
        pixels.flat_map(|[r, g, b]| [*r, *g, *b, 255]).collect()
    };
    thumbhash::rgba_to_thumb_hash(width as usize, height as usize, &rgba)
}
