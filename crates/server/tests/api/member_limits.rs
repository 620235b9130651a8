//! Rate limits of each member action, without a server.

use kith::platform::config::Toggle;
use kith::platform::config::rate_limits::RateLimits;
use kith::platform::ids::Id;
use kith::platform::rate_limit::{MemberAction, RateLimiter};

/// Each member has a separate bucket per action, which is empty after the configured number of requests.
/// proves: limit-posts, limit-mentions, limit-hashtags, limit-reactions, limit-follows, limit-keep-away, limit-search, limit-invites, limit-edits, limit-reports, limit-addresses, limit-vouches, limit-deletions, limit-decisions
#[test]
fn a_member_has_a_rate_limit_for_each_action() {
    for (action, limit) in [
        (MemberAction::Post, 300),
        (MemberAction::Mention, 600),
        (MemberAction::Tag, 900),
        (MemberAction::React, 1_666),
        (MemberAction::Follow, 400),
        (MemberAction::BlockOrMute, 300),
        (MemberAction::Search, 60),
        (MemberAction::Invite, 20),
        (MemberAction::Edit, 60),
        (MemberAction::SendFile, 20),
        (MemberAction::OpenLink, 20),
        (MemberAction::Report, 30),
        (MemberAction::ChangeEmail, 3),
        (MemberAction::Vouch, 20),
        (MemberAction::DeleteAccount, 3),
        (MemberAction::Moderate, 300),
    ] {
        let rate_limiter = RateLimiter::new(Toggle::On, &RateLimits::default());
        let done = (0..3_000).take_while(|_| rate_limiter.check_member(action, Id(1)).is_ok());
        // The bucket refills a little while it is emptied.
        let done = done.count();
        assert!((limit..limit + 5).contains(&done), "{action:?}: {done}");
        assert!(rate_limiter.check_member(action, Id(2)).is_ok(), "{action:?}: another member");
    }
}
