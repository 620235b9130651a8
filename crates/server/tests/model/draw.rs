//! Whole runs, drawn from a seed: actions one by one, and scenes of several that seldom meet by chance.

use crate::actions::{Action, Entry, MemberAction, Part, Passing, Text, Which};
use crate::calendar::{DAY, HOUR, MINUTE};
use crate::dice::Dice;

/// A post without anything, or an answer to something.
pub(crate) fn plain(to: Option<Which>) -> MemberAction {
    MemberAction::Write {
        text: Text::Words(0, Vec::new()),
        to,
        poll: None,
        key: None,
    }
}

impl Dice {
    /// Several actions that seldom meet by chance.
    fn scene(&mut self) -> Vec<Action> {
        let who = self.small(3);
        let deeds = match self.below(3) {
            0 => self.scene_of_joining(),
            1 => self.scene_of_deleting(),
            _ => return self.scene_of_looking(who),
        };
        let deeds = deeds.into_iter();
        deeds.map(|deed| Action { who, deed }).collect()
    }

    fn scene_of_joining(&mut self) -> Vec<MemberAction> {
        let code = Some(Which::Newest(0));
        let (email, other) = (self.small(6), self.small(6));
        let ask = MemberAction::Ask(Entry { code, email });
        let join = MemberAction::Join(Entry { code, email: other });
        let revoke = MemberAction::Revoke {
            own: true,
            invite: Which::Newest(0),
        };
        let open = MemberAction::Open(Which::Newest(0));
        match self.below(5) {
            // Two with one code.
            0 => vec![
                MemberAction::Invite,
                ask,
                join,
                MemberAction::Open(Which::Newest(1)),
            ],
            // A link that was mailed before its code ended.
            1 => {
                let minutes = self.one_of(&[4, 14, 15]);
                let just_in_time = MemberAction::Pass(Passing::For(7 * DAY - 5 * MINUTE));
                let later = MemberAction::Pass(Passing::For(minutes * MINUTE));
                vec![MemberAction::Invite, just_in_time, ask, later, open]
            }
            // A code that is taken back while somebody joins, or after.
            2 => vec![MemberAction::Invite, ask, revoke.clone(), open, revoke],
            3 => vec![MemberAction::Invite, join, revoke],
            // More codes than one has.
            _ => vec![MemberAction::Invite; 4],
        }
    }

    fn scene_of_deleting(&mut self) -> Vec<MemberAction> {
        let delete = |age| MemberAction::Delete {
            own: true,
            post: Which::Newest(age),
        };
        let answer = |age| plain(Some(Which::Newest(age)));
        if self.chance(50) {
            // Answers below each other, deleted in any order.
            let order = self.one_of(&[[1, 2, 0], [2, 1, 0], [2, 0, 1], [3, 2, 1]]);
            let mut deeds = vec![plain(None), answer(0), answer(0), answer(0)];
            deeds.extend(order.map(delete));
            deeds
        } else {
            // More answers below each other than a thread shows above a post.
            let mut deeds = vec![answer(0); 22];
            deeds.extend([delete(self.small(4)), delete(self.small(22))]);
            deeds
        }
    }

    /// Somebody looks twice within a minute and others do something meanwhile.
    fn scene_of_looking(&mut self, who: u8) -> Vec<Action> {
        let sizes = self.sizes();
        let look = || Action {
            who,
            deed: MemberAction::Look(sizes),
        };
        let other = Action {
            who: who + 1,
            deed: MemberAction::Follow(self.which(), self.chance(60)),
        };
        let tags = Text::Words(
            0,
            vec![Part::Tag(self.small(16)), Part::Tag(self.small(16))],
        );
        let tagged = Action {
            who: who + 1,
            deed: MemberAction::Write {
                text: tags,
                to: None,
                poll: None,
                key: None,
            },
        };
        let later = Action {
            who,
            deed: MemberAction::Pass(Passing::For(
                self.one_of(&[1, 54_000, 55_999, 56_000, 58_000]),
            )),
        };
        vec![look(), other, tagged, later, look()]
    }

    /// More posts than For You orders together, each with as little as possible.
    fn crowd(&mut self) -> Vec<Action> {
        let count = 250 + self.below(250);
        let deeds = (0..count).map(|_| match self.below(40) {
            0..=2 => MemberAction::Like(self.which(), true),
            3 => MemberAction::Pass(Passing::For(self.one_of(&[1, HOUR, 3 * HOUR]))),
            4 => MemberAction::Follow(self.which(), true),
            5 => plain(Some(self.which())),
            _ => plain(None),
        });
        let deeds = deeds.collect::<Vec<_>>().into_iter();
        deeds
            .map(|deed| Action {
                who: self.small(7),
                deed,
            })
            .collect()
    }
}

/// A whole run's actions: now and then enough of them to fill more than one page of any size, and
/// seldom more posts than For You orders together.
pub(crate) fn draw(dice: &mut Dice) -> Vec<Action> {
    let (mut actions, count) = match dice.below(150) {
        0..=4 => (Vec::new(), 200),
        5 => (dice.crowd(), 20),
        _ => (Vec::new(), 30 + dice.below(21)),
    };
    for _ in 0..count {
        if dice.chance(3) {
            actions.extend(dice.scene());
        } else {
            actions.push(dice.action());
        }
    }
    actions
}
