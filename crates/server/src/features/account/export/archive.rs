//! Writing a ZIP file piece by piece, on a thread of its own: compressing and writing block.

use axum::body::Bytes;
use serde::Serialize;
use std::fs::File;
use std::io::{self, Write as _};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Pieces that wait to be written. The largest is a page of posts.
const WAITING: usize = 4;

#[derive(Debug)]
pub(crate) struct Archive {
    /// Bytes that may still come.
    room: AtomicU64,
    pieces: mpsc::Sender<Piece>,
    writer: JoinHandle<io::Result<File>>,
}

#[derive(Debug)]
enum Piece {
    /// What follows belongs to another file inside.
    File { name: String, is_image: bool },
    /// More of the present one.
    Bytes(Bytes),
}

impl Archive {
    /// Writes to `file` from its beginning, as it is before it is compressed at most so many bytes.
    pub(crate) fn new(file: File, room: u64) -> Self {
        let (pieces, waiting) = mpsc::channel(WAITING);
        let writer = tokio::task::spawn_blocking(move || write(file, waiting));
        Self {
            room: AtomicU64::new(room),
            pieces,
            writer,
        }
    }

    /// Begins a file that compresses well.
    pub(crate) async fn text(&self, name: &str) -> io::Result<()> {
        self.begin(name, false).await
    }

    /// Begins an image, which is compressed already.
    pub(crate) async fn image(&self, name: &str) -> io::Result<()> {
        self.begin(name, true).await
    }

    async fn begin(&self, name: &str, is_image: bool) -> io::Result<()> {
        let name = name.to_owned();
        self.send(Piece::File { name, is_image }).await
    }

    /// Adds to the file that was begun last.
    pub(crate) async fn bytes(&self, bytes: Bytes) -> io::Result<()> {
        let take = |room: u64| room.checked_sub(bytes.len() as u64);
        let taken = self.room.fetch_update(Relaxed, Relaxed, take);
        taken.map_err(|_| io::Error::from(io::ErrorKind::FileTooLarge))?;
        self.send(Piece::Bytes(bytes)).await
    }

    /// Adds a value, as people can read it.
    pub(crate) async fn json(&self, value: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_vec_pretty(value)?;
        self.bytes(text.into()).await
    }

    async fn send(&self, piece: Piece) -> io::Result<()> {
        let sent = self.pieces.send(piece).await;
        // `finish` says what went wrong.
        sent.map_err(|_| io::Error::other("the archive could not be written"))
    }

    /// Writes what is left, and answers the whole file once it is flushed.
    pub(crate) async fn finish(self) -> io::Result<File> {
        drop(self.pieces);
        self.writer.await.map_err(io::Error::other)?
    }
}

fn write(file: File, mut pieces: mpsc::Receiver<Piece>) -> io::Result<File> {
    let mut zip = ZipWriter::new(file);
    while let Some(piece) = pieces.blocking_recv() {
        match piece {
            Piece::File { name, is_image } => {
                let method = if is_image {
                    CompressionMethod::Stored
                } else {
                    CompressionMethod::Deflated
                };
                // Its length is not known yet, and may need 64 bits.
                let options = SimpleFileOptions::default()
                    .compression_method(method)
                    .large_file(!is_image);
                zip.start_file(name, options)?;
            }
            Piece::Bytes(bytes) => zip.write_all(&bytes)?,
        }
    }
    let file = zip.finish()?;
    file.sync_all()?;
    Ok(file)
}

/// A JSON list that is written item by item.
#[derive(Debug)]
pub(crate) struct List<'a> {
    archive: &'a Archive,
    is_empty: bool,
}

impl<'a> List<'a> {
    pub(crate) async fn new(archive: &'a Archive, name: &str) -> io::Result<Self> {
        archive.text(name).await?;
        archive.bytes(Bytes::from_static(b"[")).await?;
        Ok(Self {
            archive,
            is_empty: true,
        })
    }

    pub(crate) async fn extend<T: Serialize>(&mut self, items: &[T]) -> io::Result<()> {
        let mut text = Vec::new();
        for item in items {
            let separator: &[u8] = if self.is_empty { b"\n" } else { b",\n" };
            text.extend_from_slice(separator);
            serde_json::to_writer(&mut text, item)?;
            self.is_empty = false;
        }
        self.archive.bytes(text.into()).await
    }

    pub(crate) async fn end(self) -> io::Result<()> {
        self.archive.bytes(Bytes::from_static(b"\n]\n")).await
    }
}
