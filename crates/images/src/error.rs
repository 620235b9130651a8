//! Errors of image processing.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why an image is rejected. `Display` is a sentence for the member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Error)]
#[non_exhaustive]
pub enum ImageError {
    /// The file has no bytes.
    #[error("The file is empty.")]
    Empty,
    /// The file has more bytes than [`MAX_BYTES`](crate::MAX_BYTES).
    #[error("The file is larger than 10 MB.")]
    TooLarge,
    /// The first bytes match no supported format.
    #[error("This is not an image that Kith can read: send a JPEG, PNG, WebP, GIF or AVIF.")]
    NotAnImage,
    /// The image has more pixels than [`MAX_PIXELS`](crate::MAX_PIXELS).
    #[error("The image has more than 50 megapixels.")]
    TooManyPixels,
    /// A side is longer than [`MAX_SIDE`](crate::MAX_SIDE).
    #[error("The image is more than 16384 pixels wide or high.")]
    TooWide,
    /// The file is truncated, inconsistent or cannot be decoded.
    #[error("The image is damaged.")]
    Broken,
    /// Decoding exceeds the memory or time limit of one image.
    #[error("The image is stored in a way that takes too much to read: save it again.")]
    TooComplex,
}
