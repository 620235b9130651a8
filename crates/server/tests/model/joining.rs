//! The model's rules for names, codes and links: how members come in.

use crate::calendar::{DAY, MINUTE, Millis, months_between};
use crate::model::{BAD_CODE, INVALID, Invite, Link, Member, Model, NO_INVITE, Refusal};

/// Some of the names that nobody may choose.
const RESERVED: [&str; 2] = ["admin", "founder"];

/// How long a mailed link may claim a code that has expired.
const LATE: Millis = 15 * MINUTE;

/// What opening a link does.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Opened {
    /// The member is logged in.
    LoggedIn(usize),
    /// Somebody new joins with this invite.
    Joins { invite: usize },
}

impl Model {
    /// Takes a name for good; the one from sign-up goes on leading here.
    pub(crate) fn choose_name(&mut self, who: usize, typed: &str) -> Result<(), Refusal> {
        let name = typed.trim().trim_start_matches('@').to_lowercase();
        let name = name.as_str();
        let fits = (3..=20).contains(&name.len());
        if !fits || RESERVED.contains(&name) || name.starts_with("member_") {
            return Err(INVALID);
        }
        let taken = self.named(name).is_some();
        let member = &mut self.members[who];
        if member.has_chosen {
            let again = member.names.last().is_some_and(|held| held == name);
            return if again {
                Ok(())
            } else {
                Err((409, "username_chosen"))
            };
        }
        if taken {
            return Err((409, "username_taken"));
        }
        member.names.push(name.to_owned());
        member.has_chosen = true;
        Ok(())
    }

    /// Whether a code is unspent, up to `late` after its seven days.
    fn is_open(&self, invite: usize, late: Millis) -> bool {
        let invite = &self.invites[invite];
        invite.used.is_none() && !invite.is_revoked && self.now < invite.made + 7 * DAY + late
    }

    /// Codes that a member has out or that were used, newest first.
    pub(crate) fn invites_of(&self, member: usize) -> Vec<usize> {
        self.spent(member, 0)
    }

    /// The same, of those that are out up to `late` after their seven days.
    fn spent(&self, member: usize, late: Millis) -> Vec<usize> {
        let mine = |invite: &usize| self.invites[*invite].by == Some(member);
        let counts =
            |invite: &usize| self.invites[*invite].used.is_some() || self.is_open(*invite, late);
        (0..self.invites.len())
            .rev()
            .filter(mine)
            .filter(counts)
            .collect()
    }

    /// Three at sign-up and three more each month, less what is used or may still be claimed.
    pub(crate) fn invites_available(&self, member: usize) -> usize {
        let months = months_between(self.members[member].joined, self.now);
        let granted = 3 + 3 * usize::try_from(months).unwrap_or(0);
        granted.saturating_sub(self.spent(member, LATE).len())
    }

    /// Makes a code; the text comes from the server.
    pub(crate) fn invite(&mut self, by: Option<usize>) -> Result<usize, Refusal> {
        if by.is_some_and(|member| self.invites_available(member) == 0) {
            return Err((409, "no_invites_left"));
        }
        self.invites.push(Invite {
            id: String::new(),
            code: String::new(),
            by,
            made: self.now,
            used: None,
            is_revoked: false,
        });
        Ok(self.invites.len() - 1)
    }

    /// Takes back a code that nobody has used; it goes back to its owner.
    pub(crate) fn revoke(&mut self, who: usize, invite: Option<usize>) -> Result<(), Refusal> {
        let is_mine = |invite: &usize| self.invites[*invite].by == Some(who);
        let invite = invite.filter(is_mine).ok_or(NO_INVITE)?;
        if self.invites[invite].used.is_some() {
            return Err((409, "invite_used"));
        }
        self.invites[invite].is_revoked = true;
        Ok(())
    }

    /// Asks for a link with a code.
    pub(crate) fn ask(&mut self, email: &str, invite: Option<usize>) -> Result<usize, Refusal> {
        let invite = invite
            .filter(|invite| self.is_open(*invite, 0))
            .ok_or(BAD_CODE)?;
        let (email, asked, used) = (email.to_owned(), self.now, None);
        self.links.push(Link {
            email,
            invite,
            asked,
            used,
        });
        Ok(self.links.len() - 1)
    }

    /// What opening a link does now: it lives for 15 minutes, and answers once more for a minute.
    pub(crate) fn open(&self, link: usize) -> Result<Opened, Refusal> {
        let Link {
            email,
            invite,
            asked,
            used,
        } = &self.links[link];
        if let Some((member, at)) = used {
            let again = self.now < at + MINUTE;
            return if again {
                Ok(Opened::LoggedIn(*member))
            } else {
                Err((410, "link_used"))
            };
        }
        if self.now >= asked + 15 * MINUTE {
            return Err((410, "link_expired"));
        }
        if let Some(known) = self
            .members
            .iter()
            .position(|member| member.email.as_ref() == Some(email))
        {
            return Ok(Opened::LoggedIn(known));
        }
        if self.is_open(*invite, LATE) {
            Ok(Opened::Joins { invite: *invite })
        } else {
            Err((409, "invite_gone"))
        }
    }

    /// Ends the links that were asked for before one that was used, for the same address.
    pub(crate) fn end_older(&mut self, link: usize) {
        let email = self.links[link].email.clone();
        let now = self.now;
        for older in &mut self.links[..link] {
            if older.email == email && older.used.is_none() {
                older.asked = older.asked.min(now - 15 * MINUTE);
            }
        }
    }

    /// A new member: friends with whoever invited them from the first moment.
    pub(crate) fn join(&mut self, id: &str, name: &str, email: &str, invite: usize) -> usize {
        let who = self.members.len();
        let invited_by = self.invites[invite].by;
        self.members.push(Member {
            id: id.to_owned(),
            names: vec![name.to_owned()],
            has_chosen: false,
            display_name: "New member".to_owned(),
            email: Some(email.to_owned()),
            invited_by,
            joined: self.now,
            session: (self.now, self.now),
        });
        self.invites[invite].used = Some((who, self.now));
        if let Some(inviter) = invited_by {
            for (follower, followee) in [(who, inviter), (inviter, who)] {
                self.now_follows(follower, followee);
                self.notify(followee, "follow", follower, None);
            }
        }
        who
    }
}
