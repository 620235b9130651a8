//! Looks at everything as one member and compares it with the model.

use crate::actions::Sizes;
use crate::diff::differences;
use crate::lists::FILTERS;
use crate::perform::agree;
use crate::world::World;
use serde_json::{Value, json};

/// From so many posts on, not each one's thread is looked at each time.
const CROWD: usize = 120;

impl World {
    /// Everything that `reader` can see, the long lists by pages of different sizes too.
    pub(crate) async fn look(&mut self, reader: usize, sizes: Sizes) -> Result<(), String> {
        let seen = self.look_around(reader, sizes).await;
        seen.map_err(|error| format!("member-{reader} looks and sees\n{error}"))
    }

    async fn look_around(&mut self, reader: usize, sizes: Sizes) -> Result<(), String> {
        // Each post once as this reader sees it: it stands in many lists.
        let posts = (0..self.model.posts.len()).map(|post| self.model.show_post(reader, post));
        let posts = posts.collect::<Vec<_>>();
        let pick = |list: Vec<usize>| {
            list.iter()
                .map(|post| posts[*post].clone())
                .collect::<Vec<_>>()
        };

        let me = self.get(reader, "/api/auth/me").await?;
        differences("me", &self.model.show_me(reader), &me.body)?;
        let feed = self.model.friends_feed(reader).into_iter();
        let feed = feed.map(|post| {
            let mut shown = posts[post].clone();
            shown["reposters"] = self.model.show_reposters(reader, post);
            shown
        });
        let feed = feed.collect::<Vec<_>>();
        self.look_at_list(reader, "/api/posts/feed?", &feed, Some(sizes))
            .await?;
        for member in 0..self.model.members.len() {
            self.look_at_member(reader, member, sizes).await?;
            for (nth, filter) in FILTERS.into_iter().enumerate() {
                // Three lists a member each time.
                if (member + nth + sizes.2) % FILTERS.len() > 2 {
                    continue;
                }
                let list = pick(self.model.profile(reader, member, filter));
                let name = self.a_name_of(member, sizes);
                let path = format!("/api/users/{name}/posts?filter={filter}&");
                // And one of them by pages.
                let by_pages = (member + nth + sizes.2).is_multiple_of(FILTERS.len());
                self.look_at_list(reader, &path, &list, by_pages.then_some(sizes))
                    .await?;
            }
        }
        for post in 0..posts.len() {
            if posts.len() < CROWD || (post + sizes.2).is_multiple_of(5) {
                self.look_at_thread(reader, post, &posts).await?;
            }
        }
        self.discover(reader, &posts, sizes).await?;
        self.look_at_those_kept_away(reader).await?;
        let told = self.model.notifications_of(reader).into_iter();
        let told = told.map(|row| self.model.show_notification(row));
        let told = told.collect::<Vec<_>>();
        self.look_at_list(reader, "/api/notifications?", &told, Some(sizes))
            .await?;
        let invites = self.model.invites_of(reader).into_iter();
        let invites = invites.map(|invite| self.model.show_invite(invite));
        let invites = invites.collect::<Vec<_>>();
        self.look_at_list(reader, "/api/invites?", &invites, Some(sizes))
            .await
    }

    /// A profile, whether one follows, and who else does.
    async fn look_at_member(
        &mut self,
        reader: usize,
        member: usize,
        sizes: Sizes,
    ) -> Result<(), String> {
        let name = self.a_name_of(member, sizes);
        let profile = self.get(reader, &format!("/api/users/{name}")).await?;
        let expected = self.model.show_user(reader, member);
        differences(
            &format!("profile of member-{member}"),
            &expected,
            &profile.body,
        )?;
        let path = format!("/api/follows/{}/status", self.model.members[member].id);
        let status = self.get(reader, &path).await?;
        let expected = json!({"isFollowing": self.model.follows(reader, member)});
        differences(
            &format!("follow status of member-{member}"),
            &expected,
            &status.body,
        )?;
        let ties = [
            ("followers", self.model.followers(member)),
            ("following", self.model.following(member)),
        ];
        for (which, mut others) in ties {
            let apart = |other: usize| self.model.is_apart(reader, other);
            others.retain(|other| !apart(member) && !apart(*other));
            let shown = |other: usize| self.model.show_user(reader, other);
            let list = others.into_iter().map(shown).collect::<Vec<_>>();
            let path = format!("/api/users/{name}/{which}?");
            // One member's by pages.
            let by_pages = member == sizes.2 % self.model.members.len();
            self.look_at_list(reader, &path, &list, by_pages.then_some(sizes))
                .await?;
        }
        Ok(())
    }

    /// A name that leads to the member: the present one or the first.
    fn a_name_of(&self, member: usize, sizes: Sizes) -> String {
        let names = &self.model.members[member].names;
        names[sizes.1 % names.len()].clone()
    }

    /// A thread; a repost leads to its original's, and what is gone without a trace to nothing.
    async fn look_at_thread(
        &mut self,
        reader: usize,
        post: usize,
        posts: &[Value],
    ) -> Result<(), String> {
        let reply = self
            .get(
                reader,
                &format!("/api/posts/{}/thread", self.model.posts[post].id),
            )
            .await?;
        let place = format!("thread of post-{post}");
        let shown = match self.model.thread_of(reader, post) {
            Ok(shown) => shown,
            Err(refusal) => {
                return agree(&reply, Err(refusal)).map_err(|error| format!("{place}: {error}"));
            }
        };
        let pick = |list: Vec<usize>| {
            let list = list.into_iter();
            list.map(|post| posts[post].clone()).collect::<Vec<_>>()
        };
        let expected = json!({
            "rootId": self.model.root_above(reader, shown).map(|root| &self.model.posts[root].id),
            "ancestors": pick(self.model.ancestors(shown)),
            "post": posts[shown],
            "replies": pick(self.model.thread(reader, shown)),
        });
        differences(&place, &expected, &reply.body)
    }
}
