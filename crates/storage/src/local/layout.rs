//! Paths of objects' files.

use std::path::{Path, PathBuf};

use crate::key::Key;

/// Replaces a slash in a file name; no key contains it.
const SLASH: char = '@';

/// The path of the object's file in the folder `root`.
pub(super) fn object_path(root: &Path, key: Key<'_>) -> PathBuf {
    let spread = spread(key.as_str());
    let name = key.as_str().replace('/', &SLASH.to_string());
    root.join(format!("{:x}/{:02x}/{name}", spread >> 8, spread & 0xff))
}

/// The key that a file name encodes, or `None` for a foreign file.
pub(super) fn key_of(name: &str) -> Option<String> {
    let key = name.replace(SLASH, "/");
    Key::new(&key).is_ok().then_some(key)
}

/// Twelve bits of FNV-1a. It is part of the layout on disk: another hash would lose every file.
fn spread(key: &str) -> u64 {
    let hash = key.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (hash ^ (hash >> 12) ^ (hash >> 24) ^ (hash >> 36)) & 0xfff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_on_disk_never_changes() {
        let key = Key::new("posts/5f3a/640.webp").expect("a key");
        let expected = Path::new("m/c/87/posts@5f3a@640.webp");
        assert_eq!(object_path(Path::new("m"), key), expected);
    }

    #[test]
    fn file_names_decode_to_keys() {
        assert_eq!(key_of("posts@5f3a@640.webp").as_deref(), Some("posts/5f3a/640.webp"));
        for foreign in [".DS_Store", "lost+found", "a@@b", "A"] {
            assert_eq!(key_of(foreign), None, "{foreign}");
        }
    }

    #[test]
    fn numbered_keys_fill_all_folders_evenly() {
        let mut filled = vec![0_u32; 4096];
        for number in 7_265_000_000_000_000_000_u64..7_265_000_000_000_100_000 {
            filled[usize::try_from(spread(&format!("media/{number}.webp"))).expect("small")] += 1;
        }
        let (fewest, most) = (filled.iter().min(), filled.iter().max());
        assert!(fewest > Some(&5) && most < Some(&60), "{fewest:?} to {most:?}");
    }
}
