//! Random values and keyed hashes: everything that must not be guessed.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use std::fs::OpenOptions;
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use subtle::ConstantTimeEq;

/// Letters and digits that are not mistaken for each other when read aloud or copied by hand.
const CLEAR: &[u8; 31] = b"ABCDEFGHJKMNPQRSTUVWXYZ23456789";

/// Signs links and session values. It lives in a file beside the data, so that a copy of the database logs nobody in.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

impl Key {
    /// Reads the key file, or makes it, readable by its owner alone.
    pub fn load(path: &Path) -> io::Result<Self> {
        match read_key(path, Links::Followed) {
            Ok(bytes) => Ok(Self(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::create(path),
            Err(error) => Err(error),
        }
    }

    /// The same for a command beside a server: a file that is not here is not made. A command on PostgreSQL with
    /// the wrong folder would leave a key there that is not the network's; none signs anything but
    /// `member sign-in`, which asks for the file itself.
    pub fn load_beside(path: &Path) -> io::Result<Self> {
        if path.try_exists()? {
            Self::load(path)
        } else {
            Ok(Self(random()))
        }
    }

    /// The file appears whole or not at all: a start that is killed must not leave an empty key.
    fn create(path: &Path) -> io::Result<Self> {
        let key = random();
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&key)?;
        file.as_file().sync_all()?;
        file.persist_noclobber(path)?;
        Ok(Self(key))
    }

    /// Encrypts a number of one list for a cursor that reveals no time. The same number gives the same text.
    #[must_use]
    pub fn seal(&self, list: (&str, i64), number: i64) -> String {
        let tag = self.tag(list, number);
        encode(&[tag, self.masked(tag, number.to_be_bytes())].concat())
    }

    /// The number behind [`Key::seal`]'s text, if it is one of this list.
    #[must_use]
    pub fn unseal(&self, list: (&str, i64), text: &str) -> Option<i64> {
        let bytes: [u8; 16] = decode(text)?.try_into().ok()?;
        let (tag, number) = bytes.split_first_chunk()?;
        let number = self.masked(*tag, number.try_into().ok()?);
        let number = i64::from_be_bytes(number);
        same(&self.tag(list, number), tag).then_some(number)
    }

    fn tag(&self, (list, owner): (&str, i64), number: i64) -> [u8; 8] {
        let parts: [&[u8]; 3] = [list.as_bytes(), &owner.to_be_bytes(), &number.to_be_bytes()];
        first(self.mac("cursor", &parts))
    }

    /// With the tag for what makes each number's mask another one.
    fn masked(&self, tag: [u8; 8], mut bytes: [u8; 8]) -> [u8; 8] {
        let mask = first(self.mac("cursor-stream", &[&tag]));
        for (byte, mask) in bytes.iter_mut().zip(mask) {
            *byte ^= mask;
        }
        bytes
    }

    /// A keyed hash of `parts` for one purpose; no two purposes share values.
    #[must_use]
    pub fn mac(&self, purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0)
            .unwrap_or_else(|_| unreachable!("HMAC takes keys of any length"));
        for part in std::iter::once(&purpose.as_bytes()).chain(parts) {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

/// Whether a link in the place of a file leads to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// It does: an operator may keep a key elsewhere.
    Followed,
    /// It is an error: root copies nothing that a link leads to which another account laid.
    Refused,
}

/// The bytes of a key file. What is no file is neither waited for nor read without end.
pub fn read_key(path: &Path, links: Links) -> io::Result<[u8; 32]> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        let flags = match links {
            Links::Followed => OFlags::NONBLOCK,
            Links::Refused => OFlags::NONBLOCK | OFlags::NOFOLLOW,
        };
        let flags = flags.bits().cast_signed();
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    }
    #[cfg(not(unix))]
    let _ = links;
    let file = options.open(path)?;
    let mut bytes = Vec::new();
    if file.metadata()?.is_file() {
        file.take(33).read_to_end(&mut bytes)?;
    }
    bytes.try_into().map_err(|_| {
        let path = path.display();
        io::Error::other(format!(
            "{path} is not a key: it must be a file of 32 bytes"
        ))
    })
}

