//! Writing a post, a reply or a repost.

use crate::features::media::{self, Image};
use crate::features::notifications::{self, Kind};
use crate::features::posts::PostsState;
use crate::features::posts::cache::WrittenPost;
use crate::features::posts::dto::Post;
use crate::features::posts::idempotency::{Request, bad_key};
use crate::features::posts::respond::{WriteOutcome, respond_with_post};
use crate::features::posts::store::PostRow;
use crate::features::posts::text_entities::Named;
use crate::features::posts::validate::{
    HOW_LONG, HOW_MANY, HOW_MANY_ALTS, NewPoll, bad_alts, bad_duration, bad_options, blank,
    check_bounds, check_images, check_poll, check_text, too_long, too_many_images,
};
use crate::features::posts::viewer_state::Deed;
use crate::features::posts::{reposts, score, unknown};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::{members, relationships, tags};
use crate::http::concurrency_limit::CurrentPermit;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Body;
use crate::http::openapi::refusals;
use crate::platform::ids::Id;
use crate::platform::rate_limit::Act;
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
const INSERT_SKELETON: Sql = sql!(
    "insert into author_posts (author_id, id, kind, media, reply_to_author_id) values ($1, $2, $3, $5, $4)"
);
const ROOT: Sql = sql!("select root_id from posts where id = $1");
const INSERT_REPLY: Sql = sql!("insert into replies (post_id, id, author_id) values ($1, $2, $3)");
const COUNT_REPLY: Sql =
    sql!("update posts set reply_count = reply_count + 1 where id = $1 and deleted_at is null");
const INSERT_CHOICE: Sql =
    sql!("insert into poll_choices (post_id, choice, votes) values ($1, $2, 0)");

/// What a member writes: a text, a reply or a poll, or the post to repost.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(
    json!({"content": "Hello, humans."}),
    json!({"content": "Tea or coffee?", "pollOptions": ["Tea", "Coffee"], "pollDurationMinutes": 60}),
))]
pub struct NewPostRequest {
    /// The text. After cleaning and trimming it needs something to see, and has at most 500
    /// characters as people count them (grapheme clusters) in at most 5,000 bytes; hence the
    /// bound. A repost needs none.
    #[schema(max_length = 5000, example = "Hello, humans.")]
    pub content: Option<String>,
    /// At most 4 addresses of files that I uploaded, as `createUpload` answered them, with or
    /// without their query, or of images that I posted before.
    #[schema(max_items = 4, example = json!([]))]
    pub image_urls: Option<Vec<String>>,
    /// What the images show, in words, in the same order; null or empty for none. At most 1,000
    /// characters each as people count them (grapheme clusters).
    #[schema(max_items = 4, example = json!([]))]
    pub image_alts: Option<Vec<Option<String>>>,
    /// None, or 2 to 4 different options of at most 50 characters each (grapheme clusters); blank ones are dropped.
    #[schema(max_items = 4)]
    pub poll_options: Option<Vec<String>>,
    /// How long the poll is open; a day when absent.
    #[serde(default, deserialize_with = "crate::http::extract::whole")]
    #[schema(minimum = 5, maximum = 10080, example = 1440)]
    pub poll_duration_minutes: Option<i64>,
    /// The post this one answers; none when empty.
    #[serde(default, deserialize_with = "crate::platform::ids::maybe")]
    #[schema(value_type = Option<String>, max_length = 19)]
    pub reply_to_id: Option<Id>,
    /// The post this one reposts; none when empty. What else is sent with it, but the text, is not used.
    #[serde(default, deserialize_with = "crate::platform::ids::maybe")]
    #[schema(value_type = Option<String>, max_length = 19)]
    pub repost_of_id: Option<Id>,
}

refusals!(NotPosted: bad_key(), relationships::you_blocked(), relationships::blocks_you(), unknown(), too_many_images(), bad_alts(HOW_MANY_ALTS), media::not_own_upload("imageUrls"), media::not_an_image(), media::bad_image(), blank(), too_long(), bad_options(HOW_MANY), bad_options(HOW_LONG), bad_duration());

/// Posts, replies or reposts. A repost of the same post answers the first one.
#[utoipa::path(post, path = "/api/posts", operation_id = "createPost", tag = "posts", request_body = NewPostRequest,
    params(("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 100, pattern = "^[!-~]+$", example = "5f0c9f0e-2c1b-4a55",
        description = "The same key within 24 hours answers the first result")),
    responses((status = 201, body = Post), NotPosted))]
