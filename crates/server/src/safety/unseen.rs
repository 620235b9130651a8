//! Whom one reader does not see.

use crate::ids::Id;
use crate::users;
use kith_db::{Reader, Result, Sql, Tx, params, sql};
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;

/// 1 whom I blocked, 2 who blocked me, 4 whom I muted: the bits of [`Ties`].
const TIES: Sql = sql!(
    "select blocked_id, 1 from blocks where member_id = $1
     union all select blocker_id, 2 from blockers where member_id = $1
     union all select muted_id, 4 from mutes where member_id = $1"
);
const TIES_TO: Sql = sql!(
    "select blocked_id, 1 from blocks where member_id = $1 and blocked_id = $2
     union all select blocker_id, 2 from blockers where member_id = $1 and blocker_id = $2
     union all select muted_id, 4 from mutes where member_id = $1 and muted_id = $2"
);

/// What stands between a reader and one other member.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ties(u8);

impl Ties {
    const BLOCKED: u8 = 1;
    const BLOCKS_ME: u8 = 2;
    const MUTED: u8 = 4;
    const SUSPENDED: u8 = 8;

    /// Whether the reader blocked them.
    #[must_use]
    pub const fn is_blocked(self) -> bool {
        self.0 & Self::BLOCKED != 0
    }

    /// Whether they blocked the reader.
    #[must_use]
    pub const fn blocks_me(self) -> bool {
        self.0 & Self::BLOCKS_ME != 0
    }

    /// Whether the reader muted them.
    #[must_use]
    pub const fn is_muted(self) -> bool {
        self.0 & Self::MUTED != 0
    }

    fn add(&mut self, bits: i64) {
        self.0 |= u8::try_from(bits).unwrap_or_default();
    }
}

/// What keeps a reader and another member from each other.
#[derive(Debug, Clone, Copy, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeptAway {
    /// Whether the reader blocked them.
    pub is_blocked: bool,
    /// Whether they blocked the reader.
    pub blocks_me: bool,
    /// Whether the reader muted them.
    pub is_muted: bool,
}

impl From<Ties> for KeptAway {
    fn from(ties: Ties) -> Self {
        Self {
            is_blocked: ties.is_blocked(),
            blocks_me: ties.blocks_me(),
            is_muted: ties.is_muted(),
        }
    }
}

/// Whom a reader does not see, in lists or at all, as one small look-up tells it: the reader's
/// blocks and mutes, whoever blocked the reader, and everybody who is suspended.
#[derive(Debug, Default)]
pub struct Unseen(HashMap<i64, Ties>);

impl Unseen {
    /// Whom this reader does not see. Joined with another read it takes no turn of its own.
    pub async fn of(db: &Reader<'_>, reader: Id) -> Result<Self> {
        let bound = params![reader.0];
        let ties = db.all(&TIES, bound, |row| Ok((row.int(0)?, row.int(1)?)));
        let (ties, suspended) = futures_util::try_join!(ties, users::suspended(db))?;
        let suspended = suspended.into_iter();
        let suspended = suspended.map(|member| (member, i64::from(Ties::SUSPENDED)));
        let mut unseen = HashMap::<i64, Ties>::new();
        for (member, bits) in ties.into_iter().chain(suspended) {
            unseen.entry(member).or_default().add(bits);
        }
        Ok(Self(unseen))
    }

    /// The same, but for one member: for a copy of their own posts, also while they are suspended.
    #[must_use]
    pub fn but_for(mut self, member: Id) -> Self {
        self.0.remove(&member.0);
        self
    }

    /// What stands between the reader and a member.
    #[must_use]
    pub fn ties(&self, member: i64) -> Ties {
        self.0.get(&member).copied().unwrap_or_default()
    }

    /// Whether lists that the reader did not ask that member for leave them out.
    #[must_use]
    pub fn hides(&self, member: i64) -> bool {
        self.0.contains_key(&member)
    }

    /// Whether the reader sees nothing of a member wherever they look: one of the two blocked
    /// the other, or the member is suspended.
    #[must_use]
    pub fn is_apart(&self, member: i64) -> bool {
        self.ties(member).0 & !Ties::MUTED != 0
    }

    /// Whether a member is suspended.
    #[must_use]
    pub fn is_suspended(&self, member: i64) -> bool {
        self.ties(member).0 & Ties::SUSPENDED != 0
    }

    /// Whether everybody is seen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What stands between a reader and one member who is not suspended.
pub async fn ties(db: &Reader<'_>, reader: Id, member: Id) -> Result<Ties> {
    let mut found = Ties::default();
    let bound = params![reader.0, member.0];
    for bits in db.all(&TIES_TO, bound, |row| row.int(1)).await? {
        found.add(bits);
    }
    Ok(found)
}

/// Whether a member is told nothing of what another does: either blocked the other, or the
/// member muted them.
pub async fn is_unheard(tx: &mut Tx, member: Id, actor: Id) -> Result<bool> {
    let bound = params![member.0, actor.0];
    Ok(tx.opt(&TIES_TO, bound, |_| Ok(())).await?.is_some())
}
