//! URLs and storage keys of uploads and images: builds them and parses URLs sent by clients.

use crate::features::media::MediaState;
use crate::features::media::not_uploaded;
use crate::http::error::Result;
use crate::platform::clock::{MINUTE, Millis};
use crate::platform::crypto::{SecretKey, constant_time_eq, encode};
use crate::platform::ids::Id;
use serde::Deserialize;
use url::Url;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// Lifetime of an upload URL.
pub(super) const UPLOAD_TTL: Millis = 10 * MINUTE;
/// Hexadecimal digits of an upload's name: 16 each of its id, its owner's id, and a MAC.
const NAME_DIGITS: usize = 48;
/// Example of a name for the API description.
const EXAMPLE: &str = "036f5a0c7e001000036f5a0c7e0020017c1d93e0a5b8f246";
/// Hexadecimal digits of an image hash in URLs.
pub(super) const HASH_DIGITS: usize = 40;
const UPLOADS: &str = "/api/objects/";
const IMAGES: &str = "/images/";

/// Permission of a member to upload one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UploadTicket {
    pub(super) owner: Id,
    /// Id; encodes the time of creation, from which the URL's lifetime counts.
    pub(super) id: Id,
}

/// Name of an upload in a URL path.
#[derive(Debug, Deserialize)]
pub struct UploadName(String);

impl UploadName {
    /// Parses and verifies the name; 404 if this server has not issued it.
    pub(super) fn ticket(&self, state: &MediaState) -> Result<UploadTicket> {
        UploadTicket::parse_name(&state.key, &self.0).ok_or_else(not_uploaded)
    }
}

impl PartialSchema for UploadName {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(NAME_DIGITS))
            .max_length(Some(NAME_DIGITS))
            .pattern(Some(format!("^[0-9a-f]{{{NAME_DIGITS}}}$")))
            .examples([serde_json::json!(EXAMPLE)])
            .into()
    }
}

impl ToSchema for UploadName {}

/// Upload or image to which a client's URL refers.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ImageRef {
    /// An upload, received or not.
    Upload(UploadTicket),
    /// A processed image, by its hash.
    Image(String),
}

impl UploadTicket {
    fn mac(self, key: &SecretKey, purpose: &str) -> [u8; 32] {
        key.mac(purpose, &[&self.id.0.to_be_bytes(), &self.owner.0.to_be_bytes()])
    }

    /// Builds the unguessable name.
    pub(super) fn name(self, key: &SecretKey) -> String {
        let mut name = format!("{:016x}{:016x}", self.id.0, self.owner.0);
        name += &hex::encode(&self.mac(key, "name of an upload")[..8]);
        name
    }

    /// Parses a name; `None` unless this server's key signed it.
    pub(super) fn parse_name(key: &SecretKey, text: &str) -> Option<Self> {
        let number = |digits| i64::from_str_radix(text.get(digits)?, 16).ok().map(Id);
        let (id, owner) = (number(0..16)?, number(16..32)?);
        let upload = Self { owner, id };
        constant_time_eq(upload.name(key).as_bytes(), text.as_bytes()).then_some(upload)
    }

    /// Builds the signature that authorizes sending the file.
    pub(super) fn signature(self, key: &SecretKey) -> String {
        encode(&self.mac(key, "address of an upload"))
    }

    /// Builds the URL to which the client sends the file.
    pub(super) fn url(self, state: &MediaState) -> String {
        let (name, signature) = (self.name(&state.key), self.signature(&state.key));
        let path = format!("{UPLOADS}{name}?signature={signature}");
        state.settings.url_for(&path)
    }

    /// Returns the storage key of the uploaded file.
    pub(super) fn storage_key(self, key: &SecretKey) -> String {
        format!("incoming/{}", self.name(key))
    }
}

/// Returns the storage key of a rendition.
pub(super) fn storage_key(hash: &str, width: u32) -> String {
    format!("images/{hash}/{width}.webp")
}

