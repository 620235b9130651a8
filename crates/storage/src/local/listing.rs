//! Listing of objects.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::layout::key_of;

/// The first `limit` keys after `after`, in the order of their bytes, with the sizes of the objects.
///
/// Every page scans all folders, because hashing spreads neighbouring keys over them. At most
/// `limit` keys are in memory.
pub(super) fn page(
    root: &Path,
    after: Option<&str>,
    limit: usize,
) -> io::Result<Vec<(String, u64)>> {
    let mut first = BTreeMap::new();
    for outer in folders(root, 1)? {
        for inner in folders(&outer, 2)? {
            for entry in fs::read_dir(inner)? {
                let entry = entry?;
                let Some(key) = entry.file_name().to_str().and_then(key_of) else {
                    continue;
                };
                let last = first.last_key_value();
                let is_full = first.len() >= limit && last.is_none_or(|(last, _)| key > *last);
                if is_full || Some(key.as_str()) <= after {
                    continue;
                }
                if let Some(size) = super::size(&entry.path())? {
                    first.insert(key, size);
                }
                if first.len() > limit {
                    first.pop_last();
                }
            }
        }
    }
    Ok(first.into_iter().collect())
}

/// The folders in `folder` whose names have `digits` hexadecimal digits.
fn folders(folder: &Path, digits: usize) -> io::Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        let is_ours = name.len() == digits && name.iter().all(u8::is_ascii_hexdigit);
        if is_ours && entry.file_type()?.is_dir() {
            folders.push(entry.path());
        }
    }
    Ok(folders)
}
