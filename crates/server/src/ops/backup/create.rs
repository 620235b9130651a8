//! Making a backup while the server runs.

use crate::features::account::export;
use crate::features::media;
use crate::ops::backup::Progress;
use crate::ops::backup::archive::{
    DATABASE, FORMAT, KEY, LARGEST, MANIFEST, MEDIA, Manifest, Writer,
};
use crate::platform::clock::{Clock, rfc3339};
use crate::platform::config::{Store, check_storage};
use crate::platform::crypto::{SymlinkPolicy, read_key};
use crate::platform::fs::private_dir;
use crate::platform::fs::temporary_file::{self, beside, folder_of, place};
use crate::platform::migrations::MIGRATIONS;
use kith_db::{Config, Db};
use kith_storage::Storage;
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What the names of images begin with that members are shown.
const SHOWN: &str = "images/";
/// Objects that one look at the folder lists; each looks through all of it.
const PAGE: usize = 100_000;

/// What a backup holds.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Made {
    /// Where it is.
    pub file: PathBuf,
    /// Bytes of the file.
    pub bytes: u64,
    /// Bytes of the database in it.
    pub database_bytes: u64,
    /// Files of images in it, and of what was uploaded lately.
    pub media_files: u64,
    /// Whether the images stayed at S3.
    pub media_at_store: bool,
    /// Whether images are shown, and the data folder holds not one file of them.
    pub media_missing: bool,
}

/// Writes a backup of the data folder to a new file. An error is a sentence, and leaves no file.
pub async fn make(
    store: &Store,
    storage_url: &str,
    file: &Path,
    progress: &mut Progress,
) -> Result<Made, String> {
    if !store.database_url.is_empty() {
        return Err("This network is in PostgreSQL: back the database up with pg_dump, and copy secret.key and media from the data folder.".to_owned());
    }
    check_storage(storage_url)?;
    let database = store.file();
    if !database.is_file() {
        return Err(format!(
            "There is no network in {}: give --data as the server has it.",
            store.data.display()
        ));
    }
    if file.exists() {
        return Err(format!(
            "{} is there already: name another file.",
            file.display()
        ));
    }
    let refused =
        |error: &dyn std::fmt::Display| format!("{} cannot be written: {error}.", file.display());
    let is_changeable = private_dir::is_changeable_by_others(folder_of(file), &database);
    if is_changeable.map_err(|error| refused(&error))? {
        return Err(format!(
            "{} cannot be written: its folder belongs to another account, or others can write into it and exchange files \
             there, and would have the key and every address. Name a folder of your own, or give that one the sticky bit.",
            file.display()
        ));
    }
    let key = read_key(&store.key(), SymlinkPolicy::Reject);
    let key = key.map_err(|error| format!("The key cannot be copied: {error}."))?;
    let (part, out) =
        temporary_file::file(&beside(file, "part")).map_err(|error| refused(&error))?;
    let (copy, content) = copy(&database, file, progress)?;
    let mut made = Made {
        file: file.to_path_buf(),
        bytes: 0,
        database_bytes: 0,
        media_files: 0,
        media_at_store: !storage_url.is_empty(),
        media_missing: false,
    };
    let now = Clock::system().now();
    let mut archive = Writer::new(BufWriter::new(out), u64::try_from(now / 1_000).unwrap_or(0));
    let manifest = Manifest {
        format: FORMAT,
        kith: env!("CARGO_PKG_VERSION").to_owned(),
        made_at: rfc3339(now),
        media_at_store: made.media_at_store,
    };
    made.database_bytes =
        add_data(&mut archive, &manifest, &key, content).map_err(|error| refused(&error))?;
    if !made.media_at_store {
        let (files, has_images) = add_media(&mut archive, &store.data, progress).await?;
        made.media_files = files;
        made.media_missing = !has_images && shows_images(&copy.path().join(DATABASE)).await;
    }
    drop(copy);
    let written = archive.finish().and_then(|out| {
        out.into_inner()
            .map_err(std::io::IntoInnerError::into_error)
    });
    let out = written.map_err(|error| refused(&error))?;
    let placed = place(&out, part, file).and_then(|()| out.metadata());
    made.bytes = placed.map_err(|error| refused(&error))?.len();
    Ok(made)
}

