//! The floor: a server on the same HTTP stack that works as little as an answer allows. To a read it
//! answers the bytes that the product answered; of a write it commits the rows that the product would leave in the
//! tables that show it, on a copy of the same network, durably and grouped as in the product, and nothing else.

use anyhow::{Context as _, Result};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, Response, StatusCode, header};
use futures_util::try_join;
use kith::clock::Clock;
use kith::ids::Ids;
use kith::schema::MIGRATIONS;
use kith_db::{Config, Db, Sql, Tx, Write, params, sql};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::TcpListener;

const FILE: &str = "recorded-responses.json";
/// A body that the floor takes, in bytes.
const LARGEST: usize = 64 * 1024;

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
/// At each doubling of the people a rank moves by 6 hours.
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

/// What the product answered.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct RecordedResponses {
    /// Reads: what was asked for, with which cookie, and the body.
    pub reads: Vec<(String, String, String)>,
    /// Bodies of a post, a like and a follow.
    pub writes: [String; 3],
    /// Those who write, by their cookies.
    pub writers: HashMap<String, i64>,
}

impl RecordedResponses {
    /// Saves them where [`serve`] looks.
    pub fn save(&self, folder: &Path) -> Result<()> {
        Ok(fs::write(folder.join(FILE), serde_json::to_vec(self)?)?)
    }
}

/// What a handler shares.
struct Baseline {
    db: Db,
    ids: Ids,
    reads: HashMap<String, HashMap<String, Bytes>>,
    writes: [Bytes; 3],
    writers: HashMap<String, i64>,
}

/// What a write leaves behind.
#[derive(Debug)]
enum Action {
    /// A post of this text.
    Post(String),
    /// A like of this post.
    Like(i64),
    /// A follow of this member.
    Follow(i64),
}

struct Commit {
    deed: Action,
    id: i64,
    /// Whose it is.
    member: i64,
}

impl Write for Commit {
    type Out = ();
    type Err = kith_db::Error;

    /// The rows that the product would leave, of the same keys, and the counts in those of others.
    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let (tx, id, me) = (&*tx, self.id, self.member);
        match &self.deed {
            Action::Post(text) => {
                let post = params![id, me, text, id];
                let (entry, mine) = (params![me, id], params![me]);
                let made = try_join!(
                    tx.exec(&POST, post),
                    tx.exec(&AUTHOR_POST, entry),
                    tx.exec(&COUNT_POST, mine),
                )?;
                one_each(&<[u64; 3]>::from(made))
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
                one_each(&[one, two, three, four])
            }
            Action::Follow(member) => {
                let (edge, mirror) = (params![me, *member, id], params![*member, me, id]);
                // In one order, so that no two wait for each other.
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
                one_each(&<[u64; 5]>::from(made))
            }
        }
    }
}

/// A floor that leaves rows out would be lower than it is.
fn one_each(made: &[u64]) -> kith_db::Result<()> {
    if made.iter().all(|rows| *rows == 1) {
        return Ok(());
    }
    Err(kith_db::Error::Statement(format!(
        "rows were left out: {made:?}"
    )))
}

/// A post as it is sent.
#[derive(Deserialize)]
struct Post {
    content: String,
}

/// A follow as it is sent.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Follow {
    following_id: String,
}

impl Action {
    fn read(path: &str, body: &[u8]) -> Option<Self> {
        match path.strip_prefix("/api/")?.strip_prefix("posts/") {
            Some(like) => Some(Self::Like(like.strip_suffix("/like")?.parse().ok()?)),
            None if path == "/api/posts" => {
                let post = serde_json::from_slice::<Post>(body).ok()?;
                Some(Self::Post(post.content))
            }
            None => {
                let follow = serde_json::from_slice::<Follow>(body).ok()?;
                Some(Self::Follow(follow.following_id.parse().ok()?))
            }
        }
    }
}

/// The database of a floor on SQLite, in its folder.
#[must_use]
pub fn database_file(folder: &Path) -> PathBuf {
    folder.join("baseline.db")
}

/// Serves what was saved in the folder until the process is ended. Rows are committed to a file there,
/// or to the database of PostgreSQL that is named.
pub async fn serve(folder: &Path, database_url: &str, listen: SocketAddr) -> Result<()> {
    let saved = fs::read(folder.join(FILE)).context("nothing was saved for the baseline")?;
    let saved: RecordedResponses = serde_json::from_slice(&saved)?;
    let mut reads = HashMap::<String, HashMap<String, Bytes>>::new();
    for (target, value, body) in saved.reads {
        let by = reads.entry(target).or_default();
        by.insert(cookie(&value), body.into());
    }
    let writers = saved.writers.iter();
    let writers = writers.map(|(value, member)| (cookie(value), *member));
    let database = if database_url.is_empty() {
        Config::sqlite(database_file(folder))
    } else {
        Config::postgres(database_url)
    };
    let baseline = Baseline {
        db: Db::open(&database, MIGRATIONS).await?,
        ids: Ids::new(Clock::system(), 0),
        reads,
        writers: writers.collect(),
        writes: saved.writes.map(Bytes::from),
    };
    let router = Router::new()
        .fallback(answer)
        .with_state(Arc::new(baseline));
    let listener = TcpListener::bind(listen).await?;
    axum::serve(listener, router).await?;
    Ok(())
}

/// The header that carries a session.
fn cookie(value: &str) -> String {
    format!("{}={value}", kith::session::COOKIE)
}

async fn answer(State(baseline): State<Arc<Baseline>>, request: Request) -> Response<Body> {
    if request.method() == Method::POST {
        return write(&baseline, request).await;
    }
    let target = request.uri().path_and_query();
    let target = target.map_or("", |target| target.as_str());
    let of = baseline.reads.get(target);
    match of.and_then(|of| of.get(caller(request.headers()))) {
        Some(body) => json(StatusCode::OK, body.clone()),
        None => json(StatusCode::NOT_FOUND, Bytes::new()),
    }
}

fn caller(headers: &HeaderMap) -> &str {
    let cookie = headers.get(header::COOKIE);
    let cookie = cookie.and_then(|cookie| cookie.to_str().ok());
    cookie.unwrap_or_default()
}

async fn write(baseline: &Baseline, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, LARGEST).await;
    let deed = body
        .ok()
        .and_then(|body| Action::read(parts.uri.path(), &body));
    let member = baseline.writers.get(caller(&parts.headers));
    let (Some(deed), Some(member)) = (deed, member) else {
        return json(StatusCode::BAD_REQUEST, Bytes::new());
    };
    let (place, status) = match deed {
        Action::Post(_) => (0, StatusCode::CREATED),
        Action::Like(_) => (1, StatusCode::OK),
        Action::Follow(_) => (2, StatusCode::OK),
    };
    let commit = Commit {
        deed,
        id: baseline.ids.next().0,
        member: *member,
    };
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
