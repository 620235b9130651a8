//! What this process remembers of the database between requests, and until when.
//!
//! The database alone decides; what is remembered only saves asking it again. It is kept equal by
//! one rule: whatever a read depends on (a post, a member, whom somebody follows …) has a
//! [`Slot`] with a counter. [`Memory::stamp`] sums the counters *before* the database is asked,
//! and what was read is good for as long as the same sum comes out again. The writer raises the
//! counters of what a commit changed after the commit and before it answers (`kith_db::ChangeEvent`). So
//! - a reader who asked before a commit may keep what they got, but nobody uses it: its stamp
//!   was taken before the counter was raised;
//! - whoever was answered, and everybody who asks after that, is shown the change.
//!
//! Counters only grow, so a sum is the same only if each of them is. Slots are fewer than things:
//! two that share one are forgotten together, which costs a read and nothing else.
//!
//! New and deleted posts are also told one by one ([`Memory::listed`]), so that a list of a
//! reader's feed can follow without being read anew. On PostgreSQL several processes write: what this
//! one wrote is told as on SQLite, what others wrote a moment later, at most a second. While that is not
//! known ([`Memory::is_on`]), nothing remembered is used.

mod post_log;
mod versioned_cache;

pub use post_log::{Heard, Listed, Position};
pub use versioned_cache::{Remembered, Shelf};

use kith_db::{ChangeEvent, Db, FeedFreshness, Result, RowChange, WatchSpec};
use post_log::Lists;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Counters: enough that two things in use rarely share one; 512 KB.
const SLOTS: usize = 1 << 16;

/// What something that was read depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Topic {
    /// A session, by its id.
    Session,
    /// A member's names, picture and suspension, by id.
    Member,
    /// Who is suspended, and their names; there is one, 0.
    Suspended,
    /// Whom a member blocked or muted and who blocked them, by the member's id.
    Ties,
    /// Whom a member follows, by the member's id.
    Follows,
    /// What everybody sees of a post, by its id.
    Post,
    /// Which posts a member likes and reposted and how they voted, by the member's id.
    Deeds,
    /// An author's list of posts, by the author's id; its posts are also told one by one.
    Listed,
    /// Who holds a username, by [`kith_db::hash_key`] it.
    Username,
    /// Who follows a member, by the member's id.
    Followers,
    /// What a member was told, by the member's id.
    Told,
    /// The order that is the same for everybody; there is one, 0.
    Ranked,
    /// Which posts answer a post, by its id.
    Answered,
}

impl Topic {
    /// Rows of a table, all of whose inserts, deletions and updates count.
    #[must_use]
    pub const fn watch(self, table: &'static str, told: &'static [&'static str]) -> WatchSpec {
        WatchSpec {
            topic: self as u8,
            table,
            columns: told,
            update_of: &[],
            when: "",
        }
    }
}

/// The counter of something: see [`Memory::slot`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot(u16);

impl Slot {
    /// Of what a topic's id names.
    #[must_use]
    pub const fn of(topic: Topic, id: i64) -> Self {
        Self::number(topic as u8, id)
    }

