//! How often one address or member may call, as token buckets.
//!
//! A bucket holds a full allowance and refills evenly, so a burst passes and a
//! flood does not. IPv6 addresses count by their /64.

use crate::config::Switch;
use crate::error::{ApiError, Result};
use crate::ids::Id;
use crate::security;
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

/// All buckets of a process.
#[derive(Debug)]
pub struct Limits {
    on: bool,
    clock: DefaultClock,
    /// Which limits the log has told of lately.
    told: DefaultKeyedRateLimiter<&'static str>,
    login_mail: DefaultKeyedRateLimiter<IpAddr>,
    verify: DefaultKeyedRateLimiter<IpAddr>,
    waitlist: DefaultKeyedRateLimiter<IpAddr>,
    visitor: DefaultKeyedRateLimiter<IpAddr>,
    member: DefaultKeyedRateLimiter<i64>,
    posts: DefaultKeyedRateLimiter<i64>,
    reactions: DefaultKeyedRateLimiter<i64>,
    follows: DefaultKeyedRateLimiter<i64>,
    kept_away: DefaultKeyedRateLimiter<i64>,
    searches: DefaultKeyedRateLimiter<i64>,
    invites: DefaultKeyedRateLimiter<i64>,
    edits: DefaultKeyedRateLimiter<i64>,
    uploads: DefaultKeyedRateLimiter<i64>,
    reports: DefaultKeyedRateLimiter<i64>,
    addresses: DefaultKeyedRateLimiter<i64>,
    vouches: DefaultKeyedRateLimiter<i64>,
}

/// What a visitor's address does.
#[derive(Debug, Clone, Copy)]
pub enum Visit {
    /// Asks for a mail with a link: 25 in 5 minutes.
    LoginMail,
    /// Tries a link or a code: 30 in 5 minutes.
    Verify,
    /// Joins the waitlist: 5 in 30 minutes.
    Waitlist,
    /// Any call without a session: 300 in 5 minutes.
    Any,
}

/// What a member does.
#[derive(Debug, Clone, Copy)]
pub enum Act {
    /// Any call: 1,500 in 5 minutes.
    Any,
    /// Posts or replies: 300 in 3 hours.
    Post,
    /// Likes, reposts or votes: 1,666 an hour.
    React,
    /// Follows: 400 a day.
    Follow,
    /// Blocks or mutes: 300 an hour.
    KeepAway,
    /// Searches: 60 a minute.
    Search,
    /// Makes invite codes, which revoking gives back: 50 a day.
    Invite,
    /// Changes the profile or the username: 60 an hour.
    Edit,
    /// Asks for an address to upload to: 30 in 30 minutes.
    Upload,
    /// Reports posts or members: 30 an hour.
    Report,
    /// Asks for another mail address: 3 an hour.
    Address,
    /// Vouches for somebody: 20 a day.
    Vouch,
}

fn bucket<K: Hash + Eq + Clone>(count: u32, period: Duration) -> DefaultKeyedRateLimiter<K> {
    let burst = NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN);
    let quota = Quota::with_period(period / count.max(1)).unwrap_or(Quota::per_second(burst));
    RateLimiter::keyed(quota.allow_burst(burst))
}

impl Limits {
    /// Full buckets.
    #[must_use]
    pub fn new(switch: Switch) -> Self {
        let minutes = |n: u64| Duration::from_secs(n * 60);
        Self {
            on: switch == Switch::On,
            clock: DefaultClock::default(),
            told: bucket(1, minutes(1)),
            login_mail: bucket(25, minutes(5)),
            verify: bucket(30, minutes(5)),
            waitlist: bucket(5, minutes(30)),
            visitor: bucket(300, minutes(5)),
            member: bucket(1_500, minutes(5)),
            posts: bucket(300, minutes(180)),
            reactions: bucket(1_666, minutes(60)),
            follows: bucket(400, minutes(24 * 60)),
            kept_away: bucket(300, minutes(60)),
            searches: bucket(60, minutes(1)),
            invites: bucket(50, minutes(24 * 60)),
            edits: bucket(60, minutes(60)),
            uploads: bucket(30, minutes(30)),
            reports: bucket(30, minutes(60)),
            addresses: bucket(3, minutes(60)),
            vouches: bucket(20, minutes(24 * 60)),
        }
    }

