//! An image's row and its JSON representation.

use crate::features::media::keys;
use crate::platform::crypto::SecretKey;
use crate::platform::ids::Id;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Row of a processed image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageRow {
    /// Hash in the image's URLs and storage keys.
    pub hash: String,
    /// Width of the largest rendition, in pixels.
    pub width: u32,
    /// Height of the largest rendition, in pixels.
    pub height: u32,
    /// Widths of all renditions, ascending; the last is the full image.
    pub widths: Vec<u32>,
    /// Thumbhash preview, base64.
    pub thumbhash: String,
}

/// An image of a post.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Image {
    /// URL of the image on this server.
    #[schema(example = "/images/0f4a6c1b9d3e57820f4a6c1b9d3e57820f4a6c1b/1200.webp")]
    pub url: String,
    /// Width in pixels.
    #[schema(example = 1200)]
    pub width: u32,
    /// Height in pixels.
    #[schema(example = 800)]
    pub height: u32,
    /// Alternative text.
    #[schema(max_length = 12_000, example = "A cat on a wall")]
    pub alt: String,
    /// Tiny preview (`ThumbHash`), base64-encoded.
    #[schema(example = "1QcSHQRnh493V4dIh4eXh1h4kJUI")]
    pub thumbhash: String,
    /// All sizes, as the value of the HTML attribute `srcset`.
    #[schema(
        example = "/images/0f4a6c1b9d3e57820f4a6c1b9d3e57820f4a6c1b/400.webp 400w, /images/0f4a6c1b9d3e57820f4a6c1b9d3e57820f4a6c1b/1200.webp 1200w"
    )]
    pub srcset: String,
}

impl ImageRow {
    /// Builds a member's image with a hash keyed by the secret key and the owner, so that a client that has the file
    /// cannot find out whether a member has posted it.
    pub(super) fn for_owner(
        processed: &kith_images::ProcessedImage,
        owner: Id,
        key: &SecretKey,
    ) -> Self {
        let parts: [&[u8]; 2] = [&owner.0.to_be_bytes(), &processed.hash];
        Self {
            hash: keys::encode_hash(key.mac("address of an image", &parts)),
            ..Self::without_owner(processed)
        }
    }

    /// Builds an image of a demo member with an unkeyed hash.
    pub(crate) fn without_owner(processed: &kith_images::ProcessedImage) -> Self {
        Self {
            hash: keys::encode_hash(processed.hash),
            width: processed.width,
            height: processed.height,
            widths: processed.renditions.iter().map(|rendition| rendition.width).collect(),
            thumbhash: STANDARD.encode(&processed.thumbhash),
        }
    }

    /// Returns the storage key of one rendition.
    pub(crate) fn storage_key(&self, width: u32) -> String {
        keys::storage_key(&self.hash, width)
    }

    /// Returns the URL path of the full image.
    #[must_use]
    pub fn url(&self) -> String {
        keys::image_path(&self.hash, self.width)
    }

    /// Builds the image of a post.
    #[must_use]
    pub fn with_alt(&self, alt: String) -> Image {
        let sizes = self.widths.iter();
        let sizes = sizes.map(|&width| format!("{} {width}w", keys::image_path(&self.hash, width)));
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
    fn a_file_alone_does_not_reveal_its_url() -> std::io::Result<()> {
        let missing = std::path::Path::new("/nowhere/secret.key");
        let [ours, theirs] =
            [SecretKey::load_for_command(missing)?, SecretKey::load_for_command(missing)?];
        let processed = kith_images::ProcessedImage {
            hash: [7; 32],
            width: 3,
            height: 2,
            thumbhash: Vec::new(),
            renditions: Vec::new(),
        };
        let hash = |owner, key| ImageRow::for_owner(&processed, Id(owner), key).hash;
        assert_eq!(hash(1, &ours), hash(1, &ours));
        assert_ne!(hash(1, &ours), hash(1, &theirs));
        assert_ne!(hash(1, &ours), hash(2, &ours));
        assert_ne!(hash(1, &ours), keys::encode_hash(processed.hash));
        Ok(())
    }
}
