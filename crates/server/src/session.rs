//! Who is calling: the session cookie and the member behind it.

use crate::app::App;
use crate::clock::{DAY, HOUR, Millis};
use crate::error::{ApiError, Result};
use crate::ids::Id;
use crate::limits::{Act, Client, Visit};
use crate::{secrets, users};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use kith_db::{Sql, Tx, params, sql};
use std::time::Duration;

/// The cookie's name on http.
pub const COOKIE: &str = "session";
/// The cookie's name on https: browsers accept the `__Host-` prefix only there.
pub const HOST_COOKIE: &str = "__Host-session";

/// A session ends after this long without a request.
pub const IDLE: Millis = 14 * DAY;
/// A session ends this long after login whatever happens.
pub const ABSOLUTE: Millis = 30 * DAY;
/// How stale the time of the last request may be: a write an hour, not one a request.
const TOUCH: Millis = HOUR;
/// How long a request waits for that write.
const TOUCH_PATIENCE: Duration = Duration::from_secs(1);

const INSERT: Sql = sql!(
    "insert into sessions (hash, member_id, created_at, seen_at, user_agent) values ($1, $2, $3, $3, $4)
     on conflict (hash) do nothing"
);
const FIND: Sql = sql!("select member_id, created_at, seen_at from sessions where hash = $1");
const TOUCHED: Sql = sql!("update sessions set seen_at = $2 where hash = $1");
const DELETE: Sql = sql!("delete from sessions where hash = $1");
const DELETE_ALL: Sql = sql!("delete from sessions where member_id = $1");

/// The logged-in member of a request; without one the call answers 401.
#[derive(Debug, Clone)]
pub struct Session {
    /// The member.
    pub member: Id,
    /// The stored form of the cookie.
    pub hash: String,
}

impl FromRequestParts<App> for Session {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let jar = CookieJar::from_headers(&parts.headers);
        let session = match jar.get(cookie_name(app)) {
            Some(cookie) => find(app, secrets::hash(cookie.value())).await?,
            None => None,
        };
        if let Some(session) = session {
            app.limits.act(Act::Any, session.member)?;
            return Ok(session);
        }
        // A cookie that is no session's must not buy a member's allowance.
        match Client::from_request_parts(parts, app).await {
            Ok(client) => app.limits.visit(Visit::Any, client)?,
            Err(never) => match never {},
        }
        Err(ApiError::unauthorized())
    }
}

async fn find(app: &App, hash: String) -> Result<Option<Session>> {
    let reader = app.db.reader().await?;
    let row = reader
        .opt(&FIND, params![&hash], |row| {
            Ok((Id(row.int(0)?), row.int(1)?, row.int(2)?))
        })
        .await?;
    let Some((member, created, seen)) = row else {
        return Ok(None);
    };
    let now = app.now();
    if now >= created + ABSOLUTE || now >= seen + IDLE {
        return Ok(None);
    }
    if !users::is_here(&reader, member).await? {
        return Ok(None);
    }
    // A write takes a connection of its own: whoever holds one while waiting for
    // another can starve the pool.
    drop(reader);
    if now >= seen + TOUCH {
        // Best effort: a full disk or a slow commit must not log anybody out.
        let touch = app.db.write(Touch {
            hash: hash.clone(),
            now,
        });
        if !matches!(
            tokio::time::timeout(TOUCH_PATIENCE, touch).await,
            Ok(Ok(()))
        ) {
            tracing::warn!("a session could not be marked as used");
        }
    }
    Ok(Some(Session { member, hash }))
}

struct Touch {
    hash: String,
    now: Millis,
}

impl kith_db::Write for Touch {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&TOUCHED, params![&self.hash, self.now])
            .await
            .map(drop)
    }
}

/// Starts a session inside the transaction that proves the login; `value` is what the cookie will hold.
pub async fn start(
    tx: &mut Tx,
    value: &str,
    member: Id,
    now: Millis,
    user_agent: &str,
) -> kith_db::Result<()> {
    tx.exec(
        &INSERT,
        params![&secrets::hash(value), member.0, now, user_agent],
    )
    .await
    .map(drop)
}

/// Ends a session.
#[derive(Debug)]
pub struct End {
    /// The stored form of the cookie.
    pub hash: String,
}

impl kith_db::Write for End {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&DELETE, params![&self.hash]).await.map(drop)
    }
}

/// Ends every session of a member.
pub async fn end_all(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    tx.exec(&DELETE_ALL, params![member.0]).await.map(drop)
}

/// The cookie of a new session, or the one that removes it when `value` is empty.
#[must_use]
pub fn cookie(app: &App, value: String) -> Cookie<'static> {
    let age = if value.is_empty() {
        0
    } else {
        ABSOLUTE / 1_000
    };
    secure_cookie(app, cookie_name(app), value, age)
}

/// A cookie that scripts cannot read and other sites' requests do not carry.
#[must_use]
pub fn secure_cookie(
    app: &App,
    name: &'static str,
    value: String,
    seconds: i64,
) -> Cookie<'static> {
    Cookie::build((name, value))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(app.settings.https())
        .max_age(time::Duration::seconds(seconds))
        .build()
}

fn cookie_name(app: &App) -> &'static str {
    if app.settings.https() {
        HOST_COOKIE
    } else {
        COOKIE
    }
}
