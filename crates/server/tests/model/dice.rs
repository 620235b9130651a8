//! Draws single actions from a seed.

use crate::actions::{Action, ActionKind, Entry, Part, Passing, Sizes, Text, Which};
use crate::calendar::{DAY, HOUR, MINUTE};

/// The `splitmix64` generator: small and reproducible on every platform.
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

    /// A number below `count`.
    pub(crate) fn below(&mut self, count: u64) -> u64 {
        (self.roll() >> 32) % count
    }

    /// A number below `count`, as `u8`.
    pub(crate) fn small(&mut self, count: u8) -> u8 {
        u8::try_from(self.below(u64::from(count))).unwrap_or_default()
    }

    /// Any row, with a preference for new ones.
    pub(crate) fn which(&mut self) -> Which {
        let reach = self.one_of(&[4, 10, 40]);
        let age = self.small(reach);
        if self.chance(4) { Which::Unknown(age) } else { Which::Newest(age) }
    }

    /// True with this probability in percent.
    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::from(self.small(u8::try_from(choices.len()).unwrap_or(u8::MAX)))]
    }

    /// A page size, mostly small, because small pages find more errors.
    fn size(&mut self) -> usize {
        self.one_of(&[1, 2, 2, 3, 3, 4, 5, 7, 10, 50])
    }

    /// Two page sizes, and a number to select checks.
    pub(crate) fn sizes(&mut self) -> Sizes {
        Sizes(self.size(), self.size(), usize::from(self.small(250)))
    }

    fn text(&mut self) -> Text {
        if self.chance(3) {
            return if self.chance(50) { Text::Blank } else { Text::TooLong };
        }
        let count = self.one_of(&[0, 0, 0, 1, 1, 2, 2, 3]);
        let parts = (0..count).map(|_| self.part()).collect();
        Text::Words(self.small(5), parts)
    }

    fn part(&mut self) -> Part {
        if self.chance(45) {
            Part::Tag(self.small(16))
        } else {
            Part::Name(self.small(7), self.chance(20))
        }
    }

    fn key(&mut self) -> Option<u8> {
        self.chance(20).then(|| self.small(2))
    }

    fn write(&mut self) -> ActionKind {
        let options = self.one_of(&[2, 2, 2, 3, 3, 4, 4, 1, 5]);
        let minutes = self.one_of(&[None, None, None, Some(5), Some(10_080), Some(4)]);
        ActionKind::Write {
            text: self.text(),
            to: self.chance(45).then(|| self.which()),
            poll: self.chance(20).then_some((options, minutes)),
            key: self.key(),
        }
    }

    fn entry(&mut self) -> Entry {
        Entry { code: self.chance(85).then(|| self.which()), email: self.small(6) }
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

    /// Draws an action.
    pub(crate) fn action(&mut self) -> Action {
        // Two active members reach limits that seven rarely reach.
        let members = self.one_of(&[2, 7]);
        let who = self.small(members);
        let kind = match self.below(122) {
            0..=24 => self.write(),
            25..=32 => ActionKind::Repost(self.which(), self.key()),
            33..=36 => ActionKind::UndoRepost { own: self.chance(70), post: self.which() },
            37..=48 => ActionKind::Like(self.which(), self.chance(70)),
            49..=56 => ActionKind::Vote {
                poll: self.chance(80),
                post: self.which(),
                option: self.small(6),
            },
            57..=66 => ActionKind::Follow(self.which(), self.chance(70)),
            67..=70 => {
                ActionKind::Read { of: self.chance(30).then(|| self.small(7)), row: self.which() }
            }
            71 => ActionKind::ReadAll,
            72..=77 => ActionKind::Invite,
            78..=80 => ActionKind::Ask(self.entry()),
            81..=83 => ActionKind::Open(self.which()),
            84..=86 => ActionKind::Join(self.entry()),
            87 => ActionKind::ChooseName(if self.chance(60) { who } else { self.small(12) }),
            88 | 113 => ActionKind::Rename(self.small(12)),
            89..=95 => ActionKind::Pass(self.passing()),
            96..=99 => ActionKind::Compare(self.sizes()),
            100..=109 => ActionKind::Delete { own: self.chance(80), post: self.which() },
            110..=112 => ActionKind::Revoke { own: self.chance(80), invite: self.which() },
            116..=118 => ActionKind::Block(self.which(), self.chance(55)),
            119..=121 => ActionKind::Mute(self.which(), self.chance(65)),
            _ => ActionKind::ChooseName(self.small(12)),
        };
        Action { who, kind }
    }
}
