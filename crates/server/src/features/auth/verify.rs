//! Exchanges a login link for a session; `verify_code` does so for a code.
//!
//! Only the verification page's script requests `GET /api/auth/verify`; page loads are rejected. The requesting
//! browser proves itself with its nonce cookie, any other one with the email that the mail was sent to.

use crate::features::auth::errors::{
    self, concurrent_sign_up, invalid_link, link_expired, link_used, member_suspended,
    missing_token, too_many_attempts, wrong_browser, wrong_code, wrong_email,
};
use crate::features::auth::login_links::{
    self, FOUNDER_LINK_LIFETIME, LoginLink, MAX_ATTEMPTS, REPLAY_WINDOW,
};
use crate::features::auth::proof_log::log_proof;
use crate::features::auth::request_link::{nonce_cookie, nonce_hash};
use crate::features::auth::{Email, emails, same_origin, sign_up};
use crate::features::members;
use crate::features::sessions::{self, NewSession};
use crate::http::client_ip::ClientIp;
use crate::http::cookies::{self, Cookies};
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, Query};
use crate::http::message::Message;
use crate::platform::Platform;
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
use utoipa::{IntoParams, ToSchema};

/// Query parameters of an emailed link.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct VerifyQuery {
    /// Token from the link.
    #[param(value_type = String, min_length = 1, max_length = 200, example = "A28-3g6n3ZXNQqvCuBAS5XhJ_OUt8oKzCTdQxPW6F1mgnDi4ZsQ0oA")]
    pub token: Option<String>,
    /// Invite code in sign-up links. Ignored: the server stores the code with the link.
    pub invite: Option<String>,
}

/// The token of a link and the email address that it was sent to.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ConfirmRequest {
    /// Token from the link.
    #[schema(value_type = String, min_length = 1, max_length = 200, example = "A28-3g6n3ZXNQqvCuBAS5XhJ_OUt8oKzCTdQxPW6F1mgnDi4ZsQ0oA")]
    pub token: Option<String>,
    /// Email address that the link was sent to.
    #[schema(value_type = String)]
    pub email: Option<String>,
}

/// Response of a login.
pub(super) type LoginResponse = Result<(Cookies<2>, Json<Message>)>;

/// Logs in with an emailed link, in the browser that requested it, as proven by that browser's cookie.
/// Accepts only requests from scripts of the web app: page loads, prefetches and `HEAD` requests are
/// rejected.
#[utoipa::path(get, path = "/api/auth/verify", operation_id = "verifyLink", tag = "auth", params(VerifyQuery), security(()),
    responses((status = 200, body = Message, headers(("Set-Cookie"))), errors::BrowserErrors))]
pub async fn verify_link(
    State(state): State<Platform>,
    client: ClientIp,
    method: Method,
    headers: HeaderMap,
    Query(query): Query<VerifyQuery>,
) -> LoginResponse {
    same_origin::require_same_origin(&method, &headers)?;
    log_login(async {
        let link = open_link(&state, client, query.token.as_deref()).await?;
        log_in(&state, &headers, link, BrowserProof::Nonce).await
    })
    .await
}

/// Logs in with an emailed link in a different browser, given the email address that the link was sent to.
/// Five wrong email addresses invalidate the link.
#[utoipa::path(post, path = "/api/auth/verify", operation_id = "confirmLink", tag = "auth", request_body = ConfirmRequest, security(()),
    responses((status = 200, body = Message, headers(("Set-Cookie"))), errors::LinkErrors, errors::EmailErrors))]
pub async fn confirm_link(
    State(state): State<Platform>,
    client: ClientIp,
    headers: HeaderMap,
    Body(body): Body<ConfirmRequest>,
) -> LoginResponse {
    log_login(async {
        let link = open_link(&state, client, body.token.as_deref()).await?;
        let email = Email::parse(body.email.as_deref().unwrap_or_default())?;
        log_in(&state, &headers, link, BrowserProof::Email(email)).await
    })
    .await
}

/// Emits the security event of a login's result.
pub(super) async fn log_login(login: impl Future<Output = LoginResponse>) -> LoginResponse {
    log_proof(Event::LoggedIn, Event::LoginRejected, login).await
}

/// Verifies the token and rate-limits the attempt.
async fn open_link(state: &Platform, client: ClientIp, token: Option<&str>) -> Result<Id> {
    let token = token.filter(|token| !token.is_empty());
    let link = token.and_then(|token| login_links::verify_token(&state.key, token));
    // The founder's link has the longest lifetime.
    let key = link.map(|link| (link, link.time() + FOUNDER_LINK_LIFETIME + REPLAY_WINDOW));
    login_links::check_attempt_rate(state, client, key).await?;
    token.ok_or_else(missing_token)?;
    link.ok_or_else(invalid_link)
}

