//! A member who calls, of whom it may not be known yet that they are still here.
//!
//! Whether a member was suspended can be asked once their session was found. Nothing that they read
//! depends on the answer, only whether they are shown it. So a call that is made often takes a
//! [`Caller`] and asks both at once: on PostgreSQL that is a wait less. Those that end sessions, or
//! show them, take an [`Ender`], all others a [`Session`].

use crate::admission::{self, Whose};
use crate::app::App;
use crate::client::Client;
use crate::error::{ApiError, Result};
use crate::ids::Id;
use crate::limits::{Act, Visit};
use crate::session::{self, Presence, Session};
use crate::{security, users};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use futures_util::future::BoxFuture;
use kith_db::{Reader, Tx};

impl FromRequestParts<App> for Session {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let session: BoxFuture<'_, _> = Box::pin(member_in(parts, app));
        session.await
    }
}

// These are in a box of their own: each handler would bring its own copy of how they are waited for,
// together 157 KB of program.

async fn member_in(parts: &mut Parts, app: &App) -> Result<Session> {
    let client = client_of(parts, app).await;
    let session = come(parts, app, client).await?;
    app.limits.act(Act::Any, session.member)?;
    admission::share(app, Whose::Member(session.member)).await?;
    Ok(session)
}

/// The logged-in member of a call that ends sessions, or that the app makes to offer that. Who has stolen a
/// session could use the member's allowance up, and their share of the places, so that the owner does not
/// get to end it: such a call has a share with those that the member makes from the same home, and then draws on the
/// allowance of its address.
#[derive(Debug, Clone)]
pub struct Ender(pub Session);

impl FromRequestParts<App> for Ender {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let client = client_of(parts, app).await;
        let session = come(parts, app, client).await?;
        if app.limits.act(Act::Any, session.member).is_err() {
            app.limits.visit(Visit::Any, client)?;
        }
        admission::share(app, Whose::Ending(session.member, client.home())).await?;
        Ok(Self(session))
    }
}

/// The session that came with a request.
async fn come(parts: &Parts, app: &App, client: Client) -> Result<Session> {
    let found = match session::hash_in(app, &parts.headers) {
        Some(hash) => {
            share_look(app, &hash, client).await?;
            session::find(app, hash).await?
        }
        None => None,
    };
    // A cookie that is no session's must not buy a member's allowance.
    let Some(session) = found else {
        app.limits.visit(Visit::Any, client)?;
        return Err(ApiError::unauthorized());
    };
    security::identify(session.member);
    Ok(session)
}

/// Counts a call among those of its home while its session is looked for, unless that is remembered: with
/// invented cookies, each of which costs a look, one client would take all places. Addresses that have used
/// their looks up have one share together: some of them are as many homes as there are places for.
async fn share_look(app: &App, hash: &str, client: Client) -> Result<()> {
    if session::is_remembered(app, hash) {
        return Ok(());
    }
    let whose = match app.limits.visit(Visit::Look, client) {
        Ok(()) => Whose::Home(client.home()),
        Err(_) => Whose::Looking,
    };
    admission::share(app, whose).await
}

async fn client_of(parts: &mut Parts, app: &App) -> Client {
    match Client::from_request_parts(parts, app).await {
        Ok(client) => client,
        Err(never) => match never {},
    }
}

/// The member whose session came with a request; without one the call answers 401. What is done for
/// them goes through [`reads`](Self::reads) or asks [`confirm`](Self::confirm).
#[derive(Debug, Clone)]
pub struct Caller {
    /// The member. A suspended one must not be answered.
    pub member: Id,
    presence: Presence,
    client: Client,
}

impl FromRequestParts<App> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let caller: BoxFuture<'_, _> = Box::pin(call(parts, app));
        caller.await
    }
}

async fn call(parts: &mut Parts, app: &App) -> Result<Caller> {
    let client = client_of(parts, app).await;
    let found = match session::hash_in(app, &parts.headers) {
        Some(hash) => {
            share_look(app, &hash, client).await?;
            session::look_up(app, hash, Presence::Unasked).await?
        }
        None => None,
    };
    // A cookie that is no session's must not buy a member's allowance.
    let Some((session, presence)) = found else {
        app.limits.visit(Visit::Any, client)?;
        return Err(ApiError::unauthorized());
    };
    security::identify(session.member);
    app.limits.act(Act::Any, session.member)?;
    admission::share(app, Whose::Member(session.member)).await?;
    Ok(Caller {
        member: session.member,
        presence,
        client,
    })
}

impl Caller {
    /// What some reads answer, if the member is still here; 401 if not.
    pub async fn reads<T>(
        &self,
        app: &App,
        db: &Reader<'_>,
        reads: impl Future<Output = Result<T>> + Send,
    ) -> Result<T> {
        if self.presence == Presence::Asked {
            return reads.await;
        }
        let here = users::is_still_here(app, db, self.member);
        let (here, read) = futures_util::join!(here, reads);
        if !here? {
            app.limits.visit(Visit::Any, self.client)?;
            return Err(ApiError::unauthorized());
        }
        read
    }

    /// Answers 401 to a member who is not here any more, from inside a write. It is asked there whatever was
    /// known before.
    pub async fn confirm(&self, tx: &Tx) -> Result<()> {
        users::check_here(tx, self.member).await
    }
}
