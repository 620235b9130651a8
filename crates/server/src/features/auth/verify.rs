//! Turning a link into a session; `code.rs` has its code.
//!
//! A page load never gets here: only the verification page's own script calls
//! `GET /api/auth/verify`. In the browser that asked, the cookie proves it. In
//! another one, the address the mail went to must be given first.

use crate::features::auth::AuthState;
use crate::features::auth::errors::{
    self, dead, elsewhere, expired, no_token, suspended, try_again, unknown, used, wrong_address,
    wrong_code,
};
use crate::features::auth::login_links::{self, FOUNDING, Link, REPLAY, TRIES};
use crate::features::auth::proof_log::log_proof;
use crate::features::auth::request_link::{nonce_cookie, nonce_in};
use crate::features::auth::{Email, emails, same_origin, sign_up};
use crate::features::members;
use crate::features::sessions::{self, NewSession};
use crate::features::waitlist::Message;
use crate::http::client_ip::ClientIp;
use crate::http::cookies::{self, Cookies};
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, Query};
use crate::platform::clock::Millis;
use crate::platform::config::LinkBinding;
use crate::platform::crypto;
use crate::platform::ids::Id;
use crate::platform::telemetry::security_log::{self, Event};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, Method, header};
use axum::response::AppendHeaders;
use kith_db::{Tx, params};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// What the mailed address carries.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct VerifyQuery {
    /// From the link.
    #[param(value_type = String, min_length = 1, max_length = 200, example = "A28-3g6n3ZXNQqvCuBAS5XhJ_OUt8oKzCTdQxPW6F1mgnDi4ZsQ0oA")]
    pub token: Option<String>,
    /// From a sign-up's link; not read, the server remembers it by itself.
    pub invite: Option<String>,
}

/// The link's token, and the address that the mail went to.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ConfirmRequest {
    /// From the link.
    #[schema(value_type = String, min_length = 1, max_length = 200, example = "A28-3g6n3ZXNQqvCuBAS5XhJ_OUt8oKzCTdQxPW6F1mgnDi4ZsQ0oA")]
    pub token: Option<String>,
    /// The email address the link was sent to.
    #[schema(value_type = String)]
    pub email: Option<String>,
}

/// The answer to a login.
pub(super) type LoggedIn = Result<(Cookies<2>, Json<Message>)>;

/// Logs in by a link, in the browser that asked for it. That browser's cookie proves it; for scripts of
/// the web app only, so a page load, a prefetch and `HEAD` are refused.
#[utoipa::path(get, path = "/api/auth/verify", operation_id = "verifyLink", tag = "auth", params(VerifyQuery), security(()),
    responses((status = 200, body = Message, headers(("Set-Cookie"))), errors::Browser))]
pub async fn verify(
    State(app): State<Arc<AuthState>>,
    client: ClientIp,
    method: Method,
    headers: HeaderMap,
    Query(query): Query<VerifyQuery>,
) -> LoggedIn {
    same_origin::require_same_origin(&method, &headers)?;
    prove(async {
        let link = open(&app, client, query.token.as_deref())?;
        log_in(&app, &headers, link, Proof::Browser).await
    })
    .await
}

/// Logs in by a link in another browser, once the address it was sent to is given. Five wrong addresses kill the link.
#[utoipa::path(post, path = "/api/auth/verify", operation_id = "confirmLink", tag = "auth", request_body = ConfirmRequest, security(()),
    responses((status = 200, body = Message, headers(("Set-Cookie"))), errors::Link, errors::Address))]
pub async fn confirm(
    State(app): State<Arc<AuthState>>,
    client: ClientIp,
    headers: HeaderMap,
    Body(body): Body<ConfirmRequest>,
) -> LoggedIn {
    prove(async {
        let link = open(&app, client, body.token.as_deref())?;
        let email = Email::parse(body.email.as_deref().unwrap_or_default())?;
        log_in(&app, &headers, link, Proof::Address(email)).await
    })
    .await
}

/// Emits what becomes of a login.
pub(super) async fn prove(login: impl Future<Output = LoggedIn>) -> LoggedIn {
    log_proof(Event::LoggedIn, Event::LoginRejected, login).await
}

