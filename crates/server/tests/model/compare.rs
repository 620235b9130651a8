//! Compares everything that one member can see with the model.

use crate::actions::Sizes;
use crate::diff::differences;
use crate::lists::FILTERS;
use crate::perform::agree;
use crate::world::World;
use serde_json::{Value, json};

/// Number of posts from which only some threads are compared each time.
const MANY_POSTS: usize = 120;

impl World {
    /// Compares everything that the viewer can see, long lists also by pages of different sizes.
    pub(crate) async fn compare_all(&mut self, viewer: usize, sizes: Sizes) -> Result<(), String> {
        let seen = self.compare_lists(viewer, sizes).await;
        seen.map_err(|error| format!("member-{viewer} looks and sees\n{error}"))
    }

    async fn compare_lists(&mut self, viewer: usize, sizes: Sizes) -> Result<(), String> {
        // Each post as this viewer sees it, computed once because many lists contain it.
        let posts = (0..self.model.posts.len()).map(|post| self.model.show_post(viewer, post));
        let posts = posts.collect::<Vec<_>>();
        let pick =
            |list: Vec<usize>| list.iter().map(|post| posts[*post].clone()).collect::<Vec<_>>();

        let me = self.get(viewer, "/api/auth/me").await?;
        differences("me", &self.model.show_me(viewer), &me.body)?;
        let feed = self.model.friends_feed(viewer).into_iter();
        let feed = feed.map(|post| {
            let mut shown = posts[post].clone();
            shown["reposters"] = self.model.show_reposters(viewer, post);
            shown
        });
        let feed = feed.collect::<Vec<_>>();
        self.compare_list(viewer, "/api/posts/feed?", &feed, Some(sizes)).await?;
        for member in 0..self.model.members.len() {
            self.compare_member(viewer, member, sizes).await?;
            for (nth, filter) in FILTERS.into_iter().enumerate() {
                // Three lists per member each time.
                if (member + nth + sizes.2) % FILTERS.len() > 2 {
                    continue;
                }
                let list = pick(self.model.profile(viewer, member, filter));
                let name = self.a_name_of(member, sizes);
                let path = format!("/api/users/{name}/posts?filter={filter}&");
                // One of them by pages.
                let by_pages = (member + nth + sizes.2).is_multiple_of(FILTERS.len());
                self.compare_list(viewer, &path, &list, by_pages.then_some(sizes)).await?;
            }
        }
        for post in 0..posts.len() {
            if posts.len() < MANY_POSTS || (post + sizes.2).is_multiple_of(5) {
                self.compare_thread(viewer, post, &posts).await?;
            }
        }
        self.compare_discovery(viewer, &posts, sizes).await?;
        self.compare_blocks_and_mutes(viewer).await?;
        let notifications = self.model.notifications_of(viewer).into_iter();
        let notifications = notifications.map(|row| self.model.show_notification(row));
        let notifications = notifications.collect::<Vec<_>>();
        self.compare_list(viewer, "/api/notifications?", &notifications, Some(sizes)).await?;
        let invites = self.model.invites_of(viewer).into_iter();
        let invites = invites.map(|invite| self.model.show_invite(invite));
        let invites = invites.collect::<Vec<_>>();
        self.compare_list(viewer, "/api/invites?", &invites, Some(sizes)).await
    }

    /// Compares a profile, the viewer's follow, and the member's followers.
    async fn compare_member(
        &mut self,
        viewer: usize,
        member: usize,
        sizes: Sizes,
    ) -> Result<(), String> {
        let name = self.a_name_of(member, sizes);
        let profile = self.get(viewer, &format!("/api/users/{name}")).await?;
        let expected = self.model.show_user(viewer, member);
        differences(&format!("profile of member-{member}"), &expected, &profile.body)?;
        let path = format!("/api/follows/{}/status", self.model.members[member].id);
        let status = self.get(viewer, &path).await?;
        let expected = json!({"isFollowing": self.model.follows(viewer, member)});
        differences(&format!("follow status of member-{member}"), &expected, &status.body)?;
        let ties = [
            ("followers", self.model.followers(member)),
            ("following", self.model.following(member)),
        ];
        for (which, mut others) in ties {
            let apart = |other: usize| self.model.is_block_between(viewer, other);
            others.retain(|other| !apart(member) && !apart(*other));
            let shown = |other: usize| self.model.show_user(viewer, other);
            let list = others.into_iter().map(shown).collect::<Vec<_>>();
            let path = format!("/api/users/{name}/{which}?");
            // One member's lists by pages.
            let by_pages = member == sizes.2 % self.model.members.len();
            self.compare_list(viewer, &path, &list, by_pages.then_some(sizes)).await?;
        }
        Ok(())
    }

    /// A username of the member: the present one or the first.
    fn a_name_of(&self, member: usize, sizes: Sizes) -> String {
        let names = &self.model.members[member].names;
        names[sizes.1 % names.len()].clone()
    }

    /// Compares a thread; a repost leads to its original's, a fully deleted post is not found.
    async fn compare_thread(
        &mut self,
        viewer: usize,
        post: usize,
        posts: &[Value],
    ) -> Result<(), String> {
        let reply =
            self.get(viewer, &format!("/api/posts/{}/thread", self.model.posts[post].id)).await?;
        let place = format!("thread of post-{post}");
        let shown = match self.model.thread_of(viewer, post) {
            Ok(shown) => shown,
            Err(rejection) => {
                return agree(&reply, Err(rejection)).map_err(|error| format!("{place}: {error}"));
            }
        };
        let pick = |list: Vec<usize>| {
            let list = list.into_iter();
            list.map(|post| posts[post].clone()).collect::<Vec<_>>()
        };
        let expected = json!({
            "rootId": self.model.root_above(viewer, shown).map(|root| &self.model.posts[root].id),
            "ancestors": pick(self.model.ancestors(shown)),
            "post": posts[shown],
            "replies": pick(self.model.thread(viewer, shown)),
        });
        differences(&place, &expected, &reply.body)
    }
}
