//! The model's rules for names, codes and links.

use crate::calendar::{DAY, MINUTE, Millis, months_between};
use crate::model::{BAD_CODE, INVALID, Invite, Link, Member, Model, NO_INVITE, Rejection};

/// Some of the reserved usernames.
const RESERVED: [&str; 2] = ["admin", "founder"];

/// Time for which a mailed link can claim an expired code.
const LATE: Millis = 15 * MINUTE;

/// Effects of opening a link.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Opened {
    /// The member is logged in.
    LoggedIn(usize),
    /// A new member joins with this invite.
    Joins { invite: usize },
}

impl Model {
    /// Chooses a username; the provisional one still leads to the member.
    pub(crate) fn choose_name(&mut self, who: usize, typed: &str) -> Result<(), Rejection> {
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
            return if again { Ok(()) } else { Err((409, "username_chosen")) };
        }
        if taken {
            return Err((409, "username_taken"));
        }
        member.names.push(name.to_owned());
        member.has_chosen = true;
        Ok(())
    }

    /// Whether a code is unused and valid, up to `late` after its seven days.
    fn is_open(&self, invite: usize, late: Millis) -> bool {
        let invite = &self.invites[invite];
        invite.used.is_none() && !invite.is_revoked && self.now < invite.made + 7 * DAY + late
    }

    /// A member's codes that are valid or used, newest first.
    pub(crate) fn invites_of(&self, member: usize) -> Vec<usize> {
        self.spent(member, 0)
    }

    /// A member's codes that are used, or valid up to `late` after their seven days.
    fn spent(&self, member: usize, late: Millis) -> Vec<usize> {
        let mine = |invite: &usize| self.invites[*invite].by == Some(member);
        let counts =
            |invite: &usize| self.invites[*invite].used.is_some() || self.is_open(*invite, late);
        (0..self.invites.len()).rev().filter(mine).filter(counts).collect()
    }

    /// Quota left: three at sign-up and three per month, minus used and still claimable codes.
    pub(crate) fn invites_available(&self, member: usize) -> usize {
        let months = months_between(self.members[member].joined, self.now);
        let granted = 3 + 3 * usize::try_from(months).unwrap_or(0);
        granted.saturating_sub(self.spent(member, LATE).len())
    }

    /// Creates a code; its text comes from the server.
    pub(crate) fn invite(&mut self, by: Option<usize>) -> Result<usize, Rejection> {
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

    /// Revokes an unused code, which returns to its owner's quota.
    pub(crate) fn revoke(&mut self, who: usize, invite: Option<usize>) -> Result<(), Rejection> {
        let is_mine = |invite: &usize| self.invites[*invite].by == Some(who);
        let invite = invite.filter(is_mine).ok_or(NO_INVITE)?;
        if self.invites[invite].used.is_some() {
            return Err((409, "invite_used"));
        }
        self.invites[invite].is_revoked = true;
        Ok(())
    }

    /// Requests a link with a code.
    pub(crate) fn ask(&mut self, email: &str, invite: Option<usize>) -> Result<usize, Rejection> {
        let invite = invite.filter(|invite| self.is_open(*invite, 0)).ok_or(BAD_CODE)?;
        let (email, asked, used) = (email.to_owned(), self.now, None);
        self.links.push(Link { email, invite, asked, used });
        Ok(self.links.len() - 1)
    }

    /// The effect of opening a link now: it is valid for 15 minutes, and for one more minute after its use.
    pub(crate) fn open(&self, link: usize) -> Result<Opened, Rejection> {
        let Link { email, invite, asked, used } = &self.links[link];
        if let Some((member, at)) = used {
            let again = self.now < at + MINUTE;
            return if again { Ok(Opened::LoggedIn(*member)) } else { Err((410, "link_used")) };
        }
        if self.now >= asked + 15 * MINUTE {
            return Err((410, "link_expired"));
        }
        if let Some(known) =
            self.members.iter().position(|member| member.email.as_ref() == Some(email))
        {
            return Ok(Opened::LoggedIn(known));
        }
        if self.is_open(*invite, LATE) {
            Ok(Opened::Joins { invite: *invite })
        } else {
            Err((409, "invite_gone"))
        }
    }

    /// Invalidates earlier links for the same email after one was used.
    pub(crate) fn end_older(&mut self, link: usize) {
        let email = self.links[link].email.clone();
        let now = self.now;
        for older in &mut self.links[..link] {
            if older.email == email && older.used.is_none() {
                older.asked = older.asked.min(now - 15 * MINUTE);
            }
        }
    }

    /// Adds a member, with mutual follows with the inviter.
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
                self.add_follow(follower, followee);
                self.notify(followee, "follow", follower, None);
            }
        }
        who
    }
}