pub(super) async fn log_in(
    state: &Platform,
    headers: &HeaderMap,
    link: Id,
    proof: BrowserProof,
) -> LoginResponse {
    let agent =
        headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    // Derived from the link, so that a replay within a minute returns the same session.
    let value = crypto::encode(&state.key.mac("session", &[&link.0.to_be_bytes()]));
    let login = Login {
        link,
        proof,
        nonce: nonce_hash(state, headers),
        is_lenient: state.settings.link_binding_or_default() == LinkBinding::Lenient,
        previous: sessions::hash_in(state, headers),
        session: NewSession {
            id: state.id(),
            value: value.clone(),
            user_agent: agent.chars().take(200).collect(),
        },
        now: state.now(),
        new_member: state.id(),
        follows: [state.id(), state.id()],
        name: sign_up::provisional_name(),
    };
    let new_member = login.new_member;
    match state.db.write(login).await? {
        LoginOutcome::LoggedIn(member) => log_member(member, new_member),
        LoginOutcome::WrongEmail(error) => return Err(error),
    }
    let cookies = [
        sessions::build_cookie(state, &value),
        cookies::set_cookie(state, nonce_cookie(state), "", 0),
    ];
    Ok((AppendHeaders(cookies), Message::new("You are logged in.")))
}

/// Records the member in the security log, and the claim of an invite if the member is new.
fn log_member(member: Option<Id>, new_member: Id) {
    if let Some(member) = member {
        security_log::record_member(member);
    }
    if member == Some(new_member) {
        security_log::emit(Event::InviteClaimed);
    }
}

/// Proof that this browser may use the link.
pub(super) enum BrowserProof {
    /// The nonce cookie of the requesting browser.
    Nonce,
    /// The email that the link was sent to.
    Email(Email),
    /// The nonce cookie, and the code in the link's mail.
    Code,
}

struct Login {
    link: Id,
    proof: BrowserProof,
    /// Hash of the browser's nonce cookie.
    nonce: Option<String>,
    /// Whether any browser may use the link.
    is_lenient: bool,
    /// Hash of the browser's session cookie.
    previous: Option<String>,
    session: NewSession,
    now: Millis,
    /// Id of the member if the login creates one.
    new_member: Id,
    /// Ids of the follows between a new member and the inviter.
    follows: [Id; 2],
    /// Provisional username of a new member.
    name: String,
}

enum LoginOutcome {
    /// The member; `None` if a replayed link's email has changed meanwhile.
    LoggedIn(Option<Id>),
    /// An outcome, not an error, because the counted attempt must be committed.
    WrongEmail(ApiError),
}

impl kith_db::Write for Login {
    type Out = LoginOutcome;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<LoginOutcome> {
        let link = self.load_link(tx).await?;
        if link.tries >= MAX_ATTEMPTS || link.code_tries >= self.max_code_attempts() {
            return Err(too_many_attempts());
        }
        if let Some(used_at) = link.consumed_at {
            return self.replay(tx, &link, used_at).await;
        }
        if self.now >= link.expires_at {
            return Err(link_expired());
        }
        if let Err(error) = self.check_proof(&link) {
            if !matches!(self.proof, BrowserProof::Email(_)) {
                return Err(error);
            }
            // Checked and incremented in one statement, so that concurrent guesses cannot exceed `MAX_ATTEMPTS`.
            let counted = tx
                .exec(&login_links::COUNT_WRONG_EMAIL, params![self.link.0, MAX_ATTEMPTS])
                .await?;
            return if counted == 1 {
                Ok(LoginOutcome::WrongEmail(error))
            } else {
                Err(too_many_attempts())
            };
        }
        let known = lock_member(tx, &link).await?;
        // Reserves the email before consuming the link: two first links of one email could deadlock otherwise.
        let known = match known {
            None => self.reserve_email(tx, &link).await?,
            known => known,
        };
        let parameters = params![
            self.link.0,
            self.now,
            MAX_ATTEMPTS,
            self.max_code_attempts(),
            link.expires_at,
            self.nonce.as_deref(),
        ];
        if tx.exec(&login_links::CONSUME, parameters).await? == 0 {
            // Another transaction may have used the link since it was read.
            let link = self.load_link(tx).await?;
            return match link.consumed_at {
                Some(used_at) if known.is_some() => self.replay(tx, &link, used_at).await,
                Some(_) => Err(link_used()),
                None => Err(too_many_attempts()),
            };
        }
        let member = match known {
            Some(member) => member,
            None => self.sign_up(tx, &link).await?,
        };
        if let Some(email) = &link.email {
            login_links::expire_older(tx, email, self.link, self.now).await?;
        }
        login_links::expire_operator_links(tx, member, self.link, self.now).await?;
        if let Some(previous) = &self.previous {
            sessions::end_session(tx, previous).await?;
        }
        sessions::start_session(tx, &self.session, member, self.now).await?;
        Ok(LoginOutcome::LoggedIn(Some(member)))
    }
}

