//! The log of what concerns security: who logs in, who is refused, what changes an account.
//!
//! A line has the target `security` and the name of an event. The span of the request stands around
//! it, with the request's id, its route and, once that is known, its member. No line holds an address,
//! a token, a query or a cookie. Deeds of moderators are in the audit log besides.

use crate::platform::ids::Id;
use crate::platform::telemetry::log_limit;

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

/// Emits an event in the span of the present request, if there is one.
pub fn tell(event: Event) {
    tell_about(event, None);
}

fn tell_about(event: Event, target: Option<Id>) {
    let target_id = target.map(|id| id.0.to_string());
    tracing::info!(target: TARGET, event = event.name(), target_id);
}

/// Runs an action and emits its event on success, or an abandoned one if the client hangs up before.
pub(crate) async fn attempt<T, E>(
    event: Event,
    action: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    attempt_on(event, None, action).await
}

pub(crate) async fn attempt_on<T, E>(
    event: Event,
    target: Option<Id>,
    action: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let mut guard = AbandonedGuard(Some(event));
    let result = action.await;
    guard.0 = None;
    if result.is_ok() {
        tell_about(event, target);
    }
    result
}

/// Emits that something was refused, unless the same reason fills the log already.
pub(crate) fn refused(event: Event, reason: &'static str, target: Option<Id>) {
    if log_limit::allow(reason) {
        let target_id = target.map(|id| id.0.to_string());
        tracing::info!(target: TARGET, event = event.name(), target_id, reason);
    }
}

/// The event of an action that has not ended. Dropped so, the client hung up or the server ends.
struct AbandonedGuard(Option<Event>);

impl Drop for AbandonedGuard {
    fn drop(&mut self) {
        // Clients that hang up must not fill the disk either.
        if let Some(call) = self.0.map(Event::name)
            && log_limit::allow(call)
        {
            tracing::info!(target: TARGET, event = Event::Abandoned.name(), call);
        }
    }
}

pub(crate) fn limited(limit: &'static str) {
    tracing::info!(target: TARGET, event = Event::RateLimited.name(), limit);
}

pub(crate) fn identify(member: Id) {
    tracing::Span::current().record("member", member.0);
}
