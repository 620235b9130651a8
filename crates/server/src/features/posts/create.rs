//! `POST /api/posts`: creates a post, a reply or a repost.

use crate::features::media::{self, Image};
use crate::features::notifications::{NewNotification, NotificationKind};
use crate::features::posts::PostsState;
use crate::features::posts::cache::WrittenPost;
use crate::features::posts::cached::Interactions;
use crate::features::posts::dto::Post;
use crate::features::posts::idempotency::{IdempotentRequest, bad_key};
use crate::features::posts::reposts::ResolvedPost;
use crate::features::posts::respond::{WriteOutcome, respond_with_post};
use crate::features::posts::store::PostRow;
use crate::features::posts::text_entities::TextEntities;
use crate::features::posts::validate::{
    ALT_COUNT_MESSAGE, NewPoll, OPTION_COUNT_MESSAGE, OPTION_LENGTH_MESSAGE, bad_alts,
    bad_duration, bad_options, blank, check_bounds, check_images, check_poll, check_text, too_long,
    too_many_images,
};
use crate::features::posts::{post_not_found, reposts, score};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::{members, relationships, settings, tags};
use crate::http::concurrency_limit::CurrentPermit;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Body;
use crate::http::openapi::documented_errors;
use crate::platform::clock::DAY;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use futures_util::future::try_join_all;
use futures_util::{join, try_join};
use kith_db::{Sql, Tx, params, sql};
use kith_text::Mention;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

const INSERT: Sql = sql!(
    "insert into posts (id, author_id, content, reply_to_id, reply_to_author_id, root_id, mentions,
       poll_options, poll_expires_at, like_count, repost_count, reply_count, hashtags, people_count, rank, images)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0, 0, $10, 0, $11, $12)"
);
pub(super) const INSERT_AUTHOR_POST: Sql = sql!(
    "insert into author_posts (author_id, id, kind, media, reply_to_author_id) values ($1, $2, $3, $5, $4)"
);
const INSERT_REPLY: Sql = sql!("insert into replies (post_id, id, author_id) values ($1, $2, $3)");
const COUNT_RECENT: Sql =
    sql!("select count(*) from author_posts where author_id = $1 and id > $2 and kind < 2");
const COUNT_REPLY: Sql =
    sql!("update posts set reply_count = reply_count + 1 where id = $1 and deleted_at is null");
const INSERT_CHOICE: Sql =
    sql!("insert into poll_choices (post_id, choice, votes) values ($1, $2, 0)");

/// A new post, reply, poll or repost.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(
    json!({"content": "Hello, humans."}),
    json!({"content": "Tea or coffee?", "pollOptions": ["Tea", "Coffee"], "pollDurationMinutes": 60}),
))]
pub struct NewPostRequest {
    /// Text of the post. After normalization and trimming it must contain a visible character and have at
    /// most 500 characters (grapheme clusters) in at most 5,000 bytes. Optional for a repost.
    #[schema(max_length = 5000, example = "Hello, humans.")]
    pub content: Option<String>,
    /// URLs of at most 4 images: files uploaded by the member, as returned by `createUpload`, with or without
    /// the query string, or images that the member posted before.
    #[schema(max_items = 4, example = json!([]))]
    pub image_urls: Option<Vec<String>>,
    /// Alternative texts of the images, in the same order; null or empty for none. At most 1,000 characters
    /// (grapheme clusters) each.
    #[schema(max_items = 4, example = json!([]))]
    pub image_alts: Option<Vec<Option<String>>>,
    /// Poll options: none, or 2 to 4 different options of at most 50 characters (grapheme clusters) each.
    /// Blank options are dropped.
    #[schema(max_items = 4)]
    pub poll_options: Option<Vec<String>>,
    /// Duration of the poll in minutes. Defaults to one day.
    #[serde(default, deserialize_with = "crate::http::extract::deserialize_integer")]
    #[schema(minimum = 5, maximum = 10080, example = 1440)]
    pub poll_duration_minutes: Option<i64>,
    /// Id of the post to reply to; empty for none.
    #[serde(default, deserialize_with = "crate::platform::ids::deserialize_option")]
    #[schema(value_type = Option<String>, max_length = 19)]
    pub reply_to_id: Option<Id>,
    /// Id of the post to repost; empty for none. All other fields except `content` are ignored for a repost.
    #[serde(default, deserialize_with = "crate::platform::ids::deserialize_option")]
    #[schema(value_type = Option<String>, max_length = 19)]
    pub repost_of_id: Option<Id>,
}

