//! A naive model of the network: append-only lists, and rules that scan them. It stores no counts and shares no code
//! with the server.

use crate::calendar::{DAY, HOUR, Millis};
use crate::near::Edges;
use serde_json::Value;
use std::collections::BTreeMap;

/// Status and code of an expected error.
pub(crate) type Rejection = (u16, &'static str);

/// The post does not exist or is deleted.
pub(crate) const NO_POST: Rejection = (404, "post_not_found");
/// The member does not exist.
pub(crate) const NO_USER: Rejection = (404, "user_not_found");
/// The notification does not exist or belongs to another member.
pub(crate) const NO_NOTIFICATION: Rejection = (404, "notification_not_found");
/// The post belongs to another member.
pub(crate) const NOT_YOURS: Rejection = (403, "not_yours");
/// The invite does not exist or belongs to another member.
pub(crate) const NO_INVITE: Rejection = (404, "invite_not_found");
/// A field breaks a rule.
pub(crate) const INVALID: Rejection = (422, "invalid");
/// The invite code cannot be used.
pub(crate) const BAD_CODE: Rejection = (400, "invalid");

/// All rows in the order of creation. Members, posts and so on are identified by their index in these lists.
#[derive(Debug, Clone, Default)]
pub(crate) struct Model {
    pub(crate) now: Millis,
    pub(crate) members: Vec<Member>,
    pub(crate) posts: Vec<Post>,
    /// Follower and followed member.
    pub(crate) follows: Vec<(usize, usize)>,
    /// Blocking and blocked member.
    pub(crate) blocks: Vec<(usize, usize)>,
    /// Muting and muted member.
    pub(crate) mutes: Vec<(usize, usize)>,
    /// Member and liked post.
    pub(crate) likes: Vec<(usize, usize)>,
    pub(crate) votes: Vec<Vote>,
    pub(crate) notifications: Vec<Notification>,
    pub(crate) invites: Vec<Invite>,
    pub(crate) links: Vec<Link>,
    pub(crate) keys: Vec<Key>,
    /// Time and follows of each viewer's last cached circle.
    pub(crate) circles: BTreeMap<usize, (Millis, Edges)>,
    /// Time and result of the last count of trends.
    pub(crate) trends: Option<(Millis, Vec<Value>)>,
}

/// A member, who uses one browser.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    /// The server's id.
    pub(crate) id: String,
    /// All usernames; the last one is current.
    pub(crate) names: Vec<String>,
    pub(crate) has_chosen: bool,
    pub(crate) display_name: String,
    pub(crate) email: Option<String>,
    pub(crate) invited_by: Option<usize>,
    pub(crate) joined: Millis,
    /// Start of the browser's session, and its last recorded use.
    pub(crate) session: (Millis, Millis),
}

/// A post, a reply or a repost.
#[derive(Debug, Clone)]
pub(crate) struct Post {
    /// The server's id, read from its response.
    pub(crate) id: String,
    pub(crate) author: usize,
    pub(crate) at: Millis,
    pub(crate) content: String,
    pub(crate) mentions: Vec<Mention>,
    pub(crate) hashtags: Vec<Hashtag>,
    pub(crate) kind: Kind,
    pub(crate) poll: Option<Poll>,
    /// Deleted or undone.
    pub(crate) is_gone: bool,
}

/// Kind of a post, with the post that it refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Post,
    Reply(usize),
    Repost(usize),
}

/// A member's name in a text; positions are in UTF-16 units.
#[derive(Debug, Clone)]
pub(crate) struct Mention {
    pub(crate) member: usize,
    pub(crate) name: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// A normalized tag in a text.
#[derive(Debug, Clone)]
pub(crate) struct Hashtag {
    pub(crate) tag: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

#[derive(Debug, Clone)]
pub(crate) struct Poll {
    pub(crate) options: Vec<String>,
    pub(crate) ends: Millis,
}

#[derive(Debug, Clone)]
pub(crate) struct Vote {
    pub(crate) member: usize,
    pub(crate) post: usize,
    pub(crate) option: String,
}

#[derive(Debug, Clone)]
pub(crate) struct Notification {
    pub(crate) to: usize,
    pub(crate) kind: &'static str,
    pub(crate) actor: usize,
    pub(crate) post: Option<usize>,
    pub(crate) at: Millis,
    pub(crate) is_read: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Invite {
    /// The server's id; empty for an operator's code.
    pub(crate) id: String,
    pub(crate) code: String,
    /// `None` for an operator's code.
    pub(crate) by: Option<usize>,
    pub(crate) made: Millis,
    /// The member who joined with it, and the time.
    pub(crate) used: Option<(usize, Millis)>,
    pub(crate) is_revoked: bool,
}

/// A requested login link.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub(crate) email: String,
    /// The invite of the request.
    pub(crate) invite: usize,
    pub(crate) asked: Millis,
    /// The member logged in by it, and the time.
    pub(crate) used: Option<(usize, Millis)>,
}

/// An idempotency key.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    pub(crate) member: usize,
    pub(crate) text: String,
    pub(crate) post: usize,
    pub(crate) made: Millis,
}

impl Model {
    /// Whether a member follows another.
    pub(crate) fn follows(&self, follower: usize, followee: usize) -> bool {
        self.follows.contains(&(follower, followee))
    }

    /// The member with this current or former name.
    pub(crate) fn named(&self, name: &str) -> Option<usize> {
        let holds = |member: &Member| member.names.iter().any(|held| held == name);
        self.members.iter().position(holds)
    }

