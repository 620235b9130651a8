//! The baseline server: the least work that a correct response needs, on the same HTTP stack.
//! Reads return the bytes that the product sent to the same caller. Writes commit the rows that
//! the product would write to a copy of the same database, durably and in grouped commits, and
//! nothing else.

use anyhow::{Context as _, Result};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, Response, StatusCode, header};
use futures_util::try_join;
use kith::platform::clock::Clock;
use kith::platform::ids::IdGenerator;
use kith::platform::migrations::MIGRATIONS;
use kith_db::{Config, Db, Sql, Tx, Write, params, sql};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::TcpListener;

const FILE: &str = "recorded-responses.json";
/// Maximum size of a request body, in bytes.
const MAX_BODY_BYTES: usize = 64 * 1024;

const POST: Sql = sql!(
    "insert into posts (id, author_id, content, like_count, repost_count, reply_count, people_count, rank)
     values ($1, $2, $3, 0, 0, 0, 0, $4)"
);
const AUTHOR_POST: Sql =
    sql!("insert into author_posts (author_id, id, kind, media) values ($1, $2, 0, 0)");
const COUNT_POST: Sql = sql!("update members set post_count = post_count + 1 where id = $1");
const LIKE: Sql = sql!("insert into likes (post_id, member_id, id) values ($1, $2, $3)");
const MEMBER_LIKE: Sql =
    sql!("insert into member_likes (member_id, post_id, id) values ($1, $2, $3)");
const COUNT_LIKE: Sql = sql!(
    "update posts set like_count = like_count + 1, people_count = people_count + 1 where id = $1"
);
/// Each doubling of the number of people raises the rank by 6 hours.
const RERANK: Sql = sql!(
    "update posts set rank = rank + 21600000
     where id = $1 and people_count in (1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 2047, 4095)"
);
const NOTIFY_AUTHOR: Sql = sql!(
    "insert into notifications (member_id, id, kind, actor_id, post_id)
     select author_id, $3, 1, $2, id from posts where id = $1"
);
const FOLLOW: Sql = sql!("insert into follows (follower_id, followee_id, id) values ($1, $2, $3)");
const FOLLOWER: Sql =
    sql!("insert into followers (followee_id, follower_id, id) values ($1, $2, $3)");
const COUNT_FOLLOWING: Sql =
    sql!("update members set following_count = following_count + 1 where id = $1");
const COUNT_FOLLOWER: Sql =
    sql!("update members set follower_count = follower_count + 1 where id = $1");
const NOTIFY_FOLLOWED: Sql = sql!(
    "insert into notifications (member_id, id, kind, actor_id, post_id) values ($1, $3, 0, $2, 0)"
);

/// Responses of the product, which the baseline server sends again.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct RecordedResponses {
    /// For each read: request target, cookie and body.
    pub reads: Vec<(String, String, String)>,
    /// Bodies of the responses to creating a post, liking and following.
    pub writes: [String; 3],
    /// Member ids of the writers by session cookie.
    pub writers: HashMap<String, i64>,
}

impl RecordedResponses {
    /// Writes the file that [`serve`] reads.
    pub fn save(&self, folder: &Path) -> Result<()> {
        Ok(fs::write(folder.join(FILE), serde_json::to_vec(self)?)?)
    }
}

/// State shared by all requests.
struct Baseline {
    db: Db,
    ids: IdGenerator,
    reads: HashMap<String, HashMap<String, Bytes>>,
    writes: [Bytes; 3],
    writers: HashMap<String, i64>,
}

/// A write that the baseline server commits.
#[derive(Debug)]
enum Action {
    /// Creates a post with this text.
    Post(String),
    /// Likes the post with this id.
    Like(i64),
    /// Follows the member with this id.
    Follow(i64),
}

struct CommitAction {
    action: Action,
    id: i64,
    /// Id of the acting member.
    member: i64,
}

impl Write for CommitAction {
    type Out = ();
    type Err = kith_db::Error;

    /// Inserts the rows that the product would insert, with the same keys, and updates the same counts.
    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let (tx, id, me) = (&*tx, self.id, self.member);
        match &self.action {
            Action::Post(text) => {
                let post = params![id, me, text, id];
                let (entry, mine) = (params![me, id], params![me]);
                let made = try_join!(
                    tx.exec(&POST, post),
                    tx.exec(&AUTHOR_POST, entry),
                    tx.exec(&COUNT_POST, mine),
                )?;
                check_one_row_each(&<[u64; 3]>::from(made))
            }
            Action::Like(post) => {
                let (like, mirror) = (params![*post, me, id], params![me, *post, id]);
                let liked = params![*post];
                let (one, two, three, four, _) = try_join!(
                    tx.exec(&LIKE, like),
                    tx.exec(&MEMBER_LIKE, mirror),
                    tx.exec(&COUNT_LIKE, liked),
                    tx.exec(&NOTIFY_AUTHOR, like),
                    tx.exec(&RERANK, liked),
                )?;
                check_one_row_each(&[one, two, three, four])
            }
            Action::Follow(member) => {
                let (edge, mirror) = (params![me, *member, id], params![*member, me, id]);
                // Locks both members in id order, so that two transactions cannot deadlock.
                let mut counts = [(me, &COUNT_FOLLOWING), (*member, &COUNT_FOLLOWER)];
                counts.sort_by_key(|(id, _)| *id);
                let [first, second] = counts;
                let (of_first, of_second) = (params![first.0], params![second.0]);
                let made = try_join!(
                    tx.exec(&FOLLOW, edge),
                    tx.exec(&FOLLOWER, mirror),
                    tx.exec(first.1, of_first),
                    tx.exec(second.1, of_second),
                    tx.exec(&NOTIFY_FOLLOWED, mirror),
                )?;
                check_one_row_each(&<[u64; 5]>::from(made))
            }
        }
    }
}

