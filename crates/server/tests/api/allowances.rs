//! How much one member may do, counted without a server.

use kith::platform::config::Switch;
use kith::platform::config::rate_limits::Allowances;
use kith::platform::ids::Id;
use kith::platform::rate_limit::{Act, Limits};

/// Each member has an allowance of their own, and it ends where it should.
/// proves: limit-posts, limit-mentions, limit-hashtags, limit-reactions, limit-follows, limit-keep-away, limit-search, limit-invites, limit-edits, limit-reports, limit-addresses, limit-vouches, limit-deletions, limit-decisions
#[test]
fn a_member_has_an_allowance_for_each_act() {
    for (act, allowance) in [
        (Act::Post, 300),
        (Act::Mention, 600),
        (Act::Tag, 900),
        (Act::React, 1_666),
        (Act::Follow, 400),
        (Act::KeepAway, 300),
        (Act::Search, 60),
        (Act::Invite, 20),
        (Act::Edit, 60),
        (Act::Send, 20),
        (Act::Link, 20),
        (Act::Report, 30),
        (Act::Address, 3),
        (Act::Vouch, 20),
        (Act::Leave, 3),
        (Act::Decide, 300),
    ] {
        let limits = Limits::new(Switch::On, &Allowances::default());
        let done = (0..3_000).take_while(|_| limits.act(act, Id(1)).is_ok());
        // The bucket refills a little while it is emptied.
        let done = done.count();
        assert!(
            (allowance..allowance + 5).contains(&done),
            "{act:?}: {done}"
        );
        assert!(limits.act(act, Id(2)).is_ok(), "{act:?}: somebody else");
    }
}
