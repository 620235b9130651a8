//! The floor: a server on the same HTTP stack that works as little as an answer allows. To a read it
//! answers the bytes that the product answered; of a write it commits the rows, durably and grouped
//! as in the product, and nothing else.

use anyhow::{Context as _, Result};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{Method, Response, StatusCode, header};
use kith::clock::Clock;
use kith::ids::Ids;
use kith::schema::MIGRATIONS;
use kith_db::{Config, Db, Sql, Tx, Write, params, sql};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use tokio::net::TcpListener;

const FILE: &str = "answers.json";
/// A body that the floor takes, in bytes.
const LARGEST: usize = 64 * 1024;

const POST: Sql = sql!(
    "insert into posts (id, author_id, content, like_count, repost_count, reply_count, rank)
     values ($1, $2, $3, 0, 0, 0, $4)"
);
const AUTHOR_POST: Sql =
    sql!("insert into author_posts (author_id, id, kind, media) values ($1, $2, 0, 0)");
const LIKE: Sql = sql!("insert into likes (post_id, member_id, id) values ($1, $2, $3)");
const MEMBER_LIKE: Sql =
    sql!("insert into member_likes (member_id, post_id, id) values ($1, $2, $3)");
const FOLLOW: Sql = sql!("insert into follows (follower_id, followee_id, id) values ($1, $2, $3)");
const FOLLOWER: Sql =
    sql!("insert into followers (followee_id, follower_id, id) values ($1, $2, $3)");
const NOTIFICATION: Sql = sql!(
    "insert into notifications (member_id, id, kind, actor_id, post_id) values ($1, $2, $3, $4, $5)"
);

/// What the product answered.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Answers {
    /// Reads: what was asked for, with which cookie, and the body.
    pub reads: Vec<(String, String, String)>,
    /// Bodies of a post, a like and a follow.
    pub writes: [String; 3],
}

impl Answers {
    /// Saves them where [`serve`] looks.
    pub fn save(&self, folder: &Path) -> Result<()> {
        Ok(fs::write(folder.join(FILE), serde_json::to_vec(self)?)?)
    }
}

/// What a handler shares.
struct Floor {
    db: Db,
    ids: Ids,
    reads: HashMap<String, HashMap<String, Bytes>>,
    writes: [Bytes; 3],
}

/// What a write leaves behind.
#[derive(Debug, Clone, Copy)]
enum Rows {
    Post,
    Like,
    Follow,
}

struct Commit {
    rows: Rows,
    id: i64,
    /// The text of a post.
    text: String,
}

impl Write for Commit {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        // Other members and posts than this row's own id do not matter to the disk.
        let id = self.id;
        match self.rows {
            Rows::Post => {
                tx.exec(&POST, params![id, 1, &self.text, id]).await?;
                tx.exec(&AUTHOR_POST, params![1, id]).await?;
            }
            Rows::Like => {
                tx.exec(&LIKE, params![id, 1, id]).await?;
                tx.exec(&MEMBER_LIKE, params![1, id, id]).await?;
                tx.exec(&NOTIFICATION, params![2, id, 1, 1, id]).await?;
            }
            Rows::Follow => {
                tx.exec(&FOLLOW, params![1, id, id]).await?;
                tx.exec(&FOLLOWER, params![id, 1, id]).await?;
                tx.exec(&NOTIFICATION, params![id, id, 0, 1, 0]).await?;
            }
        }
        Ok(())
    }
}

/// Serves what was saved in the folder until the process is ended. Rows are committed to a file there,
/// or to the database of PostgreSQL that is named.
pub async fn serve(folder: &Path, database_url: &str, listen: SocketAddr) -> Result<()> {
    let saved = fs::read(folder.join(FILE)).context("nothing was saved for the floor")?;
    let saved: Answers = serde_json::from_slice(&saved)?;
    let mut reads = HashMap::<String, HashMap<String, Bytes>>::new();
    for (target, cookie, body) in saved.reads {
        let cookie = format!("{}={cookie}", kith::session::COOKIE);
        reads.entry(target).or_default().insert(cookie, body.into());
    }
    let database = if database_url.is_empty() {
        Config::sqlite(folder.join("floor.db"))
    } else {
        Config::postgres(database_url)
    };
    let floor = Floor {
        db: Db::open(&database, MIGRATIONS).await?,
        ids: Ids::new(Clock::system(), 0),
        reads,
        writes: saved.writes.map(Bytes::from),
    };
    let router = Router::new().fallback(answer).with_state(Arc::new(floor));
    let listener = TcpListener::bind(listen).await?;
    axum::serve(listener, router).await?;
    Ok(())
}

async fn answer(State(floor): State<Arc<Floor>>, request: Request) -> Response<Body> {
    if request.method() == Method::POST {
        return write(&floor, request).await;
    }
    let target = request
        .uri()
        .path_and_query()
        .map_or("", |target| target.as_str());
    let cookie = request.headers().get(header::COOKIE);
    let cookie = cookie
        .and_then(|cookie| cookie.to_str().ok())
        .unwrap_or_default();
    let body = floor.reads.get(target).and_then(|of| of.get(cookie));
    match body {
        Some(body) => json(StatusCode::OK, body.clone()),
        None => json(StatusCode::NOT_FOUND, Bytes::new()),
    }
}

async fn write(floor: &Floor, request: Request) -> Response<Body> {
    let (rows, status) = match request.uri().path() {
        "/api/posts" => (Rows::Post, StatusCode::CREATED),
        "/api/follows" => (Rows::Follow, StatusCode::OK),
        _ => (Rows::Like, StatusCode::OK),
    };
    let Ok(body) = axum::body::to_bytes(request.into_body(), LARGEST).await else {
        return json(StatusCode::BAD_REQUEST, Bytes::new());
    };
    let commit = Commit {
        rows,
        id: floor.ids.next().0,
        text: String::from_utf8_lossy(&body).into_owned(),
    };
    match floor.db.write(commit).await {
        Ok(()) => json(status, floor.writes[rows as usize].clone()),
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
