//! Unpacks an archive and verifies its checksums.

use crate::ops::backup::ProgressReporter;
use crate::ops::backup::archive::{
    DATABASE, FORMAT, HashingReader, KEY, MANIFEST, MAX_ENTRY, MEDIA, Manifest, SUMS, parse_sums,
};
use crate::platform::fs::temporary_file;
use kith_storage::Storage;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

const TRUNCATED: &str = "it breaks off before its end";
const NOT_A_BACKUP: &str = "it is not a Kith backup";

/// Contents of an unpacked archive.
pub(super) struct Unpacked {
    pub(super) manifest: Manifest,
    pub(super) database_bytes: u64,
    pub(super) media_files: u64,
}

/// State of an archive that is being unpacked.
struct Unpacker<'a> {
    folder: &'a Path,
    storage: &'a Storage,
    manifest: Option<Manifest>,
    database_bytes: u64,
    media_files: u64,
    /// Checksums of the entries read so far, by name.
    actual_sums: BTreeMap<String, String>,
    /// Checksums listed in the archive, by name.
    listed_sums: Option<BTreeMap<String, String>>,
}

/// Unpacks an archive into a folder and its objects into a storage. An error is a sentence without a full stop.
pub(super) async fn unpack(
    source: File,
    folder: &Path,
    storage: &Storage,
    progress: &mut ProgressReporter,
) -> Result<Unpacked, String> {
    let mut archive = tar::Archive::new(BufReader::new(source));
    let mut unpacker = Unpacker {
        folder,
        storage,
        manifest: None,
        database_bytes: 0,
        media_files: 0,
        actual_sums: BTreeMap::new(),
        listed_sums: None,
    };
    let entries = archive.entries().map_err(|error| error.to_string())?;
    // Raw, because tar would read a GNU long name of any size into memory. Kith writes none.
    for entry in entries.raw(true) {
        let entry = entry.map_err(|_| match unpacker.manifest {
            Some(_) => TRUNCATED.to_owned(),
            None => NOT_A_BACKUP.to_owned(),
        })?;
        unpacker.unpack_entry(entry).await?;
        progress.report("Files of images", unpacker.media_files, None);
    }
    unpacker.finish()
}

impl Unpacker<'_> {
    async fn unpack_entry(
        &mut self,
        mut entry: tar::Entry<'_, BufReader<File>>,
    ) -> Result<(), String> {
        let path = entry.path().ok();
        let name = path.and_then(|path| path.to_str().map(str::to_owned));
        let name = name.ok_or(NOT_A_BACKUP)?;
        if self.manifest.is_none() && name != MANIFEST {
            return Err(NOT_A_BACKUP.to_owned());
        }
        let is_unexpected = self.listed_sums.is_some() || self.actual_sums.contains_key(&name);
        if is_unexpected || !entry.header().entry_type().is_file() {
            return Err(format!("{name} does not belong in a backup"));
        }
        let size = entry.size();
        if name == DATABASE {
            let sum = self.write_database(&mut entry, size)?;
            self.actual_sums.insert(name, sum);
            return Ok(());
        }
        let max = if name == SUMS { max_sums_size(self.actual_sums.len()) } else { MAX_ENTRY };
        let (bytes, sum) = read_small(&mut entry, size, max)?;
        match name.as_str() {
            MANIFEST => self.manifest = Some(parse_manifest(&bytes)?),
            KEY => write_file(self.folder, KEY, bytes.as_slice())?,
            SUMS => {
                let text = String::from_utf8(bytes).ok();
                let sums = text.as_deref().and_then(parse_sums);
                self.listed_sums = Some(sums.ok_or(TRUNCATED)?);
                return Ok(());
            }
            _ => {
                let key = name.strip_prefix(MEDIA);
                let key = key.ok_or_else(|| format!("{name} does not belong in a backup"))?;
                let put = self.storage.put(key, bytes.into()).await;
                put.map_err(|error| error.to_string())?;
                self.media_files += 1;
            }
        }
        self.actual_sums.insert(name, sum);
        Ok(())
    }

    fn write_database(&mut self, entry: &mut impl Read, size: u64) -> Result<String, String> {
        let mut entry = HashingReader::new(entry);
        write_file(self.folder, DATABASE, &mut entry)?;
        let (count, sum) = entry.finish();
        if count != size {
            return Err(TRUNCATED.to_owned());
        }
        self.database_bytes = size;
        Ok(sum)
    }

    fn finish(self) -> Result<Unpacked, String> {
        let manifest = self.manifest.ok_or(NOT_A_BACKUP)?;
        let listed_sums = self.listed_sums.ok_or(TRUNCATED)?;
        let differs = |(name, sum): &(&String, &String)| self.actual_sums.get(*name) != Some(*sum);
        if let Some((name, _)) = listed_sums.iter().find(differs) {
            return Err(format!("it is damaged: the checksum of {name} does not match"));
        }
        let is_complete = [DATABASE, KEY].iter().all(|name| listed_sums.contains_key(*name));
        if !is_complete || listed_sums.len() != self.actual_sums.len() {
            return Err("it is damaged: its list of files is incomplete".to_owned());
        }
        Ok(Unpacked {
            manifest,
            database_bytes: self.database_bytes,
            media_files: self.media_files,
        })
    }
}