fn open(app: &AuthState, client: ClientIp, token: Option<&str>) -> Result<Id> {
    let token = token.filter(|token| !token.is_empty());
    let link = token.and_then(|token| login_links::open_token(&app.key, token));
    // No link lives longer than a founder's.
    let counted = link.map(|link| (link, link.time() + FOUNDING + REPLAY));
    login_links::count(app, client, counted)?;
    token.ok_or_else(no_token)?;
    link.ok_or_else(unknown)
}

pub(super) async fn log_in(
    app: &AuthState,
    headers: &HeaderMap,
    link: Id,
    proof: Proof,
) -> LoggedIn {
    let agent = headers
        .get(header::USER_AGENT)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    // Derived, so that the same proof within a minute answers the same session.
    let value = crypto::encode(&app.key.mac("session", &[&link.0.to_be_bytes()]));
    let login = Login {
        link,
        proof,
        nonce: nonce_in(app, headers),
        lenient: app.settings.binding() == LinkBinding::Lenient,
        previous: sessions::hash_in(app, headers),
        session: NewSession {
            id: app.id(),
            value: value.clone(),
            user_agent: agent.chars().take(200).collect(),
        },
        now: app.now(),
        member: app.id(),
        follows: [app.id(), app.id()],
        name: sign_up::provisional_name(),
    };
    let newcomer = login.member;
    match app.db.write(login).await? {
        Outcome::In => note_member(app, &value, newcomer).await,
        Outcome::Wrong(error) => return Err(error),
    }
    let cookies = [
        sessions::cookie(app, &value),
        cookies::set_cookie(app, nonce_cookie(app), "", 0),
    ];
    Ok((AppendHeaders(cookies), Message::new("You are logged in.")))
}

/// Notes the member of a new session in the log, and a claimed invite for a newcomer. The session is read
/// after the commit: a transaction may run twice.
async fn note_member(app: &AuthState, cookie: &str, newcomer: Id) {
    // The login itself is logged with the response, also when the session cannot be read.
    if let Ok(Some(member)) =
        sessions::find_member(&app.sessions, &crypto::hash_secret(cookie)).await
    {
        security_log::record_member(member);
        if member == newcomer {
            security_log::emit(Event::InviteClaimed);
        }
    }
}

/// Why this browser may use the link.
pub(super) enum Proof {
    /// It asked for it.
    Browser,
    /// The address that the mail went to.
    Address(Email),
    /// It asked for it, and the mail's code was right.
    Code,
}

struct Login {
    link: Id,
    proof: Proof,
    /// The hash of the browser's cookie, if it has one.
    nonce: Option<String>,
    lenient: bool,
    /// The stored form of the session with which the browser came.
    previous: Option<String>,
    session: NewSession,
    now: Millis,
    member: Id,
    follows: [Id; 2],
    name: String,
}

/// A wrong guess is counted, so it must be committed: it is an outcome, not an error.
enum Outcome {
    In,
    Wrong(ApiError),
}

impl kith_db::Write for Login {
    type Out = Outcome;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<Outcome> {
        let link = self.link(tx).await?;
        if link.tries >= TRIES || link.code_tries >= self.code_tries() {
            return Err(dead());
        }
        if let Some(at) = link.consumed_at {
            return self.repeat(tx, &link, at).await;
        }
        if self.now >= link.expires_at {
            return Err(expired());
        }
        if let Err(error) = self.prove(&link) {
            if !matches!(self.proof, Proof::Address(_)) {
                return Err(error);
            }
            // Of many guesses at once, no more than `TRIES` learn that they are wrong.
            let counted = tx
                .exec(&login_links::COUNT_TRY, params![self.link.0, TRIES])
                .await?;
            return if counted == 1 {
                Ok(Outcome::Wrong(error))
            } else {
                Err(dead())
            };
        }
        let known = whose(tx, &link).await?;
        // The address is claimed before the link is used: two first links of it could otherwise deadlock.
        let known = match known {
            None => self.take(tx, &link).await?,
            known => known,
        };
        let bound = params![
            self.link.0,
            self.now,
            TRIES,
            self.code_tries(),
            link.expires_at,
            self.nonce.as_deref(),
        ];
        if tx.exec(&login_links::CONSUME, bound).await? == 0 {
            // Somebody may have been faster since the link was read.
            let link = self.link(tx).await?;
            return match link.consumed_at {
                Some(at) if known.is_some() => self.repeat(tx, &link, at).await,
                Some(_) => Err(used()),
                None => Err(dead()),
            };
        }
        let member = match known {
            Some(member) => member,
            None => self.sign_up(tx, &link).await?,
        };
        if let Some(email) = &link.email {
            login_links::end_older(tx, email, self.link, self.now).await?;
        }
        login_links::end_printed(tx, member, self.link, self.now).await?;
        if let Some(previous) = &self.previous {
            sessions::end(tx, previous).await?;
        }
        sessions::start(tx, &self.session, member, self.now).await?;
        Ok(Outcome::In)
    }
}

