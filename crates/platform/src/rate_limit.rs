//! Rate limiter per client network and per member: token buckets that refill evenly, so a burst passes and a flood
//! does not. IPv6 clients share a bucket per /56.

use crate::config::Toggle;
use crate::config::rate_limits::{RateLimit, RateLimits};
use crate::ids::Id;
use crate::telemetry::security_log;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, InsufficientCapacity, Quota};
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;

pub use crate::config::rate_limits::{AnonymousAction, MemberAction};

/// A rate limit is exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimited {
    /// Seconds until the request can be repeated.
    pub retry_after: u64,
}

type Result<T, E = RateLimited> = std::result::Result<T, E>;

/// Token buckets of this process.
#[derive(Debug)]
pub struct RateLimiter {
    is_enabled: bool,
    clock: DefaultClock,
    /// Bounds the log lines per limit.
    log_limiter: DefaultKeyedRateLimiter<&'static str>,
    by_ip: [DefaultKeyedRateLimiter<IpAddr>; AnonymousAction::ALL.len()],
    by_member: [DefaultKeyedRateLimiter<i64>; MemberAction::ALL.len()],
}

fn create_buckets<K: Hash + Eq + Clone>(limit: RateLimit) -> DefaultKeyedRateLimiter<K> {
    let burst = NonZeroU32::new(limit.count).unwrap_or(NonZeroU32::MIN);
    let quota = Quota::with_period(limit.period / burst.get());
    governor::RateLimiter::keyed(quota.unwrap_or(Quota::per_second(burst)).allow_burst(burst))
}

impl RateLimiter {
    /// Creates full buckets with the default limits and their overrides.
    #[must_use]
    pub fn new(switch: Toggle, overrides: &RateLimits) -> Self {
        let ip_limits = AnonymousAction::ALL.map(|action| action.name_and_default().0);
        let member_limits = MemberAction::ALL.map(|action| action.name_and_default().0);
        for name in ip_limits.into_iter().chain(member_limits) {
            metrics::counter!("kith_rate_limited_total", "limit" => name).absolute(0);
        }
        Self {
            is_enabled: switch == Toggle::On,
            clock: DefaultClock::default(),
            log_limiter: create_buckets(RateLimit::minutes(1, 1)),
            by_ip: AnonymousAction::ALL.map(|action| {
                create_buckets(overrides.limit_or_default(action.name_and_default()))
            }),
            by_member: MemberAction::ALL.map(|action| {
                create_buckets(overrides.limit_or_default(action.name_and_default()))
            }),
        }
    }

    /// Returns whether limits are applied.
    #[must_use]
    pub const fn is_enabled(&self) -> bool {
        self.is_enabled
    }

    /// Takes one token for a client network, or returns the time to wait.
    pub fn check_ip(&self, action: AnonymousAction, network: IpAddr) -> Result<()> {
        let buckets = &self.by_ip[action as usize];
        self.check_key(action.name_and_default().0, buckets, &network)
    }

    /// Takes one token for a validated input, and from the bucket of any request if validation failed: malformed
    /// requests must not exhaust the tokens that other clients behind the same IP address need.
    pub fn check_ip_for_input<T, E: From<RateLimited>>(
        &self,
        action: AnonymousAction,
        network: IpAddr,
        input: Result<T, E>,
    ) -> Result<T, E> {
        let action = if input.is_ok() { action } else { AnonymousAction::Any };
        self.check_ip(action, network)?;
        input
    }

    /// Takes one token for a member, or for the upload or link with that id, or returns the time to wait.
    pub fn check_member(&self, action: MemberAction, member: Id) -> Result<()> {
        let buckets = &self.by_member[action as usize];
        self.check_key(action.name_and_default().0, buckets, &member.0)
    }

    /// Takes `count` tokens for a member, at most a full bucket, or returns the time to wait.
    pub fn check_member_n(&self, action: MemberAction, member: Id, count: usize) -> Result<()> {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let Some(count) = NonZeroU32::new(count) else {
            return Ok(());
        };
        let buckets = &self.by_member[action as usize];
        self.check_key_n(action.name_and_default().0, buckets, &member.0, count)
    }

