//! Draws whole runs from a seed: single actions, and scenes of several that rarely occur together by chance.

use crate::actions::{Action, ActionKind, Entry, Part, Passing, Text, Which};
use crate::calendar::{DAY, HOUR, MINUTE};
use crate::dice::Dice;

/// A post with content only, or a reply.
pub(crate) fn plain(to: Option<Which>) -> ActionKind {
    ActionKind::Write { text: Text::Words(0, Vec::new()), to, poll: None, key: None }
}

impl Dice {
    /// Several actions that rarely occur together by chance.
    fn scene(&mut self) -> Vec<Action> {
        let who = self.small(3);
        let kinds = match self.below(3) {
            0 => self.scene_of_joining(),
            1 => self.scene_of_deleting(),
            _ => return self.scene_of_comparing(who),
        };
        let kinds = kinds.into_iter();
        kinds.map(|kind| Action { who, kind }).collect()
    }

    fn scene_of_joining(&mut self) -> Vec<ActionKind> {
        let code = Some(Which::Newest(0));
        let (email, other) = (self.small(6), self.small(6));
        let ask = ActionKind::Ask(Entry { code, email });
        let join = ActionKind::Join(Entry { code, email: other });
        let revoke = ActionKind::Revoke { own: true, invite: Which::Newest(0) };
        let open = ActionKind::Open(Which::Newest(0));
        match self.below(5) {
            // Two sign-ups with one code.
            0 => vec![ActionKind::Invite, ask, join, ActionKind::Open(Which::Newest(1))],
            // A link that was mailed before its code expired.
            1 => {
                let minutes = self.one_of(&[4, 14, 15]);
                let just_in_time = ActionKind::Pass(Passing::For(7 * DAY - 5 * MINUTE));
                let later = ActionKind::Pass(Passing::For(minutes * MINUTE));
                vec![ActionKind::Invite, just_in_time, ask, later, open]
            }
            // A code that is revoked during a sign-up, or after it.
            2 => vec![ActionKind::Invite, ask, revoke.clone(), open, revoke],
            3 => vec![ActionKind::Invite, join, revoke],
            // More codes than the quota.
            _ => vec![ActionKind::Invite; 4],
        }
    }

    fn scene_of_deleting(&mut self) -> Vec<ActionKind> {
        let delete = |age| ActionKind::Delete { own: true, post: Which::Newest(age) };
        let answer = |age| plain(Some(Which::Newest(age)));
        if self.chance(50) {
            // Nested replies, deleted in any order.
            let order = self.one_of(&[[1, 2, 0], [2, 1, 0], [2, 0, 1], [3, 2, 1]]);
            let mut kinds = vec![plain(None), answer(0), answer(0), answer(0)];
            kinds.extend(order.map(delete));
            kinds
        } else {
            // More nested replies than a thread shows above a post.
            let mut kinds = vec![answer(0); 22];
            kinds.extend([delete(self.small(4)), delete(self.small(22))]);
            kinds
        }
    }

    /// Two comparisons within a minute, with changes in between.
    fn scene_of_comparing(&mut self, who: u8) -> Vec<Action> {
        let sizes = self.sizes();
        let look = || Action { who, kind: ActionKind::Compare(sizes) };
        let other =
            Action { who: who + 1, kind: ActionKind::Follow(self.which(), self.chance(60)) };
        let tags = Text::Words(0, vec![Part::Tag(self.small(16)), Part::Tag(self.small(16))]);
        let tagged = Action {
            who: who + 1,
            kind: ActionKind::Write { text: tags, to: None, poll: None, key: None },
        };
        let later = Action {
            who,
            kind: ActionKind::Pass(Passing::For(self.one_of(&[1, 54_000, 55_999, 56_000, 58_000]))),
        };
        vec![look(), other, tagged, later, look()]
    }

    /// More minimal posts than For You orders together.
    fn many_posts(&mut self) -> Vec<Action> {
        let count = 250 + self.below(250);
        let kinds = (0..count).map(|_| match self.below(40) {
            0..=2 => ActionKind::Like(self.which(), true),
            3 => ActionKind::Pass(Passing::For(self.one_of(&[1, HOUR, 3 * HOUR]))),
            4 => ActionKind::Follow(self.which(), true),
            5 => plain(Some(self.which())),
            _ => plain(None),
        });
        let kinds = kinds.collect::<Vec<_>>().into_iter();
        kinds.map(|kind| Action { who: self.small(7), kind }).collect()
    }
}

/// Draws the actions of a run: some runs have enough to fill several pages of any size, and few have more posts
/// than For You orders together.
pub(crate) fn draw(dice: &mut Dice) -> Vec<Action> {
    let (mut actions, count) = match dice.below(150) {
        0..=4 => (Vec::new(), 200),
        5 => (dice.many_posts(), 20),
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