    /// Takes one from an address's bucket, or answers how long to wait.
    pub fn visit(&self, what: Visit, Client(address): Client) -> Result<()> {
        let (name, bucket) = match what {
            Visit::LoginMail => ("login_mail", &self.login_mail),
            Visit::Verify => ("verify", &self.verify),
            Visit::Waitlist => ("waitlist", &self.waitlist),
            Visit::Any => ("visitor", &self.visitor),
        };
        self.take(name, bucket, &address)
    }

    /// Takes one from a member's bucket, or answers how long to wait.
    pub fn act(&self, what: Act, member: Id) -> Result<()> {
        let (name, bucket) = match what {
            Act::Any => ("member", &self.member),
            Act::Post => ("posts", &self.posts),
            Act::React => ("reactions", &self.reactions),
            Act::Follow => ("follows", &self.follows),
            Act::KeepAway => ("kept_away", &self.kept_away),
            Act::Search => ("searches", &self.searches),
            Act::Invite => ("invites", &self.invites),
            Act::Edit => ("edits", &self.edits),
            Act::Upload => ("uploads", &self.uploads),
            Act::Report => ("reports", &self.reports),
            Act::Address => ("addresses", &self.addresses),
            Act::Vouch => ("vouches", &self.vouches),
        };
        self.take(name, bucket, &member.0)
    }

    fn take<K: Hash + Eq + Clone>(
        &self,
        name: &'static str,
        bucket: &DefaultKeyedRateLimiter<K>,
        key: &K,
    ) -> Result<()> {
        if !self.on {
            return Ok(());
        }
        bucket.check_key(key).map_err(|until| {
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
        for bucket in [
            &self.login_mail,
            &self.verify,
            &self.waitlist,
            &self.visitor,
        ] {
            bucket.retain_recent();
            bucket.shrink_to_fit();
        }
        for bucket in [
            &self.member,
            &self.posts,
            &self.reactions,
            &self.follows,
            &self.kept_away,
            &self.searches,
            &self.invites,
            &self.edits,
            &self.uploads,
            &self.reports,
            &self.addresses,
            &self.vouches,
        ] {
            bucket.retain_recent();
            bucket.shrink_to_fit();
        }
    }
}

/// The address a request came from, as limits count it.
#[derive(Debug, Clone, Copy)]
pub struct Client(pub IpAddr);

impl FromRequestParts<crate::app::App> for Client {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &crate::app::App,
    ) -> Result<Self, Self::Rejection> {
        let peer = parts
            .extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map_or(IpAddr::from([127, 0, 0, 1]), |info| info.0.ip());
        Ok(Self(network(origin(
            peer,
            &parts.headers,
            &app.settings.trusted_proxies.0,
        ))))
    }
}

/// Walks X-Forwarded-For from the right, past the proxies we trust: what stands
/// left of the first untrusted hop was written by the client itself.
fn origin(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    let mut hop = peer.to_canonical();
    let lines = headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|value| value.to_str().ok());
    let hops = lines.flat_map(|line| line.split(',')).collect::<Vec<_>>();
    for text in hops.into_iter().rev() {
        if !trusted.contains(&hop) {
            break;
        }
        let Ok(next) = text.trim().parse::<IpAddr>() else {
            break;
        };
        hop = next.to_canonical();
    }
    hop
}

/// What counts as one client: an IPv4 address, or the /64 of an IPv6 one.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    /// proves: limit-networks
    #[test]
    fn only_trusted_hops_are_believed() {
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", "6.6.6.6, 1.2.3.4".parse().unwrap());
        let proxy = ip("10.0.0.1");
        assert_eq!(origin(proxy, &headers, &[]), proxy);
        assert_eq!(origin(proxy, &headers, &[proxy]), ip("1.2.3.4"));
        headers.append("x-forwarded-for", "10.0.0.2".parse().unwrap());
        assert_eq!(
            origin(proxy, &headers, &[proxy, ip("10.0.0.2")]),
            ip("1.2.3.4")
        );
    }

    /// proves: limit-networks
    #[test]
    fn a_flood_is_refused_and_neighbours_are_not() {
        let limits = Limits::new(Switch::On);
        let first = Client(network(ip("2001:db8::1")));
        for _ in 0..5 {
            assert!(limits.visit(Visit::Waitlist, first).is_ok());
        }
        let same_network = Client(network(ip("2001:db8::2")));
        assert!(limits.visit(Visit::Waitlist, same_network).is_err());
        assert!(
            limits
                .visit(Visit::Waitlist, Client(ip("192.0.2.1")))
                .is_ok()
        );
        assert!(
            Limits::new(Switch::Off)
                .visit(Visit::Waitlist, first)
                .is_ok()
        );
    }
}
