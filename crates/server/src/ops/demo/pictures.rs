//! Processes the demo's pictures in `pictures/` and stores their renditions.

use super::network::DemoImage;
use super::topics::PHOTOS;
use crate::features::media::{self, Preset};
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use kith_images::ProcessedImage;
use kith_storage::Storage;
use rust_embed::RustEmbed;
use std::thread;
use tokio::task::spawn_blocking;

/// Pictures drawn by a program of this project, under its licence; no person or place is real.
#[derive(RustEmbed)]
#[folder = "src/ops/demo/pictures"]
struct Files;

/// Number of profile pictures; further members share them.
const PORTRAITS: usize = 64;
/// Number of headers.
const HEADERS: usize = 12;
/// Photos per subject.
const PHOTOS_PER_SUBJECT: usize = 6;
/// Maximum concurrent writes to the storage.
const CONCURRENT_WRITES: usize = 16;

/// Order of the pictures: portraits, headers, photos by subject.
#[derive(Debug, Clone, Copy)]
pub(super) struct PicturePlan {
    portraits: usize,
    headers: usize,
    seed: u64,
}

impl PicturePlan {
    pub(super) fn new(members: usize, seed: u64) -> Self {
        Self { portraits: members.min(PORTRAITS), headers: members.min(HEADERS), seed }
    }

    /// Returns the index of a member's picture; one in seven members has none.
    pub(super) const fn portrait(self, member: usize) -> Option<usize> {
        if member % 7 == 5 { None } else { Some(member % self.portraits) }
    }

    /// Returns the index of a member's header; one in three members has one.
    pub(super) const fn header(self, member: usize) -> Option<usize> {
        if member.is_multiple_of(3) {
            Some(self.portraits + member / 3 % self.headers)
        } else {
            None
        }
    }

    /// Returns the indexes of `count` photos of a subject, starting at the nth.
    pub(super) fn photos(self, subject: usize, nth: usize, count: usize) -> Vec<usize> {
        let first = self.portraits + self.headers + subject * PHOTOS_PER_SUBJECT;
        let indexes = (0..count).map(|offset| first + (nth + offset) % PHOTOS_PER_SUBJECT);
        indexes.collect()
    }

    fn count(self) -> usize {
        self.portraits + self.headers + PHOTOS.len() * PHOTOS_PER_SUBJECT
    }

    /// Returns the file name and preset of a picture. The seed rotates the portraits and headers.
    fn file(self, index: usize) -> (String, Preset) {
        let rotate = |nth: usize, files: usize| (nth + (self.seed % files as u64) as usize) % files;
        let Some(header) = index.checked_sub(self.portraits) else {
            let name = format!("portrait-{}", rotate(index, PORTRAITS));
            return (name, Preset::Avatar);
        };
        let Some(photo) = header.checked_sub(self.headers) else {
            return (format!("header-{}", rotate(header, HEADERS)), Preset::Header);
        };
        let subject = &PHOTOS[photo / PHOTOS_PER_SUBJECT].subject;
        (format!("{subject}-{}", photo % PHOTOS_PER_SUBJECT), Preset::Post)
    }

    fn process(self, index: usize) -> (Preset, ProcessedImage) {
        let (name, kind) = self.file(index);
        let file = Files::get(&format!("{name}.webp")).expect("every place has a file");
        let processed = kith_images::process(&file.data, kind, None);
        (kind, processed.expect("the files are pictures"))
    }
}

/// Processes all pictures on all cores.
pub(super) async fn process_pictures(
    plan: PicturePlan,
) -> Result<Vec<(Preset, ProcessedImage)>, String> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let tasks = (0..plan.count()).map(|index| spawn_blocking(move || plan.process(index)));
    let processed = stream::iter(tasks).buffered(cores).try_collect().await;
    processed.map_err(|error| format!("{error}."))
}

/// Lists the images by index. Their storage keys depend only on their content.
pub(super) fn list_images(processed: &[(Preset, ProcessedImage)]) -> Vec<DemoImage> {
    let images = processed.iter().map(|(kind, image)| DemoImage {
        kind: *kind,
        stored: media::ImageRow::without_owner(image),
    });
    images.collect()
}

/// Stores the renditions, several concurrently, because each is flushed.
pub(super) async fn store_renditions(
    storage: Storage,
    processed: Vec<(Preset, ProcessedImage)>,
) -> Result<(), String> {
    let storage = &storage;
    let files = processed.into_iter().flat_map(|(_, image)| {
        let stored = media::ImageRow::without_owner(&image);
        let renditions = image.renditions.into_iter();
        renditions.map(move |rendition| (stored.storage_key(rendition.width), rendition.bytes))
    });
    let puts = files.map(|(key, bytes)| async move { storage.put(&key, bytes.into()).await });
    let put = stream::iter(puts).buffer_unordered(CONCURRENT_WRITES);
    let put = put.try_for_each(|()| std::future::ready(Ok(()))).await;
    put.map_err(|error| format!("The images cannot be stored: {error}."))
}
