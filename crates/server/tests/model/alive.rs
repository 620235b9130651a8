//! Tests of the comparison itself: it detects a server with one small error in its responses.

use crate::actions::{Action, Which};
use crate::draw::plain;
use crate::lies::{Lie, OF_ANCESTORS, OF_BLOCKS, OF_INTERACTIONS, OF_MEMBERS, OF_POSTS};
use crate::run::{Plan, Templates};
use crate::world::Tamper;
use kith_db::Engine;
use serde_json::json;

const fn plan(seed: u64, tamper: Tamper, shrinks: bool) -> Plan {
    Plan { engine: Engine::Sqlite, runs: 50, seed, threads: 1, shrinks, tamper: Some(tamper) }
}

/// Searches a run that reveals each lie, from a seed that was found to be near most of them.
fn detect_all(lies: &[Lie], first_seed: u64) {
    let templates = Templates::new(Engine::Sqlite);
    for (number, (lie, said)) in lies.iter().enumerate() {
        let found = plan(first_seed, *lie, false).find_failure_from(&templates);
        let found = found.map(|failure| failure.message).unwrap_or_default();
        assert!(found.contains(said), "{number}: {said} is not in: {found}");
    }
}

#[test]
fn every_lie_about_posts_is_detected() {
    detect_all(OF_POSTS, 300);
}

#[test]
fn every_lie_about_interactions_is_detected() {
    detect_all(OF_INTERACTIONS, 0);
}

#[test]
fn every_lie_about_members_is_detected() {
    detect_all(OF_MEMBERS, 19);
}

/// Conditions that are too rare to be drawn quickly.
#[test]
fn lies_about_long_lists_are_detected() {
    let templates = Templates::new(Engine::Sqlite);
    let posts = |count: u8, to: Option<Which>| {
        let posts = (0..count).map(|who| Action { who, kind: plain(to) });
        posts.collect::<Vec<_>>()
    };
    let chain = [posts(1, None), posts(21, Some(Which::Newest(0)))].concat();
    for (actions, (lie, said)) in [(chain, OF_ANCESTORS), (posts(210, None), OF_BLOCKS)] {
        let found = plan(0, lie, false).find_difference(&templates, &actions);
        assert!(found.contains(said), "{said} is not in: {found}");
    }
}

/// An unlike without effect needs a post, a like and the unlike.
#[test]
fn a_failing_run_is_shrunk() {
    let keeps: Tamper = |path, reply| {
        if path.ends_with("/like") && reply.body["likeCount"] == 0 {
            reply.body["likeCount"] = json!(1);
        }
    };
    let failure = plan(0, keeps, true).find_failure().unwrap();
    assert!(failure.message.contains("likeCount: expected 0"), "{}", failure.message);
    assert!(failure.actions.len() <= 3, "{:?}", failure.actions);
}
