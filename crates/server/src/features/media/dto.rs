//! An image as it is stored and as it stands on the wire.

use crate::features::media::keys;
use crate::platform::crypto::Key;
use crate::platform::ids::Id;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An image that pages can show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// What its addresses are made of.
    pub hash: String,
    /// Pixels of the largest size.
    pub width: u32,
    /// Pixels of the largest size.
    pub height: u32,
    /// The widths it is kept in, ascending; the last is the image itself.
    pub widths: Vec<u32>,
    /// A tiny preview, base64.
    pub thumbhash: String,
}

/// An image of a post.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Image {
    /// Its address on this server.
    #[schema(example = "/images/0f4a6c1b9d3e57820f4a6c1b9d3e57820f4a6c1b/1200.webp")]
    pub url: String,
    /// Pixels.
    #[schema(example = 1200)]
    pub width: u32,
    /// Pixels.
    #[schema(example = 800)]
    pub height: u32,
    /// What it shows, in words.
    #[schema(max_length = 12_000, example = "A cat on a wall")]
    pub alt: String,
    /// A tiny preview, base64.
    #[schema(example = "1QcSHQRnh493V4dIh4eXh1h4kJUI")]
    pub thumbhash: String,
    /// All its sizes, as the HTML attribute.
    #[schema(
        example = "/images/0f4a6c1b9d3e57820f4a6c1b9d3e57820f4a6c1b/400.webp 400w, /images/0f4a6c1b9d3e57820f4a6c1b9d3e57820f4a6c1b/1200.webp 1200w"
    )]
    pub srcset: String,
}

impl Stored {
    /// An image of a member at an address made with the network's key and the owner: a file alone must reveal neither
    /// that it was posted nor that another member shows it.
    pub(super) fn of(made: &kith_images::ProcessedImage, owner: Id, key: &Key) -> Self {
        let parts: [&[u8]; 2] = [&owner.0.to_be_bytes(), &made.hash];
        Self {
            hash: keys::short(key.mac("address of an image", &parts)),
            ..Self::open_to_all(made)
        }
    }

    /// An image of an invented member at an address that depends on what it shows alone: there is nothing to hide.
    pub(crate) fn open_to_all(made: &kith_images::ProcessedImage) -> Self {
        Self {
            hash: keys::short(made.hash),
            width: made.width,
            height: made.height,
            widths: made.renditions.iter().map(|one| one.width).collect(),
            thumbhash: STANDARD.encode(&made.thumbhash),
        }
    }

    /// Where one of its sizes is kept in the storage.
    pub(crate) fn key(&self, width: u32) -> String {
        keys::stored(&self.hash, width)
    }

    /// The address of the image itself, from its slash on.
    #[must_use]
    pub fn url(&self) -> String {
        keys::shown(&self.hash, self.width)
    }

    /// As a post shows it.
    #[must_use]
    pub fn with_alt(&self, alt: String) -> Image {
        let sizes = self.widths.iter();
        let sizes = sizes.map(|&width| format!("{} {width}w", keys::shown(&self.hash, width)));
        Image {
            url: self.url(),
            width: self.width,
            height: self.height,
            alt,
            thumbhash: self.thumbhash.clone(),
            srcset: sizes.collect::<Vec<_>>().join(", "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: image-keyed
    #[test]
    fn a_file_alone_does_not_tell_its_address() -> std::io::Result<()> {
        let nowhere = std::path::Path::new("/nowhere/secret.key");
        let [ours, theirs] = [Key::load_beside(nowhere)?, Key::load_beside(nowhere)?];
        let made = kith_images::ProcessedImage {
            hash: [7; 32],
            width: 3,
            height: 2,
            thumbhash: Vec::new(),
            renditions: Vec::new(),
        };
        let hash = |owner, key| Stored::of(&made, Id(owner), key).hash;
        assert_eq!(hash(1, &ours), hash(1, &ours));
        assert_ne!(hash(1, &ours), hash(1, &theirs));
        assert_ne!(hash(1, &ours), hash(2, &ours));
        assert_ne!(hash(1, &ours), keys::short(made.hash));
        Ok(())
    }
}