/// Returns the URL path of a rendition.
pub(super) fn image_path(hash: &str, width: u32) -> String {
    format!("{IMAGES}{hash}/{width}.webp")
}

/// Parses the hash out of an image's URL path.
pub(super) fn hash_of(path: &str) -> Option<&str> {
    let (hash, file) = path.strip_prefix(IMAGES)?.split_once('/')?;
    let width = file.strip_suffix(".webp")?;
    let is_valid = is_hash(hash) && (1..=5).contains(&width.len());
    (is_valid && width.bytes().all(|byte| byte.is_ascii_digit())).then_some(hash)
}

/// Parses the hash and the storage key out of an image's URL path.
#[must_use]
pub fn hash_and_storage_key(path: &str) -> Option<(&str, &str)> {
    Some((hash_of(path)?, path.strip_prefix('/')?))
}

pub(super) fn is_hash(text: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.len() == HASH_DIGITS && text.bytes().all(is_digit)
}

/// Encodes the first 160 bits of a hash for URLs.
pub(super) fn encode_hash(hash: [u8; 32]) -> String {
    hex::encode(&hash[..HASH_DIGITS / 2])
}

/// Parses a client's URL of an upload, on this server or in the S3 bucket, or of an image. Accepts absolute URLs and
/// paths.
pub(super) fn parse_image_url(state: &MediaState, text: &str) -> Option<ImageRef> {
    let origin = state.settings.origin();
    let path = text.strip_prefix(&origin).unwrap_or(text);
    let path = path.split(['?', '#']).next().unwrap_or(path);
    if let Some(hash) = hash_of(path) {
        return Some(ImageRef::Image(hash.to_owned()));
    }
    if let Some(name) = path.strip_prefix(UPLOADS) {
        return UploadTicket::parse_name(&state.key, name).map(ImageRef::Upload);
    }
    let url = Url::parse(text).ok()?;
    let is_in_bucket =
        Some(url.origin().ascii_serialization().as_str()) == state.storage.upload_origin();
    let name = url.path().rsplit_once("/incoming/")?.1;
    let upload = UploadTicket::parse_name(&state.key, name).filter(|_| is_in_bucket);
    upload.map(ImageRef::Upload)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_and_cannot_be_forged() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let key = SecretKey::load(&folder.path().join("secret.key"))?;
        let other = SecretKey::load(&folder.path().join("other.key"))?;
        let ticket = |id| UploadTicket { owner: Id(5), id: Id(id) };
        let (upload, next) = (ticket(7), ticket(8));
        let name = upload.name(&key);
        assert_eq!(name.len(), NAME_DIGITS);
        assert_eq!(UploadTicket::parse_name(&key, &name), Some(upload));
        assert_eq!(UploadTicket::parse_name(&other, &name), None);
        assert_ne!(upload.signature(&key), next.signature(&key));
        let forged = format!("{}{}", &next.name(&key)[..32], &name[32..]);
        let (longer, capitals) = (format!("{name}0"), name.to_uppercase());
        for bad in ["", "7", "é", &forged, &longer, &capitals, &name[1..]] {
            assert_eq!(UploadTicket::parse_name(&key, bad), None, "{bad}");
        }
        Ok(())
    }

    #[test]
    fn only_image_urls_have_a_hash() {
        let hash = encode_hash([0xab; 32]);
        assert_eq!(hash_of(&image_path(&hash, 400)), Some(hash.as_str()));
        let key = storage_key(&hash, 400);
        assert_eq!(
            hash_and_storage_key(&image_path(&hash, 400)),
            Some((hash.as_str(), key.as_str()))
        );
        for bad in [
            format!("/images/{hash}/.webp"),
            format!("/images/{hash}/../x.webp"),
            format!("/images/{hash}/400.png"),
            format!("/images/{}/400.webp", hash.to_uppercase()),
            format!("/images/{}/400.webp", &hash[1..]),
            format!("/images/{hash}"),
        ] {
            assert_eq!(hash_of(&bad), None, "{bad}");
        }
    }
}
