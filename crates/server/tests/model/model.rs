//! What the network should be: lists that only grow or shrink, and rules that read them from end to
//! end. Nothing is stored that can be counted, and nothing is shared with the server.

use crate::calendar::{DAY, HOUR, Millis};
use crate::near::Edges;
use serde_json::Value;
use std::collections::BTreeMap;

/// A refusal: its status and code.
pub(crate) type Refusal = (u16, &'static str);

/// There is no such post, or not any more.
pub(crate) const NO_POST: Refusal = (404, "post_not_found");
/// There is no such member.
pub(crate) const NO_USER: Refusal = (404, "user_not_found");
/// There is no such notification, or it is somebody else's.
pub(crate) const NO_NOTIFICATION: Refusal = (404, "notification_not_found");
/// Somebody else's post.
pub(crate) const NOT_YOURS: Refusal = (403, "not_yours");
/// There is no such invite, or it is somebody else's.
pub(crate) const NO_INVITE: Refusal = (404, "invite_not_found");
/// A field breaks a rule.
pub(crate) const INVALID: Refusal = (422, "invalid");
/// An invite code that nobody could join with.
pub(crate) const BAD_CODE: Refusal = (400, "invalid");

/// Everything that members did, in the order in which they did it. Members, posts and so on are
/// known by their place in these lists.
#[derive(Debug, Clone, Default)]
pub(crate) struct Model {
    pub(crate) now: Millis,
    pub(crate) members: Vec<Member>,
    pub(crate) posts: Vec<Post>,
    /// Who follows whom.
    pub(crate) follows: Vec<(usize, usize)>,
    /// Who blocked whom.
    pub(crate) blocks: Vec<(usize, usize)>,
    /// Who muted whom.
    pub(crate) mutes: Vec<(usize, usize)>,
    /// Who likes which post.
    pub(crate) likes: Vec<(usize, usize)>,
    pub(crate) votes: Vec<Vote>,
    pub(crate) notifications: Vec<Notification>,
    pub(crate) invites: Vec<Invite>,
    pub(crate) links: Vec<Link>,
    pub(crate) keys: Vec<Key>,
    /// When each reader last learned who is near, and who followed whom then.
    pub(crate) circles: BTreeMap<usize, (Millis, Edges)>,
    /// When the topics were last counted, and what was found.
    pub(crate) trends: Option<(Millis, Vec<Value>)>,
}

/// A member, and the one browser they use.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    /// The server's id.
    pub(crate) id: String,
    /// Every name ever held; the last one counts.
    pub(crate) names: Vec<String>,
    pub(crate) has_chosen: bool,
    pub(crate) display_name: String,
    pub(crate) email: Option<String>,
    pub(crate) invited_by: Option<usize>,
    pub(crate) joined: Millis,
    /// When the browser's session began, and when it was last noted as used.
    pub(crate) session: (Millis, Millis),
}

/// A post, a reply or a repost.
#[derive(Debug, Clone)]
pub(crate) struct Post {
    /// The server's id, learned from its answer.
    pub(crate) id: String,
    pub(crate) author: usize,
    pub(crate) at: Millis,
    pub(crate) content: String,
    pub(crate) mentions: Vec<Mention>,
    pub(crate) hashtags: Vec<Hashtag>,
    pub(crate) kind: Kind,
    pub(crate) poll: Option<Poll>,
    /// Taken back or deleted.
    pub(crate) is_gone: bool,
}

/// What a post is to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Post,
    Reply(usize),
    Repost(usize),
}

/// A member's name in a text; places count UTF-16 units.
#[derive(Debug, Clone)]
pub(crate) struct Mention {
    pub(crate) member: usize,
    pub(crate) name: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// A tag in a text, as tags are compared.
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
    /// The server's id; empty for an operator's.
    pub(crate) id: String,
    pub(crate) code: String,
    /// Nobody for an operator's.
    pub(crate) by: Option<usize>,
    pub(crate) made: Millis,
    /// Who joined with it, and when.
    pub(crate) used: Option<(usize, Millis)>,
    pub(crate) is_revoked: bool,
}

