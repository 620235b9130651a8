//! State of the server: the platform and one state per feature.

use crate::features::account::AccountState;
use crate::features::events::EventsState;
use crate::features::media::MediaState;
use crate::features::members::{MemberCache, MembersState};
use crate::features::notifications::NotificationsState;
use crate::features::posts::PostsState;
use crate::features::push::PushState;
use crate::features::relationships::{self, follows};
use crate::features::relationships::{RelationshipCache, RelationshipsState};
use crate::features::sessions::SessionsState;
use crate::features::settings::SettingsState;
use crate::features::tags::TagsState;
use crate::features::waitlist::WaitlistState;
use crate::features::{members, notifications, posts, sessions, settings};
use crate::http::middleware::state::MiddlewareState;
use crate::platform::Platform;
use crate::platform::clock::Clock;
use crate::platform::config::Settings;
use axum::extract::FromRef;
use kith_db::WatchSpec;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

/// Watched tables, whose changes invalidate cache entries.
pub static WATCHES: LazyLock<Vec<WatchSpec>> = LazyLock::new(|| {
    let features = [
        sessions::WATCHES,
        members::WATCHES,
        relationships::WATCHES,
        follows::WATCHES,
        posts::WATCHES,
        notifications::WATCHES,
        settings::WATCHES,
    ];
    features.concat()
});

/// Shared handle of the server's state. Each handler extracts the state of its own feature.
#[derive(Debug, Clone)]
pub struct AppState(Arc<AppStateInner>);

/// Fields of [`AppState`].
#[derive(Debug)]
pub struct AppStateInner {
    platform: Platform,
    /// State of the middleware.
    pub middleware: MiddlewareState,
    /// Sessions.
    pub sessions: Arc<SessionsState>,
    /// Members.
    pub members: Arc<MembersState>,
    /// Follows, blocks and mutes.
    pub relationships: Arc<RelationshipsState>,
    /// Uploads and images.
    pub media: Arc<MediaState>,
    /// Notifications.
    pub notifications: Arc<NotificationsState>,
    /// Posts.
    pub posts: Arc<PostsState>,
    /// Hashtags.
    pub tags: Arc<TagsState>,
    /// Waitlist.
    pub waitlist: Arc<WaitlistState>,
    /// Export and deletion of accounts.
    pub account: Arc<AccountState>,
    /// Live updates.
    pub events: Arc<EventsState>,
    /// Web push.
    pub push: Arc<PushState>,
    /// The network's settings.
    pub network_settings: Arc<SettingsState>,
}

impl AppState {
    /// Opens the data folder and the database, see [`Platform::open`]. An error is a sentence for
    /// the operator.
    pub async fn open(settings: Settings, clock: Clock, node: i64) -> Result<Self, String> {
        Self::new(Platform::open(settings, clock, node, &WATCHES).await?)
    }

    /// Opens another node in this process, on the same PostgreSQL database and with the same ids, for tests.
    pub async fn open_beside(first: &Self, settings: Settings) -> Result<Self, String> {
        let platform = Platform::open(settings, first.clock.clone(), 0, &WATCHES).await?;
        Self::new(platform.with_ids_of(first).ok_or("The platform is in use already.")?)
    }

    fn new(platform: Platform) -> Result<Self, String> {
        let members = Arc::new(MemberCache::new(&platform.versions));
        let relationships =
            Arc::new(RelationshipCache::new(&platform.versions, platform.clock.clone()));
        let sessions = Arc::new(SessionsState::new(platform.clone(), Arc::clone(&members)));
        let media = Arc::new(MediaState::new(platform.clone()));
        let posts = Arc::new(PostsState::new(
            platform.clone(),
            Arc::clone(&members),
            Arc::clone(&relationships),
            Arc::clone(&media),
        ));
        let waitlist = Arc::new(WaitlistState::new(platform.clone()));
        let cached_sessions = Arc::clone(&sessions);
        let middleware = MiddlewareState::new(
            platform.clone(),
            Box::new(move |headers| cached_sessions.cached_member(headers)),
        );
        Ok(Self(Arc::new(AppStateInner {
            members: Arc::new(MembersState::new(
                platform.clone(),
                Arc::clone(&members),
                Arc::clone(&relationships),
                Arc::clone(&media),
            )),
            notifications: Arc::new(NotificationsState::new(
                platform.clone(),
                Arc::clone(&relationships),
            )),
            tags: Arc::new(TagsState::new(platform.clone(), Arc::clone(&posts))),
            events: Arc::new(EventsState::new(
                platform.clone(),
                Arc::clone(&sessions),
                Arc::clone(&posts),
            )),
            push: Arc::new(PushState::new(
                platform.clone(),
                Arc::clone(&sessions),
                Arc::clone(&relationships),
            )?),
            network_settings: Arc::new(SettingsState::new(platform.clone())),
            account: Arc::new(AccountState::new(platform.clone(), Arc::clone(&posts))),
            relationships: Arc::new(RelationshipsState::new(
                platform.clone(),
                members,
                relationships,
            )),
            platform,
            middleware,
            sessions,
            media,
            posts,
            waitlist,
        })))
    }

    /// Exports the metrics of all caches.
    pub fn export_cache_metrics(&self) {
        let lag = self.versions.lag().unwrap_or_default();
        metrics::gauge!("kith_changes_behind_seconds").set(lag.as_secs_f64());
        self.sessions.export_metrics();
        self.relationships.members.export_metrics();
        self.relationships.relationships.export_metrics();
        self.notifications.export_metrics();
        self.posts.export_metrics();
        self.network_settings.export_metrics();
    }
}

impl Deref for AppState {
    type Target = AppStateInner;

    fn deref(&self) -> &AppStateInner {
        &self.0
    }
}

impl Deref for AppStateInner {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}

impl FromRef<AppState> for Platform {
    fn from_ref(state: &AppState) -> Self {
        state.platform.clone()
    }
}

/// Implements `FromRef` for the states of features.
macro_rules! extractable {
    ($($field:ident: $state:ty),* $(,)?) => {$(
        impl FromRef<AppState> for Arc<$state> {
            fn from_ref(state: &AppState) -> Self {
                Arc::clone(&state.$field)
            }
        }
    )*};
}

extractable! {
    sessions: SessionsState,
    members: MembersState,
    relationships: RelationshipsState,
    media: MediaState,
    notifications: NotificationsState,
    posts: PostsState,
    tags: TagsState,
    waitlist: WaitlistState,
    account: AccountState,
    events: EventsState,
    push: PushState,
    network_settings: SettingsState,
}
