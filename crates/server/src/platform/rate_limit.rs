//! How often one address or member may call, as token buckets.
//!
//! A bucket holds a full allowance and refills evenly, so a burst passes and a
//! flood does not. IPv6 addresses count by their /56.

use crate::platform::config::Switch;
use crate::platform::config::rate_limits::{Allowance, Allowances};
use crate::platform::ids::Id;
use crate::platform::telemetry::security_log;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, InsufficientCapacity, Quota, RateLimiter};
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;

pub use crate::platform::config::rate_limits::{Act, Visit};

/// A rate limit is exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimited {
    /// Seconds until the request may be repeated.
    pub retry_after: u64,
}

type Result<T, E = RateLimited> = std::result::Result<T, E>;

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
    pub fn visit(&self, what: Visit, network: IpAddr) -> Result<()> {
        self.take(what.usual().0, &self.visits[what as usize], &network)
    }

    /// Takes one for a request, or from the bucket of any request if it is malformed: a client that sends malformed
    /// requests must not use up what others behind the same address need.
    pub fn visit_with<T, E: From<RateLimited>>(
        &self,
        what: Visit,
        network: IpAddr,
        parsed: Result<T, E>,
    ) -> Result<T, E> {
        let visit = if parsed.is_ok() { what } else { Visit::Any };
        self.visit(visit, network)?;
        parsed
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
                security_log::limited(name);
            }
            let wait = until.wait_time_from(self.clock.now());
            RateLimited {
                retry_after: wait.as_secs() + 1,
            }
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

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    /// proves: limit-networks
    #[test]
    fn a_flood_is_refused_and_neighbours_are_not() {
        let limits = Limits::new(Switch::On, &Allowances::default());
        let first = ip("2001:db8::");
        for _ in 0..5 {
            assert!(limits.visit(Visit::Waitlist, first).is_ok());
        }
        assert!(limits.visit(Visit::Waitlist, first).is_err());
        assert!(limits.visit(Visit::Waitlist, ip("192.0.2.1")).is_ok());
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
        let answers = [(); 2].map(|()| limits.visit(Visit::Waitlist, ip("192.0.2.1")).is_ok());
        assert_eq!(answers, [true, false]);
        assert!(limits.acts(Act::Search, Id(2), 3).is_ok(), "all there are");
        assert!(limits.act(Act::Search, Id(2)).is_err());
        assert!(limits.acts(Act::Search, Id(2), 0).is_ok());
        let posts = (0..400).take_while(|_| limits.act(Act::Post, Id(1)).is_ok());
        assert!((300..305).contains(&posts.count()), "as usual");
    }
}