/// A login link that was asked for.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub(crate) email: String,
    /// The invite that came with it.
    pub(crate) invite: usize,
    pub(crate) asked: Millis,
    /// Whom it logged in, and when.
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

    /// The member who holds or held a name.
    pub(crate) fn named(&self, name: &str) -> Option<usize> {
        let holds = |member: &Member| member.names.iter().any(|held| held == name);
        self.members.iter().position(holds)
    }

    /// The post that is meant: a repost stands for its original.
    pub(crate) fn original(&self, post: Option<usize>) -> Result<usize, Refusal> {
        let there = |post: usize| {
            if self.posts[post].is_gone {
                Err(NO_POST)
            } else {
                Ok(post)
            }
        };
        let post = there(post.ok_or(NO_POST)?)?;
        match self.posts[post].kind {
            Kind::Repost(original) => there(original),
            _ => Ok(post),
        }
    }

    /// Whether a member's session still counts.
    pub(crate) fn is_logged_in(&self, member: usize) -> bool {
        let (began, seen) = self.members[member].session;
        self.now < began + 30 * DAY && self.now < seen + 14 * DAY
    }

    /// Every request keeps a session alive, to the hour.
    pub(crate) fn visits(&mut self, member: usize) {
        let is_stale = self.now >= self.members[member].session.1 + HOUR;
        if is_stale && self.is_logged_in(member) {
            self.members[member].session.1 = self.now;
        }
    }

    /// Tells a member, unless it is their own deed or they were told of it before.
    pub(crate) fn notify(
        &mut self,
        to: usize,
        kind: &'static str,
        actor: usize,
        post: Option<usize>,
    ) {
        let told =
            |row: &Notification| (row.to, row.kind, row.actor, row.post) == (to, kind, actor, post);
        let is_heard = to != actor && !self.hides(to, actor);
        if is_heard && !self.notifications.iter().any(told) {
            let (at, is_read) = (self.now, false);
            self.notifications.push(Notification {
                to,
                kind,
                actor,
                post,
                at,
                is_read,
            });
        }
    }

    /// Follows, or does not for long.
    pub(crate) fn follow(
        &mut self,
        who: usize,
        whom: Option<usize>,
        on: bool,
    ) -> Result<(), Refusal> {
        let whom = whom.ok_or(NO_USER)?;
        if on && who == whom {
            return Err(INVALID);
        }
        if on {
            self.check(who, whom)?;
        }
        if on && !self.follows(who, whom) {
            self.now_follows(who, whom);
            self.notify(whom, "follow", who, None);
        }
        if !on {
            self.unfollow(|edge| edge == (who, whom));
        }
        Ok(())
    }

    /// Adds a follow. One's own show in one's lists at once, others' within a minute.
    pub(crate) fn now_follows(&mut self, who: usize, whom: usize) {
        self.follows.push((who, whom));
        self.circles.remove(&who);
    }

    /// Ends follows.
    pub(crate) fn unfollow(&mut self, ends: impl Fn((usize, usize)) -> bool) {
        let (ended, left) = self.follows.iter().partition(|edge| ends(**edge));
        self.follows = left;
        let ended: Vec<(usize, usize)> = ended;
        for (who, _) in ended {
            self.circles.remove(&who);
        }
    }

    /// Likes, or does not any more.
    pub(crate) fn like(
        &mut self,
        who: usize,
        post: Option<usize>,
        on: bool,
    ) -> Result<(), Refusal> {
        let post = if on {
            self.reached(who, post)?
        } else {
            self.seen(who, post)?
        };
        if on && !self.likes.contains(&(who, post)) {
            self.likes.push((who, post));
            self.notify(self.posts[post].author, "like", who, Some(post));
        }
        if !on {
            self.likes.retain(|like| *like != (who, post));
        }
        Ok(())
    }

    /// The poll's state decides before the option does; a repost has its original's poll.
    pub(crate) fn vote(
        &mut self,
        who: usize,
        post: Option<usize>,
        option: &str,
    ) -> Result<(), Refusal> {
        let post = self.reached(who, post)?;
        let poll = self.posts[post].poll.as_ref().ok_or((409, "no_poll"))?;
        if self.now >= poll.ends {
            return Err((409, "poll_ended"));
        }
        if !poll.options.iter().any(|known| known == option) {
            return Err(INVALID);
        }
        self.votes
            .retain(|vote| (vote.member, vote.post) != (who, post));
        let option = option.to_owned();
        self.votes.push(Vote {
            member: who,
            post,
            option,
        });
        Ok(())
    }

    /// Withdraws a vote, if there is one.
    pub(crate) fn withdraw_vote(&mut self, who: usize, post: Option<usize>) -> Result<(), Refusal> {
        let post = self.seen(who, post)?;
        let poll = self.posts[post].poll.as_ref().ok_or((409, "no_poll"))?;
        if self.now >= poll.ends {
            return Err((409, "poll_ended"));
        }
        self.votes
            .retain(|vote| (vote.member, vote.post) != (who, post));
        Ok(())
    }

    /// Marks `about` as read by `who`, when it is theirs. Whoever is told of one reply or mention is
    /// told under the same id, so another member's may name one's own.
    pub(crate) fn read(&mut self, who: usize, about: Option<usize>) -> Result<(), Refusal> {
        let about = self.notifications[about.ok_or(NO_NOTIFICATION)?].clone();
        let by_post = |kind| kind == "reply" || kind == "mention";
        let is_it = |row: &&mut Notification| {
            row.to == who
                && row.post == about.post
                && (row.to == about.to && row.kind == about.kind && row.actor == about.actor
                    || by_post(row.kind) && by_post(about.kind))
        };
        let mine = self
            .notifications
            .iter_mut()
            .find(is_it)
            .ok_or(NO_NOTIFICATION)?;
        mine.is_read = true;
        Ok(())
    }

    /// Marks everything as read.
    pub(crate) fn read_all(&mut self, who: usize) {
        for row in self.notifications.iter_mut().filter(|row| row.to == who) {
            row.is_read = true;
        }
    }
}