documented_errors!(NotPosted: bad_key(), relationships::you_blocked(), relationships::blocks_you(), post_not_found(), too_many_images(), bad_alts(ALT_COUNT_MESSAGE), media::not_own_upload("imageUrls"), media::not_an_image(), media::bad_image(), blank(), too_long(), bad_options(OPTION_COUNT_MESSAGE), bad_options(OPTION_LENGTH_MESSAGE), bad_duration(), new_member_limit());

fn new_member_limit() -> ApiError {
    let message = "You joined recently, so you can post only a few times a day for now. Please try again tomorrow.";
    ApiError::conflict("new_member_limit", message)
}

/// Creates a post, reply or repost. Reposting the same post again returns the first repost.
#[utoipa::path(post, path = "/api/posts", operation_id = "createPost", tag = "posts", request_body = NewPostRequest,
    params(("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 100, pattern = "^[!-~]+$", example = "5f0c9f0e-2c1b-4a55",
        description = "Idempotency key. Repeating a request with the same key within 24 hours returns the first result.")),
    responses((status = 201, body = Post), NotPosted))]
pub async fn create_post(
    State(state): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    permit: CurrentPermit,
    headers: HeaderMap,
    Body(body): Body<NewPostRequest>,
) -> Result<(StatusCode, Response)> {
    let author = auth.member;
    let text = body.content.as_deref().unwrap_or_default();
    let options = body.poll_options.as_deref().unwrap_or_default();
    let urls = body.image_urls.as_deref().unwrap_or_default();
    let alts = body.image_alts.as_deref().unwrap_or_default();
    check_bounds(text, options, body.poll_duration_minutes)?;
    let alts = check_images(urls, alts)?;
    let request = IdempotentRequest::from_headers(author, &headers, state.now())?;
    if [body.reply_to_id, body.repost_of_id].contains(&Some(Id::NONE)) {
        return Err(post_not_found());
    }
    let id = state.id();
    let outcome = if let Some(original) = body.repost_of_id {
        state.rate_limiter.check_member(MemberAction::React, author)?;
        let content = kith_text::clean(text).chars().take(500).collect();
        let write = reposts::CreateRepost { id, author, original, content, request };
        state.db.write(write).await?
    } else {
        state.rate_limiter.check_member(MemberAction::Post, author)?;
        let now = state.now();
        let poll = check_poll(options, body.poll_duration_minutes, now)?;
        let content = check_text(text)?;
        let entities = TextEntities::find(&content);
        entities.charge_limits(&state.rate_limiter, author)?;
        if !urls.is_empty() {
            permit.release();
        }
        let write = CreatePost {
            id,
            author,
            content,
            entities,
            images: process_images(&state, author, urls, alts).await?,
            reply_to: body.reply_to_id,
            poll,
            request,
            daily_limit: load_daily_limit(&state, author).await?,
        };
        state.db.write(write).await?
    };
    let response = respond_with_post(&state, author, outcome).await?;
    Ok((StatusCode::CREATED, response))
}

/// Loads how many posts a new member can create in 24 hours; `None` for other members.
async fn load_daily_limit(state: &PostsState, author: Id) -> Result<Option<i64>> {
    let limits = settings::load_new_member_limits(&state.db.reader(), author, state.now()).await?;
    Ok(limits.map(|limits| limits.new_member_posts))
}