    /// The original of a repost, or the post itself; an error if it is deleted.
    pub(crate) fn original(&self, post: Option<usize>) -> Result<usize, Rejection> {
        let there = |post: usize| {
            if self.posts[post].is_gone { Err(NO_POST) } else { Ok(post) }
        };
        let post = there(post.ok_or(NO_POST)?)?;
        match self.posts[post].kind {
            Kind::Repost(original) => there(original),
            _ => Ok(post),
        }
    }

    /// Whether a member's session is valid.
    pub(crate) fn is_logged_in(&self, member: usize) -> bool {
        let (began, seen) = self.members[member].session;
        self.now < began + 30 * DAY && self.now < seen + 14 * DAY
    }

    /// Extends the session of a requesting member, with a precision of an hour.
    pub(crate) fn touch_session(&mut self, member: usize) {
        let is_stale = self.now >= self.members[member].session.1 + HOUR;
        if is_stale && self.is_logged_in(member) {
            self.members[member].session.1 = self.now;
        }
    }

    /// Adds a notification, unless it is about an own action, hidden, or a duplicate.
    pub(crate) fn notify(
        &mut self,
        to: usize,
        kind: &'static str,
        actor: usize,
        post: Option<usize>,
    ) {
        let is_duplicate =
            |row: &Notification| (row.to, row.kind, row.actor, row.post) == (to, kind, actor, post);
        let is_shown = to != actor && !self.hides(to, actor);
        if is_shown && !self.notifications.iter().any(is_duplicate) {
            let (at, is_read) = (self.now, false);
            self.notifications.push(Notification { to, kind, actor, post, at, is_read });
        }
    }

    /// Follows or unfollows.
    pub(crate) fn follow(
        &mut self,
        who: usize,
        target: Option<usize>,
        on: bool,
    ) -> Result<(), Rejection> {
        let target = target.ok_or(NO_USER)?;
        if on && who == target {
            return Err(INVALID);
        }
        if on {
            self.check(who, target)?;
        }
        if on && !self.follows(who, target) {
            self.add_follow(who, target);
            self.notify(target, "follow", who, None);
        }
        if !on {
            self.unfollow(|edge| edge == (who, target));
        }
        Ok(())
    }

    /// Adds a follow. The follower's cached circle is invalidated; other viewers' expire within a minute.
    pub(crate) fn add_follow(&mut self, who: usize, target: usize) {
        self.follows.push((who, target));
        self.circles.remove(&who);
    }

    /// Removes follows and invalidates the followers' cached circles.
    pub(crate) fn unfollow(&mut self, ends: impl Fn((usize, usize)) -> bool) {
        let (ended, left) = self.follows.iter().partition(|edge| ends(**edge));
        self.follows = left;
        let ended: Vec<(usize, usize)> = ended;
        for (who, _) in ended {
            self.circles.remove(&who);
        }
    }

    /// Likes or unlikes.
    pub(crate) fn like(
        &mut self,
        who: usize,
        post: Option<usize>,
        on: bool,
    ) -> Result<(), Rejection> {
        let post = if on { self.reached(who, post)? } else { self.seen(who, post)? };
        if on && !self.likes.contains(&(who, post)) {
            self.likes.push((who, post));
            self.notify(self.posts[post].author, "like", who, Some(post));
        }
        if !on {
            self.likes.retain(|like| *like != (who, post));
        }
        Ok(())
    }

    /// Votes. The poll's state is checked before the option; a repost has its original's poll.
    pub(crate) fn vote(
        &mut self,
        who: usize,
        post: Option<usize>,
        option: &str,
    ) -> Result<(), Rejection> {
        let post = self.reached(who, post)?;
        let poll = self.posts[post].poll.as_ref().ok_or((409, "no_poll"))?;
        if self.now >= poll.ends {
            return Err((409, "poll_ended"));
        }
        if !poll.options.iter().any(|known| known == option) {
            return Err(INVALID);
        }
        self.votes.retain(|vote| (vote.member, vote.post) != (who, post));
        let option = option.to_owned();
        self.votes.push(Vote { member: who, post, option });
        Ok(())
    }

    /// Withdraws a vote, if there is one.
    pub(crate) fn withdraw_vote(
        &mut self,
        who: usize,
        post: Option<usize>,
    ) -> Result<(), Rejection> {
        let post = self.seen(who, post)?;
        let poll = self.posts[post].poll.as_ref().ok_or((409, "no_poll"))?;
        if self.now >= poll.ends {
            return Err((409, "poll_ended"));
        }
        self.votes.retain(|vote| (vote.member, vote.post) != (who, post));
        Ok(())
    }

    /// Marks a notification of the member as read. Notifications of one reply or mention share an id among
    /// members, so another member's id may mark an own one.
    pub(crate) fn read(&mut self, who: usize, about: Option<usize>) -> Result<(), Rejection> {
        let about = self.notifications[about.ok_or(NO_NOTIFICATION)?].clone();
        let by_post = |kind| kind == "reply" || kind == "mention";
        let is_it = |row: &&mut Notification| {
            row.to == who
                && row.post == about.post
                && (row.to == about.to && row.kind == about.kind && row.actor == about.actor
                    || by_post(row.kind) && by_post(about.kind))
        };
        let mine = self.notifications.iter_mut().find(is_it).ok_or(NO_NOTIFICATION)?;
        mine.is_read = true;
        Ok(())
    }

    /// Marks all of a member's notifications as read.
    pub(crate) fn read_all(&mut self, who: usize) {
        for row in self.notifications.iter_mut().filter(|row| row.to == who) {
            row.is_read = true;
        }
    }
}
