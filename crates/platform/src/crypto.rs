//! Random values, keyed hashes and the secret key.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use std::fs::OpenOptions;
use std::io::{self, Read as _, Write as _};
use std::net::IpAddr;
use std::path::Path;
use subtle::ConstantTimeEq;

/// Letters and digits that are rarely confused when read aloud or copied by hand.
const UNAMBIGUOUS: &[u8; 31] = b"ABCDEFGHJKMNPQRSTUVWXYZ23456789";

/// Secret key that signs links and session values. It is a file beside the data, so that a copy of the database alone
/// gives no access to accounts.
#[derive(Clone)]
pub struct SecretKey([u8; 32]);

impl std::fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretKey")
    }
}

impl SecretKey {
    /// Reads the key file, or creates it with mode 0600. Fails if it cannot be read or has not 32 bytes.
    pub fn load(path: &Path) -> io::Result<Self> {
        match read_key(path, SymlinkPolicy::Follow) {
            Ok(bytes) => Ok(Self(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::create(path),
            Err(error) => Err(error),
        }
    }

    /// Reads the key file for a command, without creating it: a command on PostgreSQL with the wrong data folder
    /// would leave a wrong key there. Without a file the key is random; `member sign-in` checks for the file itself.
    pub fn load_for_command(path: &Path) -> io::Result<Self> {
        if path.try_exists()? { Self::load(path) } else { Ok(Self(random_bytes())) }
    }

    /// Creates the file atomically: a start that is killed must not leave an empty key.
    fn create(path: &Path) -> io::Result<Self> {
        let key = random_bytes();
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&key)?;
        file.as_file().sync_all()?;
        file.persist_noclobber(path)?;
        Ok(Self(key))
    }

    /// Encrypts an id as an opaque cursor that reveals no time. `list` is the name and owner of the list that the
    /// cursor belongs to. Deterministic.
    #[must_use]
    pub fn encrypt_cursor(&self, list: (&str, i64), id: i64) -> String {
        let tag = self.tag(list, id);
        encode(&[tag, self.masked(tag, id.to_be_bytes())].concat())
    }

    /// Decrypts a cursor of [`SecretKey::encrypt_cursor`]; `None` unless it belongs to `list`.
    #[must_use]
    pub fn decrypt_cursor(&self, list: (&str, i64), text: &str) -> Option<i64> {
        let bytes: [u8; 16] = decode(text)?.try_into().ok()?;
        let (tag, masked) = bytes.split_first_chunk()?;
        let id = i64::from_be_bytes(self.masked(*tag, masked.try_into().ok()?));
        constant_time_eq(&self.tag(list, id), tag).then_some(id)
    }

    fn tag(&self, (list, owner): (&str, i64), id: i64) -> [u8; 8] {
        let parts: [&[u8]; 3] = [list.as_bytes(), &owner.to_be_bytes(), &id.to_be_bytes()];
        first_eight(self.mac("cursor", &parts))
    }

    /// XORs with a keystream that depends on the tag, so that each number has its own mask.
    fn masked(&self, tag: [u8; 8], mut bytes: [u8; 8]) -> [u8; 8] {
        let mask = first_eight(self.mac("cursor-stream", &[&tag]));
        for (byte, mask) in bytes.iter_mut().zip(mask) {
            *byte ^= mask;
        }
        bytes
    }

    /// Returns a text that identifies the key without revealing it.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        encode(&self.mac("fingerprint", &[]))
    }

    /// Returns a keyed hash of a client network, so that its IP address is not stored.
    #[must_use]
    pub fn network_hash(&self, network: IpAddr) -> i64 {
        let address = network.to_string();
        i64::from_be_bytes(first_eight(self.mac("network", &[address.as_bytes()])))
    }

    /// Computes HMAC-SHA-256 of length-prefixed `parts`, separated by purpose.
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

/// Treatment of a symbolic link at the path of the key file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymlinkPolicy {
    /// Follow it: an operator may keep the key elsewhere.
    Follow,
    /// Fail: root must not copy the target of a link that another account created.
    Reject,
}

