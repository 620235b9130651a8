//! What members may do next, drawn from a seed.
//!
//! An action means posts by their age among those there are when it is performed. So any part of
//! a list of actions is again a list of actions, which is what lets a failing one be made small.

use crate::calendar::{DAY, HOUR, MINUTE, Millis};

/// Something that somebody does, or time that passes. Members go by number, in turn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Action {
    pub(crate) who: u8,
    pub(crate) deed: Deed,
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
pub(crate) enum Deed {
    /// Posts, or replies to `to`; a poll has so many options and lasts so many minutes.
    Write {
        text: Text,
        to: Option<Which>,
        poll: Option<(usize, Option<i64>)>,
        key: Option<u8>,
    },
    Repost(Which),
    /// Undoes one of one's own reposts, or whatever else is meant.
    UndoRepost {
        own: bool,
        post: Which,
    },
    Like(Which, bool),
    /// Votes in a poll, or in what need not be one.
    Vote {
        poll: bool,
        post: Which,
        option: u8,
    },
    Follow(Which, bool),
    /// Reads one of one's own notifications, or another member's.
    Read {
        of: Option<u8>,
        row: Which,
    },
    ReadAll,
    /// Makes a code.
    Invite,
    /// Asks for a link with somebody's code, or with a new one of the operator's.
    Ask(Entry),
    /// Opens a link that was asked for.
    Open(Which),
    /// Both at once.
    Join(Entry),
    /// Takes a name that is meant for that member.
    ChooseName(u8),
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
    /// A word, and members who are named after it, some by a former name.
    Words(u8, Vec<(u8, bool)>),
    Blank,
    TooLong,
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

/// Rows on the pages of a look: by offset, and by cursor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sizes(pub(crate) usize, pub(crate) usize);

/// splitmix64: small, and the same everywhere.
#[derive(Debug)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Below `count`.
    fn below(&mut self, count: u64) -> u64 {
        (self.roll() >> 32) % count
    }

    /// A small number.
    fn small(&mut self, count: u8) -> u8 {
        u8::try_from(self.below(u64::from(count))).unwrap_or_default()
    }

    /// Anything, and what is new rather than what is old.
    fn which(&mut self) -> Which {
        let reach = self.one_of(&[4, 10, 40]);
        let age = self.small(reach);
        if self.chance(4) {
            Which::Unknown(age)
        } else {
            Which::Newest(age)
        }
    }

    /// True this many times in a hundred.
    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::from(self.small(u8::try_from(choices.len()).unwrap_or(u8::MAX)))]
    }

    /// A page's size: small ones find more.
    fn size(&mut self) -> usize {
        self.one_of(&[1, 2, 3, 4, 5, 7, 10, 20, 50])
    }

    /// Two of them.
    pub(crate) fn sizes(&mut self) -> Sizes {
        Sizes(self.size(), self.size())
    }

    fn text(&mut self) -> Text {
        if self.chance(3) {
            return if self.chance(50) {
                Text::Blank
            } else {
                Text::TooLong
            };
        }
        let count = self.one_of(&[0, 0, 0, 0, 1, 1, 2, 3]);
        let named = (0..count).map(|_| (self.small(7), self.chance(20)));
        let named = named.collect();
        Text::Words(self.small(5), named)
    }

    fn write(&mut self) -> Deed {
        let options = self.one_of(&[2, 2, 2, 3, 3, 4, 4, 1, 5]);
        let minutes = self.one_of(&[None, None, None, Some(5), Some(10_080), Some(4)]);
        Deed::Write {
            text: self.text(),
            to: self.chance(45).then(|| self.which()),
            poll: self.chance(20).then_some((options, minutes)),
            key: self.chance(20).then(|| self.small(2)),
        }
    }

    fn entry(&mut self) -> Entry {
        Entry {
            code: self.chance(85).then(|| self.which()),
            email: self.small(6),
        }
    }

    fn passing(&mut self) -> Passing {
        let just_before = self.chance(30);
        let days = 1 + self.below(20).cast_signed();
        let odd = self.below(u64::MAX).cast_signed().rem_euclid(days * DAY);
        #[rustfmt::skip]
        let whole = self.one_of(&[
            1, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 5 * HOUR,
            DAY - 1, DAY, DAY, 3 * DAY, 7 * DAY, 14 * DAY, 40 * DAY,
        ]);
        self.one_of(&[
            Passing::ToNextMonth { just_before },
            Passing::For(whole),
            Passing::For(whole),
            Passing::For(odd),
        ])
    }

    /// One more action.
    fn action(&mut self) -> Action {
        // Two who do much meet the bounds that seven hardly reach.
        let crowd = self.one_of(&[2, 7]);
        let who = self.small(crowd);
        let deed = match self.below(100) {
            0..=24 => self.write(),
            25..=32 => Deed::Repost(self.which()),
            33..=36 => Deed::UndoRepost {
                own: self.chance(70),
                post: self.which(),
            },
            37..=48 => Deed::Like(self.which(), self.chance(70)),
            49..=56 => Deed::Vote {
                poll: self.chance(80),
                post: self.which(),
                option: self.small(5),
            },
            57..=66 => Deed::Follow(self.which(), self.chance(70)),
            67..=70 => Deed::Read {
                of: self.chance(30).then(|| self.small(7)),
                row: self.which(),
            },
            71 => Deed::ReadAll,
            72..=77 => Deed::Invite,
            78..=80 => Deed::Ask(self.entry()),
            81..=83 => Deed::Open(self.which()),
            84..=86 => Deed::Join(self.entry()),
            87 => Deed::ChooseName(if self.chance(70) { who } else { self.small(8) }),
            88 => Deed::Rename(self.small(10)),
            89..=95 => Deed::Pass(self.passing()),
            _ => Deed::Look(self.sizes()),
        };
        Action { who, deed }
    }

    /// Several actions that seldom meet by chance.
    fn scene(&mut self) -> Vec<Action> {
        let who = self.small(3);
        let code = Some(Which::Newest(0));
        let email = self.small(6);
        let ask = Deed::Ask(Entry { code, email });
        let deeds = match self.below(3) {
            // Two with one code.
            0 => {
                let faster = Entry {
                    code,
                    email: self.small(6),
                };
                vec![
                    Deed::Invite,
                    ask,
                    Deed::Join(faster),
                    Deed::Open(Which::Newest(1)),
                ]
            }
            // A link that was mailed before its code ended.
            1 => {
                let minutes = self.one_of(&[4, 14, 15]);
                let just_in_time = Deed::Pass(Passing::For(7 * DAY - 5 * MINUTE));
                let later = Deed::Pass(Passing::For(minutes * MINUTE));
                vec![
                    Deed::Invite,
                    just_in_time,
                    ask,
                    later,
                    Deed::Open(Which::Newest(0)),
                ]
            }
            // More codes than one has.
            _ => vec![Deed::Invite; 4],
        };
        let deeds = deeds.into_iter();
        deeds.map(|deed| Action { who, deed }).collect()
    }
}

/// A whole run's actions; now and then enough of them to fill more than one page of any size.
pub(crate) fn draw(dice: &mut Dice) -> Vec<Action> {
    let is_long = dice.below(30) == 0;
    let count = if is_long { 200 } else { 30 + dice.below(21) };
    let mut actions = Vec::new();
    for _ in 0..count {
        if dice.chance(1) {
            actions.extend(dice.scene());
        } else {
            actions.push(dice.action());
        }
    }
    actions
}
