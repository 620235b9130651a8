//! Which objects there are.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use super::place::{Places, key_of};
use crate::key::Key;

/// The first `limit` keys after `after` that begin with `prefix`, in the order of their bytes,
/// with the sizes of the objects.
///
/// Hashing keys scatters neighbours over all folders, so that every page reads every folder; no
/// more than `limit` keys are held meanwhile.
pub(super) fn page(
    places: &Places,
    prefix: &str,
    mut after: Option<String>,
    limit: usize,
) -> io::Result<Vec<(String, u64)>> {
    loop {
        let keys = keys(places.root(), prefix, after.as_deref(), limit)?;
        after = keys.last().cloned();
        let whole = keys.len() < limit;
        let page = with_sizes(places, keys)?;
        // Everything on a full page may have been deleted since; that is not the end.
        if whole || limit == 0 || !page.is_empty() {
            return Ok(page);
        }
    }
}

fn keys(
    root: &Path,
    prefix: &str,
    after: Option<&str>,
    limit: usize,
) -> io::Result<BTreeSet<String>> {
    let mut first = BTreeSet::new();
    let wanted = |key: &String| key.starts_with(prefix) && Some(key.as_str()) > after;
    for_each(root, 1, &mut |outer| {
        for_each(&root.join(outer), 2, &mut |inner| {
            for entry in fs::read_dir(root.join(outer).join(inner))? {
                let name = entry?.file_name();
                if let Some(key) = name.to_str().and_then(key_of).filter(wanted) {
                    first.insert(key);
                    if first.len() > limit {
                        first.pop_last();
                    }
                }
            }
            Ok(())
        })
    })?;
    Ok(first)
}

/// Calls `visit` with the names of the folders in `folder` that have `digits` digits.
fn for_each(
    folder: &Path,
    digits: usize,
    visit: &mut dyn FnMut(&str) -> io::Result<()>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_str().unwrap_or_default();
        let ours = name.len() == digits && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        if ours && entry.file_type()?.is_dir() {
            visit(name)?;
        }
    }
    Ok(())
}

fn with_sizes(places: &Places, keys: BTreeSet<String>) -> io::Result<Vec<(String, u64)>> {
    let mut page = Vec::with_capacity(keys.len());
    for text in keys {
        let Ok(key) = Key::new(&text) else { continue };
        match fs::symlink_metadata(places.of(key).file()) {
            Ok(data) if data.is_file() => page.push((text, data.len())),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(page)
}
