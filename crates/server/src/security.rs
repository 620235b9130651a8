//! The log of what concerns security: who logs in, who is refused, what changes an account.
//!
//! A line has the target `security` and the name of an event. The span of the request stands around
//! it, with the request's id, its route and, once that is known, its member. No line holds an address,
//! a token, a query or a cookie. Deeds of moderators are in the audit log besides.

use crate::app::App;
use crate::ids::Id;
use crate::{cookies, secrets, session};
use axum::http::{HeaderMap, Method, StatusCode};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::num::NonZeroU32;
use std::sync::LazyLock;
use tracing::Span;

/// What the lines of this log are filtered by, and the span of each request.
pub const TARGET: &str = "security";

macro_rules! events {
    ($($(#[$doc:meta])* $event:ident => $name:literal,)*) => {
        /// What is told of. The names are listed in `docs/operations.md`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Event {
            $($(#[$doc])* $event,)*
        }

        impl Event {
            /// Every event.
            pub const ALL: &[Self] = &[$(Self::$event,)*];

            /// Its name in the log.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$event => $name,)*
                }
            }
        }
    };
}

events! {
    /// Somebody asked for a link.
    LoginAsked => "login_asked",
    /// A mail with a link or a code went out.
    MailSent => "mail_sent",
    /// A link or a code was proven, and a session began or was answered again.
    LoggedIn => "logged_in",
    /// It was refused.
    LoginRefused => "login_refused",
    /// An invite was claimed, and its member made.
    InviteClaimed => "invite_claimed",
    /// A member logged out.
    LoggedOut => "logged_out",
    /// A member ended one session.
    SessionEnded => "session_ended",
    /// A member ended all sessions.
    SessionsEnded => "sessions_ended",
    /// A member asked for another address.
    AddressAsked => "address_asked",
    /// A mailed link or code about it did something.
    AddressConfirmed => "address_confirmed",
    /// It was refused.
    AddressRefused => "address_refused",
    /// A member called it off.
    AddressCancelled => "address_cancelled",
    /// A member asked for a copy of everything.
    ExportAsked => "export_asked",
    /// It was fetched.
    ExportFetched => "export_fetched",
    /// A member wants to leave.
    DeletionAsked => "deletion_asked",
    /// A member stays after all.
    DeletionUndone => "deletion_undone",
    /// A member got a role.
    RoleChanged => "role_changed",
    /// A member was suspended.
    Suspended => "suspended",
    /// A member was let in again.
    Unsuspended => "unsuspended",
    /// A call that would be told ended without an answer: its client hung up.
    Abandoned => "abandoned",
    /// A call was refused: with a session that is none, or for want of a right.
    Refused => "refused",
    /// A limit was met; of each, one line a minute.
    RateLimited => "rate_limited",
}

/// Tells of an event in the span of the present request, if there is one.
pub fn tell(event: Event) {
    tracing::info!(target: TARGET, event = event.name());
}

/// Tells of a limit that was met. The caller sees to it that this is not told too often.
pub(crate) fn limited(limit: &'static str) {
    tracing::info!(target: TARGET, event = Event::RateLimited.name(), limit);
}

/// Notes whose request the present one is.
pub(crate) fn identify(member: Id) {
    tracing::Span::current().record("member", member.0);
}

/// Notes who has logged in by the session of this cookie, and tells if that is the member whom the
/// login would make. It is asked for afterwards: a transaction may run more than once.
pub(crate) async fn logged_in(app: &App, cookie: &str, newcomer: Id) {
    // The login itself is told with the answer, also when the session cannot be read.
    if let Ok(Some(session)) = session::find(app, secrets::hash(cookie)).await {
        identify(session.member);
        if session.member == newcomer {
            tell(Event::InviteClaimed);
        }
    }
}

/// A request, as far as this log tells of it.
#[derive(Debug)]
pub(crate) struct Asked {
    has_session: bool,
    target: Option<String>,
}

impl Asked {
    /// Looks at the head of a request. What stands in the path of a moderator's call is a number.
    pub(crate) fn of(headers: &HeaderMap, path: &str) -> Self {
        let names = [session::HOST_COOKIE, session::COOKIE];
        let mut named = names.iter();
        let has_session = named.any(|name| cookies::value(headers, name).is_some());
        let of_staff = path.starts_with(STAFF);
        let is_short = |part: &str| (1..=ID_DIGITS).contains(&part.len());
        let number = |part: &&str| is_short(part) && part.bytes().all(|b| b.is_ascii_digit());
        let target = path.split('/').find(number).filter(|_| of_staff);
        Self {
            has_session,
            target: target.map(str::to_owned),
        }
    }

    /// Tells of what became of it; `code` is that of a refusal.
    pub(crate) fn answered(
        &self,
        method: &Method,
        route: &str,
        status: StatusCode,
        code: Option<&'static str>,
    ) {
        let Some(event) = self.event(method, route, status, code) else {
            return;
        };
        let reason = code.unwrap_or_default();
        if !status.is_success() && !may_tell(reason) {
            return;
        }
        tracing::info!(
            target: TARGET,
            event = event.name(),
            target_id = self.target.as_deref(),
            status = status.as_u16(),
            reason = code,
        );
    }

    fn event(
        &self,
        method: &Method,
        route: &str,
        status: StatusCode,
        code: Option<&'static str>,
    ) -> Option<Event> {
        if status.is_success() {
            return done(method, route);
        }
        // The limits tell of it themselves, and a busy server refuses nobody in particular.
        if status == StatusCode::TOO_MANY_REQUESTS || !status.is_client_error() {
            return None;
        }
        let is_refused = match status {
            // Whoever opens the landing page has no session and asks whether there is one.
            StatusCode::UNAUTHORIZED => self.has_session,
            StatusCode::FORBIDDEN => true,
            // Whose own case it is gets the same answer as who guesses one.
            StatusCode::NOT_FOUND => {
                let told = ["no_such_call", "report_not_found"];
                route.starts_with(STAFF) && code.is_some_and(|code| told.contains(&code))
            }
            _ => false,
        };
        // What does not get as far as a link or a code says nothing of either.
        let is_about_proof = !matches!(
            status,
            StatusCode::FORBIDDEN
                | StatusCode::METHOD_NOT_ALLOWED
                | StatusCode::UNSUPPORTED_MEDIA_TYPE
        );
        match route {
            _ if !is_about_proof => is_refused.then_some(Event::Refused),
            "/api/auth/verify" | "/api/auth/verify-code" => Some(Event::LoginRefused),
            "/api/account/email/confirm" | "/api/account/email/code" => Some(Event::AddressRefused),
            _ => is_refused.then_some(Event::Refused),
        }
    }
}

/// A request that has no answer yet. Dropped so, because its client hung up or the server ends, it tells
/// of the call that was made: what was begun may be done all the same.
#[derive(Debug)]
pub(crate) struct Unanswered {
    span: Span,
    call: Option<Event>,
}

impl Unanswered {
    /// Waits for the answer of a call that is told of if it succeeds.
    pub(crate) fn of(span: &Span, method: &Method, route: &str) -> Self {
        Self {
            span: span.clone(),
            call: done(method, route),
        }
    }

    /// The answer is there.
    pub(crate) fn answered(mut self) {
        self.call = None;
    }
}

impl Drop for Unanswered {
    fn drop(&mut self) {
        let Some(call) = self.call.map(Event::name) else {
            return;
        };
        // Nor must those who hang up fill the disk.
        if may_tell(call) {
            let event = Event::Abandoned.name();
            self.span
                .in_scope(|| tracing::info!(target: TARGET, event, call));
        }
    }
}

/// Digits of the longest id.
const ID_DIGITS: usize = 19;
/// Lines that are told of each reason in a minute, of refusals, of calls without an answer, and of those that
/// took too long: strangers cause as many as they like, and must not fill the disk with them.
const MOST_LINES: NonZeroU32 = NonZeroU32::new(60).expect("it is not zero");
static LINES: LazyLock<DefaultKeyedRateLimiter<&'static str>> =
    LazyLock::new(|| RateLimiter::keyed(Quota::per_minute(MOST_LINES)));

/// Whether a line that strangers can cause is to be told once more.
pub(crate) fn may_tell(reason: &'static str) -> bool {
    LINES.check_key(&reason).is_ok()
}

/// Where the calls of moderators and admins are.
const STAFF: &str = "/api/admin/";

/// What a call that succeeded is told as.
fn done(method: &Method, route: &str) -> Option<Event> {
    Some(match (method.as_str(), route) {
        ("POST", "/api/auth/request-login-link" | "/api/auth/request-magic-link") => {
            Event::LoginAsked
        }
        (_, "/api/auth/verify" | "/api/auth/verify-code") => Event::LoggedIn,
        ("POST", "/api/auth/logout") => Event::LoggedOut,
        ("DELETE", "/api/auth/sessions/{id}") => Event::SessionEnded,
        ("DELETE", "/api/auth/sessions") => Event::SessionsEnded,
        ("POST", "/api/account/email") => Event::AddressAsked,
        ("DELETE", "/api/account/email") => Event::AddressCancelled,
        ("POST", "/api/account/email/confirm" | "/api/account/email/code") => {
            Event::AddressConfirmed
        }
        ("POST", "/api/account/export") => Event::ExportAsked,
        ("GET", "/api/account/export/file") => Event::ExportFetched,
        ("POST", "/api/account/deletion") => Event::DeletionAsked,
        ("DELETE", "/api/account/deletion") => Event::DeletionUndone,
        ("PUT", "/api/admin/members/{userId}/role") => Event::RoleChanged,
        ("PUT", "/api/admin/members/{userId}/suspension") => Event::Suspended,
        ("DELETE", "/api/admin/members/{userId}/suspension") => Event::Unsuspended,
        _ => return None,
    })
}
