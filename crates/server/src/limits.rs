//! How often one address or member may call, as token buckets.
//!
//! A bucket holds a full allowance and refills evenly, so a burst passes and a
//! flood does not. IPv6 addresses count by their /56.

use crate::allowance::{Allowance, Allowances};
use crate::client::Client;
use crate::config::Switch;
use crate::error::{ApiError, Result};
use crate::ids::Id;
use crate::security;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, InsufficientCapacity, Quota, RateLimiter};
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;

/// All buckets of a process.
#[derive(Debug)]
pub struct Limits {
    on: bool,
    clock: DefaultClock,
    /// Which limits the log has told of lately.
    told: DefaultKeyedRateLimiter<&'static str>,
    visits: [DefaultKeyedRateLimiter<IpAddr>; Visit::ALL.len()],
    acts: [DefaultKeyedRateLimiter<i64>; Act::ALL.len()],
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

fn bucket<K: Hash + Eq + Clone>(allowance: Allowance) -> DefaultKeyedRateLimiter<K> {
    let burst = NonZeroU32::new(allowance.count).unwrap_or(NonZeroU32::MIN);
    let quota = Quota::with_period(allowance.period / burst.get());
    RateLimiter::keyed(quota.unwrap_or(Quota::per_second(burst)).allow_burst(burst))
}

impl Limits {
    /// Full buckets, of their usual size where nothing else is set.
    #[must_use]
    pub fn new(switch: Switch, set: &Allowances) -> Self {
        let visits = Visit::ALL.map(|visit| visit.usual().0);
        let acts = Act::ALL.map(|act| act.usual().0);
        for name in visits.into_iter().chain(acts) {
            metrics::counter!("kith_rate_limited_total", "limit" => name).absolute(0);
        }
        Self {
            on: switch == Switch::On,
            clock: DefaultClock::default(),
            told: bucket(Allowance::minutes(1, 1)),
            visits: Visit::ALL.map(|visit| bucket(set.of(visit.usual()))),
            acts: Act::ALL.map(|act| bucket(set.of(act.usual()))),
        }
    }

    pub(crate) const fn are_on(&self) -> bool {
        self.on
    }

    /// Takes one from an address's bucket, or answers how long to wait.
    pub fn visit(&self, what: Visit, Client(address): Client) -> Result<()> {
        self.take(what.usual().0, &self.visits[what as usize], &address)
    }

    /// Takes one for a wish, unless it is none that could be granted: that is a visitor's call, so that whoever
    /// sends such wishes from a shared address keeps nobody there from theirs.
    pub fn wish<T>(&self, what: Visit, client: Client, wish: Result<T>) -> Result<T> {
        let visit = if wish.is_ok() { what } else { Visit::Any };
        self.visit(visit, client)?;
        wish
    }

    /// Takes one from a member's bucket, or that of an upload or a link, or answers how long to wait.
    pub fn act(&self, what: Act, member: Id) -> Result<()> {
        self.take(what.usual().0, &self.acts[what as usize], &member.0)
    }

    /// Takes `count` from a member's bucket, at most as many as a full one holds, or returns how long to wait.
    pub fn acts(&self, what: Act, member: Id, count: usize) -> Result<()> {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let Some(count) = NonZeroU32::new(count) else {
            return Ok(());
        };
        self.take_many(what.usual().0, &self.acts[what as usize], &member.0, count)
    }

    fn take<K: Hash + Eq + Clone>(
        &self,
        name: &'static str,
        bucket: &DefaultKeyedRateLimiter<K>,
        key: &K,
    ) -> Result<()> {
        self.take_many(name, bucket, key, NonZeroU32::MIN)
    }

    fn take_many<K: Hash + Eq + Clone>(
        &self,
        name: &'static str,
        bucket: &DefaultKeyedRateLimiter<K>,
        key: &K,
        count: NonZeroU32,
    ) -> Result<()> {
        if !self.on {
            return Ok(());
        }
        let taken = match bucket.check_key_n(key, count) {
            Err(InsufficientCapacity(all)) => {
                let all = NonZeroU32::new(all).unwrap_or(NonZeroU32::MIN);
                bucket.check_key_n(key, all).unwrap_or(Ok(()))
            }
            Ok(taken) => taken,
        };
        taken.map_err(|until| {
            metrics::counter!("kith_rate_limited_total", "limit" => name).increment(1);
            if self.told.check_key(&name).is_ok() {
                security::limited(name);
            }
            let wait = until.wait_time_from(self.clock.now());
            ApiError::too_many(wait.as_secs() + 1)
        })
    }

    /// Forgets buckets that are full again; called now and then.
    pub fn forget_idle(&self) {
        for bucket in &self.visits {
            bucket.retain_recent();
            bucket.shrink_to_fit();
        }
        for bucket in &self.acts {
            bucket.retain_recent();
            bucket.shrink_to_fit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::network;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    /// proves: limit-networks
    #[test]
    fn a_flood_is_refused_and_neighbours_are_not() {
        let limits = Limits::new(Switch::On, &Allowances::default());
        let first = Client(network(ip("2001:db8::1")));
        for _ in 0..5 {
            assert!(limits.visit(Visit::Waitlist, first).is_ok());
        }
        let same_network = Client(network(ip("2001:db8:0:ff::2")));
        assert!(limits.visit(Visit::Waitlist, same_network).is_err());
        assert!(
            limits
                .visit(Visit::Waitlist, Client(ip("192.0.2.1")))
                .is_ok()
        );
        assert!(
            Limits::new(Switch::Off, &Allowances::default())
                .visit(Visit::Waitlist, first)
                .is_ok()
        );
    }

    #[test]
    fn each_bucket_stands_where_its_name_says() {
        for (place, visit) in Visit::ALL.into_iter().enumerate() {
            assert_eq!(visit as usize, place);
        }
        for (place, act) in Act::ALL.into_iter().enumerate() {
            assert_eq!(act as usize, place);
        }
    }

    /// proves: limit-settings
    #[test]
    fn an_allowance_is_what_it_is_set_to() {
        let set = "searches=2/1h,waitlist=1/1m".parse::<Allowances>().unwrap();
        let limits = Limits::new(Switch::On, &set);
        let answers = [(); 3].map(|()| limits.act(Act::Search, Id(1)).is_ok());
        assert_eq!(answers, [true, true, false]);
        let answers = [(); 2].map(|()| {
            limits
                .visit(Visit::Waitlist, Client(ip("192.0.2.1")))
                .is_ok()
        });
        assert_eq!(answers, [true, false]);
        assert!(limits.acts(Act::Search, Id(2), 3).is_ok(), "all there are");
        assert!(limits.act(Act::Search, Id(2)).is_err());
        assert!(limits.acts(Act::Search, Id(2), 0).is_ok());
        let posts = (0..400).take_while(|_| limits.act(Act::Post, Id(1)).is_ok());
        assert!((300..305).contains(&posts.count()), "as usual");
    }
}
