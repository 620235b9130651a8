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
pub(super) struct Plan {
    portraits: usize,
    headers: usize,
    seed: u64,
}

impl Plan {
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
        let places = (0..count).map(|more| first + (nth + more) % PHOTOS_PER_SUBJECT);
        places.collect()
    }

    fn count(self) -> usize {
        self.portraits + self.headers + PHOTOS.len() * PHOTOS_PER_SUBJECT
    }

    /// Returns the file name and preset of a picture. The seed rotates the portraits and headers.
    fn file(self, place: usize) -> (String, Preset) {
        let turned = |nth: usize, files: usize| (nth + (self.seed % files as u64) as usize) % files;
        let Some(header) = place.checked_sub(self.portraits) else {
            let name = format!("portrait-{}", turned(place, PORTRAITS));
            return (name, Preset::Avatar);
        };
        let Some(photo) = header.checked_sub(self.headers) else {
            return (format!("header-{}", turned(header, HEADERS)), Preset::Header);
        };
        let subject = &PHOTOS[photo / PHOTOS_PER_SUBJECT].subject;
        (format!("{subject}-{}", photo % PHOTOS_PER_SUBJECT), Preset::Post)
    }

    fn process(self, place: usize) -> (Preset, ProcessedImage) {
        let (name, kind) = self.file(place);
        let file = Files::get(&format!("{name}.webp")).expect("every place has a file");
        let made = kith_images::process(&file.data, kind, None);
        (kind, made.expect("the files are pictures"))
    }
}

/// Processes all pictures on all cores.
pub(super) async fn process_pictures(plan: Plan) -> Result<Vec<(Preset, ProcessedImage)>, String> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let made = (0..plan.count()).map(|place| spawn_blocking(move || plan.process(place)));
    let made = stream::iter(made).buffered(cores).try_collect().await;
    made.map_err(|error| format!("{error}."))
}

/// Lists the images by index. Their storage keys depend only on their content.
pub(super) fn list_images(made: &[(Preset, ProcessedImage)]) -> Vec<DemoImage> {
    let images = made.iter().map(|(kind, made)| DemoImage {
        kind: *kind,
        stored: media::ImageRow::without_owner(made),
    });
    images.collect()
}

/// Stores the renditions, several concurrently, because each is flushed.
pub(super) async fn store_renditions(
    storage: Storage,
    made: Vec<(Preset, ProcessedImage)>,
) -> Result<(), String> {
    let storage = &storage;
    let files = made.into_iter().flat_map(|(_, made)| {
        let stored = media::ImageRow::without_owner(&made);
        let renditions = made.renditions.into_iter();
        renditions.map(move |rendition| (stored.storage_key(rendition.width), rendition.bytes))
    });
    let puts = files.map(|(key, bytes)| async move { storage.put(&key, bytes.into()).await });
    let put = stream::iter(puts).buffer_unordered(CONCURRENT_WRITES);
    let put = put.try_for_each(|()| std::future::ready(Ok(()))).await;
    put.map_err(|failure| format!("The images cannot be stored: {failure}."))
}