pub async fn create(
    State(app): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    permit: CurrentPermit,
    headers: HeaderMap,
    Body(body): Body<NewPostRequest>,
) -> Result<(StatusCode, Response)> {
    let author = auth.member;
    let typed = body.content.as_deref().unwrap_or_default();
    let options = body.poll_options.as_deref().unwrap_or_default();
    let urls = body.image_urls.as_deref().unwrap_or_default();
    let alts = body.image_alts.as_deref().unwrap_or_default();
    check_bounds(typed, options, body.poll_duration_minutes)?;
    let alts = check_images(urls, alts)?;
    let request = Request::of(author, &headers, app.now())?;
    if [body.reply_to_id, body.repost_of_id].contains(&Some(Id::NONE)) {
        return Err(unknown());
    }
    let new = app.id();
    let outcome = if let Some(original) = body.repost_of_id {
        app.limits.act(Act::React, author)?;
        let content = kith_text::clean(typed).chars().take(500).collect();
        let write = reposts::Repost {
            id: new,
            author,
            original,
            content,
            request,
        };
        app.db.write(write).await?
    } else {
        app.limits.act(Act::Post, author)?;
        let now = app.now();
        let poll = check_poll(options, body.poll_duration_minutes, now)?;
        let content = check_text(typed)?;
        let named = Named::find(&content);
        named.draw(&app.limits, author)?;
        if !urls.is_empty() {
            permit.release();
        }
        let write = NewPost {
            id: new,
            author,
            content,
            named,
            images: develop(&app, author, urls, alts).await?,
            reply_to: body.reply_to_id,
            poll,
            request,
        };
        app.db.write(write).await?
    };
    let response = respond_with_post(&app, author, outcome).await?;
    Ok((StatusCode::CREATED, response))
}

/// The images that the addresses name, made now if they were not before, one after the other.
async fn develop(
    app: &PostsState,
    author: Id,
    urls: &[String],
    alts: Vec<String>,
) -> Result<Vec<(String, Image)>> {
    let mut images = Vec::new();
    for (url, alt) in urls.iter().zip(alts) {
        let image =
            media::process_image(&app.media, author, url, media::Preset::Post, None).await?;
        let image = image.ok_or_else(|| media::not_own_upload("imageUrls"))?;
        images.push((image.hash.clone(), image.with_alt(alt)));
    }
    Ok(images)
}

struct NewPost {
    id: Id,
    author: Id,
    content: String,
    named: Named,
    /// With their hashes.
    images: Vec<(String, Image)>,
    reply_to: Option<Id>,
    poll: Option<NewPoll>,
    request: Request,
}

/// The post that a reply answers; of a repost, the original.
struct Parent {
    id: Id,
    author: Id,
    root: Id,
}

impl kith_db::Write for NewPost {
    type Out = WriteOutcome;
    type Err = ApiError;

    fn contention_key(&self) -> Option<i64> {
        self.reply_to.map(|parent| parent.0)
    }

    async fn run(&self, tx: &mut Tx) -> Result<Self::Out> {
        let tx = &*tx;
        let asks =
            self.request.may_repeat() || self.reply_to.is_some() || !self.named.members.is_empty();
        let here = async {
            if asks {
                members::ensure_active(tx, self.author).await
            } else {
                // The author's posts are counted only while they are here.
                Ok(())
            }
        };
        let first = self.request.first_answer(tx, self.id);
        let (here, first, parent, mentioned) =
            join!(here, first, self.parent(tx), self.named.members(tx));
        here?;
        if let Some(first) = first? {
            return Ok(WriteOutcome::reload(first));
        }
        let (parent, mentioned) = (parent?, mentioned?);
        let members = [Some(self.author), parent.as_ref().map(|on| on.author)];
        let members = members.iter().flatten().map(|id| id.0).collect::<Vec<_>>();
        // The rows of members are the last that are held, but for what belongs to this post alone.
        let (row, .., members) = try_join!(
            self.insert(tx, parent.as_ref(), &mentioned),
            self.answer(tx, parent.as_ref()),
            self.tell(tx, parent.as_ref(), &mentioned),
            self.show_images(tx),
            members::count_new_post(tx, self.author),
            async { Ok(members::load_refs_in(tx, &members).await?) },
        )?;
        Ok(WriteOutcome {
            post: self.id,
            written: Some(WrittenPost {
                row,
                members,
                deed: Deed::default(),
            }),
        })
    }
}

impl NewPost {
    async fn parent(&self, tx: &Tx) -> Result<Option<Parent>> {
        let Some(id) = self.reply_to else {
            return Ok(None);
        };
        let meant = reposts::meant(tx, id).await?;
        let id = meant.post;
        let asked = params![id.0];
        let (root, ()) = try_join!(
            async { Ok(tx.one(&ROOT, asked, |row| row.opt_int(0)).await?) },
            reposts::check_open(tx, meant.by, self.author),
        )?;
        Ok(Some(Parent {
            id,
            author: meant.author(),
            root: root.map_or(id, Id),
        }))
    }