impl Login {
    async fn link(&self, tx: &mut Tx) -> Result<Link> {
        tx.opt(&login_links::FIND, params![self.link.0], Link::read)
            .await?
            // Its id was signed here, so there was such a link: it was deleted after its time.
            .ok_or_else(expired)
    }

    /// Wrong codes up to which the link still works for this proof: guesses at the code take nothing from the link.
    fn code_tries(&self) -> i64 {
        match self.proof {
            Proof::Code => TRIES,
            Proof::Browser | Proof::Address(_) => i64::from(i16::MAX),
        }
    }

    /// Whether this browser asked for the link.
    fn has_asked(&self, link: &Link) -> bool {
        self.nonce.is_some() && self.nonce == link.nonce_hash
    }

    /// Whether this browser used the link: it has its session or login cookie. Having requested it proves nothing.
    fn has_used(&self, link: &Link) -> bool {
        let session = crypto::hash_secret(&self.session.value);
        self.previous == Some(session) || self.nonce.is_some() && self.nonce == link.consumed_by
    }

    /// Repeats the login of a link used at `at`: a minute long, in the browser that used it.
    async fn repeat(&self, tx: &mut Tx, link: &Link, at: Millis) -> Result<Outcome> {
        if self.now >= at + REPLAY || !self.has_used(link) {
            return Err(used());
        }
        whose(tx, link).await?;
        Ok(Outcome::In)
    }

    /// Claims a new address for a sign-up, unless another link of it was faster: then returns its member.
    async fn take(&self, tx: &mut Tx, link: &Link) -> Result<Option<Id>> {
        let email = link.email.as_deref().ok_or_else(unknown)?;
        if emails::claim(tx, email, self.member).await? {
            return Ok(None);
        }
        match whose(tx, link).await? {
            // Given back since; another try finds it free.
            None => Err(try_again()),
            known => Ok(known),
        }
    }

    fn prove(&self, link: &Link) -> Result<()> {
        match &self.proof {
            Proof::Browser => {
                // A founder's link was printed on the operator's own terminal.
                if self.has_asked(link) || self.lenient || link.member.is_some() {
                    Ok(())
                } else {
                    Err(elsewhere())
                }
            }
            Proof::Address(email) => {
                let same = link.email.as_deref().is_some_and(|stored| {
                    crypto::constant_time_eq(stored.as_bytes(), email.as_str().as_bytes())
                });
                if same { Ok(()) } else { Err(wrong_address()) }
            }
            Proof::Code if self.has_asked(link) => Ok(()),
            Proof::Code => Err(wrong_code()),
        }
    }

    async fn sign_up(&self, tx: &mut Tx, link: &Link) -> Result<Id> {
        let email = link.email.as_deref().ok_or_else(unknown)?;
        let code = link.invite.as_deref().ok_or_else(unknown)?;
        sign_up::create(
            tx,
            &sign_up::NewMember {
                id: self.member,
                email,
                code,
                name: &self.name,
                follows: self.follows,
                now: self.now,
            },
        )
        .await?;
        Ok(self.member)
    }
}

/// The existing member of a link, locked before the link as when all sessions are ended, to keep one order. Only the
/// owner of the address learns of a suspension, and the link is not used up.
async fn whose(tx: &mut Tx, link: &Link) -> Result<Option<Id>> {
    let member = match (link.member, &link.email) {
        (Some(founder), _) => Some(founder),
        (None, Some(email)) => emails::find_by_email(&tx.reader(), email).await?,
        (None, None) => return Err(unknown()),
    };
    match member {
        Some(member) if !members::try_lock_active(tx, member).await? => Err(suspended()),
        member => Ok(member),
    }
}
