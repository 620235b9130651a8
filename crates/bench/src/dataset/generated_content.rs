//! Names and texts of a generated data set, drawn while it is written.

use super::graph::SocialGraph;
use super::text;
use kith::features::members::Role;
use kith::ops::demo::{Content, Network, Profile, seeded_rng};

/// Percentage of texts that begin with a mention.
const MENTION_PERCENT: u32 = 6;
/// Percentage of texts that end with one or two hashtags.
const HASHTAG_PERCENT: u32 = 12;

/// Content that depends only on the seed and on the index of the member or entry.
pub(super) struct GeneratedContent<'a> {
    graph: &'a SocialGraph,
    network: &'a Network,
}

impl<'a> GeneratedContent<'a> {
    pub(super) const fn new(graph: &'a SocialGraph, network: &'a Network) -> Self {
        Self { graph, network }
    }
}

impl Content for GeneratedContent<'_> {
    fn profile(&self, member: usize) -> Profile {
        let mut rng = seeded_rng(self.graph.size.seed, u64::MAX / 2 + member as u64);
        let (mut username, mut name) = text::draw_names(&mut rng, member);
        let mut role = Role::Member;
        if member == 0 {
            (username, name, role) = ("founder".to_owned(), "Founder".to_owned(), Role::Admin);
        }
        Profile {
            username,
            name,
            bio: text::draw_text(&mut rng).chars().take(120).collect(),
            website: String::new(),
            role,
            picture: None,
            header: None,
        }
    }

    fn text(&self, entry: u32, usernames: &[String]) -> String {
        let mut rng = seeded_rng(self.graph.size.seed, 1_000 + u64::from(entry));
        let mut text = text::draw_text(&mut rng);
        let chance = rng.u32(..100);
        if chance < MENTION_PERCENT {
            let member = self.graph.draw_active_member(&mut rng);
            text = format!("@{} {text}", usernames[member as usize]);
        } else if chance < MENTION_PERCENT + HASHTAG_PERCENT {
            for _ in 0..rng.usize(1..=2) {
                text.push_str(" #");
                text.push_str(text::draw_hashtag(&mut rng));
            }
        }
        text
    }

    fn options(&self, entry: u32) -> Vec<String> {
        let mut rng = seeded_rng(self.graph.size.seed, u64::MAX - u64::from(entry));
        let count = self.network.entries[entry as usize].options;
        text::draw_poll_options(&mut rng, usize::from(count))
    }
}
