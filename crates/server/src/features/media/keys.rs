//! The addresses of uploads and images, and reading them back from what a client names.

use crate::features::media::MediaState;
use crate::features::media::not_uploaded;
use crate::http::error::Result;
use crate::platform::clock::{MINUTE, Millis};
use crate::platform::crypto::{Key, encode, same};
use crate::platform::ids::Id;
use serde::Deserialize;
use url::Url;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// How long an address takes a file.
pub(super) const LIFE: Millis = 10 * MINUTE;
/// Hexadecimal digits of an upload's name: its id, its owner's, and as much of a keyed hash.
const NAME: usize = 48;
/// A name for descriptions.
const EXAMPLE: &str = "036f5a0c7e001000036f5a0c7e0020017c1d93e0a5b8f246";
/// Hexadecimal digits of an image's hash.
pub(super) const HASH: usize = 40;
const UPLOADS: &str = "/api/objects/";
const IMAGES: &str = "/images/";

/// A file that a member may send, or sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Upload {
    pub(super) owner: Id,
    /// Also the time from which its address lives.
    pub(super) id: Id,
}

/// An upload's name in a path.
#[derive(Debug, Deserialize)]
pub struct Name(String);

impl Name {
    /// The upload; none that this server gave out is a 404.
    pub(super) fn upload(&self, app: &MediaState) -> Result<Upload> {
        Upload::named(&app.key, &self.0).ok_or_else(not_uploaded)
    }
}

impl PartialSchema for Name {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(NAME))
            .max_length(Some(NAME))
            .pattern(Some(format!("^[0-9a-f]{{{NAME}}}$")))
            .examples([serde_json::json!(EXAMPLE)])
            .into()
    }
}

impl ToSchema for Name {}

/// An object that a client's URL refers to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// A file that was sent, or was to be.
    Upload(Upload),
    /// An image that was made of one, by its hash.
    Image(String),
}

impl Upload {
    fn mac(self, key: &Key, purpose: &str) -> [u8; 32] {
        key.mac(
            purpose,
            &[&self.id.0.to_be_bytes(), &self.owner.0.to_be_bytes()],
        )
    }

    /// Its name: nobody can guess another one.
    pub(super) fn name(self, key: &Key) -> String {
        let mut name = format!("{:016x}{:016x}", self.id.0, self.owner.0);
        name += &hex::encode(&self.mac(key, "name of an upload")[..8]);
        name
    }

    pub(super) fn named(key: &Key, text: &str) -> Option<Self> {
        let number = |digits| i64::from_str_radix(text.get(digits)?, 16).ok().map(Id);
        let (id, owner) = (number(0..16)?, number(16..32)?);
        let upload = Self { owner, id };
        same(upload.name(key).as_bytes(), text.as_bytes()).then_some(upload)
    }

    /// What its address must carry to take a file.
    pub(super) fn signature(self, key: &Key) -> String {
        encode(&self.mac(key, "address of an upload"))
    }

    pub(super) fn address(self, app: &MediaState) -> String {
        let (name, signature) = (self.name(&app.key), self.signature(&app.key));
        let path = format!("{UPLOADS}{name}?signature={signature}");
        app.settings.link(&path)
    }

    /// Where its file is kept.
    pub(super) fn key(self, key: &Key) -> String {
        format!("incoming/{}", self.name(key))
    }
}

/// Where a size of an image is kept.
pub(super) fn stored(hash: &str, width: u32) -> String {
    format!("images/{hash}/{width}.webp")
}

/// Where pages find a size of an image.
pub(super) fn shown(hash: &str, width: u32) -> String {
    format!("{IMAGES}{hash}/{width}.webp")
}

/// The hash of the image that pages find at `path`.
pub(super) fn hash_of(path: &str) -> Option<&str> {
    let (hash, file) = path.strip_prefix(IMAGES)?.split_once('/')?;
    let width = file.strip_suffix(".webp")?;
    let fits = is_hash(hash) && (1..=5).contains(&width.len());
    (fits && width.bytes().all(|byte| byte.is_ascii_digit())).then_some(hash)
}

/// The hash of the image that pages find at `path`, and where that size of it is kept.
#[must_use]
pub fn kept_at(path: &str) -> Option<(&str, &str)> {
    Some((hash_of(path)?, path.strip_prefix('/')?))
}

pub(super) fn is_hash(text: &str) -> bool {
    let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.len() == HASH && text.bytes().all(digit)
}

/// A hash as it stands in addresses: 160 bits of it.
pub(super) fn short(hash: [u8; 32]) -> String {
    hex::encode(&hash[..HASH / 2])
}

/// Parses a client's URL of an upload, here or at the store, or of an image, absolute or as a path.
pub(super) fn read(app: &MediaState, text: &str) -> Option<Named> {
    let origin = app.settings.origin();
    let own = text.strip_prefix(&origin).unwrap_or(text);
    let own = own.split(['?', '#']).next().unwrap_or(own);
    if let Some(hash) = hash_of(own) {
        return Some(Named::Image(hash.to_owned()));
    }
    if let Some(name) = own.strip_prefix(UPLOADS) {
        return Upload::named(&app.key, name).map(Named::Upload);
    }
    let url = Url::parse(text).ok()?;
    let at_store = Some(url.origin().ascii_serialization().as_str()) == app.storage.upload_origin();
    let name = url.path().rsplit_once("/incoming/")?.1;
    let upload = Upload::named(&app.key, name).filter(|_| at_store);
    upload.map(Named::Upload)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_cannot_be_made_up() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let key = Key::load(&folder.path().join("secret.key"))?;
        let other = Key::load(&folder.path().join("other.key"))?;
        let of = |id| Upload {
            owner: Id(5),
            id: Id(id),
        };
        let (upload, next) = (of(7), of(8));
        let name = upload.name(&key);
        assert_eq!(name.len(), NAME);
        assert_eq!(Upload::named(&key, &name), Some(upload));
        assert_eq!(Upload::named(&other, &name), None);
        assert_ne!(upload.signature(&key), next.signature(&key));
        let forged = format!("{}{}", &next.name(&key)[..32], &name[32..]);
        let (longer, capitals) = (format!("{name}0"), name.to_uppercase());
        for bad in ["", "7", "é", &forged, &longer, &capitals, &name[1..]] {
            assert_eq!(Upload::named(&key, bad), None, "{bad}");
        }
        Ok(())
    }

    #[test]
    fn only_addresses_of_images_name_images() {
        let hash = short([0xab; 32]);
        assert_eq!(hash_of(&shown(&hash, 400)), Some(hash.as_str()));
        let kept = stored(&hash, 400);
        assert_eq!(
            kept_at(&shown(&hash, 400)),
            Some((hash.as_str(), kept.as_str()))
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