/// Whether a copy of the database names images. One of another version is not asked.
async fn shows_images(database: &Path) -> bool {
    let Ok(db) = Db::open_as_is(&Config::sqlite(database), MIGRATIONS).await else {
        return false;
    };
    let shown = media::has_references(&db).await;
    db.close().await;
    shown.unwrap_or(false)
}

/// Copies the database into its own folder, where no other account can place SQLite's side files. Returns both.
fn copy(database: &Path, file: &Path, progress: &mut Progress) -> Result<(TempDir, File), String> {
    let refused =
        |error: &dyn std::fmt::Display| format!("{} cannot be written: {error}.", file.display());
    let folder = temporary_file::folder(&beside(file, "copy")).map_err(|error| refused(&error))?;
    let path = folder.path().join(DATABASE);
    let (copy, content) = temporary_file::file(&path).map_err(|error| refused(&error))?;
    let copied = kith_db::copy_sqlite(database, &copy, |done, all| {
        progress.say("Pages of the database", done, Some(all));
    });
    let copied = copied.map_err(|error| format!("The database cannot be copied: {error}."))?;
    let damage = kith_db::integrity_errors(&copy)
        .map_err(|error| format!("The copy of the database cannot be read: {error}."))?;
    if let Some(first) = damage.first() {
        return Err(format!(
            "The database is damaged, so there is no backup: {first}."
        ));
    }
    let found = content.metadata().map_err(|error| refused(&error))?;
    if found.len() != copied {
        return Err(refused(&"somebody exchanged the copy of the database"));
    }
    copy.keep().map_err(|error| refused(&error))?;
    Ok((folder, content))
}

/// Adds everything but the images; answers the bytes of the database.
fn add_data(
    archive: &mut Writer<impl Write>,
    manifest: &Manifest,
    key: &[u8],
    database: File,
) -> std::io::Result<u64> {
    let manifest = serde_json::to_string_pretty(manifest)? + "\n";
    archive.add(MANIFEST, manifest.len() as u64, manifest.as_bytes())?;
    let size = database.metadata()?.len();
    archive.add(DATABASE, size, database)?;
    archive.add(KEY, key.len() as u64, key)?;
    Ok(size)
}

/// Adds every object but members' exports; answers how many, and whether images that are shown are among them. The images that the database names are all there: none is deleted sooner
/// than an hour after nothing shows it.
async fn add_media(
    archive: &mut Writer<impl Write>,
    data: &Path,
    progress: &mut Progress,
) -> Result<(u64, bool), String> {
    let sentence = |error: &dyn std::fmt::Display| format!("The images cannot be copied: {error}.");
    let storage = Storage::open("", &data.join("media")).await;
    let storage = storage.map_err(|why| sentence(&why))?;
    let (mut after, mut count, mut has_images) = (None, 0, false);
    loop {
        let page = storage.list(after.as_deref(), PAGE).await;
        let page = page.map_err(|failure| sentence(&failure))?;
        let Some((last, _)) = page.last() else {
            return Ok((count, has_images));
        };
        after = Some(last.clone());
        for (key, _) in &page {
            // As large as what a member wrote, and made again when they ask.
            if export::is_export_key(key) {
                continue;
            }
            let sentence = |error: &dyn std::fmt::Display| {
                format!("The image {key} cannot be copied: {error}.")
            };
            let bytes = storage.get(key, LARGEST).await;
            // The sweeper may have taken it since.
            let Some(bytes) = bytes.map_err(|failure| sentence(&failure))? else {
                continue;
            };
            let added = archive.add(&format!("{MEDIA}{key}"), bytes.len() as u64, &bytes[..]);
            added.map_err(|error| sentence(&error))?;
            count += 1;
            has_images |= key.starts_with(SHOWN);
            progress.say("Files of images", count, None);
        }
    }
}