/// Processes the images at the URLs, one at a time, unless they were processed before.
async fn process_images(
    state: &PostsState,
    author: Id,
    urls: &[String],
    alts: Vec<String>,
) -> Result<Vec<(String, Image)>> {
    let mut images = Vec::new();
    for (url, alt) in urls.iter().zip(alts) {
        let image =
            media::process_image(&state.media, author, url, media::Preset::Post, None).await?;
        let image = image.ok_or_else(|| media::not_own_upload("imageUrls"))?;
        images.push((image.hash.clone(), image.with_alt(alt)));
    }
    Ok(images)
}

struct CreatePost {
    id: Id,
    author: Id,
    content: String,
    entities: TextEntities,
    /// Content hashes and images.
    images: Vec<(String, Image)>,
    reply_to: Option<Id>,
    poll: Option<NewPoll>,
    request: IdempotentRequest,
    /// Posts in 24 hours that a new member can create.
    daily_limit: Option<i64>,
}

impl kith_db::Write for CreatePost {
    type Out = WriteOutcome;
    type Err = ApiError;

    fn contention_key(&self) -> Option<i64> {
        self.reply_to.map(|parent| parent.0)
    }

    async fn run(&self, tx: &mut Tx) -> Result<Self::Out> {
        let tx = &*tx;
        let may_wait = self.request.may_repeat()
            || self.reply_to.is_some()
            || !self.entities.mentions.is_empty();
        let active = async {
            if may_wait {
                members::ensure_active(tx, self.author).await
            } else {
                // `count_new_post` fails when the author is gone, which suffices when nothing before it can wait.
                Ok(())
            }
        };
        let first = self.request.claim_or_find(tx, self.id);
        let (active, first, parent, mentioned) =
            join!(active, first, self.load_parent(tx), self.entities.resolve_members(tx));
        active?;
        if let Some(first) = first? {
            return Ok(WriteOutcome::reload(first));
        }
        let (parent, mentioned) = (parent?, mentioned?);
        let members = [Some(self.author), parent.as_ref().map(ResolvedPost::author)];
        let members = members.iter().flatten().map(|id| id.0).collect::<Vec<_>>();
        // Lock the rows of members last, to hold them briefly; only rows of the new post may come later.
        let (row, .., members) = try_join!(
            self.insert(tx, parent.as_ref(), &mentioned),
            self.add_to_thread(tx, parent.as_ref()),
            self.notify_members(tx, parent.as_ref(), &mentioned),
            self.add_image_references(tx),
            members::count_new_post(tx, self.author),
            async { Ok(members::load_refs_in(tx, &members).await?) },
        )?;
        self.check_daily_limit(tx).await?;
        Ok(WriteOutcome {
            post: self.id,
            written: Some(WrittenPost { row, members, interactions: Interactions::default() }),
        })
    }
}

impl CreatePost {
    /// Counts after the author's row was locked, so that concurrent posts cannot exceed the limit.
    async fn check_daily_limit(&self, tx: &Tx) -> Result<()> {
        let Some(limit) = self.daily_limit else {
            return Ok(());
        };
        let since = Id::first_at(self.id.time() - DAY);
        let bound = params![self.author.0, since];
        let posts = tx.one(&COUNT_RECENT, bound, |row| row.int(0)).await?;
        if posts > limit { Err(new_member_limit()) } else { Ok(()) }
    }

    async fn load_parent(&self, tx: &Tx) -> Result<Option<ResolvedPost>> {
        let Some(id) = self.reply_to else {
            return Ok(None);
        };
        Ok(Some(reposts::resolve_for_interaction(tx, id, self.author).await?))
    }

    /// Adds a reply to the thread of its parent and counts it there.
    async fn add_to_thread(&self, tx: &Tx, parent: Option<&ResolvedPost>) -> Result<()> {
        let Some(parent) = parent else {
            return Ok(());
        };
        let author = self.author;
        let row = params![parent.post.0, self.id.0, author.0];
        let count = async {
            match tx.exec(&COUNT_REPLY, params![parent.post.0]).await? {
                // The parent may have been deleted since it was read.
                0 => Err(post_not_found()),
                _ => Ok(()),
            }
        };
        try_join!(async { Ok(tx.exec(&INSERT_REPLY, row).await?) }, count, async {
            Ok(score::add_participant(tx, parent.post, author).await?)
        },)
        .map(drop)
    }

