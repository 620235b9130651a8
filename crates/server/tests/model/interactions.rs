//! Interactions with posts and between members, on the model and on the server.

use crate::actions::Which;
use crate::diff::differences;
use crate::model::{Kind, NO_NOTIFICATION, NO_POST};
use crate::perform::{OPTIONS, among, is_nonsense, text_of, unknown};
use crate::world::World;
use crate::writing::Draft;
use serde_json::json;

impl World {
    /// Creates a post or reply; a repeated key returns the first post.
    pub(crate) async fn write(&mut self, who: usize, draft: &Draft) -> Result<(), String> {
        let mut body = json!({"content": draft.content()});
        if let Some(parent) = draft.parent {
            body["replyToId"] = json!(self.post_id(draft.reply_to, parent));
        }
        if let Some((options, minutes)) = &draft.poll {
            body["pollOptions"] = json!(options);
            body["pollDurationMinutes"] = json!(minutes);
        }
        let written = self.model.write(who, draft);
        let expected = written.map(|_| 201);
        let answer = self
            .expect(who, ("POST", "/api/posts"), Some(body), draft.key.as_deref(), expected)
            .await?;
        written.map_or(Ok(()), |post| self.expect_post(who, post, &answer))
    }

    /// Reposts; repetitions return the first repost.
    pub(crate) async fn repost(
        &mut self,
        who: usize,
        which: Which,
        key: Option<String>,
    ) -> Result<(), String> {
        let target = among(which, self.model.posts.len());
        let body = json!({"content": "♻️", "repostOfId": self.post_id(target, which)});
        let written = if is_nonsense(target, which) {
            Err(NO_POST)
        } else {
            self.model.repost(who, target, "♻️", key.as_deref())
        };
        let answer = self
            .expect(who, ("POST", "/api/posts"), Some(body), key.as_deref(), written.map(|_| 201))
            .await?;
        written.map_or(Ok(()), |post| self.expect_post(who, post, &answer))
    }

    /// Deletes a post of the member, or any.
    pub(crate) async fn delete(
        &mut self,
        who: usize,
        own: bool,
        which: Which,
    ) -> Result<(), String> {
        let posts = &self.model.posts;
        let mine = (0..posts.len()).filter(|post| posts[*post].author == who);
        let mine = mine.collect::<Vec<_>>();
        let target = match among(which, mine.len()) {
            Some(one) if own => Some(mine[one]),
            _ => among(which, posts.len()),
        };
        let path = format!("/api/posts/{}", self.post_id(target, which));
        let deleted = self.model.delete(who, target);
        self.expect(who, ("DELETE", &path), None, None, deleted.map(|()| 204)).await.map(drop)
    }

    /// Undoes a repost of the member, or targets any other post.
    pub(crate) async fn undo_repost(
        &mut self,
        who: usize,
        own: bool,
        which: Which,
    ) -> Result<(), String> {
        let mine = (0..self.model.posts.len()).filter(|post| {
            let post = &self.model.posts[*post];
            post.author == who && matches!(post.kind, Kind::Repost(_))
        });
        let mine = mine.collect::<Vec<_>>();
        let target = match among(which, mine.len()) {
            Some(one) if own => Some(mine[one]),
            _ => among(which, self.model.posts.len()),
        };
        let path = format!("/api/posts/{}/repost", self.post_id(target, which));
        let undone = self.model.undo_repost(who, target);
        let answer = self.expect(who, ("DELETE", &path), None, None, undone.map(|_| 200)).await?;
        undone.map_or(Ok(()), |original| self.expect_post(who, original, &answer))
    }

    /// Likes or unlikes.
    pub(crate) async fn like(&mut self, who: usize, which: Which, on: bool) -> Result<(), String> {
        let target = among(which, self.model.posts.len());
        let path = format!("/api/posts/{}/like", self.post_id(target, which));
        let liked = self.model.like(who, target, on);
        let method = if on { "POST" } else { "DELETE" };
        let answer = self.expect(who, (method, &path), None, None, liked.map(|()| 200)).await?;
        match (liked, target) {
            (Ok(()), Some(post)) => self.expect_post(who, post, &answer),
            _ => Ok(()),
        }
    }

