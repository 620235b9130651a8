//! Writes members, their search terms, invites and follows.

use super::NetworkWriter;
use crate::features::{invites, members};
use crate::ops::demo::network::{EntryKind, id_at};
use crate::ops::demo::random::seeded_rng;
use crate::platform::crypto;
use kith_db::{Result, params};

const MEMBER: &[&str] = &[
    "id",
    "username",
    "username_chosen_at",
    "display_name",
    "bio",
    "website",
    "profile_image_url",
    "header_image_url",
    "email",
    "role",
    "invited_by",
    "follower_count",
    "following_count",
    "post_count",
    "invites_made",
    "search_key",
];
const MEMBER_INVITE: &[&str] = &["member_id", "id", "code", "expires_at", "used_at", "used_by"];

struct Counts {
    followers: Vec<u32>,
    following: Vec<u32>,
    posts: Vec<u32>,
    invited: Vec<u32>,
}

#[derive(Default)]
struct LookupRows {
    names: Vec<(String, i64)>,
    emails: Vec<(String, i64)>,
    terms: Vec<(i64, String, i64)>,
}

impl NetworkWriter<'_> {
    fn count_by_member(&self) -> Counts {
        let none = vec![0; self.network.ids.len()];
        let mut counts = Counts {
            followers: none.clone(),
            following: none.clone(),
            posts: none.clone(),
            invited: none,
        };
        for edge in &self.network.follows {
            counts.followers[edge.followee as usize] += 1;
            counts.following[edge.follower as usize] += 1;
        }
        for entry in &self.network.entries {
            counts.posts[entry.author as usize] += u32::from(entry.kind != EntryKind::Repost);
        }
        for inviter in &self.network.inviters[1..] {
            counts.invited[*inviter as usize] += 1;
        }
        counts
    }

    pub(super) fn write_members(&mut self) -> Result<()> {
        let counts = self.count_by_member();
        let mut lookups = LookupRows::default();
        let (network, content) = (self.network, self.content);
        let images = content.images();
        let loader = &self.loader;
        let mut image_uses = Vec::new();
        let mut rows = loader.rows("members", MEMBER)?;
        for (number, id) in network.ids.iter().copied().enumerate() {
            let profile = content.profile(number);
            let email = format!("{}@example.org", profile.username);
            let (key, terms) = members::build_search_terms(&profile.username, &profile.name);
            let inviter = network.inviters[number] as usize;
            let [picture, header] = [profile.picture, profile.header].map(|image| {
                image_uses.extend(image.map(|image| (id, image)));
                image.map(|image| images[image].stored.url())
            });
            rows.add(params![
                id,
                &profile.username,
                network.joined(number),
                &profile.name,
                &profile.bio,
                &profile.website,
                picture.as_deref(),
                header.as_deref(),
                &email,
                profile.role as i64,
                (number > 0).then(|| network.ids[inviter]),
                counts.followers[number],
                counts.following[number],
                counts.posts[number],
                counts.invited[number],
                &key,
            ])?;
            let terms = terms.into_iter().map(|(place, term)| (place, term, id));
            lookups.terms.extend(terms);
            lookups.names.push((profile.username.clone(), id));
            lookups.emails.push((email, id));
            self.members_by_username.insert(profile.username.clone(), number as u32);
            self.usernames.push(profile.username);
        }
        drop(rows);
        for (id, image) in image_uses {
            self.record_use(id, id, image);
        }
        self.write_lookup_rows(lookups)
    }

    fn write_lookup_rows(&self, mut lookups: LookupRows) -> Result<()> {
        lookups.names.sort_unstable();
        lookups.emails.sort_unstable();
        lookups.terms.sort_unstable();
        let mut rows = self.loader.rows("usernames", &["name", "member_id"])?;
        for (name, id) in &lookups.names {
            rows.add(params![name, *id])?;
        }
        let mut rows = self.loader.rows("emails", &["email", "member_id"])?;
        for (email, id) in &lookups.emails {
            rows.add(params![email, *id])?;
        }
        let columns = ["place", "term", "member_id"];
        let mut rows = self.loader.rows("search_terms", &columns)?;
        for (place, term, id) in &lookups.terms {
            rows.add(params![*place, term, *id])?;
        }
        Ok(())
    }

    /// Writes each member's invite, by code and by inviter.
    pub(super) fn write_invites(&self) -> Result<()> {
        let mut rng = seeded_rng(self.network.until.cast_unsigned(), 11);
        let (mut by_code, mut by_inviter) = (Vec::new(), Vec::new());
        for number in 1..self.network.ids.len() {
            let mut code = String::new();
            while code.len() < 12 {
                let bytes: [u8; 16] = std::array::from_fn(|_| rng.u8(..));
                code.extend(crypto::unambiguous_chars(&bytes).take(12 - code.len()));
            }
            let inviter = self.member_id(self.network.inviters[number]);
            let (member, joined) = (self.network.ids[number], self.network.joined(number));
            let expires = joined + invites::LIFETIME;
            let id = id_at(joined, number);
            by_inviter.push((inviter, id, code.clone(), expires, joined, member));
            by_code.push((code, inviter, expires, member));
        }
        by_code.sort_unstable();
        by_inviter.sort_unstable();
        let columns = ["code", "inviter_id", "expires_at", "claimed_by"];
        let mut rows = self.loader.rows("invites", &columns)?;
        for (code, inviter, expires, member) in &by_code {
            rows.add(params![code, *inviter, *expires, *member])?;
        }
        let mut rows = self.loader.rows("member_invites", MEMBER_INVITE)?;
        for (inviter, id, code, expires, joined, member) in &by_inviter {
            rows.add(params![*inviter, *id, code, *expires, *joined, *member])?;
        }
        Ok(())
    }

    pub(super) fn write_follows(&self) -> Result<()> {
        let columns = ["follower_id", "followee_id", "id"];
        let mut rows = self.loader.rows("follows", &columns)?;
        for edge in &self.network.follows {
            let (follower, followee) =
                (self.member_id(edge.follower), self.member_id(edge.followee));
            rows.add(params![follower, followee, edge.id])?;
        }
        let mut edges = self.network.follows.clone();
        edges.sort_unstable_by_key(|edge| (edge.followee, edge.follower));
        let columns = ["followee_id", "follower_id", "id"];
        let mut rows = self.loader.rows("followers", &columns)?;
        for edge in edges {
            let (follower, followee) =
                (self.member_id(edge.follower), self.member_id(edge.followee));
            rows.add(params![followee, follower, edge.id])?;
        }
        Ok(())
    }
}
