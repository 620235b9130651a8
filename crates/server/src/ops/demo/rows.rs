//! Writes a network into a SQLite file with the same rows and counts as the server, each table in key order.

mod images;
mod interactions;
mod members;
mod posts;

use super::network::{Content, Network};
use kith_db::{BulkLoader, Result};
use std::collections::{BTreeSet, HashMap};

/// Writes one network into a file.
pub(super) struct NetworkWriter<'a> {
    loader: BulkLoader,
    network: &'a Network,
    content: &'a dyn Content,
    /// Usernames by the member's index.
    usernames: Vec<String>,
    /// Indexes of members by username.
    members_by_username: HashMap<String, u32>,
    /// Hashtags with the indexes of entries.
    tags: Vec<(String, u32)>,
    /// Indexes of entries and of the members that they mention.
    mentions: Vec<(u32, u32)>,
    /// Number of profiles and entries that show an image, by the image's index.
    uses: Vec<i64>,
    /// Owner's id, upload's id and image's index.
    sources: BTreeSet<(i64, i64, usize)>,
}

/// Result of writing a network.
#[derive(Debug)]
pub struct WrittenNetwork {
    /// Members' usernames by index.
    pub usernames: Vec<String>,
    /// Names of the tables with rows.
    pub tables: Vec<String>,
}

impl<'a> NetworkWriter<'a> {
    pub(super) fn new(loader: BulkLoader, network: &'a Network, content: &'a dyn Content) -> Self {
        Self {
            loader,
            network,
            content,
            usernames: Vec::with_capacity(network.ids.len()),
            members_by_username: HashMap::new(),
            tags: Vec::new(),
            mentions: Vec::new(),
            uses: vec![0; content.images().len()],
            sources: BTreeSet::new(),
        }
    }

    /// Writes all tables. `progress` receives the number of entries written.
    pub(super) fn write_all(mut self, progress: &mut dyn FnMut(usize)) -> Result<WrittenNetwork> {
        self.write_members()?;
        self.write_invites()?;
        self.write_follows()?;
        self.write_posts(progress)?;
        self.write_author_posts()?;
        self.write_tags()?;
        self.write_replies()?;
        self.write_likes()?;
        self.write_reposts()?;
        self.write_polls()?;
        self.write_notifications()?;
        self.write_images()?;
        Ok(WrittenNetwork { usernames: self.usernames, tables: self.loader.finish()? })
    }

    fn member_id(&self, number: u32) -> i64 {
        self.network.ids[number as usize]
    }

    fn entry_id(&self, number: u32) -> i64 {
        self.network.entries[number as usize].id
    }

    fn author_id(&self, entry: u32) -> i64 {
        self.member_id(self.network.entries[entry as usize].author)
    }

    /// Counts a use of an image and records its owner. `upload` is a unique id.
    fn record_use(&mut self, owner: i64, upload: i64, image: usize) {
        self.uses[image] += 1;
        self.sources.insert((owner, upload, image));
    }
}
