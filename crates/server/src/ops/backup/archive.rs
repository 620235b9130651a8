//! The form of a backup: a tar archive that every system can open.
//!
//! `kith-backup.json` comes first and says what it is, then `kith.db`, `secret.key`, and a file
//! `media/KEY` for each object. `SHA256SUMS` comes last, in the form that `sha256sum -c` reads: an
//! archive without it broke off.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Read, Write};

/// The form that this program writes, and the newest that it reads.
pub(super) const FORMAT: u32 = 1;
pub(super) const MANIFEST: &str = "kith-backup.json";
pub(super) const DATABASE: &str = "kith.db";
pub(super) const KEY: &str = "secret.key";
pub(super) const MEDIA: &str = "media/";
pub(super) const SUMS: &str = "SHA256SUMS";
/// No object is larger, and no entry but the database and the sums, whose number has no bound.
pub(super) const LARGEST: u64 = 64 << 20;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Manifest {
    pub(super) format: u32,
    pub(super) kith: String,
    /// When, RFC 3339 in UTC.
    pub(super) made_at: String,
    /// Whether the images stayed at S3.
    pub(super) media_at_store: bool,
}

/// Writes an archive, entry by entry.
pub(super) struct Writer<W: Write> {
    tar: tar::Builder<W>,
    sums: String,
    seconds: u64,
}

impl<W: Write> Writer<W> {
    /// Begins an archive whose entries bear a time, in seconds since 1970.
    pub(super) fn new(out: W, seconds: u64) -> Self {
        Self {
            tar: tar::Builder::new(out),
            sums: String::new(),
            seconds,
        }
    }

    pub(super) fn add(&mut self, name: &str, size: u64, content: impl Read) -> io::Result<()> {
        let mut content = Hashing::new(content.take(size));
        let mut header = tar::Header::new_gnu();
        header.set_size(size);
        header.set_mode(0o600);
        header.set_mtime(self.seconds);
        self.tar.append_data(&mut header, name, &mut content)?;
        let (count, sum) = content.finish();
        if count != size {
            return Err(io::Error::other(format!("{name} became shorter meanwhile")));
        }
        let _ = writeln!(self.sums, "{sum}  {name}");
        Ok(())
    }

    pub(super) fn finish(mut self) -> io::Result<W> {
        let sums = std::mem::take(&mut self.sums);
        self.add(SUMS, sums.len() as u64, sums.as_bytes())?;
        self.tar.into_inner()
    }
}

/// The sums that an archive ends with, by entry; `None` when the text is none.
pub(super) fn read_sums(text: &str) -> Option<BTreeMap<String, String>> {
    let line = |line: &str| {
        let (sum, name) = line.split_once("  ")?;
        Some((name.to_owned(), sum.to_owned()))
    };
    text.lines().map(line).collect()
}

/// Reads along, counts and sums up.
pub(super) struct Hashing<R> {
    inner: R,
    sum: Sha256,
    count: u64,
}

impl<R> Hashing<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            inner,
            sum: Sha256::new(),
            count: 0,
        }
    }

    /// How many bytes came, and their SHA-256 in hexadecimal digits.
    pub(super) fn finish(self) -> (u64, String) {
        (self.count, hex::encode(self.sum.finalize()))
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.sum.update(&buffer[..count]);
        self.count += count as u64;
        Ok(count)
    }
}
