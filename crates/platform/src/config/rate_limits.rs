//! Rate limits per IP address and per member: their defaults, and the syntax of `KITH_LIMITS`.

use std::str::FromStr;
use std::time::Duration;

/// Longest period of a limit. Used buckets stay in memory that long.
const MAX_PERIOD: Duration = Duration::from_hours(30 * 24);
/// Largest count of a limit.
const MAX_COUNT: u32 = 1_000_000;

/// Size and refill time of a token bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// Tokens in a full bucket: the largest burst.
    pub count: u32,
    /// Time in which an empty bucket refills, evenly.
    pub period: Duration,
}

impl RateLimit {
    /// Creates a limit of `count` per `minutes`.
    #[must_use]
    pub const fn minutes(count: u32, minutes: u64) -> Self {
        let period = Duration::from_secs(minutes * 60);
        Self { count, period }
    }
}

/// Action without a session, limited per client IP address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnonymousAction {
    /// Requests a login link.
    LoginMail,
    /// Verifies a login link or code.
    Verify,
    /// Requests a sign-up link with a group's invite code, or types the code of its mail.
    JoinGroup,
    /// Joins the waitlist.
    Waitlist,
    /// Reports an error of the web app.
    ClientError,
    /// The same, for all clients together.
    AllClientErrors,
    /// Any request without a session.
    Any,
}

impl AnonymousAction {
    /// All variants, in order of their discriminants.
    pub const ALL: [Self; 7] = [
        Self::LoginMail,
        Self::Verify,
        Self::JoinGroup,
        Self::Waitlist,
        Self::ClientError,
        Self::AllClientErrors,
        Self::Any,
    ];

    /// Returns the name in `KITH_LIMITS` and the default limit.
    #[must_use]
    pub const fn name_and_default(self) -> (&'static str, RateLimit) {
        match self {
            Self::LoginMail => ("login_mail", RateLimit::minutes(25, 5)),
            Self::Verify => ("verify", RateLimit::minutes(30, 5)),
            Self::JoinGroup => ("group", RateLimit::minutes(5_000, 10)),
            Self::Waitlist => ("waitlist", RateLimit::minutes(5, 30)),
            Self::ClientError => ("client_errors", RateLimit::minutes(10, 10)),
            Self::AllClientErrors => ("all_client_errors", RateLimit::minutes(60, 10)),
            Self::Any => ("visitor", RateLimit::minutes(300, 5)),
        }
    }
}

/// Action of a member, limited per member unless the variant says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberAction {
    /// Any request.
    Any,
    /// Creates a post or reply.
    Post,
    /// Mentions a member in a post.
    Mention,
    /// Uses a hashtag in a post.
    Tag,
    /// Likes, reposts or votes, undoes one of these, or deletes a post.
    React,
    /// Follows a member.
    Follow,
    /// Blocks or mutes a member.
    BlockOrMute,
    /// Searches members.
    Search,
    /// Creates an invite code.
    Invite,
    /// Edits the profile or the username.
    Edit,
    /// Creates an upload, or processes an avatar or header.
    Upload,
    /// Sends a file to an upload URL. Limited per upload.
    SendFile,
    /// Opens a mailed link, limited per link, or enters the code of an email change.
    OpenLink,
    /// Reports posts or members.
    Report,
    /// Requests an email change.
    ChangeEmail,
    /// Vouches for a waitlist entry.
    Vouch,
    /// Requests account deletion.
    DeleteAccount,
    /// Acts as a moderator or admin. The audit log keeps every such action permanently.
    Moderate,
}

impl MemberAction {
    /// All variants, in order of their discriminants.
    pub const ALL: [Self; 18] = [
        Self::Any,
        Self::Post,
        Self::Mention,
        Self::Tag,
        Self::React,
        Self::Follow,
        Self::BlockOrMute,
        Self::Search,
        Self::Invite,
        Self::Edit,
        Self::Upload,
        Self::SendFile,
        Self::OpenLink,
        Self::Report,
        Self::ChangeEmail,
        Self::Vouch,
        Self::DeleteAccount,
        Self::Moderate,
    ];

    /// Returns the name in `KITH_LIMITS` and the default limit.
    #[must_use]
    pub const fn name_and_default(self) -> (&'static str, RateLimit) {
        const HOUR: u64 = 60;
        const DAY: u64 = 24 * HOUR;
        match self {
            Self::Any => ("member", RateLimit::minutes(1_500, 5)),
            Self::Post => ("posts", RateLimit::minutes(300, 3 * HOUR)),
            Self::Mention => ("mentions", RateLimit::minutes(600, 3 * HOUR)),
            Self::Tag => ("hashtags", RateLimit::minutes(900, 3 * HOUR)),
            Self::React => ("reactions", RateLimit::minutes(1_666, HOUR)),
            Self::Follow => ("follows", RateLimit::minutes(400, DAY)),
            Self::BlockOrMute => ("kept_away", RateLimit::minutes(300, HOUR)),
            Self::Search => ("searches", RateLimit::minutes(60, 1)),
            Self::Invite => ("invites", RateLimit::minutes(20, DAY)),
            Self::Edit => ("edits", RateLimit::minutes(60, HOUR)),
            Self::Upload => ("uploads", RateLimit::minutes(30, 30)),
            Self::SendFile => ("sends", RateLimit::minutes(20, 10)),
            Self::OpenLink => ("links", RateLimit::minutes(20, 10)),
            Self::Report => ("reports", RateLimit::minutes(30, HOUR)),
            Self::ChangeEmail => ("addresses", RateLimit::minutes(3, HOUR)),
            Self::Vouch => ("vouches", RateLimit::minutes(20, DAY)),
            Self::DeleteAccount => ("deletions", RateLimit::minutes(3, HOUR)),
            Self::Moderate => ("decisions", RateLimit::minutes(300, HOUR)),
        }
    }
}

