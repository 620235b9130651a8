//! Random actions of members.
//!
//! An action names posts by age when it is performed, so every subset of a list of actions is a valid list. This
//! allows a failing list to be shrunk.

use crate::calendar::Millis;

/// An action of a member, or time that passes. Members are numbered in order of joining, modulo their count.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Action {
    pub(crate) who: u8,
    pub(crate) kind: ActionKind,
}

/// One row of a list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Which {
    /// The row with this many newer ones; the oldest if there are fewer.
    Newest(u8),
    /// An id that no row has.
    Unknown(u8),
}

/// Kinds of actions.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ActionKind {
    /// Creates a post, or a reply to `to`; a poll has this many options and lasts this many minutes.
    Write {
        text: Text,
        to: Option<Which>,
        poll: Option<(usize, Option<i64>)>,
        key: Option<u8>,
    },
    /// Reposts, with an optional idempotency key.
    Repost(Which, Option<u8>),
    /// Deletes a post of the member, or any.
    Delete {
        own: bool,
        post: Which,
    },
    /// Undoes a repost of the member, or targets any other post.
    UndoRepost {
        own: bool,
        post: Which,
    },
    Like(Which, bool),
    /// Votes in a poll, or on any post; an option that no poll has withdraws the vote.
    Vote {
        poll: bool,
        post: Which,
        option: u8,
    },
    Follow(Which, bool),
    Block(Which, bool),
    Mute(Which, bool),
    /// Marks an own notification as read, or another member's.
    Read {
        of: Option<u8>,
        row: Which,
    },
    ReadAll,
    /// Creates an invite code.
    Invite,
    /// Revokes a code of the member, or any.
    Revoke {
        own: bool,
        invite: Which,
    },
    /// Requests a login link with a member's code, or with a new one of the operator.
    Ask(Entry),
    /// Opens a requested link.
    Open(Which),
    /// Requests a link and opens it.
    Join(Entry),
    /// Chooses the username reserved for a member in this test, or one that cannot be chosen.
    ChooseName(u8),
    /// Changes the display name.
    Rename(u8),
    Pass(Passing),
    /// Compares everything that the member can see, with pages of several sizes.
    Compare(Sizes),
}

/// An invite code and an email address.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Entry {
    /// A new code of the operator if `None`.
    pub(crate) code: Option<Which>,
    pub(crate) email: u8,
}

/// Content of a post.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Text {
    /// A word and the parts after it.
    Words(u8, Vec<Part>),
    Blank,
    TooLong,
}

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Part {
    /// A member's username, or the provisional one.
    Name(u8, bool),
    /// A hashtag.
    Tag(u8),
}

/// Advance of the clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Passing {
    For(Millis),
    /// To the first moment of the next month, or just before.
    ToNextMonth {
        just_before: bool,
    },
}

/// Rows per page by offset and by cursor, and a number that selects among checks that are not all made each time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sizes(pub(crate) usize, pub(crate) usize, pub(crate) usize);