fn first(mac: [u8; 32]) -> [u8; 8] {
    std::array::from_fn(|at| mac[at])
}

/// 32 bytes from the operating system.
///
/// # Panics
/// When the operating system has no randomness: nothing safe could be done then.
#[must_use]
pub fn random() -> [u8; 32] {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).unwrap_or_else(|error| panic!("no randomness: {error}"));
    bytes
}

/// A code of `length` clear characters, evenly distributed.
#[must_use]
pub fn code(length: usize) -> String {
    let mut out = String::with_capacity(length);
    while out.len() < length {
        out.extend(clear(&random()).take(length - out.len()));
    }
    out
}

/// The clear characters in `bytes`; bytes that would favour some characters are skipped.
pub fn clear(bytes: &[u8]) -> impl Iterator<Item = char> {
    bytes
        .iter()
        .filter(|&&byte| byte < 248)
        .map(|&byte| char::from(CLEAR[usize::from(byte) % 31]))
}

/// A code as it is stored: upper case, without spaces, dashes and other characters that were pasted along.
#[must_use]
pub fn clean_code(typed: &str) -> String {
    // Whoever sends a book does not send a code.
    let typed = if typed.len() > 100 { "" } else { typed };
    typed
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_uppercase())
        .take(64)
        .collect()
}

/// Text for a URL or a cookie.
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The bytes behind [`encode`]'s text.
#[must_use]
pub fn decode(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

/// The stored form of a secret: it can be compared but not used.
#[must_use]
pub fn hash(secret: &str) -> String {
    encode(&Sha256::digest(secret.as_bytes()))
}

/// Equality in time that tells nothing about where two values differ.
#[must_use]
pub fn same(a: &[u8], b: &[u8]) -> bool {
    a.ct_eq(b).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: invite-form, invite-typing
    #[test]
    fn codes_are_clear_and_survive_sloppy_typing() {
        let code = code(12);
        assert_eq!(code.len(), 12);
        assert!(code.bytes().all(|byte| CLEAR.contains(&byte)));
        assert_eq!(clean_code(" abcd-efgh 2345\n"), "ABCDEFGH2345");
    }

    /// proves: wire-cursor-sealed
    #[test]
    fn a_sealed_number_is_read_in_its_own_list_only() {
        let (key, list) = (Key(random()), ("likes", 7));
        let sealed = key.seal(list, 4_711);
        assert_eq!((sealed.len(), key.seal(list, 4_711) == sealed), (22, true));
        assert_eq!(key.unseal(list, &sealed), Some(4_711));
        let other = Key(random());
        for (key, list) in [
            (&other, list),
            (&key, ("likes", 8)),
            (&key, ("followers", 7)),
        ] {
            assert_eq!(key.unseal(list, &sealed), None, "{list:?}");
        }
        for changed in 0..16 {
            let mut bytes = decode(&sealed).unwrap();
            bytes[changed] ^= 1;
            assert_eq!(key.unseal(list, &encode(&bytes)), None, "{changed}");
        }
        for text in ["", "4711", "é", &sealed[1..], &format!("{sealed}A")] {
            assert_eq!(key.unseal(list, text), None, "{text}");
        }
    }

    #[test]
    fn the_key_file_is_made_once_and_refused_when_damaged() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("secret.key");
        let first = Key::load(&path)?;
        assert_eq!(first.mac("a", &[b"x"]), Key::load(&path)?.mac("a", &[b"x"]));
        assert_ne!(first.mac("a", &[b"x"]), first.mac("b", &[b"x"]));
        std::fs::write(&path, b"short")?;
        assert!(Key::load(&path).is_err());
        Ok(())
    }
}