/// Reads a key file of 32 bytes. Fails on pipes and devices instead of blocking or reading without end.
pub fn read_key(path: &Path, symlinks: SymlinkPolicy) -> io::Result<[u8; 32]> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        let flags = match symlinks {
            SymlinkPolicy::Follow => OFlags::NONBLOCK,
            SymlinkPolicy::Reject => OFlags::NONBLOCK | OFlags::NOFOLLOW,
        };
        let flags = flags.bits().cast_signed();
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    }
    #[cfg(not(unix))]
    let _ = symlinks;
    let file = options.open(path)?;
    let mut bytes = Vec::new();
    if file.metadata()?.is_file() {
        file.take(33).read_to_end(&mut bytes)?;
    }
    bytes.try_into().map_err(|_| {
        let path = path.display();
        io::Error::other(format!("{path} is not a key: it must be a file of 32 bytes"))
    })
}

fn first_eight(mac: [u8; 32]) -> [u8; 8] {
    std::array::from_fn(|at| mac[at])
}

/// Returns 32 random bytes from the operating system.
///
/// # Panics
/// If the operating system cannot provide random bytes.
#[must_use]
pub fn random_bytes() -> [u8; 32] {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).unwrap_or_else(|error| panic!("no randomness: {error}"));
    bytes
}

/// Generates a uniformly distributed code of `length` unambiguous characters.
#[must_use]
pub fn random_code(length: usize) -> String {
    let mut out = String::with_capacity(length);
    while out.len() < length {
        out.extend(unambiguous_chars(&random_bytes()).take(length - out.len()));
    }
    out
}

/// Maps bytes to unambiguous characters. Skips bytes of 248 and above to avoid modulo bias.
pub fn unambiguous_chars(bytes: &[u8]) -> impl Iterator<Item = char> {
    bytes
        .iter()
        .filter(|&&byte| byte < 248)
        .map(|&byte| char::from(UNAMBIGUOUS[usize::from(byte) % 31]))
}

/// Normalizes a typed code to its stored form: upper case, letters and digits only.
#[must_use]
pub fn normalize_code(typed: &str) -> String {
    // Long input is not a code.
    let typed = if typed.len() > 100 { "" } else { typed };
    typed
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_uppercase())
        .take(64)
        .collect()
}

/// Encodes bytes as unpadded base64url, for URLs and cookies.
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Decodes unpadded base64url; `None` if the text is malformed.
#[must_use]
pub fn decode(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

/// Hashes a secret with SHA-256 for storage: the hash can be compared but not used to log in.
#[must_use]
pub fn hash_secret(secret: &str) -> String {
    encode(&Sha256::digest(secret.as_bytes()))
}

/// Compares two values in constant time.
#[must_use]
pub fn constant_time_eq(a: &[u8], b: &[u8]) -> bool {
    a.ct_eq(b).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: invite-form, invite-typing
    #[test]
    fn codes_are_unambiguous_and_normalized() {
        let code = random_code(12);
        assert_eq!(code.len(), 12);
        assert!(code.bytes().all(|byte| UNAMBIGUOUS.contains(&byte)));
        assert_eq!(normalize_code(" abcd-efgh 2345\n"), "ABCDEFGH2345");
    }

    /// proves: wire-cursor-sealed
    #[test]
    fn a_cursor_decrypts_in_its_own_list_only() {
        let (key, list) = (SecretKey(random_bytes()), ("likes", 7));
        let cursor = key.encrypt_cursor(list, 4_711);
        assert_eq!((cursor.len(), key.encrypt_cursor(list, 4_711) == cursor), (22, true));
        assert_eq!(key.decrypt_cursor(list, &cursor), Some(4_711));
        let other = SecretKey(random_bytes());
        for (key, list) in [(&other, list), (&key, ("likes", 8)), (&key, ("followers", 7))] {
            assert_eq!(key.decrypt_cursor(list, &cursor), None, "{list:?}");
        }
        for changed in 0..16 {
            let mut bytes = decode(&cursor).unwrap();
            bytes[changed] ^= 1;
            assert_eq!(key.decrypt_cursor(list, &encode(&bytes)), None, "{changed}");
        }
        for text in ["", "4711", "é", &cursor[1..], &format!("{cursor}A")] {
            assert_eq!(key.decrypt_cursor(list, text), None, "{text}");
        }
    }

    #[test]
    fn the_key_file_is_created_once_and_rejected_when_damaged() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("secret.key");
        let first = SecretKey::load(&path)?;
        assert_eq!(first.mac("a", &[b"x"]), SecretKey::load(&path)?.mac("a", &[b"x"]));
        assert_ne!(first.mac("a", &[b"x"]), first.mac("b", &[b"x"]));
        std::fs::write(&path, b"short")?;
        assert!(SecretKey::load(&path).is_err());
        Ok(())
    }
}