impl Login {
    async fn load_link(&self, tx: &mut Tx) -> Result<LoginLink> {
        tx.opt(&login_links::FIND, params![self.link.0], LoginLink::from_row)
            .await?
            // This server signed the id, so the link existed and was purged after it expired.
            .ok_or_else(link_expired)
    }

    /// Returns the number of wrong codes after which this proof is rejected; wrong codes do not disable the link.
    fn max_code_attempts(&self) -> i64 {
        match self.proof {
            BrowserProof::Code => MAX_ATTEMPTS,
            BrowserProof::Nonce | BrowserProof::Email(_) => i64::from(i16::MAX),
        }
    }

    /// Checks whether this browser requested the link.
    fn is_requesting_browser(&self, link: &LoginLink) -> bool {
        self.nonce.is_some() && self.nonce == link.nonce_hash
    }

    /// Checks whether this browser used the link, by the session or nonce cookie. Having requested it is no proof.
    fn may_replay(&self, link: &LoginLink) -> bool {
        let session = crypto::hash_secret(&self.session.value);
        self.previous == Some(session) || self.nonce.is_some() && self.nonce == link.consumed_by
    }

    /// Replays the login of a link used at `used_at`: for one minute, in the browser that used it.
    async fn replay(&self, tx: &mut Tx, link: &LoginLink, used_at: Millis) -> Result<LoginOutcome> {
        if self.now >= used_at + REPLAY_WINDOW || !self.may_replay(link) {
            return Err(link_used());
        }
        let member = lock_member(tx, link).await?;
        Ok(LoginOutcome::LoggedIn(member))
    }

    /// Reserves the email for a sign-up. Returns the member if another link of the email has created one meanwhile.
    async fn reserve_email(&self, tx: &mut Tx, link: &LoginLink) -> Result<Option<Id>> {
        let email = link.email.as_deref().ok_or_else(invalid_link)?;
        if emails::insert_unique(tx, email, self.new_member).await? {
            return Ok(None);
        }
        match lock_member(tx, link).await? {
            // The email was released since the insert; a retry can reserve it.
            None => Err(concurrent_sign_up()),
            known => Ok(known),
        }
    }

    fn check_proof(&self, link: &LoginLink) -> Result<()> {
        match &self.proof {
            BrowserProof::Nonce => {
                // Links with a member were printed on the operator's terminal.
                if self.is_requesting_browser(link) || self.is_lenient || link.member.is_some() {
                    Ok(())
                } else {
                    Err(wrong_browser())
                }
            }
            BrowserProof::Email(email) => {
                let is_recipient = link.email.as_deref().is_some_and(|stored| {
                    crypto::constant_time_eq(stored.as_bytes(), email.as_str().as_bytes())
                });
                if is_recipient { Ok(()) } else { Err(wrong_email()) }
            }
            BrowserProof::Code if self.is_requesting_browser(link) => Ok(()),
            BrowserProof::Code => Err(wrong_code()),
        }
    }

    async fn sign_up(&self, tx: &mut Tx, link: &LoginLink) -> Result<Id> {
        let email = link.email.as_deref().ok_or_else(invalid_link)?;
        let code = link.invite.as_deref().ok_or_else(invalid_link)?;
        sign_up::create_member(
            tx,
            &sign_up::SignUp {
                id: self.new_member,
                email,
                code,
                name: &self.name,
                follows: self.follows,
                now: self.now,
            },
        )
        .await?;
        Ok(self.new_member)
    }
}

/// Finds and locks the link's member, before the link: ending all sessions locks in the same order. A suspension is
/// reported only to the email's owner, and does not consume the link.
async fn lock_member(tx: &mut Tx, link: &LoginLink) -> Result<Option<Id>> {
    let member = match (link.member, &link.email) {
        (Some(member), _) => Some(member),
        (None, Some(email)) => emails::find_by_email(&tx.reader(), email).await?,
        (None, None) => return Err(invalid_link()),
    };
    match member {
        Some(member) if !members::try_lock_active(tx, member).await? => {
            let status = members::load_status(&tx.reader(), member).await?;
            let until = status.and_then(|status| status.suspended_until);
            Err(member_suspended().lasting_until(until))
        }
        member => Ok(member),
    }
}