    /// Notifies the parent's author and the mentioned members. The key of a notification is (member, id) and
    /// each member gets at most one, so all of them use the post's id.
    async fn notify_members(
        &self,
        tx: &Tx,
        parent: Option<&ResolvedPost>,
        mentioned: &[(Id, Mention)],
    ) -> Result<()> {
        let mut recipients: Vec<(Id, NotificationKind)> = Vec::new();
        recipients.extend(parent.map(|parent| (parent.author(), NotificationKind::Reply)));
        for (member, _) in mentioned {
            if !recipients.iter().any(|(other, _)| other == member) {
                recipients.push((*member, NotificationKind::Mention));
            }
        }
        let conversation = parent.map_or(self.id, |parent| parent.root);
        let notifications = recipients.into_iter().map(|(member, kind)| NewNotification {
            id: self.id,
            kind,
            member,
            actor: self.author,
            post: self.id,
            conversation,
        });
        let notify = notifications.map(|notification| async move { notification.notify(tx).await });
        try_join_all(notify).await?;
        Ok(())
    }

    /// Adds a reference to each image.
    async fn add_image_references(&self, tx: &Tx) -> Result<()> {
        // Lock images in hash order, so that two posts with the same images cannot deadlock.
        let mut hashes = self.images.iter().map(|(hash, _)| hash).collect::<Vec<_>>();
        hashes.sort_unstable();
        let now = self.id.time();
        let references = hashes.into_iter();
        let references = references.map(|hash| media::add_reference(tx, self.author, hash, now));
        try_join_all(references).await.map(drop)
    }

    async fn insert(
        &self,
        tx: &Tx,
        parent: Option<&ResolvedPost>,
        mentioned: &[(Id, Mention)],
    ) -> Result<PostRow> {
        let mentions = mentioned.iter().map(|(_, mention)| mention).collect::<Vec<_>>();
        // Replies have no rank: For You shows only root posts.
        let rank = parent.is_none().then(|| score::compute_rank(self.id, 0));
        let images = self.images.iter().map(|(_, image)| image);
        let row = PostRow {
            id: self.id.0,
            author: self.author.0,
            content: self.content.clone(),
            reply_to: parent.map(|parent| (parent.post.0, parent.author().0)),
            mentions: list_json(&mentions),
            images: list_json(&images.collect::<Vec<_>>()),
            options: self.poll.as_ref().map(|poll| to_json(&poll.options)),
            expires_at: self.poll.as_ref().map(|poll| poll.expires_at),
            hashtags: list_json(&self.entities.tags),
            ..PostRow::default()
        };
        let parent_author = row.reply_to.map(|(_, author)| author);
        let bound = params![
            row.id,
            row.author,
            &row.content,
            row.reply_to.map(|(post, _)| post),
            parent_author,
            parent.map(|parent| parent.root.0),
            row.mentions.as_deref(),
            row.options.as_deref(),
            row.expires_at,
            row.hashtags.as_deref(),
            rank,
            row.images.as_deref(),
        ];
        let tags = self.entities.tags.iter().map(|hashtag| hashtag.tag.as_str());
        let kind = i64::from(parent.is_some());
        let has_images = i64::from(!self.images.is_empty());
        let entry = params![self.author.0, self.id.0, kind, parent_author, has_images];
        let options = 0..self.poll.as_ref().map_or(0, |poll| poll.options.len());
        let choices = options.map(|choice| async move {
            let bound = params![self.id.0, choice];
            tx.exec(&INSERT_CHOICE, bound).await
        });
        try_join!(
            tx.exec(&INSERT, bound),
            tags::add_post(tx, self.id, self.author, tags),
            tx.exec(&INSERT_AUTHOR_POST, entry),
            try_join_all(choices),
        )?;
        Ok(row)
    }
}

/// Serialises a list as JSON for storage; `None` when empty.
fn list_json<T: serde::Serialize>(items: &[T]) -> Option<String> {
    (!items.is_empty()).then(|| to_json(&items))
}

fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| unreachable!("lists of plain values are JSON"))
}
