//! The open streams of this node, by what they depend on.

use crate::features::events::hash32::hash32;
use crate::features::posts::FeedAuthors;
use crate::platform::ids::Id;
use foldhash::HashMap;
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::Notify;

/// Maximum open streams of a member on one node: a browser has one.
const MAX_PER_MEMBER: usize = 4;

/// Row that streams depend on, as a hash, because the keys are most of the registry's memory. If the hashes of two rows
/// are equal, a stream wakes without need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StreamKey(u32);

impl StreamKey {
    pub(super) fn member(id: i64) -> Self {
        Self::new("member", id)
    }

    /// By [`kith_db::hash_key`] of the hash of the session cookie.
    pub(super) fn session(hash: i64) -> Self {
        Self::new("session", hash)
    }

    /// A post whose counts are sent.
    pub(super) fn post(id: i64) -> Self {
        Self::new("post", id)
    }

    fn new(kind: &str, row: i64) -> Self {
        Self(hash32((kind, row)))
    }
}

/// What a stream sends, or depends on, that may have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// Whether the session is valid.
    Session,
    /// The number of unread notifications.
    Unread,
    /// The feed's posts.
    NewPosts,
    /// The feed's authors.
    Authors,
    /// The counts of a post.
    Counts(i64),
    /// Which members are visible, and with them all numbers.
    Visibility,
    /// The server stops.
    Closing,
}

/// An open stream, shared by its response and the dispatcher.
#[derive(Debug)]
pub(super) struct OpenStream {
    pub(super) member: Id,
    session: StreamKey,
    /// Posts whose counts are sent, in ascending order.
    pub(super) posts: Box<[i64]>,
    /// What changed since the stream last looked.
    changes: Mutex<Vec<Change>>,
    /// Authors whose posts are counted, if the stream counts new posts.
    authors: Mutex<Option<Arc<FeedAuthors>>>,
    wake: Notify,
}

impl OpenStream {
    /// Returns the keys of the rows that the stream depends on.
    fn keys(&self) -> impl Iterator<Item = StreamKey> {
        let posts = self.posts.iter().map(|post| StreamKey::post(*post));
        [StreamKey::member(self.member.0), self.session].into_iter().chain(posts)
    }

    /// Records a change and wakes the stream.
    pub(super) fn mark(&self, change: Change) {
        let mut changes = self.changes.lock();
        if !changes.contains(&change) {
            changes.push(change);
            drop(changes);
            self.wake.notify_one();
        }
    }

    /// Waits for changes and returns them.
    pub(super) async fn changed(&self) -> Vec<Change> {
        loop {
            let changes = std::mem::take(&mut *self.changes.lock());
            if !changes.is_empty() {
                return changes;
            }
            self.wake.notified().await;
        }
    }

    pub(super) fn counts_posts_of(&self, author: i64) -> bool {
        let authors = self.authors.lock();
        author != self.member.0 && authors.as_ref().is_some_and(|authors| authors.contains(author))
    }

    pub(super) fn set_authors(&self, authors: &Arc<FeedAuthors>) {
        *self.authors.lock() = Some(Arc::clone(authors));
    }
}

/// All open streams of this node.
#[derive(Debug, Default)]
pub(super) struct StreamRegistry(Mutex<Streams>);

#[derive(Debug, Default)]
struct Streams {
    by_number: HashMap<u32, Arc<OpenStream>>,
    /// Keys with the numbers of the streams that depend on them. A tree takes half the memory of a map of lists.
    by_key: BTreeSet<(StreamKey, u32)>,
    next_number: u32,
    is_closed: bool,
}

impl Streams {
    /// Returns the streams that depend on a row.
    fn of(&self, key: StreamKey) -> impl Iterator<Item = &OpenStream> {
        let keys = self.by_key.range((key, 0)..=(key, u32::MAX));
        keys.filter_map(|(_, number)| self.by_number.get(number)).map(Arc::as_ref)
    }
}

/// Why a stream is not opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OpenError {
    /// The member has the maximum.
    TooMany,
    /// The server stops.
    Closing,
}

/// A registered stream; dropping it removes it.
#[derive(Debug)]
pub(super) struct Registration {
    registry: Arc<StreamRegistry>,
    number: u32,
    pub(super) stream: Arc<OpenStream>,
}

impl StreamRegistry {
    /// Registers a stream of a member's session that sends the counts of `posts`, in ascending order.
    pub(super) fn open(
        self: &Arc<Self>,
        member: Id,
        session_hash: &str,
        posts: Box<[i64]>,
    ) -> Result<Registration, OpenError> {
        let stream = Arc::new(OpenStream {
            member,
            session: StreamKey::session(kith_db::hash_key(session_hash)),
            posts,
            changes: Mutex::default(),
            authors: Mutex::default(),
            wake: Notify::new(),
        });
        let mut streams = self.0.lock();
        if streams.is_closed {
            return Err(OpenError::Closing);
        }
        // Another row may have the same hash.
        let same_key = streams.of(StreamKey::member(member.0));
        if same_key.filter(|stream| stream.member == member).count() >= MAX_PER_MEMBER {
            return Err(OpenError::TooMany);
        }
        let number = streams.next_number;
        streams.next_number = number.wrapping_add(1);
        streams.by_key.extend(stream.keys().map(|key| (key, number)));
        streams.by_number.insert(number, Arc::clone(&stream));
        metrics::gauge!("kith_event_streams").increment(1.0);
        Ok(Registration { registry: Arc::clone(self), number, stream })
    }

    /// Marks the streams that depend on a row.
    pub(super) fn mark(&self, key: StreamKey, change: Change) {
        for stream in self.0.lock().of(key) {
            stream.mark(change);
        }
    }

    /// Marks the streams that `is_concerned` selects.
    pub(super) fn mark_each(&self, change: Change, is_concerned: impl Fn(&OpenStream) -> bool) {
        for stream in self.0.lock().by_number.values() {
            if is_concerned(stream) {
                stream.mark(change);
            }
        }
    }

    /// Ends all streams and rejects further ones.
    pub(super) fn close(&self) {
        self.0.lock().is_closed = true;
        self.mark_each(Change::Closing, |_| true);
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut streams = self.registry.0.lock();
        streams.by_number.remove(&self.number);
        for key in self.stream.keys() {
            streams.by_key.remove(&(key, self.number));
        }
        metrics::gauge!("kith_event_streams").decrement(1.0);
    }
}
