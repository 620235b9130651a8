//! Streaming ZIP writer on its own thread, because compression and file writes block.

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

/// Chunks in the queue. The largest is a page of posts.
const QUEUE_LENGTH: usize = 4;

/// ZIP file that is written by a thread of its own.
#[derive(Debug)]
pub(crate) struct Archive {
    /// Remaining bytes before compression.
    capacity: AtomicU64,
    chunks: mpsc::Sender<Chunk>,
    writer: JoinHandle<io::Result<File>>,
}

#[derive(Debug)]
enum Chunk {
    /// Starts the next archive entry.
    File { name: String, is_image: bool },
    /// Content of the current entry.
    Bytes(Bytes),
}

impl Archive {
    /// Creates an archive in `file` that accepts at most `capacity` bytes before compression.
    pub(crate) fn new(file: File, capacity: u64) -> Self {
        let (chunks, received) = mpsc::channel(QUEUE_LENGTH);
        let writer = tokio::task::spawn_blocking(move || write_chunks(file, received));
        Self { capacity: AtomicU64::new(capacity), chunks, writer }
    }

    /// Starts a compressed entry.
    pub(crate) async fn start_text(&self, name: &str) -> io::Result<()> {
        self.start_entry(name, false).await
    }

    /// Starts an uncompressed entry for an image.
    pub(crate) async fn start_image(&self, name: &str) -> io::Result<()> {
        self.start_entry(name, true).await
    }

    async fn start_entry(&self, name: &str, is_image: bool) -> io::Result<()> {
        let name = name.to_owned();
        self.send(Chunk::File { name, is_image }).await
    }

    /// Appends to the current entry. Fails with `FileTooLarge` beyond the capacity.
    pub(crate) async fn append(&self, bytes: Bytes) -> io::Result<()> {
        let subtract = |capacity: u64| capacity.checked_sub(bytes.len() as u64);
        let accepted = self.capacity.fetch_update(Relaxed, Relaxed, subtract);
        accepted.map_err(|_| io::Error::from(io::ErrorKind::FileTooLarge))?;
        self.send(Chunk::Bytes(bytes)).await
    }

    /// Appends a value as indented JSON.
    pub(crate) async fn append_json(&self, value: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_vec_pretty(value)?;
        self.append(text.into()).await
    }

    async fn send(&self, chunk: Chunk) -> io::Result<()> {
        let sent = self.chunks.send(chunk).await;
        // `finish` returns the error of the writer thread.
        sent.map_err(|_| io::Error::other("the archive could not be written"))
    }

    /// Writes the remaining chunks and returns the flushed file.
    pub(crate) async fn finish(self) -> io::Result<File> {
        drop(self.chunks);
        self.writer.await.map_err(io::Error::other)?
    }
}

fn write_chunks(file: File, mut chunks: mpsc::Receiver<Chunk>) -> io::Result<File> {
    let mut zip = ZipWriter::new(file);
    while let Some(chunk) = chunks.blocking_recv() {
        match chunk {
            Chunk::File { name, is_image } => {
                let method =
                    if is_image { CompressionMethod::Stored } else { CompressionMethod::Deflated };
                // Enables ZIP64, because the length is unknown yet.
                let options =
                    SimpleFileOptions::default().compression_method(method).large_file(!is_image);
                zip.start_file(name, options)?;
            }
            Chunk::Bytes(bytes) => zip.write_all(&bytes)?,
        }
    }
    let file = zip.finish()?;
    file.sync_all()?;
    Ok(file)
}

/// JSON array that is written item by item.
#[derive(Debug)]
pub(crate) struct JsonArray<'a> {
    archive: &'a Archive,
    is_empty: bool,
}

impl<'a> JsonArray<'a> {
    pub(crate) async fn new(archive: &'a Archive, name: &str) -> io::Result<Self> {
        archive.start_text(name).await?;
        archive.append(Bytes::from_static(b"[")).await?;
        Ok(Self { archive, is_empty: true })
    }

    pub(crate) async fn extend<T: Serialize>(&mut self, items: &[T]) -> io::Result<()> {
        let mut text = Vec::new();
        for item in items {
            let separator: &[u8] = if self.is_empty { b"\n" } else { b",\n" };
            text.extend_from_slice(separator);
            serde_json::to_writer(&mut text, item)?;
            self.is_empty = false;
        }
        self.archive.append(text.into()).await
    }

    pub(crate) async fn end(self) -> io::Result<()> {
        self.archive.append(Bytes::from_static(b"\n]\n")).await
    }
}
