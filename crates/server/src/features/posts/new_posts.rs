//! New posts of a viewer's Friends feed since it was loaded, counted from the log of created and deleted posts.

use crate::features::posts::PostsState;
use crate::features::posts::cache::PostSet;
use crate::features::posts::cached::FeedAuthors;
use crate::features::posts::home_cache::{self, FeedPage};
use crate::features::posts::reposters::FeedReposts;
use crate::features::posts::respond::ViewerQuery;
use crate::http::extract::Page;
use crate::platform::cache::{LogOffset, PostEvent};
use crate::platform::ids::Id;
use kith_db::{Reader, Result};
use std::sync::Arc;

/// Count that stands for "more than 20".
const MAX_COUNT: usize = 21;
/// Rows of the feed that are examined and kept, of which some may be the viewer's own.
const MAX_ROWS: usize = 50;

/// Rows of a Friends feed above one that is on screen, without the viewer's own.
#[derive(Debug)]
pub struct NewPosts {
    viewer: Id,
    /// The newest row on screen.
    since: i64,
    authors: Arc<FeedAuthors>,
    /// Whether every member is visible to the viewer.
    hides_none: bool,
    /// Each row with the post that it shows.
    rows: Vec<(i64, i64)>,
    /// Offset in the post event log up to which `rows` is current.
    log_offset: LogOffset,
}

impl NewPosts {
    /// Reads the feed's first page.
    pub async fn load(state: &PostsState, db: &Reader<'_>, viewer: Id, since: Id) -> Result<Self> {
        let log_offset = state.versions.post_log_offset();
        let (timeline, hidden) = home_cache::load_timeline(state, db, viewer).await?;
        let mut posts = PostSet::default();
        let mut feed = FeedPage {
            query: ViewerQuery { state, db, viewer },
            timeline: &timeline,
            hidden: &hidden,
            posts: &mut posts,
            reposts: &mut FeedReposts::new(None),
        };
        let page = Page { limit: MAX_ROWS, offset: 0, before: i64::MAX };
        let ids = feed.load_ids(page).await?.unwrap_or_default();
        let new = ids.into_iter().take_while(|id| *id > since.0);
        let new = new.filter_map(|id| posts.posts.get(&id)).filter(|row| row.author != viewer.0);
        Ok(Self {
            rows: new.map(|row| (row.id, row.repost_of.unwrap_or(row.id))).collect(),
            viewer,
            since: since.0,
            authors: Arc::clone(&timeline.authors),
            hides_none: hidden.is_empty(),
            log_offset,
        })
    }

    /// Returns the members whose posts the feed shows.
    #[must_use]
    pub fn authors(&self) -> &Arc<FeedAuthors> {
        &self.authors
    }

    /// Counts the new posts; 21 stands for more than 20.
    #[must_use]
    pub fn count(&self) -> usize {
        self.rows.len().min(MAX_COUNT)
    }

    /// Applies the posts created and deleted since the last time, without a query. Returns false if the feed must be
    /// loaded again.
    #[must_use]
    pub fn catch_up(&mut self, state: &PostsState) -> bool {
        let is_author = |author: i64| self.authors.contains(author);
        let Some((events, log_offset)) = state.versions.post_events(self.log_offset, is_author)
        else {
            return false;
        };
        self.log_offset = log_offset;
        events.iter().all(|event| self.apply(event))
    }

    fn apply(&mut self, event: &PostEvent) -> bool {
        let post = event.repost_of.unwrap_or(event.id);
        if event.is_gone {
            let was_full = self.rows.len() >= MAX_COUNT;
            self.rows.retain(|(row, shown)| *row != event.id && *shown != event.id);
            return !was_full || self.rows.len() >= MAX_COUNT;
        }
        let is_shown = event.reply_to.is_none_or(|author| self.authors.contains(author));
        if event.author == self.viewer.0 || event.id <= self.since || !is_shown {
            return true;
        }
        if event.repost_of.is_some() && !self.hides_none {
            // The author of the reposted post may be hidden from the viewer.
            return false;
        }
        if self.rows.len() < MAX_ROWS && self.rows.iter().all(|(_, shown)| *shown != post) {
            self.rows.push((event.id, post));
        }
        true
    }
}
