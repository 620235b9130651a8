//! What is asked about posts beside their rows, before it is known whether they need it.
//!
//! Where to wait costs more than a look-up (`Reader::is_far`), the members whom a list names and the
//! votes of what may be polls are asked for together with the posts. Elsewhere nothing is.

use crate::app::App;
use crate::memory::{Slot, Stamp, Topic};
use crate::posts::hydrate;
use crate::users::{self, MemberRef, Names};
use kith_db::{Reader, Result};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// What a list tells of its posts.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// Who wrote them, and whom they answer.
    pub(super) members: Vec<i64>,
}

impl Hints {
    /// Members whom posts name, as far as it is known.
    pub(super) fn members(members: impl IntoIterator<Item = i64>) -> Self {
        let mut members = members.into_iter().collect::<Vec<_>>();
        members.sort_unstable();
        members.dedup();
        Self { members }
    }
}

/// What was asked ahead.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// Taken before anything was asked.
    stamps: BTreeMap<Slot, Stamp>,
    posts: HashSet<i64>,
    asked: HashSet<i64>,
    members: HashMap<i64, MemberRef>,
    votes: HashMap<(i64, i64), i64>,
    names: Option<Arc<Names>>,
}

impl Ahead {
    /// Asks who these members are, and for the votes of these posts; nothing when there are no posts.
    pub(super) async fn read(
        app: &App,
        db: &Reader<'_>,
        posts: &[i64],
        members: &[i64],
    ) -> Result<Self> {
        if posts.is_empty() {
            return Ok(Self::default());
        }
        let slots = members.iter().map(|id| Slot::of(Topic::Member, *id));
        let slots = slots.chain([Slot::of(Topic::Suspended, 0)]);
        let stamps = slots.map(|slot| (slot, app.memory.stamp(&[slot])));
        let stamps = stamps.collect();
        let (found, votes, names) = futures_util::try_join!(
            users::refs(db, members),
            hydrate::votes_of(db, posts),
            Names::remembered(app, db),
        )?;
        Ok(Self {
            stamps,
            posts: posts.iter().copied().collect(),
            asked: members.iter().copied().collect(),
            members: found,
            votes,
            names: Some(names),
        })
    }

    /// What a write has read of a post that nobody has voted in, and who of these members is here.
    pub(super) fn of_fresh(post: i64, asked: &[i64], members: HashMap<i64, MemberRef>) -> Self {
        Self {
            posts: HashSet::from([post]),
            asked: asked.iter().copied().collect(),
            members,
            ..Self::default()
        }
    }

    /// What holds for something that a post depends on: as of when it was asked, or as of now.
    pub(super) fn stamp(&self, app: &App, slot: Slot) -> Stamp {
        let stamp = self.stamps.get(&slot).copied();
        stamp.unwrap_or_else(|| app.memory.stamp(&[slot]))
    }

    /// Those of some members who were not asked for.
    pub(super) fn others(&self, mut members: Vec<i64>) -> Vec<i64> {
        members.retain(|member| !self.asked.contains(member));
        members
    }

    /// Whether the votes of a post were asked for.
    pub(super) fn has_votes_of(&self, post: i64) -> bool {
        self.posts.contains(&post)
    }

    /// The names of who is suspended, if they were asked for.
    pub(super) fn names(&self) -> Option<Arc<Names>> {
        self.names.clone()
    }

    /// Adds what was found to what was found later.
    pub(super) fn add_to(
        &self,
        members: &mut HashMap<i64, MemberRef>,
        votes: &mut HashMap<(i64, i64), i64>,
    ) {
        let found = self.members.iter();
        members.extend(found.map(|(id, member)| (*id, member.clone())));
        votes.extend(&self.votes);
    }
}
