//! What members may do next.
//!
//! An action means posts by their age among those there are when it is performed. So any part of
//! a list of actions is again a list of actions, which is what lets a failing one be made small.

use crate::calendar::Millis;

/// Something that somebody does, or time that passes. Members go by number, in turn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Action {
    pub(crate) who: u8,
    pub(crate) deed: MemberAction,
}

/// One of several things.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Which {
    /// This many are newer; the oldest when there are not as many.
    Newest(u8),
    /// None at all: an id that no row has.
    Unknown(u8),
}

/// What is done.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum MemberAction {
    /// Posts, or replies to `to`; a poll has so many options and lasts so many minutes.
    Write {
        text: Text,
        to: Option<Which>,
        poll: Option<(usize, Option<i64>)>,
        key: Option<u8>,
    },
    /// Reposts, perhaps under a key.
    Repost(Which, Option<u8>),
    /// Deletes something of one's own, or whatever is meant.
    Delete {
        own: bool,
        post: Which,
    },
    /// Undoes one of one's own reposts, or whatever else is meant.
    UndoRepost {
        own: bool,
        post: Which,
    },
    Like(Which, bool),
    /// Votes in a poll, or in what need not be one; with an option that no poll has, withdraws a vote.
    Vote {
        poll: bool,
        post: Which,
        option: u8,
    },
    Follow(Which, bool),
    Block(Which, bool),
    Mute(Which, bool),
    /// Reads one of one's own notifications, or another member's.
    Read {
        of: Option<u8>,
        row: Which,
    },
    ReadAll,
    /// Makes a code.
    Invite,
    /// Takes back one of one's own codes, or whatever is meant.
    Revoke {
        own: bool,
        invite: Which,
    },
    /// Asks for a link with somebody's code, or with a new one of the operator's.
    Ask(Entry),
    /// Opens a link that was asked for.
    Open(Which),
    /// Both at once.
    Join(Entry),
    /// Takes a name that is meant for that member, or one that nobody may take.
    ChooseName(u8),
    /// Changes the name that is shown.
    Rename(u8),
    Pass(Passing),
    /// Looks at everything there is, by pages of several sizes.
    Look(Sizes),
}

/// A code and an address.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Entry {
    /// An operator's new code when there is none.
    pub(crate) code: Option<Which>,
    pub(crate) email: u8,
}

/// A text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Text {
    /// A word, and what follows it.
    Words(u8, Vec<Part>),
    Blank,
    TooLong,
}

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Part {
    /// A member's name, or the former one.
    Name(u8, bool),
    /// A hashtag.
    Tag(u8),
}

/// How far the clock moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Passing {
    For(Millis),
    /// To the first moment of the next month, or just before.
    ToNextMonth {
        just_before: bool,
    },
}

/// Rows on the pages of a look: by offset, and by cursor; and a number that chooses among what need
/// not all be looked at each time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sizes(pub(crate) usize, pub(crate) usize, pub(crate) usize);
