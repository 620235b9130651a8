//! Sign-up and login: codes, links, names, sessions and the clock.

use crate::actions::{Entry, Passing, Which};
use crate::calendar::{next_month, wire};
use crate::diff::differences;
use crate::joining::Opened;
use crate::perform::{agree, among, text_of, unknown};
use crate::words::SHOWN;
use crate::world::World;
use serde_json::json;

/// Names as typed: one per member and a spare one, then some that cannot be chosen.
const NAMES: [&str; 12] = [
    "fia_1", "ada", " @Bob ", "CAT", "dan", "eve", "fay", "gus", "Admin", "member_1", "no",
    "founder",
];

impl World {
    /// Creates an invite code.
    pub(crate) async fn invite(&mut self, who: usize) -> Result<(), String> {
        let made = self.model.invite(Some(who));
        let answer =
            self.expect(who, ("POST", "/api/invites"), None, None, made.map(|_| 201)).await?;
        let Ok(invite) = made else {
            return Ok(());
        };
        self.model.invites[invite].id = text_of(&answer, "id");
        self.model.invites[invite].code = text_of(&answer, "code");
        differences("the answered code", &self.model.show_invite(invite), &answer)
    }

    /// Revokes a code of the member, or any.
    pub(crate) async fn revoke(
        &mut self,
        who: usize,
        own: bool,
        which: Which,
    ) -> Result<(), String> {
        let invites = &self.model.invites;
        let mine = (0..invites.len()).filter(|invite| invites[*invite].by == Some(who));
        let mine = mine.collect::<Vec<_>>();
        let target = match among(which, mine.len()) {
            Some(one) if own => Some(mine[one]),
            _ => among(which, invites.len()),
        };
        // The id of an operator's code is unknown to members.
        let id = target.map(|invite| invites[invite].id.clone());
        let id = id.filter(|id| !id.is_empty()).unwrap_or_else(|| unknown(which));
        let revoked = self.model.revoke(who, target);
        let path = format!("/api/invites/{id}");
        self.expect(who, ("DELETE", &path), None, None, revoked.map(|()| 204)).await.map(drop)
    }

    /// Creates a code of the operator.
    async fn issue(&mut self) -> Result<usize, String> {
        let made = self.model.invite(None).map_err(|error| format!("{error:?}"))?;
        let code = kith::platform::crypto::random_code(12);
        let issue = kith::features::moderation::IssueCodes {
            codes: vec![code.clone()],
            lifetime: kith::features::invites::LIFETIME,
            uses: 1,
            now: self.app.now(),
        };
        self.app.db.write(issue).await.map_err(|error| error.to_string())?;
        self.model.invites[made].code = code;
        Ok(made)
    }

    /// Requests a link and returns its number.
    pub(crate) async fn ask(
        &mut self,
        Entry { code, email }: Entry,
    ) -> Result<Option<usize>, String> {
        let invite = match code {
            Some(which) => among(which, self.model.invites.len()),
            None => Some(self.issue().await?),
        };
        let code = invite.map_or("AAAABBBBCCCC", |invite| &self.model.invites[invite].code);
        let code = code.to_owned();
        let email = format!("p{email}@example.org");
        let asked = self.model.ask(&email, invite);
        let browser = self.visitor();
        let body = json!({"email": email, "inviteCode": code});
        let path = "/api/auth/request-magic-link";
        let reply = self.send(&browser, "POST", path, Some(&body), None).await?;
        self.log.push(format!("a visitor: POST {path} {body} → {}", reply.status));
        agree(&reply, asked.map(|_| 200))?;
        let Ok(link) = asked else {
            return Ok(None);
        };
        let path = self.newest_link(&email).await;
        self.links.push((path, browser));
        Ok(Some(link))
    }

    /// Opens a link, which logs a member in or creates one.
    pub(crate) async fn open(&mut self, link: usize) -> Result<(), String> {
        let expected = self.model.open(link);
        let (path, browser) = &self.links[link];
        let reply = self.send(browser, "GET", path, None, None).await?;
        self.log.push(format!("a visitor: opens link {link} → {}", reply.status));
        agree(&reply, expected.as_ref().map(|_| 200).map_err(|error| *error))?;
        let Ok(opened) = expected else {
            return Ok(());
        };
        // Opened again, it returns the same session, which the member already has.
        if self.model.links[link].used.is_some() {
            return Ok(());
        }
        let browser = browser.tab();
        let who = match opened {
            Opened::LoggedIn(member) => {
                self.browsers[member] = browser;
                self.model.members[member].session = (self.model.now, self.model.now);
                member
            }
            Opened::Joins { invite } => {
                let me = browser.me().await;
                let email = self.model.links[link].email.clone();
                self.browsers.push(browser);
                self.model.join(&text_of(&me, "id"), &text_of(&me, "username"), &email, invite)
            }
        };
        self.model.links[link].used = Some((who, self.model.now));
        self.model.end_older(link);
        Ok(())
    }

    /// Chooses a username, which may be taken.
    pub(crate) async fn choose_name(&mut self, who: usize, whose: u8) -> Result<(), String> {
        let name = NAMES[usize::from(whose) % NAMES.len()];
        let expected = self.model.choose_name(who, name).map(|()| 200);
        let body = json!({"username": name});
        let path = "/api/users/username";
        let answer = self.expect(who, ("PUT", path), Some(body), None, expected).await?;
        match expected {
            Ok(_) => differences("the answer", &self.model.show_me(who), &answer),
            Err(_) => Ok(()),
        }
    }

    /// Changes the display name.
    pub(crate) async fn rename(&mut self, who: usize, number: u8) -> Result<(), String> {
        let typed = SHOWN[usize::from(number) % SHOWN.len()];
        let name = typed.split_whitespace().collect::<Vec<_>>().join(" ");
        self.model.members[who].display_name = name;
        let body = json!({"displayName": typed});
        let path = "/api/users/profile";
        let answer = self.expect(who, ("PUT", path), Some(body), None, Ok(200)).await?;
        differences("the answer", &self.model.show_me(who), &answer)
    }

    /// Advances the clock.
    pub(crate) fn move_clock(&mut self, passing: Passing) {
        let time = match passing {
            Passing::For(time) => time,
            Passing::ToNextMonth { just_before } => {
                next_month(self.model.now) - i64::from(just_before) - self.model.now
            }
        };
        self.pass(time);
        self.log.push(format!("it is {}", wire(self.model.now)));
    }

    /// Logs members in again whose sessions have ended, after checking that their requests get 401.
    pub(crate) async fn stay_logged_in(&mut self) -> Result<(), String> {
        for who in 0..self.model.members.len() {
            if self.model.is_logged_in(who) {
                continue;
            }
            let reply = self.get(who, "/api/auth/me").await?;
            agree(&reply, Err((401, "unauthorized")))?;
            let name = self.model.members[who].names.last().unwrap();
            let address = kith::features::auth::create_operator_login_url(&self.app, name).await;
            let address = address.map_err(|error| error.message().to_owned())?;
            let (_, query) = address.split_once('?').unwrap();
            let path = format!("/api/auth/verify?{query}");
            let reply = self.send(&self.browsers[who], "GET", &path, None, None).await?;
            agree(&reply, Ok(200))?;
            self.model.members[who].session = (self.model.now, self.model.now);
        }
        Ok(())
    }
}
