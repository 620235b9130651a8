//! Fills an empty network with a plausible community, for trials, screenshots and benchmarks.
//!
//! `community` and `activity` draw members and their activity by index; `topics`, `text`, `names` and `pictures`
//! supply texts and images; `rows` writes the tables directly. Equal seeds and times produce equal rows and images.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts here are far below 2^32, and shares are rounded on purpose"
)]

mod activity;
mod community;
mod names;
mod network;
mod pictures;
mod random;
mod rows;
mod text;
mod topics;

pub use network::{
    Content, DemoEntry, DemoImage, EntryKind, FollowEdge, Interaction, Network, Profile, id_at,
};
pub use random::{long_tail_count, power_law_index, seeded_rng};
pub use rows::WrittenNetwork;

use crate::features::members::{self, Role};
use crate::ops::backup::ProgressReporter;
use crate::platform::clock::Millis;
use crate::platform::config::{DatabaseArgs, check_storage};
use crate::platform::crypto::SecretKey;
use crate::platform::fs::private_dir;
use crate::platform::fs::temporary_file::{self, persist_noclobber, sibling_temp_path};
use crate::platform::migrations::MIGRATIONS;
use activity::{TextForm, TextSpec};
use community::{Community, topic_of};
use kith_db::{BulkLoader, Config, Db};
use kith_storage::Storage;
use pictures::PicturePlan;
use std::path::Path;

/// Size of a demo network.
#[derive(Debug, Clone, Copy)]
pub struct DemoSize {
    /// Number of members, including the founder.
    pub members: usize,
    /// Number of posts, replies and reposts.
    pub posts: usize,
    /// Seed of all random choices.
    pub seed: u64,
    /// Time of the last activity.
    pub until: Millis,
}

/// Returns whether the data folder or database already has a network, which a demo does not change.
pub async fn has_network(store: &DatabaseArgs) -> Result<bool, String> {
    if store.database_url.is_empty() {
        return Ok(!store.is_new() || store.has_unfinished_restore());
    }
    let db = open_postgres(store).await?;
    let is_empty = members::is_empty(&db.reader()).await;
    db.close().await;
    Ok(!is_empty.map_err(|error| open_error(&error))?)
}

/// Fills an empty network with generated rows and images, and returns the founder's username. An error is a sentence;
/// no rows are written then.
pub async fn create_demo(
    store: &DatabaseArgs,
    storage_url: &str,
    size: DemoSize,
    progress: &mut ProgressReporter,
) -> Result<String, String> {
    check_storage(storage_url)?;
    let data = &store.data;
    if has_network(store).await? {
        let (place, flag) = if store.database_url.is_empty() {
            (data.display().to_string(), "--data")
        } else {
            ("this database".to_owned(), "--database-url")
        };
        return Err(format!(
            "There is a network in {place} already, and a demo needs an empty one: choose another with {flag}."
        ));
    }
    let folder_error =
        |error: std::io::Error| format!("KITH_DATA: {} cannot be used: {error}.", data.display());
    if !data.is_dir() {
        private_dir::create(data).map_err(folder_error)?;
    }
    SecretKey::load(&store.key_file()).map_err(folder_error)?;
    let opened = Storage::open(storage_url, &data.join("media")).await;
    let storage = opened.map_err(|sentence| format!("KITH_STORAGE_URL: {sentence}"))?;
    let posts = size.posts as u64;
    progress.report("Posts", 0, Some(posts));
    let plan = PicturePlan::new(size.members, size.seed);
    let processing = tokio::spawn(pictures::process_pictures(plan));
    let mut community = Community::draw(size.seed, size.members, size.until);
    let specs = activity::draw_activity(size.seed, size.posts, &mut community);
    let processed = processing.await.map_err(|error| format!("{error}."))??;
    let demo = Demo {
        names: names::draw_names(size.seed, size.members),
        specs,
        plan,
        images: pictures::list_images(&processed),
    };
    let storing = tokio::spawn(pictures::store_renditions(storage, processed));
    let file = store.database_file();
    let (part, out) =
        temporary_file::create_file(&sibling_temp_path(&file, "demo")).map_err(folder_error)?;
    let mut report = |done: usize| progress.report("Posts", done as u64, Some(posts));
    let written = write_network(&part, &community.network, &demo, &mut report).await;
    let written = written.map_err(|error| format!("The rows cannot be written: {error}."))?;
    // Store the images first: rows without their images would be broken, unreferenced files are harmless.
    storing.await.map_err(|error| format!("{error}."))??;
    if store.database_url.is_empty() {
        persist_noclobber(&out, part, &file).map_err(folder_error)?;
    } else {
        let db = open_postgres(store).await?;
        let copied = db.copy_from_sqlite(&part, &written.tables).await;
        db.close().await;
        copied.map_err(|error| format!("The rows cannot be written: {error}."))?;
    }
    let founder = written.usernames.into_iter().next();
    founder.ok_or_else(|| "The demo has no members.".to_owned())
}

