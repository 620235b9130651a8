//! Taking an archive apart, and making sure that all of it is there.

use crate::ops::backup::Progress;
use crate::ops::backup::archive::{
    DATABASE, FORMAT, Hashing, KEY, LARGEST, MANIFEST, MEDIA, Manifest, SUMS, read_sums,
};
use crate::platform::fs::temporary_file;
use kith_storage::Storage;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

const BROKEN_OFF: &str = "it breaks off before its end";
const FOREIGN: &str = "it is no backup of Kith";

pub(super) struct Unpacked {
    pub(super) manifest: Manifest,
    pub(super) database_bytes: u64,
    pub(super) media_files: u64,
}

/// An archive that is being read, and the folder it goes into.
struct Unpacking<'a> {
    folder: &'a Path,
    storage: &'a Storage,
    manifest: Option<Manifest>,
    database_bytes: u64,
    media_files: u64,
    found: BTreeMap<String, String>,
    promised: Option<BTreeMap<String, String>>,
}

/// Unpacks an archive into a folder and its objects into a storage. An error is a sentence without a full stop.
pub(super) async fn unpack(
    source: File,
    folder: &Path,
    storage: &Storage,
    progress: &mut Progress,
) -> Result<Unpacked, String> {
    let mut archive = tar::Archive::new(BufReader::new(source));
    let mut unpacking = Unpacking {
        folder,
        storage,
        manifest: None,
        database_bytes: 0,
        media_files: 0,
        found: BTreeMap::new(),
        promised: None,
    };
    let entries = archive.entries().map_err(|error| error.to_string())?;
    // As they stand: else what says that it is a long name, as none of Kith's is, is read into memory whole.
    for entry in entries.raw(true) {
        let entry = entry.map_err(|_| match unpacking.manifest {
            Some(_) => BROKEN_OFF.to_owned(),
            None => FOREIGN.to_owned(),
        })?;
        unpacking.take(entry).await?;
        progress.say("Files of images", unpacking.media_files, None);
    }
    unpacking.finish()
}

impl Unpacking<'_> {
    async fn take(&mut self, mut entry: tar::Entry<'_, BufReader<File>>) -> Result<(), String> {
        let path = entry.path().ok();
        let name = path.and_then(|path| path.to_str().map(str::to_owned));
        let name = name.ok_or(FOREIGN)?;
        if self.manifest.is_none() && name != MANIFEST {
            return Err(FOREIGN.to_owned());
        }
        let known = self.promised.is_some() || self.found.contains_key(&name);
        if known || !entry.header().entry_type().is_file() {
            return Err(format!("{name} has no place in a backup"));
        }
        let size = entry.size();
        if name == DATABASE {
            let sum = self.database(&mut entry, size)?;
            self.found.insert(name, sum);
            return Ok(());
        }
        let most = if name == SUMS {
            sums_of(self.found.len())
        } else {
            LARGEST
        };
        let (bytes, sum) = small(&mut entry, size, most)?;
        match name.as_str() {
            MANIFEST => self.manifest = Some(manifest(&bytes)?),
            KEY => write(self.folder, KEY, bytes.as_slice())?,
            SUMS => {
                let text = String::from_utf8(bytes).ok();
                let sums = text.as_deref().and_then(read_sums);
                self.promised = Some(sums.ok_or(BROKEN_OFF)?);
                return Ok(());
            }
            _ => {
                let key = name.strip_prefix(MEDIA);
                let key = key.ok_or_else(|| format!("{name} has no place in a backup"))?;
                let put = self.storage.put(key, bytes.into()).await;
                put.map_err(|failure| failure.to_string())?;
                self.media_files += 1;
            }
        }
        self.found.insert(name, sum);
        Ok(())
    }

    fn database(&mut self, entry: &mut impl Read, size: u64) -> Result<String, String> {
        let mut entry = Hashing::new(entry);
        write(self.folder, DATABASE, &mut entry)?;
        let (count, sum) = entry.finish();
        if count != size {
            return Err(BROKEN_OFF.to_owned());
        }
        self.database_bytes = size;
        Ok(sum)
    }

    fn finish(self) -> Result<Unpacked, String> {
        let manifest = self.manifest.ok_or(FOREIGN)?;
        let promised = self.promised.ok_or(BROKEN_OFF)?;
        let differs = |(name, sum): &(&String, &String)| self.found.get(*name) != Some(*sum);
        if let Some((name, _)) = promised.iter().find(differs) {
            return Err(format!("it is damaged: {name} is not what was backed up"));
        }
        let whole = [DATABASE, KEY]
            .iter()
            .all(|name| promised.contains_key(*name));
        if !whole || promised.len() != self.found.len() {
            return Err("it is damaged: its list of files is not right".to_owned());
        }
        Ok(Unpacked {
            manifest,
            database_bytes: self.database_bytes,
            media_files: self.media_files,
        })
    }
}

fn manifest(bytes: &[u8]) -> Result<Manifest, String> {
    let manifest: Manifest = serde_json::from_slice(bytes).map_err(|_| FOREIGN)?;
    if manifest.format > FORMAT {
        return Err(format!(
            "it was made by kith {}, which is newer: restore it with that version",
            manifest.kith
        ));
    }
    // They are printed: a terminal must not take them for commands.
    Ok(Manifest {
        kith: kith_text::clean_line(&manifest.kith),
        made_at: kith_text::clean_line(&manifest.made_at),
        ..manifest
    })
}

/// The most bytes of the list of so many entries, whose names are shorter than a tar archive can say in one header.
fn sums_of(entries: usize) -> u64 {
    4_096 + 512 * entries as u64
}

/// All bytes of an entry that has so many at most, with their sum.
fn small(entry: &mut impl Read, size: u64, most: u64) -> Result<(Vec<u8>, String), String> {
    if size > most {
        return Err(FOREIGN.to_owned());
    }
    let mut entry = Hashing::new(entry);
    let mut bytes = Vec::new();
    entry.read_to_end(&mut bytes).map_err(|_| BROKEN_OFF)?;
    let (count, sum) = entry.finish();
    if count == size {
        Ok((bytes, sum))
    } else {
        Err(BROKEN_OFF.to_owned())
    }
}

fn write(folder: &Path, name: &str, mut content: impl Read) -> Result<(), String> {
    let path = folder.join(name);
    let written = temporary_file::file(&path).and_then(|(temporary, mut file)| {
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
    use crate::ops::backup::archive::Writer;

    /// proves: operate-restore-many
    #[test]
    fn the_list_of_any_number_of_files_is_read() {
        let name = |n: u32| format!("{MEDIA}images/{n:0>70}/1600.webp");
        let archive = |entries: u32| {
            let mut writer = Writer::new(Vec::new(), 0);
            for n in 0..entries {
                writer.add(&name(n), 0, &[][..]).unwrap();
            }
            writer.finish().unwrap()
        };
        // Each entry has a head of 512 bytes, and the archive ends with two empty ones.
        let list = |entries: u32| archive(entries).len() as u64 - 512 * u64::from(entries + 3);
        let line = list(1_000) - list(900);
        assert!(sums_of(1_000_000) >= 10_000 * line);
        assert!(sums_of(1_000_000) > LARGEST);
        assert!(sums_of(0) < LARGEST);
    }
}