    const fn number(topic: u8, id: i64) -> Self {
        // Nearly everything depends on it, so nothing may share its slot: likes of a post would invalidate all feeds.
        if topic == Topic::Suspended as u8 {
            return Self(0);
        }
        let mixed = kith_db::fibonacci_hash(id.cast_unsigned() ^ ((topic as u64 + 1) << 56));
        let [high, next, ..] = mixed.to_be_bytes();
        Self(1 + u16::from_be_bytes([high, next]) % u16::MAX)
    }
}

/// The sum of some counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp(u64);

impl Stamp {
    /// Of both together, also when they were taken one after the other.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

/// When what was read is still good.
#[derive(Debug)]
pub struct Memory {
    counters: Box<[AtomicU64]>,
    lists: Lists,
    /// Whether what changes was told; nobody tells before it is set.
    hearing: OnceLock<FeedFreshness>,
}

impl Memory {
    /// Caches what is read from this database; changes of the watched rows invalidate it.
    pub async fn of(db: &Db, watches: &'static [WatchSpec]) -> Result<Arc<Self>> {
        let memory = Arc::new(Self::new());
        let listener = Arc::clone(&memory);
        let hear = Box::new(move |news: ChangeEvent<'_>| listener.hear(&news));
        let hearing = db.subscribe(watches, hear).await?;
        memory.hearing.get_or_init(|| hearing);
        Ok(memory)
    }

    fn new() -> Self {
        Self {
            counters: (0..SLOTS).map(|_| AtomicU64::new(0)).collect(),
            lists: Lists::default(),
            hearing: OnceLock::new(),
        }
    }

    /// Whether caches may be used: all changes were received, at most a second late from other processes.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.hearing.get().is_some_and(FeedFreshness::is_current)
    }

    /// How long ago others' changes were looked for; none where nobody else writes.
    #[must_use]
    pub fn behind(&self) -> Option<Duration> {
        self.hearing.get().and_then(FeedFreshness::lag)
    }

    /// What holds now for something that depends on these; taken before the database is asked.
    #[must_use]
    pub fn stamp(&self, slots: &[Slot]) -> Stamp {
        let counters = slots.iter().map(|slot| &self.counters[usize::from(slot.0)]);
        let sum = counters.map(|counter| counter.load(Ordering::Acquire));
        Stamp(sum.fold(0, u64::wrapping_add))
    }

    /// Forgets everything.
    pub fn forget(&self) {
        // First: what a list was told must not outlive what it was told about.
        self.lists.break_off();
        for counter in &self.counters {
            counter.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// Where the telling of new and deleted posts is; taken before the database is asked.
    #[must_use]
    pub fn position(&self) -> Position {
        self.lists.position()
    }

    /// Posts that came or went since a position, in order, of authors who are wanted; also where
    /// the telling is then. None when that is too long ago.
    #[must_use]
    pub fn listed(&self, since: Position, wanted: impl Fn(i64) -> bool) -> Option<Heard> {
        self.lists.since(since, wanted)
    }

    fn hear(&self, news: &ChangeEvent<'_>) {
        match news {
            ChangeEvent::Changed(changes) => {
                let is_listed = |change: &&RowChange| change.topic == Topic::Listed as u8;
                self.lists.add(changes.iter().filter(is_listed));
                for change in *changes {
                    let id = change.row[0].unwrap_or(0);
                    let slot = Slot::number(change.topic, id);
                    self.counters[usize::from(slot.0)].fetch_add(1, Ordering::AcqRel);
                }
            }
            ChangeEvent::Unknown => self.forget(),
        }
    }
}

/// Words of a cached statement that no watch of its table names: columns that could change without a notification.
#[cfg(test)]
pub(crate) fn unwatched(
    watches: &[WatchSpec],
    sql: &str,
    topic: Topic,
    table: &str,
) -> Vec<String> {
    const NO_COLUMNS: &str =
        "select from where in and or is not null order by desc limit offset as id";
    let is_meant = |watch: &&WatchSpec| watch.topic == topic as u8 && watch.table == table;
    let watch = watches.iter().find(is_meant);
    let watch = watch.unwrap_or_else(|| panic!("nobody watches {table}"));
    // What stands between quotation marks is a value.
    let text = sql.split('\'').step_by(2).collect::<Vec<_>>().join(" ");
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$'));
    let words = words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()));
    let is_no_column = |word: &str| word == table || NO_COLUMNS.split(' ').any(|no| no == word);
    let is_watched = |word: &str| watch.update_of.is_empty() || watch.update_of.contains(&word);
    let words = words.filter(|word| !is_no_column(word) && !is_watched(word));
    words.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on() -> Arc<Memory> {
        let memory = Memory::new();
        memory.hearing.get_or_init(FeedFreshness::default);
        Arc::new(memory)
    }

