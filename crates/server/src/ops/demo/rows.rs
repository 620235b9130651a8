//! Writes a network into a SQLite file: every row and count as the server would, each table in key order.

mod images;
mod interactions;
mod members;
mod posts;

use super::network::{Content, Network};
use kith_db::{BulkLoader, Result};
use std::collections::{BTreeSet, HashMap};

/// A network on its way into a file.
pub(super) struct NetworkWriter<'a> {
    load: BulkLoader,
    network: &'a Network,
    content: &'a dyn Content,
    /// By number of the member.
    usernames: Vec<String>,
    /// Numbers of members, by username.
    numbers: HashMap<String, u32>,
    /// Tags with the numbers of entries.
    tags: Vec<(String, u32)>,
    /// Numbers of entries, and of the members that their texts name.
    mentions: Vec<(u32, u32)>,
    /// How many profiles and entries show an image, by number of the image.
    uses: Vec<i64>,
    /// The owner's id, an id of the upload, and the image's number.
    sources: BTreeSet<(i64, i64, usize)>,
}

/// What was written.
#[derive(Debug)]
pub struct WrittenNetwork {
    /// The members' usernames, by number.
    pub usernames: Vec<String>,
    /// The tables that were filled.
    pub tables: Vec<String>,
}

impl<'a> NetworkWriter<'a> {
    pub(super) fn new(load: BulkLoader, network: &'a Network, content: &'a dyn Content) -> Self {
        Self {
            load,
            network,
            content,
            usernames: Vec::with_capacity(network.ids.len()),
            numbers: HashMap::new(),
            tags: Vec::new(),
            mentions: Vec::new(),
            uses: vec![0; content.images().len()],
            sources: BTreeSet::new(),
        }
    }

    /// Writes all of it. `progress` is told how many entries are written.
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
        Ok(WrittenNetwork {
            usernames: self.usernames,
            tables: self.load.finish()?,
        })
    }

    fn member(&self, number: u32) -> i64 {
        self.network.ids[number as usize]
    }

    fn entry(&self, number: u32) -> i64 {
        self.network.entries[number as usize].id
    }

    fn author(&self, entry: u32) -> i64 {
        self.member(self.network.entries[entry as usize].author)
    }

    /// Counts one more use of an image, and whose it is. `upload` is an id that no other upload has.
    fn record_use(&mut self, owner: i64, upload: i64, image: usize) {
        self.uses[image] += 1;
        self.sources.insert((owner, upload, image));
    }
}
