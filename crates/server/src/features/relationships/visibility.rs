//! Whom one reader does not see.

use crate::features::members;
use crate::platform::MIB;
use crate::platform::cache::{Memory, Remembered, Shelf, Slot, Topic};
use crate::platform::ids::Id;
use foldhash::HashMap;
use kith_db::{Reader, Result, Sql, Tx, WatchSpec, params, sql};
use serde::Serialize;
use std::sync::Arc;
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

/// What memory depends on here.
pub const WATCHES: &[WatchSpec] = &[
    Topic::Ties.watch("blocks", &["member_id"]),
    Topic::Ties.watch("blockers", &["member_id"]),
    Topic::Ties.watch("mutes", &["member_id"]),
];

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

    /// Whether the two see nothing of each other wherever they look.
    #[must_use]
    pub const fn is_apart(self) -> bool {
        self.0 & !Self::MUTED != 0
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

/// A list of members, each with what it says of them; by whose it is.
#[derive(Debug)]
pub struct Listed {
    members: HashMap<i64, Ties>,
    slots: [Slot; 1],
}

impl Listed {
    fn new(rows: impl IntoIterator<Item = (i64, i64)>, slot: Slot) -> Self {
        let mut members = HashMap::<i64, Ties>::default();
        for (member, bits) in rows {
            members.entry(member).or_default().add(bits);
        }
        let slots = [slot];
        Self { members, slots }
    }

    fn get(&self, member: i64) -> Ties {
        self.members.get(&member).copied().unwrap_or_default()
    }
}

impl Remembered for Listed {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        // A hash table's slot holds the entry, a byte of its own, and is at times empty.
        size_of::<Self>() + self.members.capacity() * 20
    }
}

/// Cached blocks, mutes and suspensions.
#[derive(Debug)]
pub struct VisibilityCache {
    memory: Arc<Memory>,
    /// By viewer.
    ties: Shelf<i64, Listed>,
    /// One entry, by 0.
    suspended: Shelf<i64, Listed>,
}

impl VisibilityCache {
    pub(crate) fn new(memory: &Arc<Memory>) -> Self {
        Self {
            ties: Shelf::new(memory, "ties", 20_000, 4 * MIB),
            suspended: Shelf::new(memory, "suspended", 1, 4 * MIB),
            memory: Arc::clone(memory),
        }
    }

    pub(crate) fn export_metrics(&self) {
        self.ties.measure();
        self.suspended.measure();
    }
}

/// Members hidden from a reader: the reader's blocks and mutes, members who blocked the reader, and suspended ones.
#[derive(Debug)]
pub struct Unseen {
    mine: Arc<Listed>,
    suspended: Arc<Listed>,
    /// Who is seen all the same.
    spared: Option<i64>,
}

impl Unseen {
    /// Of a reader who sees everybody.
    #[must_use]
    pub fn nobody() -> Self {
        let none = Arc::new(Listed::new([], SUSPENDED));
        Self {
            mine: Arc::clone(&none),
            suspended: none,
            spared: None,
        }
    }

    /// Whom this reader does not see. Joined with another read it takes no turn of its own.
    pub async fn of(db: &Reader<'_>, reader: Id) -> Result<Self> {
        let (mine, suspended) = futures_util::try_join!(read_mine(db, reader), read_suspended(db))?;
        Ok(Self {
            mine: Arc::new(mine),
            suspended: Arc::new(suspended),
            spared: None,
        })
    }

    /// The same, from memory while nothing changed.
    pub async fn remembered(cache: &VisibilityCache, db: &Reader<'_>, reader: Id) -> Result<Self> {
        let (mine, suspended) =
            futures_util::try_join!(mine(cache, db, reader), suspended(cache, db))?;
        Ok(Self {
            mine,
            suspended,
            spared: None,
        })
    }

    /// The same, but for one member's suspension: for a copy of their own posts, and for moderators.
    #[must_use]
    pub fn but_for(mut self, member: Id) -> Self {
        self.spared = Some(member.0);
        self
    }

