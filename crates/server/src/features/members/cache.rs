//! What is remembered of members: who is here, who holds a name, and what they are called.

use crate::features::members::MemberRef;
use crate::features::members::store::{find_by_username, is_here, refs, suspended_names};
use crate::platform::MIB;
use crate::platform::cache::{Memory, Remembered, Shelf, Slot, Topic};
use crate::platform::ids::Id;
use kith_db::{Reader, Result, hash_key};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Cached members.
#[derive(Debug)]
pub struct MemberCache {
    memory: Arc<Memory>,
    here: Shelf<i64, Here>,
    names: Shelf<i64, Name>,
    holders: Shelf<String, Holder>,
    suspended_names: Shelf<i64, Names>,
}

impl MemberCache {
    pub(crate) fn new(memory: &Arc<Memory>) -> Self {
        Self {
            here: Shelf::new(memory, "members", 20_000, 3 * MIB),
            names: Shelf::new(memory, "names", 10_000, 2 * MIB),
            holders: Shelf::new(memory, "usernames", 10_000, 2 * MIB),
            suspended_names: Shelf::new(memory, "suspended names", 1, 4 * MIB),
            memory: Arc::clone(memory),
        }
    }

    pub(crate) fn export_metrics(&self) {
        self.here.measure();
        self.names.measure();
        self.holders.measure();
        self.suspended_names.measure();
    }
}

const SUSPENDED: Slot = Slot::of(Topic::Suspended, 0);

/// Whether a member is here, by id.
#[derive(Debug)]
struct Here {
    is_here: bool,
    slots: [Slot; 1],
}

impl Remembered for Here {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }
}

/// Whether a member is here: nobody suspended them.
pub async fn is_still_here(cache: &MemberCache, db: &Reader<'_>, member: Id) -> Result<bool> {
    if let Some(here) = cache.here.get(&member.0) {
        return Ok(here.is_here);
    }
    let slots = [Slot::of(Topic::Member, member.0)];
    let stamp = cache.memory.stamp(&slots);
    let is_here = is_here(db, member).await?;
    cache
        .here
        .put(member.0, stamp, &Arc::new(Here { is_here, slots }));
    Ok(is_here)
}

/// The present and earlier usernames of everybody who is suspended.
#[derive(Debug, Default)]
pub struct Names {
    names: HashSet<String>,
    slots: Vec<Slot>,
}

impl Names {
    /// As the database says.
    pub async fn read(db: &Reader<'_>) -> Result<Arc<Self>> {
        Ok(Arc::new(Self {
            names: suspended_names(db).await?,
            slots: vec![SUSPENDED],
        }))
    }

    /// The same, from memory while nothing changed.
    pub async fn remembered(cache: &MemberCache, db: &Reader<'_>) -> Result<Arc<Self>> {
        if let Some(names) = cache.suspended_names.get(&0) {
            return Ok(names);
        }
        let stamp = cache.memory.stamp(&[SUSPENDED]);
        let names = Self::read(db).await?;
        cache.suspended_names.put(0, stamp, &names);
        Ok(names)
    }

    /// Whether a username is among them.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}

impl Remembered for Names {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        // A text of 24 bytes, its name of up to 20 in a block of 32, and a table's slots are at times empty.
        size_of::<Self>() + self.names.capacity() * 64
    }
}

/// Who holds or held a username.
#[derive(Debug)]
struct Holder {
    member: Id,
    slots: [Slot; 1],
}

impl Remembered for Holder {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        // With the name that it stands by.
        size_of::<Self>() + size_of::<String>() + 20
    }
}

/// The member who holds or held a username; the case does not matter.
pub async fn holder(cache: &MemberCache, db: &Reader<'_>, username: &str) -> Result<Option<Id>> {
    let name = username.to_ascii_lowercase();
    if let Some(holder) = cache.holders.get(&name) {
        return Ok(Some(holder.member));
    }
    let slots = [Slot::of(Topic::Username, hash_key(&name))];
    let stamp = cache.memory.stamp(&slots);
    let found = find_by_username(db, &name).await?;
    if let Some(member) = found {
        cache
            .holders
            .put(name, stamp, &Arc::new(Holder { member, slots }));
    }
    Ok(found)
}

/// What a member is called, if they are not suspended.
#[derive(Debug)]
struct Name {
    member: Option<MemberRef>,
    slots: [Slot; 1],
}

impl Remembered for Name {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        let texts = self.member.as_ref().map_or(0, |member| {
            let picture = member.profile_image_url.as_ref();
            member.username.capacity()
                + member.display_name.capacity()
                + picture.map_or(0, String::capacity)
        });
        size_of::<Self>() + texts
    }
}

/// What members are called, by id, from memory while nothing changed. Who is suspended is left out.
pub async fn display_names(
    cache: &MemberCache,
    db: &Reader<'_>,
    ids: &[i64],
) -> Result<HashMap<i64, String>> {
    names(cache, db, ids, |member| member.display_name.clone()).await
}

/// Cached names and pictures of members by id, without suspended ones.
pub async fn remembered_refs(
    cache: &MemberCache,
    db: &Reader<'_>,
    ids: &[i64],
) -> Result<HashMap<i64, MemberRef>> {
    names(cache, db, ids, MemberRef::clone).await
}

async fn names<T>(
    cache: &MemberCache,
    db: &Reader<'_>,
    ids: &[i64],
    of: fn(&MemberRef) -> T,
) -> Result<HashMap<i64, T>> {
    let mut found = HashMap::new();
    let mut missing = Vec::new();
    let mut add = |id: i64, member: &Option<MemberRef>| {
        if let Some(member) = member {
            found.insert(id, of(member));
        }
    };
    for id in ids.iter().collect::<HashSet<_>>() {
        match cache.names.get(id) {
            Some(name) => add(*id, &name.member),
            None => missing.push((*id, [Slot::of(Topic::Member, *id)])),
        }
    }
    let missing = missing.into_iter();
    let missing = missing.map(|(id, slots)| (id, slots, cache.memory.stamp(&slots)));
    let missing = missing.collect::<Vec<_>>();
    let asked = missing.iter().map(|(id, ..)| *id).collect::<Vec<_>>();
    let mut read = refs(db, &asked).await?;
    for (id, slots, stamp) in missing {
        let member = read.remove(&id);
        add(id, &member);
        cache
            .names
            .put(id, stamp, &Arc::new(Name { member, slots }));
    }
    Ok(found)
}