    /// Votes in a poll or on any post, or withdraws the vote.
    pub(crate) async fn vote(
        &mut self,
        who: usize,
        poll: bool,
        which: Which,
        option: u8,
    ) -> Result<(), String> {
        let polls =
            (0..self.model.posts.len()).filter(|post| self.model.posts[*post].poll.is_some());
        let polls = polls.collect::<Vec<_>>();
        let target = match among(which, polls.len()) {
            Some(one) if poll => Some(polls[one]),
            _ => among(which, self.model.posts.len()),
        };
        let path = format!("/api/posts/{}/vote", self.post_id(target, which));
        let (method, body, voted) = match OPTIONS.get(usize::from(option)) {
            Some(option) => {
                let voted = self.model.vote(who, target, option);
                ("POST", Some(json!({"option": option})), voted)
            }
            None => ("DELETE", None, self.model.withdraw_vote(who, target)),
        };
        let answer = self.expect(who, (method, &path), body, None, voted.map(|()| 200)).await?;
        match (voted, target) {
            (Ok(()), Some(post)) => self.expect_post(who, post, &answer),
            _ => Ok(()),
        }
    }

    /// Follows or unfollows.
    pub(crate) async fn follow(
        &mut self,
        who: usize,
        which: Which,
        on: bool,
    ) -> Result<(), String> {
        let target = among(which, self.model.members.len());
        let id =
            target.map_or_else(|| unknown(which), |target| self.model.members[target].id.clone());
        let expected = self.model.follow(who, target, on).map(|()| 200);
        let answer = if on {
            let body = json!({"followingId": id});
            self.expect(who, ("POST", "/api/follows"), Some(body), None, expected).await?
        } else {
            let path = format!("/api/follows/{id}");
            self.expect(who, ("DELETE", &path), None, None, expected).await?
        };
        match expected {
            Ok(_) => differences("the answer", &json!({"isFollowing": on}), &answer),
            Err(_) => Ok(()),
        }
    }

    /// Marks one notification as read, the member's own or not.
    pub(crate) async fn read(
        &mut self,
        who: usize,
        of: Option<u8>,
        row: Which,
    ) -> Result<(), String> {
        let to = of.map_or(who, |of| usize::from(of) % self.model.members.len());
        let listed = self.model.notifications_of(to);
        let nth = among(row, listed.len()).map(|row| listed.len() - 1 - row);
        let mut id = unknown(row);
        if let Some(nth) = nth {
            let path = format!("/api/notifications?limit=1&offset={nth}");
            let page = self.get(to, &path).await?;
            id = text_of(&page.body[0], "id");
        }
        let about = nth.map(|nth| listed[nth]);
        let (Which::Newest(age) | Which::Unknown(age)) = row;
        if age % 2 == 1 {
            // A request with several ids ignores those of other members; an invalid id marks none.
            let other = unknown(Which::Unknown(age / 2));
            let expected = if other != "1" || is_nonsense(nth, row) {
                Err(NO_NOTIFICATION)
            } else {
                let _passed_over = self.model.read(who, about);
                Ok(204)
            };
            let body = Some(json!({"ids": [id, other]}));
            let call = ("PUT", "/api/notifications/read");
            return self.expect(who, call, body, None, expected).await.map(drop);
        }
        let expected = self.model.read(who, about).map(|()| 204);
        let path = format!("/api/notifications/{id}/read");
        self.expect(who, ("PUT", &path), None, None, expected).await.map(drop)
    }

    /// Marks all notifications of the member as read.
    pub(crate) async fn read_all(&mut self, who: usize) -> Result<(), String> {
        self.model.read_all(who);
        self.expect(who, ("PUT", "/api/notifications/read-all"), None, None, Ok(204))
            .await
            .map(drop)
    }
}