    /// Spares a suspended member when the reader is a moderator or an admin.
    pub async fn for_staff(self, db: &Reader<'_>, reader: Id, member: Id) -> Result<Self> {
        if self.is_suspended(member.0) && members::is_moderator(db, reader).await? {
            return Ok(self.but_for(member));
        }
        Ok(self)
    }

    /// The member who is seen although they are suspended.
    #[must_use]
    pub fn spared(&self) -> Option<Id> {
        self.spared.map(Id)
    }

    /// Whom nobody sees, from memory while nothing changed: who is suspended.
    pub async fn by_everybody(cache: &VisibilityCache, db: &Reader<'_>) -> Result<Self> {
        let suspended = suspended(cache, db).await?;
        Ok(Self {
            suspended,
            ..Self::nobody()
        })
    }

    /// What stands between the reader and a member.
    #[must_use]
    pub fn ties(&self, member: i64) -> Ties {
        if self.is_empty() {
            return Ties::default();
        }
        let mine = self.mine.get(member).0;
        if self.spared == Some(member) {
            return Ties(mine);
        }
        Ties(mine | self.suspended.get(member).0)
    }

    /// Whether lists that the reader did not ask that member for leave them out.
    #[must_use]
    pub fn hides(&self, member: i64) -> bool {
        self.ties(member).0 != 0
    }

    /// Whether the reader sees nothing of a member anywhere: a block either way, or a suspension.
    #[must_use]
    pub fn is_apart(&self, member: i64) -> bool {
        self.ties(member).is_apart()
    }

    /// Whether a member is suspended.
    #[must_use]
    pub fn is_suspended(&self, member: i64) -> bool {
        self.ties(member).0 & Ties::SUSPENDED != 0
    }

    /// Whether everybody is seen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let spared = usize::from(
            self.spared
                .is_some_and(|member| self.suspended.get(member).0 != 0),
        );
        self.mine.members.is_empty() && self.suspended.members.len() == spared
    }
}

const SUSPENDED: Slot = Slot::of(Topic::Suspended, 0);

async fn mine(cache: &VisibilityCache, db: &Reader<'_>, reader: Id) -> Result<Arc<Listed>> {
    if let Some(mine) = cache.ties.get(&reader.0) {
        return Ok(mine);
    }
    let stamp = cache.memory.stamp(&[Slot::of(Topic::Ties, reader.0)]);
    let mine = Arc::new(read_mine(db, reader).await?);
    cache.ties.put(reader.0, stamp, &mine);
    Ok(mine)
}

async fn suspended(cache: &VisibilityCache, db: &Reader<'_>) -> Result<Arc<Listed>> {
    if let Some(suspended) = cache.suspended.get(&0) {
        return Ok(suspended);
    }
    let stamp = cache.memory.stamp(&[SUSPENDED]);
    let suspended = Arc::new(read_suspended(db).await?);
    cache.suspended.put(0, stamp, &suspended);
    Ok(suspended)
}

async fn read_mine(db: &Reader<'_>, reader: Id) -> Result<Listed> {
    let bound = params![reader.0];
    let rows = db.all(&TIES, bound, |row| Ok((row.int(0)?, row.int(1)?)));
    Ok(Listed::new(rows.await?, Slot::of(Topic::Ties, reader.0)))
}

async fn read_suspended(db: &Reader<'_>) -> Result<Listed> {
    let members = members::load_suspended(db).await?.into_iter();
    let rows = members.map(|member| (member, i64::from(Ties::SUSPENDED)));
    Ok(Listed::new(rows, SUSPENDED))
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

/// Whether a member is not notified of another: blocked either way, or muted.
pub async fn is_unheard(tx: &Tx, member: Id, actor: Id) -> Result<bool> {
    let bound = params![member.0, actor.0];
    Ok(tx.opt(&TIES_TO, bound, |_| Ok(())).await?.is_some())
}
