//! One stream: reads what may have changed and yields what did.

use crate::features::events::EventsState;
use crate::features::events::dto::{EventData, NewPostsEvent, SentState, UnreadEvent};
use crate::features::events::hash32::hash32;
use crate::features::events::registry::{Change, Registration};
use crate::features::posts::{self, NewPosts, PostCounts};
use crate::features::relationships::HiddenMembers;
use crate::features::{notifications, push, sessions};
use crate::http::error::Result;
use crate::platform::ids::Id;
use axum::http::HeaderValue;
use foldhash::quality::FixedState;
use futures_util::future::BoxFuture;
use kith_db::Reader;
use std::hash::BuildHasher as _;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Age at which a stream ends; the browser opens the next one.
const MAX_AGE: Duration = Duration::from_mins(15);
/// Time between two reads of a stream, so that a much liked post costs at most four reads a second.
const MIN_INTERVAL: Duration = Duration::from_millis(250);
/// Time without an event after which a comment is sent, in milliseconds, so that proxies keep the connection. It is
/// random, so that streams with a common last event do not all write at the same time.
const KEEP_ALIVE: Range<u64> = 15_000..25_000;

/// An open stream and what it has sent.
pub(super) struct EventStream {
    state: Arc<EventsState>,
    registration: Registration,
    session_hash: String,
    /// The newest row of the feed on screen, if new posts are counted.
    feed: Option<Id>,
    new_posts: Option<NewPosts>,
    sent: SentState,
    /// The state that the browser knows, if it reconnects.
    known_state: Option<HeaderValue>,
    ends_at: Instant,
    reads_at: Instant,
    has_ended: bool,
}

impl EventStream {
    /// Creates a stream that sends its whole state first, or nothing if the browser knows it.
    pub(super) fn new(
        state: Arc<EventsState>,
        registration: Registration,
        session_hash: String,
        feed: Option<Id>,
        known_state: Option<HeaderValue>,
    ) -> Self {
        // Streams that began together, after a restart, do not end together.
        let spread = Duration::from_millis(fastrand::u64(..60_000));
        // The session may have ended since the request was authenticated.
        registration.stream.mark(Change::Session);
        registration.stream.mark(Change::Visibility);
        let counts = vec![0; registration.stream.posts.len()].into_boxed_slice();
        Self {
            state,
            registration,
            session_hash,
            feed,
            new_posts: None,
            sent: SentState { counts, ..SentState::default() },
            known_state,
            ends_at: Instant::now() + MAX_AGE - spread,
            reads_at: Instant::now(),
            has_ended: false,
        }
    }

    /// Returns the next events, or a comment; `None` at the stream's end. All events of a read are one text, because
    /// hyper keeps room for as many buffers as it got together.
    pub(super) async fn next(&mut self) -> Option<String> {
        let comments_at = Instant::now() + Duration::from_millis(fastrand::u64(KEEP_ALIVE));
        while !self.has_ended {
            let stream = &self.registration.stream;
            let changes = tokio::time::timeout_at(comments_at.min(self.ends_at), async {
                tokio::time::sleep_until(self.reads_at).await;
                stream.changed().await
            });
            let Ok(changes) = changes.await else {
                return (comments_at < self.ends_at).then(|| ":\n\n".to_owned());
            };
            if changes.contains(&Change::Closing) {
                return None;
            }
            // Boxed, so that an idle stream has no room for it.
            let events: BoxFuture<'_, _> = Box::pin(self.read(&changes));
            // If the database failed, the browser opens the next stream.
            let mut events = events.await.ok()?;
            self.reads_at = Instant::now() + MIN_INTERVAL;
            if self.known_state.take().is_some_and(|known| known == self.state_id()) {
                events.clear();
            }
            if !events.is_empty() {
                return Some(events);
            }
        }
        None
    }

    /// Returns the hash of the state that the stream has sent.
    fn state_id(&self) -> String {
        format!("{:x}", FixedState::default().hash_one(&self.sent))
    }

    /// Reads what the changes concern, and returns events for what differs from what was sent.
    async fn read(&mut self, changes: &[Change]) -> Result<String> {
        let state = Arc::clone(&self.state);
        let _permit = state.reads.acquire().await;
        let member = self.registration.stream.member;
        if changes.contains(&Change::Session)
            && sessions::find_member(&state.sessions, &self.session_hash).await? != Some(member)
        {
            self.has_ended = true;
            return Ok("event: session_ended\ndata: {}\n\n".to_owned());
        }
        let has_all = changes.contains(&Change::Visibility);
        if has_all || changes.contains(&Change::Unread) {
            push::cancel_waiting(&state.db, member).await?;
        }
        let db = state.db.reader();
        let visibility = &state.posts.relationships.visibility;
        let hidden = HiddenMembers::load_cached(visibility, &db, member).await?;
        let mut events = String::new();
        if has_all || changes.contains(&Change::Unread) {
            let unread = notifications::count_unread(&db, member, &hidden).await?;
            let unread = UnreadEvent { unread };
            if self.sent.unread.replace(unread) != Some(unread) {
                events.push_str(&self.event(&EventData::Notifications(unread)));
            }
        }
        let must_load = has_all || changes.contains(&Change::Authors);
        if let Some(feed) = self.feed
            && (must_load || changes.contains(&Change::NewPosts))
        {
            let count = self.count_new_posts(&db, feed, must_load).await?;
            let new_posts = NewPostsEvent { count };
            if self.sent.new_posts.replace(new_posts) != Some(new_posts) {
                events.push_str(&self.event(&EventData::Feed(new_posts)));
            }
        }
        let changed = self.registration.stream.posts.iter().copied();
        let changed = changed.filter(|post| has_all || changes.contains(&Change::Counts(*post)));
        let changed = changed.collect::<Vec<_>>();
        for counts in posts::load_counts(&state.posts, &db, &hidden, &changed).await? {
            if self.record_counts(counts) {
                events.push_str(&self.event(&EventData::Counts(counts)));
            }
        }
        Ok(events)
    }

    async fn count_new_posts(
        &mut self,
        db: &Reader<'_>,
        feed: Id,
        must_load: bool,
    ) -> Result<usize> {
        let state = &self.state.posts;
        let known = self.new_posts.take().filter(|_| !must_load);
        let known = known.and_then(|mut known| known.catch_up(state).then_some(known));
        let new_posts = if let Some(known) = known {
            known
        } else {
            let stream = &self.registration.stream;
            let mut new_posts = NewPosts::load(state, db, stream.member, feed).await?;
            stream.set_authors(new_posts.authors());
            // The dispatcher did not know the authors of posts that were created meanwhile.
            if !new_posts.catch_up(state) {
                stream.mark(Change::Authors);
            }
            new_posts
        };
        let count = new_posts.count();
        self.new_posts = Some(new_posts);
        Ok(count)
    }

    /// Records the counts of a post and returns whether they are new.
    fn record_counts(&mut self, counts: PostCounts) -> bool {
        let index = self.registration.stream.posts.binary_search(&counts.id.0);
        let hash = hash32(counts);
        index.is_ok_and(|index| std::mem::replace(&mut self.sent.counts[index], hash) != hash)
    }

    fn event(&self, data: &EventData) -> String {
        let (name, id) = (data.event_name(), self.state_id());
        let data = serde_json::to_string(data);
        let data = data.unwrap_or_else(|_| unreachable!("plain numbers are JSON"));
        format!("event: {name}\nid: {id}\ndata: {data}\n\n")
    }
}
