//! Security event log: logins, rejections and account changes.
//!
//! A line has the target `security` and the name of an event, inside the request span with its id, route and, after
//! authentication, member. No line contains an email, token, query string or cookie. Moderator actions also have an
//! entry in the audit log.

use crate::ids::Id;
use crate::telemetry::log_limit;

/// Log target of security events and of the request span.
pub const TARGET: &str = "security";

macro_rules! events {
    ($($(#[$doc:meta])* $event:ident => $name:literal,)*) => {
        /// Security event. The names are listed in `docs/admin/logs.md`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Event {
            $($(#[$doc])* $event,)*
        }

        impl Event {
            /// All events.
            pub const ALL: &[Self] = &[$(Self::$event,)*];

            /// Returns the name of the event in the log.
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
    /// A login link was requested.
    LoginRequested => "login_asked",
    /// A mail with a link or code was sent.
    MailSent => "mail_sent",
    /// A link or code was verified and a session started, or an earlier response was repeated.
    LoggedIn => "logged_in",
    /// A link or code was rejected.
    LoginRejected => "login_refused",
    /// An invite was used and its member created.
    InviteClaimed => "invite_claimed",
    /// A member logged out.
    LoggedOut => "logged_out",
    /// A member ended one session.
    SessionEnded => "session_ended",
    /// A member ended all sessions.
    SessionsEnded => "sessions_ended",
    /// A member requested an email change.
    EmailChangeRequested => "address_asked",
    /// A link or code of an email change was accepted.
    EmailChangeConfirmed => "address_confirmed",
    /// A link or code of an email change was rejected.
    EmailChangeRejected => "address_refused",
    /// A member cancelled an email change.
    EmailChangeCancelled => "address_cancelled",
    /// A member requested a data export.
    ExportRequested => "export_asked",
    /// A data export was downloaded.
    ExportDownloaded => "export_fetched",
    /// A member requested account deletion.
    DeletionRequested => "deletion_asked",
    /// A member cancelled account deletion.
    DeletionCancelled => "deletion_undone",
    /// A member got a role.
    RoleChanged => "role_changed",
    /// A member was suspended.
    Suspended => "suspended",
    /// A suspension was lifted.
    Unsuspended => "unsuspended",
    /// A logged request ended without a response because the client disconnected.
    Abandoned => "abandoned",
    /// A request was rejected: invalid session or missing permission.
    Rejected => "refused",
    /// A rate limit was exceeded; one line per limit and minute.
    RateLimited => "rate_limited",
}

/// Emits an event in the current request span.
pub fn emit(event: Event) {
    emit_on(event, None);
}

fn emit_on(event: Event, target: Option<Id>) {
    let target_id = target.map(|id| id.0.to_string());
    tracing::info!(target: TARGET, event = event.name(), target_id);
}

/// Runs an action and emits its event on success, or `abandoned` if the client disconnects before.
pub async fn attempt<T, E>(
    event: Event,
    action: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    attempt_on(event, None, action).await
}

/// Runs an action on a target member and emits its event with the target, see [`attempt`].
pub async fn attempt_on<T, E>(
    event: Event,
    target: Option<Id>,
    action: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let mut guard = AbandonedGuard(Some(event));
    let result = action.await;
    guard.0 = None;
    if result.is_ok() {
        emit_on(event, target);
    }
    result
}

/// Emits a rejection, at a bounded rate per reason.
pub fn emit_rejected(event: Event, reason: &'static str, target: Option<Id>) {
    if log_limit::allow(reason) {
        let target_id = target.map(|id| id.0.to_string());
        tracing::info!(target: TARGET, event = event.name(), target_id, reason);
    }
}

/// Event of an unfinished action. If it is dropped while set, the client disconnected or the server is stopping.
struct AbandonedGuard(Option<Event>);

impl Drop for AbandonedGuard {
    fn drop(&mut self) {
        // Clients that disconnect must not fill the disk.
        if let Some(call) = self.0.map(Event::name)
            && log_limit::allow(call)
        {
            tracing::info!(target: TARGET, event = Event::Abandoned.name(), call);
        }
    }
}

/// Emits that a rate limit was exceeded; `limit` is its name in `KITH_LIMITS`.
pub(crate) fn emit_rate_limited(limit: &'static str) {
    tracing::info!(target: TARGET, event = Event::RateLimited.name(), limit);
}

/// Records the authenticated member in the current request span.
pub fn record_member(member: Id) {
    tracing::Span::current().record("member", member.0);
}
