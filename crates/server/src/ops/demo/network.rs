//! A made network before it is written: members, edges and interactions as small numbers.

use crate::features::media::{ImageRow, Preset};
use crate::features::members::Role;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;

/// The lower bits of an id, which hold no time.
const LOWER: i64 = (1 << 22) - 1;

/// An id of a moment; `nth` tells rows of one millisecond apart.
#[must_use]
pub fn id_at(time: Millis, nth: usize) -> i64 {
    Id::first_at(time) | (nth as i64 & LOWER)
}

/// One member follows another, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FollowEdge {
    /// The member who follows.
    pub follower: u32,
    /// The member who is followed.
    pub followee: u32,
    /// The row's id, which holds its time.
    pub id: i64,
}

/// What an entry is. The numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// Starts a conversation.
    Post = 0,
    /// Is about another entry.
    Reply = 1,
    /// Shows another entry to the author's followers.
    Repost = 2,
}

/// A post, a reply or a repost.
#[derive(Debug, Clone, Copy)]
pub struct DemoEntry {
    /// The row's id, which holds its time.
    pub id: i64,
    /// The author's number.
    pub author: u32,
    /// What it is.
    pub kind: EntryKind,
    /// The number of the entry that this one replies to or reposts; its own otherwise.
    pub about: u32,
    /// The number of the post that the conversation began with.
    pub root: u32,
    /// How many options its poll has; 0 for none.
    pub options: u8,
}

impl DemoEntry {
    /// A post of its own.
    #[must_use]
    pub const fn post(id: i64, author: u32, number: u32) -> Self {
        Self {
            id,
            author,
            kind: EntryKind::Post,
            about: number,
            root: number,
            options: 0,
        }
    }

    /// Makes it a reply.
    pub const fn reply_to(&mut self, about: u32, root: u32) {
        self.kind = EntryKind::Reply;
        self.about = about;
        self.root = root;
    }
}

/// A member's interaction with an entry, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interaction {
    /// The entry.
    pub entry: u32,
    /// The member.
    pub member: u32,
    /// The id of a like, the number of a repost's entry, or the chosen option of a poll.
    pub value: i64,
}

/// Who is in a network and what they did.
#[derive(Debug, Default)]
pub struct Network {
    /// The time at which it ends.
    pub until: Millis,
    /// Members' ids, ascending. The founder is the first; a member's number is its place here.
    pub ids: Vec<i64>,
    /// The number of each member's inviter; the founder's own for the founder.
    pub inviters: Vec<u32>,
    /// Sorted by follower.
    pub follows: Vec<FollowEdge>,
    /// By time.
    pub entries: Vec<DemoEntry>,
    /// Sorted by entry and member.
    pub likes: Vec<Interaction>,
    /// Sorted by entry and member; the value is the option.
    pub votes: Vec<Interaction>,
}

impl Network {
    /// When a member joined.
    #[must_use]
    pub fn joined(&self, member: usize) -> Millis {
        Id(self.ids[member]).time()
    }

    /// Reposts by what they are about; the value is the number of the repost's own entry.
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

/// A member as others see them.
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
    /// What they may do.
    pub role: Role,
    /// Which of the content's images is their picture.
    pub picture: Option<usize>,
    /// Which of the content's images is their header.
    pub header: Option<usize>,
}

/// An image whose files are in the storage.
#[derive(Debug)]
pub struct DemoImage {
    /// What it is for.
    pub kind: Preset,
    /// Its address and sizes.
    pub stored: ImageRow,
}

/// The texts and images of a network. The same number always gets the same.
pub trait Content {
    /// A member.
    fn profile(&self, member: usize) -> Profile;
    /// The text of a post or reply. `usernames` are those of all members, by number.
    fn text(&self, entry: u32, usernames: &[String]) -> String;
    /// The options of an entry's poll, as many as the entry says.
    fn options(&self, entry: u32) -> Vec<String>;
    /// Which images an entry shows, with their descriptions.
    fn images_of_entry(&self, _entry: u32) -> Vec<(usize, String)> {
        Vec::new()
    }
    /// All images that profiles and entries show.
    fn images(&self) -> &[DemoImage] {
        &[]
    }
}
