//! Members, what finds them, who invited them, and whom they follow.

use super::Fill;
use crate::network::draw::source;
use crate::network::plan::{People, id_at};
use crate::network::story::Kind;
use crate::network::words;
use anyhow::Result;
use kith::{invites, secrets, users};

const MEMBER: &str = "insert into members (id, username, username_chosen_at, display_name, bio, \
    website, email, role, invited_by, follower_count, following_count, post_count, invites_made, \
    search_key) values (?1, ?2, ?3, ?4, ?5, '', ?6, 0, ?7, ?8, ?9, ?10, ?11, ?12)";
const FOUNDER: &str = "update members set follower_count = ?2, following_count = ?3, \
    post_count = ?4, invites_made = invites_made + ?5 where id = ?1";

/// What is counted of each member, by number.
struct Counts {
    followers: Vec<u32>,
    following: Vec<u32>,
    posts: Vec<u32>,
}

impl Fill<'_> {
    fn counts_of_members(&self) -> Counts {
        let none = vec![0; self.people.ids.len()];
        let mut counts = Counts {
            followers: none.clone(),
            following: none.clone(),
            posts: none,
        };
        for edge in &self.people.follows {
            counts.followers[edge.followee as usize] += 1;
            counts.following[edge.follower as usize] += 1;
        }
        for entry in &self.story.entries {
            counts.posts[entry.author as usize] += u32::from(entry.kind != Kind::Repost);
        }
        counts
    }

    /// Members with their names, addresses and what finds them.
    pub(super) fn members(&mut self) -> Result<()> {
        let mut rng = source(self.people.size.seed, 10);
        let counts = self.counts_of_members();
        let mut names = Vec::new();
        let mut emails = Vec::new();
        let mut terms = Vec::new();
        self.usernames.push("founder".to_owned());
        let mut insert = self.conn.prepare(MEMBER)?;
        for (number, id) in self.people.ids.iter().copied().enumerate() {
            let (followers, following) = (counts.followers[number], counts.following[number]);
            let (posts, invited) = (counts.posts[number], self.people.invited(number));
            if number == 0 {
                let bound = (id, followers, following, posts, invited as i64);
                self.conn.execute(FOUNDER, bound)?;
                continue;
            }
            let (username, shown) = words::names(&mut rng, number);
            let bio = words::text(&mut rng).chars().take(120).collect::<String>();
            let email = format!("{username}@example.org");
            let (key, found_by) = users::search_terms(&username, &shown);
            let inviter = self.people.ids[People::inviter(number)];
            insert.execute(rusqlite::params![
                id,
                username,
                self.people.joined(number),
                shown,
                bio,
                email,
                inviter,
                followers,
                following,
                posts,
                invited as i64,
                key
            ])?;
            terms.extend(found_by.into_iter().map(|(place, term)| (place, term, id)));
            names.push((username.clone(), id));
            emails.push((email, id));
            self.usernames.push(username);
        }
        names.sort_unstable();
        emails.sort_unstable();
        terms.sort_unstable();
        let mut insert = "insert into usernames (name, member_id) values (?1, ?2)";
        for rows in [names, emails] {
            let mut statement = self.conn.prepare(insert)?;
            for row in rows {
                statement.execute(row)?;
            }
            insert = "insert into emails (email, member_id) values (?1, ?2)";
        }
        let insert = "insert into search_terms (place, term, member_id) values (?1, ?2, ?3)";
        let mut insert = self.conn.prepare(insert)?;
        for row in terms {
            insert.execute(row)?;
        }
        Ok(())
    }

    /// The code with which each member came, from both sides.
    pub(super) fn invites(&self) -> Result<()> {
        let mut rng = source(self.people.size.seed, 11);
        let mut codes = Vec::new();
        let mut mine = Vec::new();
        for number in 1..self.people.ids.len() {
            let mut code = String::new();
            while code.len() < 12 {
                let bytes: [u8; 16] = std::array::from_fn(|_| rng.u8(..));
                code.extend(secrets::clear(&bytes).take(12 - code.len()));
            }
            let inviter = self.people.ids[People::inviter(number)];
            let (member, joined) = (self.people.ids[number], self.people.joined(number));
            let expires = joined + invites::LIFETIME;
            mine.push((
                inviter,
                id_at(joined, number),
                code.clone(),
                expires,
                joined,
                member,
            ));
            codes.push((code, inviter, expires, member));
        }
        codes.sort_unstable();
        mine.sort_unstable();
        let insert = "insert into invites (code, inviter_id, expires_at, claimed_by) \
            values (?1, ?2, ?3, ?4)";
        let mut insert = self.conn.prepare(insert)?;
        for row in codes {
            insert.execute(row)?;
        }
        let insert = "insert into member_invites (member_id, id, code, expires_at, used_at, used_by) \
            values (?1, ?2, ?3, ?4, ?5, ?6)";
        let mut insert = self.conn.prepare(insert)?;
        for row in mine {
            insert.execute(row)?;
        }
        Ok(())
    }

    /// Each edge from both ends.
    pub(super) fn follows(&self) -> Result<()> {
        let insert = "insert into follows (follower_id, followee_id, id) values (?1, ?2, ?3)";
        let mut insert = self.conn.prepare(insert)?;
        for edge in &self.people.follows {
            let (follower, followee) = (self.member(edge.follower), self.member(edge.followee));
            insert.execute((follower, followee, edge.id))?;
        }
        let mut edges = self.people.follows.clone();
        edges.sort_unstable_by_key(|edge| (edge.followee, edge.follower));
        let insert = "insert into followers (followee_id, follower_id, id) values (?1, ?2, ?3)";
        let mut insert = self.conn.prepare(insert)?;
        for edge in edges {
            let (follower, followee) = (self.member(edge.follower), self.member(edge.followee));
            insert.execute((followee, follower, edge.id))?;
        }
        Ok(())
    }
}
