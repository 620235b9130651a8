//! Looks at everything as one member and compares it with the model.

use crate::actions::Sizes;
use crate::diff::{differences, list_differences};
use crate::lists::FILTERS;
use crate::model::NO_POST;
use crate::perform::agree;
use crate::world::World;
use serde_json::{Value, json};

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
        let feed = pick(self.model.friends_feed(reader));
        self.look_at_posts(reader, "/api/posts/feed?", &feed, Some(sizes))
            .await?;
        for member in 0..self.model.members.len() {
            self.look_at_member(reader, member, sizes).await?;
            for (nth, filter) in FILTERS.into_iter().enumerate() {
                let list = pick(self.model.profile(member, filter));
                let name = self.a_name_of(member, sizes);
                let path = format!("/api/users/{name}/posts?filter={filter}&");
                // One list a member by pages, another one each time.
                let by_pages = (member + sizes.0) % FILTERS.len() == nth;
                self.look_at_posts(reader, &path, &list, by_pages.then_some(sizes))
                    .await?;
            }
        }
        for post in 0..posts.len() {
            self.look_at_thread(reader, post, &posts).await?;
        }
        self.look_at_notifications(reader, sizes).await?;
        let invites = self.get(reader, "/api/invites").await?;
        let expected = self.model.invites_of(reader).into_iter();
        let expected = expected
            .map(|invite| self.model.show_invite(invite))
            .collect::<Value>();
        differences("invites", &expected, &invites.body)
    }

    /// A profile, and whether one follows.
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
        )
    }

    /// A name that leads to the member: the present one or the first.
    fn a_name_of(&self, member: usize, sizes: Sizes) -> String {
        let names = &self.model.members[member].names;
        names[sizes.1 % names.len()].clone()
    }

    /// A thread; a repost leads to its original's, and what is gone to nothing.
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
        let Ok(shown) = self.model.original(Some(post)) else {
            return agree(&reply, Err(NO_POST)).map_err(|error| format!("{place}: {error}"));
        };
        let replies = self
            .model
            .thread(shown)
            .into_iter()
            .map(|reply| &posts[reply]);
        let expected = json!({"post": posts[shown], "replies": replies.collect::<Vec<_>>()});
        differences(&place, &expected, &reply.body)
    }

    /// A list of posts: whole, by offset and by cursor.
    async fn look_at_posts(
        &mut self,
        reader: usize,
        path: &str,
        expected: &[Value],
        sizes: Option<Sizes>,
    ) -> Result<(), String> {
        let whole = self.by_offset(reader, path, 50).await?;
        list_differences(path, expected, &whole)?;
        let Some(Sizes(offset, cursor)) = sizes else {
            return Ok(());
        };
        let found = self.by_offset(reader, path, offset).await?;
        list_differences(
            &format!("{path}limit={offset}, by offset"),
            expected,
            &found,
        )?;
        let found = self.by_link(reader, path, cursor).await?;
        list_differences(
            &format!("{path}limit={cursor}, by cursor"),
            expected,
            &found,
        )
    }

    /// Notifications: whole, by offset and by cursor.
    async fn look_at_notifications(&mut self, reader: usize, sizes: Sizes) -> Result<(), String> {
        let path = "/api/notifications?";
        let rows = self.model.notifications_of(reader).into_iter();
        let expected = rows
            .map(|row| self.model.show_notification(row))
            .collect::<Vec<_>>();
        for size in [50, sizes.0] {
            let found = self.by_offset(reader, path, size).await?;
            list_differences(
                &format!("notifications, {size} a page, by offset"),
                &expected,
                &found,
            )?;
        }
        let mut found = Vec::new();
        loop {
            let cursor = found.last().and_then(|row: &Value| row["id"].as_str());
            let cursor = cursor.map(|id| format!("&cursor={id}")).unwrap_or_default();
            let page = self
                .get(reader, &format!("{path}limit={}{cursor}", sizes.1))
                .await?;
            let rows = rows_of(page.body)?;
            let is_last = rows.len() < sizes.1;
            found.extend(rows);
            if is_last {
                break;
            }
        }
        list_differences("notifications, by cursor", &expected, &found)
    }

    /// A list by offset, until a page is not full.
    async fn by_offset(
        &mut self,
        reader: usize,
        path: &str,
        limit: usize,
    ) -> Result<Vec<Value>, String> {
        let mut found = Vec::new();
        loop {
            let path = format!("{path}limit={limit}&offset={}", found.len());
            let rows = rows_of(self.get(reader, &path).await?.body)?;
            let count = rows.len();
            found.extend(rows);
            if count < limit {
                return Ok(found);
            }
        }
    }

    /// A list by its `Link` headers; every page that names another one must be full.
    async fn by_link(
        &mut self,
        reader: usize,
        path: &str,
        limit: usize,
    ) -> Result<Vec<Value>, String> {
        let mut found = Vec::new();
        let mut next = Some(format!("{path}limit={limit}"));
        while let Some(path) = next {
            let page = self.get(reader, &path).await?;
            let rows = rows_of(page.body)?;
            if (rows.len() == limit) != page.next.is_some() {
                let next = page.next;
                return Err(format!(
                    "{path}: {} rows of {limit}, and next is {next:?}",
                    rows.len()
                ));
            }
            found.extend(rows);
            next = page.next;
        }
        Ok(found)
    }
}

fn rows_of(body: Value) -> Result<Vec<Value>, String> {
    match body {
        Value::Array(rows) => Ok(rows),
        other => Err(format!("a list was expected, found {other}")),
    }
}
