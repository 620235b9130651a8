//! The table of rate limits.

use crate::pages::check_part;
use kith::platform::config::rate_limits::RateLimit;
use kith::platform::rate_limit::{AnonymousAction, MemberAction};
use std::fmt::Write as _;

/// Action that each limit bounds, and what it counts by.
const LIMITS: &[(&str, &str, &str)] = &[
    ("login_mail", "Requesting a login or sign-up link", "IP address"),
    (
        "verify",
        "Trying a link that was never mailed or has expired, or a code to log in",
        "IP address",
    ),
    (
        "group",
        "Requesting a sign-up link with the open code of a group, instead of `login_mail`; then typing the code of its \
         mail, instead of `verify`",
        "IP address",
    ),
    ("waitlist", "Joining the waitlist", "IP address"),
    ("client_errors", "Reporting an error of the web app", "IP address"),
    ("all_client_errors", "Reporting an error of the web app", "network"),
    (
        "visitor",
        "Any request for members without a session; a file sent to an upload URL that the server did not issue; a \
         request for a link or a waitlist entry with an invalid email; unsubscribing from the digest",
        "IP address",
    ),
    ("member", "Any request of a member", "member"),
    ("posts", "Posts and replies", "member"),
    ("mentions", "Mentions in posts", "member"),
    ("hashtags", "Tags in posts", "member"),
    ("reactions", "Likes, reposts, votes, undoing them, deleting", "member"),
    ("follows", "Follows", "member"),
    ("kept_away", "Blocks and mutes", "member"),
    ("searches", "Searches", "member"),
    ("invites", "Creating invite codes, whose quota revoking gives back", "member"),
    ("edits", "Changing the profile or the username", "member"),
    (
        "uploads",
        "Creating upload URLs; processing an uploaded file as a picture or header",
        "member",
    ),
    ("sends", "Sending a file to one upload URL", "upload"),
    (
        "links",
        "Trying a mailed link that has not expired, of any mail; entering the code of a change of email",
        "link; member",
    ),
    ("reports", "Reports", "member"),
    ("addresses", "Changes of email", "member"),
    ("vouches", "Vouching for an email on the waitlist", "member"),
    ("deletions", "Requesting account deletion; not keeping the account", "member"),
    (
        "decisions",
        "Staff decisions: suspending, freezing, roles, removing posts, reports, admitting; not the operator's commands",
        "member",
    ),
];

/// A limit in words, such as `300 in 3 hours`.
fn in_words(limit: RateLimit) -> String {
    let minutes = limit.period.as_secs() / 60;
    let (number, unit) = match minutes {
        minutes if minutes % (24 * 60) == 0 => (minutes / (24 * 60), "day"),
        minutes if minutes % 60 == 0 => (minutes / 60, "hour"),
        minutes => (minutes, "minute"),
    };
    let count = match limit.count {
        count if count >= 1_000 => format!("{},{:03}", count / 1_000, count % 1_000),
        count => count.to_string(),
    };
    match (number, unit) {
        (1, "hour") => format!("{count} an hour"),
        (1, unit) => format!("{count} a {unit}"),
        (number, unit) => format!("{count} in {number} {unit}s"),
    }
}

/// proves: operate-book
#[test]
fn the_book_lists_all_rate_limits() {
    let anonymous = AnonymousAction::ALL.map(AnonymousAction::name_and_default);
    let members = MemberAction::ALL.map(MemberAction::name_and_default);
    let mut table = "| Name | Action | Limit | Per |\n|---|---|---|---|\n".to_owned();
    for (name, limit) in anonymous.into_iter().chain(members) {
        let described = LIMITS.iter().find(|(described, ..)| *described == name);
        let (_, action, per) =
            described.unwrap_or_else(|| panic!("describe the limit {name} here"));
        let _ = writeln!(table, "| `{name}` | {action} | {} | {per} |", in_words(limit));
    }
    assert_eq!(LIMITS.len(), AnonymousAction::ALL.len() + MemberAction::ALL.len());
    check_part("docs/reference/limits.md", "limits", &table);
}

#[test]
fn limits_are_written_in_words() {
    let limits = [(25, 5), (300, 180), (1_666, 60), (400, 1_440), (60, 1)];
    let words = limits.map(|(count, minutes)| in_words(RateLimit::minutes(count, minutes)));
    assert_eq!(
        words,
        ["25 in 5 minutes", "300 in 3 hours", "1,666 an hour", "400 a day", "60 a minute"]
    );
}
