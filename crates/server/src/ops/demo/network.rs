//! A generated network in memory: members, follows and interactions by index.

use crate::features::media::{ImageRow, Preset};
use crate::features::members::Role;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;

/// Lower bits of an id, which do not encode the time.
const LOWER: i64 = (1 << 22) - 1;

/// Builds an id from a time; `nth` distinguishes rows of the same millisecond.
#[must_use]
pub fn id_at(time: Millis, nth: usize) -> i64 {
    Id::first_at(time) | (nth as i64 & LOWER)
}

/// A follow, by the members' indexes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FollowEdge {
    /// Index of the follower.
    pub follower: u32,
    /// Index of the followed member.
    pub followee: u32,
    /// Id of the row, which encodes its time.
    pub id: i64,
}

/// Kind of an entry. The discriminants are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// Starts a thread.
    Post = 0,
    /// Replies to another entry.
    Reply = 1,
    /// Reposts another entry.
    Repost = 2,
}

/// A post, a reply or a repost.
#[derive(Debug, Clone, Copy)]
pub struct DemoEntry {
    /// Id of the row, which encodes its time.
    pub id: i64,
    /// Index of the author.
    pub author: u32,
    /// Kind of the entry.
    pub kind: EntryKind,
    /// Index of the entry that this one replies to or reposts; its own index for a post.
    pub about: u32,
    /// Index of the thread's first post.
    pub root: u32,
    /// Number of poll options; 0 without a poll.
    pub options: u8,
}

impl DemoEntry {
    /// Builds a post.
    #[must_use]
    pub const fn post(id: i64, author: u32, number: u32) -> Self {
        Self { id, author, kind: EntryKind::Post, about: number, root: number, options: 0 }
    }

    /// Turns the entry into a reply.
    pub const fn reply_to(&mut self, about: u32, root: u32) {
        self.kind = EntryKind::Reply;
        self.about = about;
        self.root = root;
    }
}

/// A member's interaction with an entry, by their indexes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interaction {
    /// Index of the entry.
    pub entry: u32,
    /// Index of the member.
    pub member: u32,
    /// Id of a like, index of a repost's entry, or index of the chosen poll option.
    pub value: i64,
}

/// Members of a network and their activity.
#[derive(Debug, Default)]
pub struct Network {
    /// Time of the last activity.
    pub until: Millis,
    /// Members' ids, ascending. The founder has index 0.
    pub ids: Vec<i64>,
    /// Index of each member's inviter; 0 for the founder.
    pub inviters: Vec<u32>,
    /// Sorted by follower.
    pub follows: Vec<FollowEdge>,
    /// Sorted by time.
    pub entries: Vec<DemoEntry>,
    /// Sorted by entry and member.
    pub likes: Vec<Interaction>,
    /// Sorted by entry and member; the value is the index of the option.
    pub votes: Vec<Interaction>,
}

impl Network {
    /// Returns the time when a member joined.
    #[must_use]
    pub fn joined(&self, member: usize) -> Millis {
        Id(self.ids[member]).time()
    }

    /// Returns reposts sorted by the reposted entry; the value is the index of the repost's entry.
    pub(super) fn reposts(&self) -> Vec<Interaction> {
        let reposts = self.entries.iter().enumerate();
        let reposts = reposts.filter(|(_, entry)| entry.kind == EntryKind::Repost);
        let mut reposts = reposts
            .map(|(number, entry)| Interaction {
                entry: entry.about,
                member: entry.author,
                value: number as i64,
            })
            .collect::<Vec<_>>();
        reposts.sort_unstable();
        reposts
    }
}

/// Profile of a member.
#[derive(Debug)]
pub struct Profile {
    /// Unique.
    pub username: String,
    /// The display name.
    pub name: String,
    /// May be empty.
    pub bio: String,
    /// May be empty.
    pub website: String,
    /// Role.
    pub role: Role,
    /// Index of the profile picture in the content's images.
    pub picture: Option<usize>,
    /// Index of the header in the content's images.
    pub header: Option<usize>,
}

/// An image whose files are in the storage.
#[derive(Debug)]
pub struct DemoImage {
    /// Purpose of the image.
    pub kind: Preset,
    /// Storage key and sizes.
    pub stored: ImageRow,
}

/// Texts and images of a network; each method is a function of the index.
pub trait Content {
    /// Returns the profile of a member.
    fn profile(&self, member: usize) -> Profile;
    /// Returns the text of a post or reply. `usernames` has all members' usernames by index.
    fn text(&self, entry: u32, usernames: &[String]) -> String;
    /// Returns the options of an entry's poll, [`DemoEntry::options`] of them.
    fn options(&self, entry: u32) -> Vec<String>;
    /// Returns the indexes of an entry's images, with their alternative texts.
    fn images_of_entry(&self, _entry: u32) -> Vec<(usize, String)> {
        Vec::new()
    }
    /// Returns all images of profiles and entries.
    fn images(&self) -> &[DemoImage] {
        &[]
    }
}
