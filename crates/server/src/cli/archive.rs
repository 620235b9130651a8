//! `kith backup` and `kith restore`.

use crate::backup::{self, Found, Made, Progress};
use crate::config::{Store, storage_url};
use clap::Args;
use std::path::PathBuf;

/// What both commands take.
#[derive(Debug, Args)]
pub(super) struct Archive {
    /// The backup.
    file: PathBuf,
    #[command(flatten)]
    store: Store,
    /// Where images live: empty for files in the data folder. At S3 they are not part of a backup.
    #[arg(long, env = "KITH_STORAGE_URL", default_value = "", value_parser = storage_url)]
    storage_url: String,
    /// Print one JSON object, and nothing about the progress.
    #[arg(long)]
    json: bool,
}

/// Makes a backup.
pub(super) async fn make(archive: Archive) -> Result<(), String> {
    let mut progress = Progress::start(!archive.json);
    let made = backup::make(
        &archive.store,
        &archive.storage_url,
        &archive.file,
        &mut progress,
    );
    let made = made.await?;
    if archive.json {
        return super::print_json(&made);
    }
    tell_made(&made);
    Ok(())
}

fn tell_made(made: &Made) {
    println!("{}: {} bytes", made.file.display(), made.bytes);
    println!("database: {} bytes", made.database_bytes);
    if made.media_at_store {
        println!("images: not in it, they stay at S3");
    } else {
        println!("files of images: {}", made.media_files);
    }
    println!("It holds the key too: whoever has it can log in as anybody.");
}

/// Restores a backup.
pub(super) async fn restore(archive: Archive) -> Result<(), String> {
    let mut progress = Progress::start(!archive.json);
    let found = backup::restore(
        &archive.store,
        &archive.storage_url,
        &archive.file,
        &mut progress,
    );
    let found = found.await?;
    if archive.json {
        super::print_json(&found)?;
    } else {
        tell_found(&found);
    }
    if found.missing_files.is_empty() && found.wrong_counts.is_empty() {
        return Ok(());
    }
    let data = archive.store.data.display();
    Err(format!(
        "{data} has everything that the backup held, but the backup was not right when it was made."
    ))
}

fn tell_found(found: &Found) {
    println!("made: {} by kith {}", found.made_at, found.kith);
    println!("database: {} bytes, whole", found.database_bytes);
    println!("files of images: {}", found.media_files);
    println!(
        "images shown: {}, of which {} files are missing",
        found.images,
        found.missing_files.len()
    );
    for file in &found.missing_files {
        println!("missing: {file}");
    }
    if found.wrong_counts.is_empty() {
        println!("counts: all right");
    }
    for wrong in &found.wrong_counts {
        println!("wrong count: {} in {} places", wrong.what, wrong.places);
    }
}
