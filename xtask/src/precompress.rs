//! Compressed copies beside the built web files, so that the server never compresses them.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::stamp;

/// What compresses well; pictures and fonts are compressed already.
const EXTENSIONS: &[&str] = &[
    "html",
    "js",
    "css",
    "svg",
    "json",
    "webmanifest",
    "txt",
    "map",
];

/// Below this many bytes an answer fits one packet either way.
const SMALLEST: usize = 1024;

/// Writes `.br` beside each compressible file of at least 1 KiB below `folder`, where that is smaller,
/// and removes copies that are no longer true.
pub(crate) fn folder(folder: &Path) -> Result<()> {
    let (mut count, mut plain, mut packed) = (0, 0, 0);
    for file in stamp::files_below(folder, &[])? {
        let extension = file.extension().unwrap_or_default().to_string_lossy();
        if !EXTENSIONS.contains(&extension.as_ref()) {
            continue;
        }
        let bytes = fs::read(&file).with_context(|| format!("{} can't be read", file.display()))?;
        if let Some(length) = write_if_smaller(&file, &bytes)? {
            (count, plain, packed) = (count + 1, plain + bytes.len(), packed + length);
        }
    }
    println!(
        "compressed {count} web files: {} KiB become {} KiB",
        plain / 1024,
        packed / 1024
    );
    Ok(())
}

/// Writes the compressed copy, or removes an old one; answers the copy's length in bytes.
fn write_if_smaller(file: &Path, bytes: &[u8]) -> Result<Option<usize>> {
    let mut copy = file.as_os_str().to_owned();
    copy.push(".br");
    let copy = PathBuf::from(copy);
    if bytes.len() >= SMALLEST {
        let packed = brotli(bytes)?;
        if packed.len() < bytes.len() {
            fs::write(&copy, &packed)
                .with_context(|| format!("{} can't be written", copy.display()))?;
            return Ok(Some(packed.len()));
        }
    }
    if copy.exists() {
        fs::remove_file(&copy)?;
    }
    Ok(None)
}

fn brotli(bytes: &[u8]) -> Result<Vec<u8>> {
    // Quality 11, window 22: the best that every browser takes.
    let mut packed = Vec::new();
    brotli::CompressorReader::new(bytes, 1 << 16, 11, 22).read_to_end(&mut packed)?;
    Ok(packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(length: usize) -> Vec<u8> {
        let mut state = 1_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            state.to_be_bytes()[0]
        };
        (0..length).map(|_| next()).collect()
    }

    #[test]
    fn only_worthwhile_copies_are_written_and_they_unpack() {
        let place = std::env::temp_dir().join(format!("kith-pack-{}", std::process::id()));
        fs::create_dir_all(place.join("assets")).expect("temp folder");
        let script = "export const greeting = 'hello, kith';\n".repeat(100);
        fs::write(place.join("assets/a.js"), &script).expect("write");
        fs::write(place.join("assets/a.woff2"), &script).expect("write");
        fs::write(place.join("small.css"), "a{}").expect("write");
        fs::write(place.join("small.css.br"), "left over").expect("write");
        fs::write(place.join("noise.txt"), noise(4096)).expect("write");

        folder(&place).expect("compress");

        let mut plain = Vec::new();
        let packed = fs::read(place.join("assets/a.js.br")).expect("brotli copy");
        brotli::Decompressor::new(packed.as_slice(), 4096)
            .read_to_end(&mut plain)
            .expect("unpack");
        assert_eq!(plain, script.as_bytes());
        for absent in ["assets/a.woff2.br", "small.css.br", "noise.txt.br"] {
            assert!(!place.join(absent).exists(), "{absent}");
        }
        fs::remove_dir_all(&place).expect("clean up");
    }
}