/// Fails unless each statement changed one row: skipped rows would make the baseline too fast.
fn check_one_row_each(made: &[u64]) -> kith_db::Result<()> {
    if made.iter().all(|rows| *rows == 1) {
        return Ok(());
    }
    Err(kith_db::Error::Statement(format!("a statement of the baseline changed no row: {made:?}")))
}

/// Request body for creating a post.
#[derive(Deserialize)]
struct NewPostRequest {
    content: String,
}

/// Request body for following a member.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FollowRequest {
    following_id: String,
}

impl Action {
    fn parse(path: &str, body: &[u8]) -> Option<Self> {
        match path.strip_prefix("/api/")?.strip_prefix("posts/") {
            Some(like) => Some(Self::Like(like.strip_suffix("/like")?.parse().ok()?)),
            None if path == "/api/posts" => {
                let post = serde_json::from_slice::<NewPostRequest>(body).ok()?;
                Some(Self::Post(post.content))
            }
            None => {
                let follow = serde_json::from_slice::<FollowRequest>(body).ok()?;
                Some(Self::Follow(follow.following_id.parse().ok()?))
            }
        }
    }
}

/// Path of the baseline's SQLite database in a data folder.
#[must_use]
pub fn database_file(folder: &Path) -> PathBuf {
    folder.join("baseline.db")
}

/// Serves the responses saved in `folder` until the process ends. Writes go to a SQLite file in
/// `folder`, or to PostgreSQL if `database_url` is not empty.
pub async fn serve(folder: &Path, database_url: &str, listen: SocketAddr) -> Result<()> {
    let saved = fs::read(folder.join(FILE)).context("no recorded responses in the folder")?;
    let saved: RecordedResponses = serde_json::from_slice(&saved)?;
    let mut reads = HashMap::<String, HashMap<String, Bytes>>::new();
    for (target, value, body) in saved.reads {
        let by = reads.entry(target).or_default();
        by.insert(cookie_header(&value), body.into());
    }
    let writers = saved.writers.iter();
    let writers = writers.map(|(value, member)| (cookie_header(value), *member));
    let database = if database_url.is_empty() {
        Config::sqlite(database_file(folder))
    } else {
        Config::postgres(database_url)
    };
    let baseline = Baseline {
        db: Db::open(&database, MIGRATIONS).await?,
        ids: IdGenerator::new(Clock::system(), 0),
        reads,
        writers: writers.collect(),
        writes: saved.writes.map(Bytes::from),
    };
    let router = Router::new().fallback(respond).with_state(Arc::new(baseline));
    let listener = TcpListener::bind(listen).await?;
    axum::serve(listener, router).await?;
    Ok(())
}

/// Value of the `Cookie` header for a session.
fn cookie_header(value: &str) -> String {
    format!("{}={value}", kith::http::cookies::SESSION)
}

async fn respond(State(baseline): State<Arc<Baseline>>, request: Request) -> Response<Body> {
    if request.method() == Method::POST {
        return write(&baseline, request).await;
    }
    let target = request.uri().path_and_query();
    let target = target.map_or("", |target| target.as_str());
    let by_cookie = baseline.reads.get(target);
    match by_cookie.and_then(|bodies| bodies.get(cookie_of(request.headers()))) {
        Some(body) => json(StatusCode::OK, body.clone()),
        None => json(StatusCode::NOT_FOUND, Bytes::new()),
    }
}

fn cookie_of(headers: &HeaderMap) -> &str {
    let cookie = headers.get(header::COOKIE);
    let cookie = cookie.and_then(|cookie| cookie.to_str().ok());
    cookie.unwrap_or_default()
}

async fn write(baseline: &Baseline, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, MAX_BODY_BYTES).await;
    let action = body.ok().and_then(|body| Action::parse(parts.uri.path(), &body));
    let member = baseline.writers.get(cookie_of(&parts.headers));
    let (Some(action), Some(member)) = (action, member) else {
        return json(StatusCode::BAD_REQUEST, Bytes::new());
    };
    let (place, status) = match action {
        Action::Post(_) => (0, StatusCode::CREATED),
        Action::Like(_) => (1, StatusCode::OK),
        Action::Follow(_) => (2, StatusCode::OK),
    };
    let commit = CommitAction { action, id: baseline.ids.next().0, member: *member };
    match baseline.db.write(commit).await {
        Ok(()) => json(status, baseline.writes[place].clone()),
        Err(_) => json(StatusCode::SERVICE_UNAVAILABLE, Bytes::new()),
    }
}

fn json(status: StatusCode, body: Bytes) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let json = header::HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}
