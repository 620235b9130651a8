//! Processes each named file as an image and prints duration and sizes:
//! `cargo run --release -p kith-images --example make -- FILE…`
//!
//! `--out FOLDER` writes the renditions there; `--avatar` and `--header` select other presets.

use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs, io};

use kith_images::{Preset, ProcessedImage, process};

fn main() -> io::Result<()> {
    let mut kind = Preset::Post;
    let mut folder: Option<PathBuf> = None;
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--avatar" => kind = Preset::Avatar,
            "--header" => kind = Preset::Header,
            "--out" => folder = arguments.next().map(PathBuf::from),
            file => show(Path::new(file), kind, folder.as_deref())?,
        }
    }
    Ok(())
}

fn show(file: &Path, kind: Preset, folder: Option<&Path>) -> io::Result<()> {
    let bytes = fs::read(file)?;
    let begun = Instant::now();
    let made = process(&bytes, kind, None);
    let took = begun.elapsed();
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    match &made {
        Ok(made) => println!("{name}: {took:.0?}, {} → {}", bytes.len(), sizes(made)),
        Err(error) => println!("{name}: {took:.0?}, {error}"),
    }
    if let (Some(folder), Ok(made)) = (folder, made) {
        for rendition in &made.renditions {
            let target = format!("{name}-{}.webp", rendition.width);
            fs::write(folder.join(target), &rendition.bytes)?;
        }
    }
    Ok(())
}

fn sizes(made: &ProcessedImage) -> String {
    let sizes = made.renditions.iter().map(|rendition| {
        let (width, height) = (rendition.width, rendition.height);
        format!("{width}×{height} {}", rendition.bytes.len())
    });
    sizes.collect::<Vec<_>>().join(", ")
}