    /// Lists a reply below what it answers, and counts it there.
    async fn answer(&self, tx: &Tx, parent: Option<&Parent>) -> Result<()> {
        let Some(parent) = parent else {
            return Ok(());
        };
        let author = self.author;
        let row = params![parent.id.0, self.id.0, author.0];
        let count = async {
            match tx.exec(&COUNT_REPLY, params![parent.id.0]).await? {
                // It may have been deleted since it was read.
                0 => Err(unknown()),
                _ => Ok(()),
            }
        };
        try_join!(
            async { Ok(tx.exec(&INSERT_REPLY, row).await?) },
            count,
            async { Ok(score::joined(tx, parent.id, author).await?) },
        )
        .map(drop)
    }

    /// Tells whom the post answers and whom it names. A notification's key is (member, id) and nobody is
    /// told twice of one post, so the post's own id serves for all of them.
    async fn tell(
        &self,
        tx: &Tx,
        parent: Option<&Parent>,
        mentioned: &[(Id, Mention)],
    ) -> Result<()> {
        let mut told: Vec<(Id, Kind)> = Vec::new();
        told.extend(parent.map(|parent| (parent.author, Kind::Reply)));
        for (member, _) in mentioned {
            if !told.iter().any(|(other, _)| other == member) {
                told.push((*member, Kind::Mention));
            }
        }
        let tell = told.into_iter().map(|(member, kind)| {
            notifications::notify(tx, self.id, kind, member, self.author, self.id)
        });
        try_join_all(tell).await?;
        Ok(())
    }

    /// Counts one use more of each image.
    async fn show_images(&self, tx: &Tx) -> Result<()> {
        // In one order, so that two posts with the same images never wait for each other.
        let mut hashes = self.images.iter().map(|(hash, _)| hash).collect::<Vec<_>>();
        hashes.sort_unstable();
        let now = self.id.time();
        let show = hashes.into_iter();
        let show = show.map(|hash| media::add_reference(tx, self.author, hash, now));
        try_join_all(show).await.map(drop)
    }

    async fn insert(
        &self,
        tx: &Tx,
        parent: Option<&Parent>,
        mentioned: &[(Id, Mention)],
    ) -> Result<PostRow> {
        let mentions = mentioned
            .iter()
            .map(|(_, mention)| mention)
            .collect::<Vec<_>>();
        // For You shows what starts a conversation.
        let rank = parent.is_none().then(|| score::rank(self.id, 0));
        let images = self.images.iter().map(|(_, image)| image);
        let row = PostRow {
            id: self.id.0,
            author: self.author.0,
            content: self.content.clone(),
            reply_to: parent.map(|parent| (parent.id.0, parent.author.0)),
            mentions: list(&mentions),
            images: list(&images.collect::<Vec<_>>()),
            options: self.poll.as_ref().map(|poll| json(&poll.options)),
            expires: self.poll.as_ref().map(|poll| poll.expires_at),
            hashtags: list(&self.named.tags),
            ..PostRow::default()
        };
        let answered = row.reply_to.map(|(_, author)| author);
        let bound = params![
            row.id,
            row.author,
            &row.content,
            row.reply_to.map(|(post, _)| post),
            answered,
            parent.map(|parent| parent.root.0),
            row.mentions.as_deref(),
            row.options.as_deref(),
            row.expires,
            row.hashtags.as_deref(),
            rank,
            row.images.as_deref(),
        ];
        let names = self.named.tags.iter().map(|hashtag| hashtag.tag.as_str());
        let kind = i64::from(parent.is_some());
        let has_images = i64::from(!self.images.is_empty());
        let entry = params![self.author.0, self.id.0, kind, answered, has_images];
        let options = 0..self.poll.as_ref().map_or(0, |poll| poll.options.len());
        let choices = options.map(|choice| async move {
            let bound = params![self.id.0, choice];
            tx.exec(&INSERT_CHOICE, bound).await
        });
        try_join!(
            tx.exec(&INSERT, bound),
            tags::add(tx, self.id, self.author, names),
            tx.exec(&INSERT_SKELETON, entry),
            try_join_all(choices),
        )?;
        Ok(row)
    }
}

/// A list as it is stored: none when it is empty.
fn list<T: serde::Serialize>(items: &[T]) -> Option<String> {
    (!items.is_empty()).then(|| json(&items))
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| unreachable!("lists of plain values are JSON"))
}