    fn change(topic: Topic, id: i64) -> RowChange {
        RowChange {
            topic: topic as u8,
            is_gone: false,
            row: [Some(id), None, None, None],
        }
    }

    #[derive(Debug, PartialEq, Eq)]
    struct Row(i64, [Slot; 2]);

    impl Remembered for Row {
        fn slots(&self) -> &[Slot] {
            &self.1
        }

        fn bytes(&self) -> usize {
            size_of::<Self>()
        }
    }

    const SLOTS_OF_ROW: [Slot; 2] = [Slot::of(Topic::Post, 1), Slot::of(Topic::Member, 2)];

    /// What was read before a commit is of no use after it, whenever it is put on its shelf.
    /// proves: memory-equal
    #[test]
    fn what_was_read_too_early_is_not_used() {
        let memory = on();
        let shelf = Shelf::new(&memory, "rows", 10, 10_000);
        let stamp = memory.stamp(&SLOTS_OF_ROW);
        // Here a reader asks the database, is held up, and somebody commits and is answered.
        let old = Arc::new(Row(1, SLOTS_OF_ROW));
        memory.hear(&ChangeEvent::Changed(&[change(Topic::Member, 2)]));
        shelf.put(1, stamp, &old);
        assert_eq!(shelf.get(&1), None);

        let stamp = memory.stamp(&SLOTS_OF_ROW);
        let new = Arc::new(Row(2, SLOTS_OF_ROW));
        shelf.put(1, stamp, &new);
        assert_eq!(shelf.get(&1), Some(Arc::clone(&new)));
        memory.hear(&ChangeEvent::Changed(&[change(Topic::Follows, 9)]));
        assert_eq!(
            shelf.get(&1),
            Some(Arc::clone(&new)),
            "something else changed"
        );
        memory.hear(&ChangeEvent::Changed(&[change(Topic::Post, 1)]));
        assert_eq!(shelf.get(&1), None);

        shelf.put(1, memory.stamp(&SLOTS_OF_ROW), &new);
        memory.hear(&ChangeEvent::Unknown);
        assert_eq!(shelf.get(&1), None);
    }

    /// Stamps of parts, taken one after the other, hold only while no part changes.
    #[test]
    fn a_stamp_of_parts_is_the_stamp_of_the_whole() {
        let memory = on();
        let [post, member] = SLOTS_OF_ROW;
        let first = memory.stamp(&[post]);
        let whole = first.and(memory.stamp(&[member]));
        assert_eq!(whole, memory.stamp(&SLOTS_OF_ROW));
        memory.hear(&ChangeEvent::Changed(&[change(Topic::Post, 1)]));
        let whole = first.and(memory.stamp(&[member]));
        assert_ne!(whole, memory.stamp(&SLOTS_OF_ROW));
    }

    /// A commit's posts are told before its counters rise, so whoever sees the counters finds them.
    #[test]
    fn a_new_post_is_told_with_its_author() {
        let memory = on();
        let start = memory.position();
        let mut post = change(Topic::Listed, 2);
        post.row[1] = Some(7);
        memory.hear(&ChangeEvent::Changed(&[post, change(Topic::Post, 7)]));
        let (heard, _) = memory.listed(start, |author| author == 2).unwrap();
        assert_eq!(heard.iter().map(|post| post.id).collect::<Vec<_>>(), [7]);
        memory.forget();
        assert_eq!(memory.listed(start, |_| true), None);
    }

    #[test]
    fn nothing_is_remembered_where_nothing_is_told() {
        let memory = Arc::new(Memory::new());
        let shelf = Shelf::new(&memory, "rows", 10, 10_000);
        let row = Arc::new(Row(1, SLOTS_OF_ROW));
        shelf.put(1, memory.stamp(&SLOTS_OF_ROW), &row);
        assert_eq!(shelf.get(&1), None);
    }
}
