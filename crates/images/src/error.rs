//! Why a picture is not taken.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a picture is not taken. Its `Display` is a sentence for the member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Error)]
#[non_exhaustive]
pub enum ImageError {
    /// There are no bytes.
    #[error("The file is empty.")]
    Empty,
    /// There are more than [`MAX_BYTES`](crate::MAX_BYTES).
    #[error("The file is larger than 10 MB.")]
    TooLarge,
    /// The first bytes are of none of the formats that are taken.
    #[error("This is not an image that Kith can read: send a JPEG, PNG, WebP, GIF or AVIF.")]
    NotAnImage,
    /// There are more than [`MAX_PIXELS`](crate::MAX_PIXELS).
    #[error("The image has more than 50 megapixels.")]
    TooManyPixels,
    /// A side is longer than [`MAX_SIDE`](crate::MAX_SIDE).
    #[error("The image is more than 16384 pixels wide or high.")]
    TooWide,
    /// The file ends too early, contradicts itself or can't be decoded.
    #[error("The image is damaged.")]
    Broken,
    /// Decoding would take more memory or work than one picture may.
    #[error("The image is stored in a way that takes too much to read: save it anew.")]
    TooComplex,
}
