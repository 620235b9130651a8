//! How many of something in which time, as an operator sets it.

use std::str::FromStr;
use std::time::Duration;

/// Longest time that an allowance can be for: what was used is kept in memory that long.
const LONGEST: Duration = Duration::from_hours(30 * 24);
/// Most that an allowance can be.
const MOST: u32 = 1_000_000;

/// How many in which time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// All of them may come at once.
    pub count: u32,
    /// The time in which as many come back, evenly.
    pub period: Duration,
}

impl Allowance {
    /// So many in so many minutes.
    #[must_use]
    pub const fn minutes(count: u32, minutes: u64) -> Self {
        let period = Duration::from_secs(minutes * 60);
        Self { count, period }
    }
}

/// What a visitor's address does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visit {
    /// Asks for a mail with a link.
    LoginMail,
    /// Tries a link or a code.
    Verify,
    /// Joins the waitlist.
    Waitlist,
    /// Any call without a session.
    Any,
}

impl Visit {
    /// All of them, in their order.
    pub const ALL: [Self; 4] = [Self::LoginMail, Self::Verify, Self::Waitlist, Self::Any];

    /// What it is called, and what an address may do unless it is set otherwise.
    #[must_use]
    pub const fn usual(self) -> (&'static str, Allowance) {
        match self {
            Self::LoginMail => ("login_mail", Allowance::minutes(25, 5)),
            Self::Verify => ("verify", Allowance::minutes(30, 5)),
            Self::Waitlist => ("waitlist", Allowance::minutes(5, 30)),
            Self::Any => ("visitor", Allowance::minutes(300, 5)),
        }
    }
}

/// What a member does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Any call.
    Any,
    /// Posts or replies.
    Post,
    /// Names somebody in a post.
    Mention,
    /// Writes a tag into a post.
    Tag,
    /// Likes, reposts or votes, takes them back, or deletes.
    React,
    /// Follows.
    Follow,
    /// Blocks or mutes.
    KeepAway,
    /// Searches.
    Search,
    /// Makes invite codes, which revoking gives back.
    Invite,
    /// Changes the profile or the username.
    Edit,
    /// Asks for an address to upload to, or has a picture or header made of what was sent.
    Upload,
    /// Sends a file to one address: counted by the upload, of which a member has a few.
    Send,
    /// Opens a mailed link, which is counted by the link; or types the code of a change of address.
    Link,
    /// Reports posts or members.
    Report,
    /// Asks for another mail address.
    Address,
    /// Vouches for somebody.
    Vouch,
    /// Asks to be deleted.
    Leave,
    /// Decides as a moderator or an admin, each of which the audit log keeps for good.
    Decide,
}

impl Act {
    /// All of them, in their order.
    pub const ALL: [Self; 18] = [
        Self::Any,
        Self::Post,
        Self::Mention,
        Self::Tag,
        Self::React,
        Self::Follow,
        Self::KeepAway,
        Self::Search,
        Self::Invite,
        Self::Edit,
        Self::Upload,
        Self::Send,
        Self::Link,
        Self::Report,
        Self::Address,
        Self::Vouch,
        Self::Leave,
        Self::Decide,
    ];

    /// What it is called, and how often a member may unless it is set otherwise.
    #[must_use]
    pub const fn usual(self) -> (&'static str, Allowance) {
        const HOUR: u64 = 60;
        const DAY: u64 = 24 * HOUR;
        match self {
            Self::Any => ("member", Allowance::minutes(1_500, 5)),
            Self::Post => ("posts", Allowance::minutes(300, 3 * HOUR)),
            Self::Mention => ("mentions", Allowance::minutes(600, 3 * HOUR)),
            Self::Tag => ("hashtags", Allowance::minutes(900, 3 * HOUR)),
            Self::React => ("reactions", Allowance::minutes(1_666, HOUR)),
            Self::Follow => ("follows", Allowance::minutes(400, DAY)),
            Self::KeepAway => ("kept_away", Allowance::minutes(300, HOUR)),
            Self::Search => ("searches", Allowance::minutes(60, 1)),
            Self::Invite => ("invites", Allowance::minutes(20, DAY)),
            Self::Edit => ("edits", Allowance::minutes(60, HOUR)),
            Self::Upload => ("uploads", Allowance::minutes(30, 30)),
            Self::Send => ("sends", Allowance::minutes(20, 10)),
            Self::Link => ("links", Allowance::minutes(20, 10)),
            Self::Report => ("reports", Allowance::minutes(30, HOUR)),
            Self::Address => ("addresses", Allowance::minutes(3, HOUR)),
            Self::Vouch => ("vouches", Allowance::minutes(20, DAY)),
            Self::Leave => ("deletions", Allowance::minutes(3, HOUR)),
            Self::Decide => ("decisions", Allowance::minutes(300, HOUR)),
        }
    }
}

/// What is set: `posts=600/3h,follows=1000/1d`. What is not named is as usual.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allowances(Vec<(&'static str, Allowance)>);

impl Allowances {
    /// What is set by this name, or what is usual.
    #[must_use]
    pub fn of(&self, (name, usual): (&str, Allowance)) -> Allowance {
        let set = self.0.iter().find(|(set, _)| *set == name);
        set.map_or(usual, |(_, allowance)| *allowance)
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    let acts = Act::ALL.into_iter().map(|act| act.usual().0);
    let visits = Visit::ALL.into_iter().map(|visit| visit.usual().0);
    visits.chain(acts)
}

impl FromStr for Allowances {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut set: Vec<(&'static str, Allowance)> = Vec::new();
        for part in text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
        {
            let (name, allowance) = part
                .split_once('=')
                .ok_or_else(|| format!("`{part}` is not like `posts=300/3h`"))?;
            let name = name.trim();
            let known = names().find(|known| *known == name).ok_or_else(|| {
                let names = names().collect::<Vec<_>>().join(", ");
                format!("there is no limit `{name}`, only {names}")
            })?;
            if set.iter().any(|(other, _)| *other == known) {
                return Err(format!("`{name}` is set twice"));
            }
            set.push((known, allowance.trim().parse()?));
        }
        Ok(Self(set))
    }
}

impl FromStr for Allowance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` is not like `300/3h`: a number up to {MOST}, and a time up to 30d in s, m, h or d"
            )
        };
        let read = || {
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
        let is_fit = |allowance: &Self| {
            (1..=MOST).contains(&allowance.count)
                && allowance.period <= LONGEST
                && !allowance.period.is_zero()
        };
        read().filter(is_fit).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(count: u32, seconds: u64) -> Allowance {
        let period = Duration::from_secs(seconds);
        Allowance { count, period }
    }

    /// proves: limit-settings
    #[test]
    fn a_setting_is_read_or_refused_with_a_sentence() {
        let set = " posts=600/3h, verify = 9/90s ,,follows=1000000/30d"
            .parse::<Allowances>()
            .unwrap();
        let usual = Allowance::minutes(1, 1);
        for (name, expected) in [
            ("posts", seconds(600, 10_800)),
            ("verify", seconds(9, 90)),
            ("follows", seconds(1_000_000, 2_592_000)),
            ("searches", usual),
        ] {
            assert_eq!(set.of((name, usual)), expected, "{name}");
        }
        assert_eq!("".parse(), Ok(Allowances::default()));
        for (text, part) in [
            ("posts", "is not like `posts=300/3h`"),
            (
                "hearts=1/1m",
                "there is no limit `hearts`, only login_mail, ",
            ),
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
            let refusal = text.parse::<Allowances>().unwrap_err();
            assert!(refusal.contains(part), "{text}: {refusal}");
        }
    }
}