fn parse_manifest(bytes: &[u8]) -> Result<Manifest, String> {
    let manifest: Manifest = serde_json::from_slice(bytes).map_err(|_| NOT_A_BACKUP)?;
    if manifest.format > FORMAT {
        return Err(format!(
            "it was created by kith {}, which is newer: restore it with that version",
            manifest.kith
        ));
    }
    // Both texts are printed: remove control characters, which a terminal would interpret.
    Ok(Manifest {
        kith: kith_text::clean_line(&manifest.kith),
        made_at: kith_text::clean_line(&manifest.made_at),
        ..manifest
    })
}

/// Returns the maximum size of the checksums of `entries` files, whose names fit into one tar header.
fn max_sums_size(entries: usize) -> u64 {
    4_096 + 512 * entries as u64
}

/// Reads an entry of at most `max` bytes; returns its bytes and their checksum.
fn read_small(entry: &mut impl Read, size: u64, max: u64) -> Result<(Vec<u8>, String), String> {
    if size > max {
        return Err(NOT_A_BACKUP.to_owned());
    }
    let mut entry = HashingReader::new(entry);
    let mut bytes = Vec::new();
    entry.read_to_end(&mut bytes).map_err(|_| TRUNCATED)?;
    let (count, sum) = entry.finish();
    if count == size { Ok((bytes, sum)) } else { Err(TRUNCATED.to_owned()) }
}

fn write_file(folder: &Path, name: &str, mut content: impl Read) -> Result<(), String> {
    let path = folder.join(name);
    let written = temporary_file::create_file(&path).and_then(|(temporary, mut file)| {
        std::io::copy(&mut content, &mut file)?;
        file.sync_all()?;
        temporary.keep()?;
        Ok(())
    });
    written.map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::backup::archive::ArchiveWriter;

    /// proves: operate-restore-many
    #[test]
    fn the_checksums_of_any_number_of_files_are_read() {
        let name = |n: u32| format!("{MEDIA}images/{n:0>70}/1600.webp");
        let archive = |entries: u32| {
            let mut writer = ArchiveWriter::new(Vec::new(), 0);
            for n in 0..entries {
                writer.add(&name(n), 0, &[][..]).unwrap();
            }
            writer.finish().unwrap()
        };
        // Each entry has a header of 512 bytes, and the archive ends with two empty headers.
        let list = |entries: u32| archive(entries).len() as u64 - 512 * u64::from(entries + 3);
        let line = list(1_000) - list(900);
        assert!(max_sums_size(1_000_000) >= 10_000 * line);
        assert!(max_sums_size(1_000_000) > MAX_ENTRY);
        assert!(max_sums_size(0) < MAX_ENTRY);
    }
}
