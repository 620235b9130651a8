//! From the bytes of a file to what is served.

use std::panic::{self, AssertUnwindSafe};
use std::thread;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::bitmap::{Bitmap, Layout};
use crate::crop::{Crop, Rect};
use crate::decode::{self, Decoded};
use crate::{Format, ImageError, MAX_BYTES, Preset, color, encode, resize};

/// The longest side of the picture that the thumbhash is computed from, in pixels.
const THUMB: u32 = 100;

/// One size of a picture, as WebP without metadata.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rendition {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// The file.
    pub bytes: Vec<u8>,
}

/// What became of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessedImage {
    /// SHA-256 over the kind and the sizes and files of all renditions. The
    /// same input gives the same one, on one build and one kind of processor.
    pub hash: [u8; 32],
    /// Width of the largest rendition, in pixels.
    pub width: u32,
    /// Height of the largest rendition, in pixels.
    pub height: u32,
    /// A blurred impression of the picture in at most 25 bytes, shown until it has loaded.
    pub thumbhash: Vec<u8>,
    /// At least one, by ascending width.
    pub renditions: Vec<Rendition>,
}

impl ProcessedImage {
    /// Puts renditions together; `None` when they are not such as [`process`] makes.
    pub(crate) fn of(kind: Preset, thumbhash: Vec<u8>, renditions: Vec<Rendition>) -> Option<Self> {
        let last = renditions.last()?;
        let (width, height) = (last.width, last.height);
        let is_sound = thumbhash.len() <= 25
            && renditions.is_sorted_by(|a, b| a.width < b.width)
            && renditions.iter().all(Rendition::is_webp);
        is_sound.then(|| Self {
            hash: address(kind, &renditions),
            width,
            height,
            thumbhash,
            renditions,
        })
    }
}

impl Rendition {
    fn is_webp(&self) -> bool {
        Format::sniff(&self.bytes) == Some(Format::WebP) && self.width.min(self.height) > 0
    }
}

/// Makes what is served from a file that a member sent, of which only `crop` is shown, if given.
///
/// It blocks and computes for some seconds on at most two threads. Of a hostile file it may compute
/// without end, and hold any memory: call it in an [image worker](crate::worker).
///
/// # Errors
///
/// A [`ImageError`], which says what is wrong with the file.
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
    // A decoder that panics on a file says no more than that the file is damaged.
    let made = panic::catch_unwind(AssertUnwindSafe(|| {
        decode::decode(bytes, format).map(|decoded| render(decoded, kind, crop))
    }));
    made.unwrap_or(Err(ImageError::Broken))
}

fn render(decoded: Decoded, kind: Preset, crop: Option<Crop>) -> ProcessedImage {
    let Decoded {
        picture: stored,
        orientation,
        colours,
    } = decoded;
    let (width, height) = orientation.dimensions(stored.width, stored.height);
    let plan = kind.plan(width, height, crop);
    let area = orientation.stored(plan.area, width, height);
    let (width, height) = plan.sizes.last().copied().unwrap_or((1, 1));
    let reduced = reduce(stored, area, orientation.dimensions(width, height));
    let mut largest = orientation.upright(color::to_srgb(reduced, &colours));
    if largest.is_opaque() {
        largest = largest.without_alpha();
    }
    let pictures = steps(largest, &plan.sizes);
    let made = ProcessedImage::of(kind, thumbhash(&pictures[0]), encoded(&pictures));
    made.expect("a picture has a size, and is encoded in each of its sizes")
}

/// The part `area` of a picture in the given size. The picture itself is gone afterwards.
fn reduce(picture: Bitmap, area: Rect, size: (u32, u32)) -> Bitmap {
    let whole = Rect::full(picture.width, picture.height);
    if area == whole && size == (picture.width, picture.height) {
        return picture;
    }
    resize::resize_owned(picture, area, size)
}

/// The picture in each of the sizes, of which its own is the last: each from the next larger one.
fn steps(largest: Bitmap, sizes: &[(u32, u32)]) -> Vec<Bitmap> {
    let mut pictures = vec![largest];
    for size in sizes.iter().rev().skip(1) {
        let larger = &pictures[pictures.len() - 1];
        let area = Rect::full(larger.width, larger.height);
        pictures.push(resize::resize(larger, area, *size));
    }
    pictures.reverse();
    pictures
}

/// The pictures as WebP: the largest takes as long as all others, which get a thread of their own.
fn encoded(pictures: &[Bitmap]) -> Vec<Rendition> {
    let Some((largest, smaller)) = pictures.split_last() else {
        return Vec::new();
    };
    if smaller.is_empty() {
        return vec![encode::encode(largest)];
    }
    thread::scope(|scope| {
        let beside = scope.spawn(|| smaller.iter().map(encode::encode).collect());
        let largest = encode::encode(largest);
        let mut renditions: Vec<Rendition> = match beside.join() {
            Ok(renditions) => renditions,
            Err(panic) => panic::resume_unwind(panic),
        };
        renditions.push(largest);
        renditions
    })
}

fn address(kind: Preset, renditions: &[Rendition]) -> [u8; 32] {
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

fn thumbhash(picture: &Bitmap) -> Vec<u8> {
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
