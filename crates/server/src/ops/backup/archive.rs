//! Format of a backup: a tar archive.
//!
//! The first entry is the manifest `kith-backup.json`, followed by `kith.db`, `secret.key`, and a file `media/KEY` for
//! each object. The last entry is `SHA256SUMS` in the format of `sha256sum -c`: an archive without it is truncated.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Read, Write};

/// Version of the format that this program writes, and the newest that it reads.
pub(super) const FORMAT: u32 = 1;
pub(super) const MANIFEST: &str = "kith-backup.json";
pub(super) const DATABASE: &str = "kith.db";
pub(super) const KEY: &str = "secret.key";
pub(super) const MEDIA: &str = "media/";
pub(super) const SUMS: &str = "SHA256SUMS";
/// Maximum size of an entry in bytes, except of the database and the checksums.
pub(super) const MAX_ENTRY: u64 = 64 << 20;

/// First entry of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Manifest {
    pub(super) format: u32,
    /// Version of the program that created the backup.
    pub(super) kith: String,
    /// Time of the backup, RFC 3339 in UTC.
    pub(super) made_at: String,
    /// Whether the images are in S3 and not in the archive.
    pub(super) media_at_store: bool,
}

/// Writes an archive entry by entry.
pub(super) struct ArchiveWriter<W: Write> {
    tar: tar::Builder<W>,
    sums: String,
    modified_at: u64,
}

impl<W: Write> ArchiveWriter<W> {
    /// Starts an archive. `modified_at` is the modification time of its entries, in Unix seconds.
    pub(super) fn new(out: W, modified_at: u64) -> Self {
        Self { tar: tar::Builder::new(out), sums: String::new(), modified_at }
    }

    /// Adds an entry of `size` bytes. Fails if the content is shorter.
    pub(super) fn add(&mut self, name: &str, size: u64, content: impl Read) -> io::Result<()> {
        let mut content = HashingReader::new(content.take(size));
        let mut header = tar::Header::new_gnu();
        header.set_size(size);
        header.set_mode(0o600);
        header.set_mtime(self.modified_at);
        self.tar.append_data(&mut header, name, &mut content)?;
        let (count, sum) = content.finish();
        if count != size {
            return Err(io::Error::other(format!("{name} was truncated while it was read")));
        }
        let _ = writeln!(self.sums, "{sum}  {name}");
        Ok(())
    }

    /// Adds the checksums and returns the output.
    pub(super) fn finish(mut self) -> io::Result<W> {
        let sums = std::mem::take(&mut self.sums);
        self.add(SUMS, sums.len() as u64, sums.as_bytes())?;
        self.tar.into_inner()
    }
}

/// Parses the checksums by entry name; `None` if the text is malformed.
pub(super) fn parse_sums(text: &str) -> Option<BTreeMap<String, String>> {
    let parse_line = |line: &str| {
        let (sum, name) = line.split_once("  ")?;
        Some((name.to_owned(), sum.to_owned()))
    };
    text.lines().map(parse_line).collect()
}

/// Counts and hashes the bytes of a reader.
pub(super) struct HashingReader<R> {
    inner: R,
    sum: Sha256,
    count: u64,
}

impl<R> HashingReader<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, sum: Sha256::new(), count: 0 }
    }

    /// Returns the number of bytes read and their SHA-256 in hexadecimal.
    pub(super) fn finish(self) -> (u64, String) {
        (self.count, hex::encode(self.sum.finalize()))
    }
}

impl<R: Read> Read for HashingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.sum.update(&buffer[..count]);
        self.count += count as u64;
        Ok(count)
    }
}