/// Writes a network into a new, empty SQLite file. `progress` receives the number of entries written.
pub async fn write_network(
    file: &Path,
    network: &Network,
    content: &dyn Content,
    progress: &mut dyn FnMut(usize),
) -> kith_db::Result<WrittenNetwork> {
    let db = Db::open(&Config::sqlite(file), MIGRATIONS).await?;
    db.close().await;
    let loader = BulkLoader::open(file)?;
    rows::NetworkWriter::new(loader, network, content).write_all(progress)
}

async fn open_postgres(store: &DatabaseArgs) -> Result<Db, String> {
    let checked = store.database().check();
    checked.map_err(|error| format!("KITH_DATABASE_URL: {error}."))?;
    let opened = Db::open_as_is(&store.database(), MIGRATIONS).await;
    opened.map_err(|error| open_error(&error))
}

fn open_error(error: &kith_db::Error) -> String {
    format!("The database cannot be opened: {error}.")
}

struct Demo {
    names: Vec<(String, String)>,
    specs: Vec<TextSpec>,
    plan: PicturePlan,
    images: Vec<DemoImage>,
}

impl Content for Demo {
    fn profile(&self, member: usize) -> Profile {
        let (name, username) = self.names[member].clone();
        let website = if member % 9 == 2 {
            format!("https://{}.example/", username.replace('_', "-"))
        } else {
            String::new()
        };
        Profile {
            bio: text::compose_bio(topic_of(member as u32, false), member),
            website,
            role: match member {
                0 => Role::Admin,
                1 => Role::Moderator,
                _ => Role::Member,
            },
            picture: self.plan.portrait(member),
            header: self.plan.header(member),
            username,
            name,
        }
    }

    fn text(&self, entry: u32, usernames: &[String]) -> String {
        let spec = self.specs[entry as usize];
        let mentioned = match spec.form {
            TextForm::Mention(member) => Some(usernames[member as usize].as_str()),
            _ => None,
        };
        text::compose_text(spec, entry, mentioned)
    }

    fn options(&self, entry: u32) -> Vec<String> {
        let spec = self.specs[entry as usize];
        let polls = &topics::ALL[usize::from(spec.topic)].polls;
        polls[spec.nth as usize % polls.len()].1.clone()
    }

    fn images_of_entry(&self, entry: u32) -> Vec<(usize, String)> {
        let spec = self.specs[entry as usize];
        let TextForm::Images(count) = spec.form else {
            return Vec::new();
        };
        let subject = text::photo_subject(spec);
        let descriptions = &topics::PHOTOS[subject].descriptions;
        let nth = spec.nth as usize + usize::from(spec.topic) * 2;
        let photos = self.plan.photos(subject, nth, usize::from(count));
        let described = photos.into_iter().enumerate().map(|(index, photo)| {
            let description = &descriptions[index % descriptions.len()];
            (photo, description.clone())
        });
        described.collect()
    }

    fn images(&self) -> &[DemoImage] {
        &self.images
    }
}