    fn check_key<K: Hash + Eq + Clone>(
        &self,
        name: &'static str,
        buckets: &DefaultKeyedRateLimiter<K>,
        key: &K,
    ) -> Result<()> {
        self.check_key_n(name, buckets, key, NonZeroU32::MIN)
    }

    fn check_key_n<K: Hash + Eq + Clone>(
        &self,
        name: &'static str,
        buckets: &DefaultKeyedRateLimiter<K>,
        key: &K,
        count: NonZeroU32,
    ) -> Result<()> {
        if !self.is_enabled {
            return Ok(());
        }
        let result = match buckets.check_key_n(key, count) {
            Err(InsufficientCapacity(capacity)) => {
                let capacity = NonZeroU32::new(capacity).unwrap_or(NonZeroU32::MIN);
                buckets.check_key_n(key, capacity).unwrap_or(Ok(()))
            }
            Ok(result) => result,
        };
        result.map_err(|until| {
            self.record_rejection(name);
            let wait = until.wait_time_from(self.clock.now());
            RateLimited { retry_after: wait.as_secs() + 1 }
        })
    }

    /// Counts a rejected request, and logs one per limit and minute.
    pub(crate) fn record_rejection(&self, name: &'static str) {
        metrics::counter!("kith_rate_limited_total", "limit" => name).increment(1);
        if self.log_limiter.check_key(&name).is_ok() {
            security_log::emit_rate_limited(name);
        }
    }

    /// Removes full buckets to free their memory. Called periodically.
    pub fn evict_idle(&self) {
        for buckets in &self.by_ip {
            buckets.retain_recent();
            buckets.shrink_to_fit();
        }
        for buckets in &self.by_member {
            buckets.retain_recent();
            buckets.shrink_to_fit();
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
    fn a_flood_is_limited_and_neighbours_are_not() {
        let limiter = RateLimiter::new(Toggle::On, &RateLimits::default());
        let first = ip("2001:db8::");
        for _ in 0..5 {
            assert!(limiter.check_ip(AnonymousAction::Waitlist, first).is_ok());
        }
        assert!(limiter.check_ip(AnonymousAction::Waitlist, first).is_err());
        assert!(limiter.check_ip(AnonymousAction::Waitlist, ip("192.0.2.1")).is_ok());
        assert!(
            RateLimiter::new(Toggle::Off, &RateLimits::default())
                .check_ip(AnonymousAction::Waitlist, first)
                .is_ok()
        );
    }

    #[test]
    fn each_bucket_has_the_index_of_its_action() {
        for (index, action) in AnonymousAction::ALL.into_iter().enumerate() {
            assert_eq!(action as usize, index);
        }
        for (index, action) in MemberAction::ALL.into_iter().enumerate() {
            assert_eq!(action as usize, index);
        }
    }

    /// proves: limit-settings
    #[test]
    fn a_limit_can_be_overridden() {
        let overrides = "searches=2/1h,waitlist=1/1m".parse::<RateLimits>().unwrap();
        let limiter = RateLimiter::new(Toggle::On, &overrides);
        let results = [(); 3].map(|()| limiter.check_member(MemberAction::Search, Id(1)).is_ok());
        assert_eq!(results, [true, true, false]);
        let results =
            [(); 2].map(|()| limiter.check_ip(AnonymousAction::Waitlist, ip("192.0.2.1")).is_ok());
        assert_eq!(results, [true, false]);
        assert!(limiter.check_member_n(MemberAction::Search, Id(2), 3).is_ok(), "a full bucket");
        assert!(limiter.check_member(MemberAction::Search, Id(2)).is_err());
        assert!(limiter.check_member_n(MemberAction::Search, Id(2), 0).is_ok());
        let posts =
            (0..400).take_while(|_| limiter.check_member(MemberAction::Post, Id(1)).is_ok());
        assert!((300..305).contains(&posts.count()), "the default");
    }
}