/// Overrides of the default limits, such as `posts=600/3h,follows=1000/1d`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RateLimits(Vec<(&'static str, RateLimit)>);

impl RateLimits {
    /// Returns the override of a limit by its name, or the default.
    #[must_use]
    pub fn limit_or_default(&self, (name, default): (&str, RateLimit)) -> RateLimit {
        let found = self.0.iter().find(|(limit_name, _)| *limit_name == name);
        found.map_or(default, |(_, limit)| *limit)
    }
}

fn limit_names() -> impl Iterator<Item = &'static str> {
    let member_actions = MemberAction::ALL.into_iter().map(|action| action.name_and_default().0);
    let anonymous_actions =
        AnonymousAction::ALL.into_iter().map(|action| action.name_and_default().0);
    anonymous_actions.chain(member_actions)
}

impl FromStr for RateLimits {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut overrides: Vec<(&'static str, RateLimit)> = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, limit) = part
                .split_once('=')
                .ok_or_else(|| format!("`{part}` is not like `posts=300/3h`"))?;
            let name = name.trim();
            let known = limit_names().find(|known| *known == name).ok_or_else(|| {
                let names = limit_names().collect::<Vec<_>>().join(", ");
                format!("there is no limit `{name}`, only {names}")
            })?;
            if overrides.iter().any(|(other, _)| *other == known) {
                return Err(format!("`{name}` is set twice"));
            }
            overrides.push((known, limit.trim().parse()?));
        }
        Ok(Self(overrides))
    }
}

impl FromStr for RateLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let invalid = || {
            format!(
                "`{text}` is not like `300/3h`: a number up to {MAX_COUNT}, and a time up to 30d in s, m, h or d"
            )
        };
        let parse = || {
            let (count, period) = text.split_once('/')?;
            let (number, unit) = period.split_at_checked(period.len().checked_sub(1)?)?;
            let unit = match unit {
                "s" => 1,
                "m" => 60,
                "h" => 3_600,
                "d" => 24 * 3_600,
                _ => return None,
            };
            let seconds = number.parse::<u64>().ok()?.checked_mul(unit)?;
            let count = count.parse().ok()?;
            let period = Duration::from_secs(seconds);
            Some(Self { count, period })
        };
        let is_in_range = |limit: &Self| {
            (1..=MAX_COUNT).contains(&limit.count)
                && limit.period <= MAX_PERIOD
                && !limit.period.is_zero()
        };
        parse().filter(is_in_range).ok_or_else(invalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(count: u32, seconds: u64) -> RateLimit {
        let period = Duration::from_secs(seconds);
        RateLimit { count, period }
    }

    /// proves: limit-settings
    #[test]
    fn a_setting_is_parsed_or_rejected_with_a_sentence() {
        let overrides =
            " posts=600/3h, verify = 9/90s ,,follows=1000000/30d".parse::<RateLimits>().unwrap();
        let default = RateLimit::minutes(1, 1);
        for (name, expected) in [
            ("posts", seconds(600, 10_800)),
            ("verify", seconds(9, 90)),
            ("follows", seconds(1_000_000, 2_592_000)),
            ("searches", default),
        ] {
            assert_eq!(overrides.limit_or_default((name, default)), expected, "{name}");
        }
        assert_eq!("".parse(), Ok(RateLimits::default()));
        for (text, part) in [
            ("posts", "is not like `posts=300/3h`"),
            ("hearts=1/1m", "there is no limit `hearts`, only login_mail, "),
            ("posts=1/1m,posts=2/1m", "`posts` is set twice"),
            ("posts=", "is not like `300/3h`"),
            ("posts=3", "is not like `300/3h`"),
            ("posts=0/1m", "is not like `300/3h`"),
            ("posts=-1/1m", "is not like `300/3h`"),
            ("posts=1000001/1m", "is not like `300/3h`"),
            ("posts=1/0s", "is not like `300/3h`"),
            ("posts=1/31d", "is not like `300/3h`"),
            ("posts=1/99999999999999999999d", "is not like `300/3h`"),
            ("posts=1/999999999999999999d", "is not like `300/3h`"),
            ("posts=1/h", "is not like `300/3h`"),
            ("posts=1/5w", "is not like `300/3h`"),
            ("posts=1/5\u{20ac}", "is not like `300/3h`"),
            ("posts=1/", "is not like `300/3h`"),
        ] {
            let error = text.parse::<RateLimits>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
