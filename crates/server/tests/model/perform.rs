//! Performs an action on the model and on the server, and compares the two answers.

use crate::actions::{Action, MemberAction, Part, Text, Which};
use crate::diff::differences;
use crate::model::Refusal;
use crate::words::{TAGS, WORDS};
use crate::world::{Reply, World};
use crate::writing::Draft;
use serde_json::Value;

/// Ids that no row has.
const UNKNOWN: [&str; 4] = ["1", "0", "nonsense", "99999999999999999999"];
/// What polls ask; the last one is offered nowhere.
pub(crate) const OPTIONS: [&str; 5] = ["tea", "coffee", "water", "milk", "cocoa"];

/// An id that no row has.
pub(crate) fn unknown(which: Which) -> String {
    let (Which::Newest(number) | Which::Unknown(number)) = which;
    UNKNOWN[usize::from(number) % UNKNOWN.len()].to_owned()
}

/// Whether what would name a row, when there is none, is no id at all.
pub(crate) fn is_nonsense(row: Option<usize>, which: Which) -> bool {
    row.is_none() && unknown(which) != "1"
}

/// An `Idempotency-Key`.
fn key_of(number: Option<u8>) -> Option<String> {
    number.map(|number| format!("key-{number}"))
}

/// A field's text, empty when it has none.
pub(crate) fn text_of(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_default().to_owned()
}

/// Whether a call ended as the model says: the status, and the code of a refusal.
pub(crate) fn agree(reply: &Reply, expected: Result<u16, Refusal>) -> Result<(), String> {
    let code = reply.body["code"].as_str().filter(|_| reply.status >= 400);
    let found = (reply.status, code.unwrap_or_default());
    let expected = expected.map_or_else(|refusal| refusal, |status| (status, ""));
    if found == expected {
        return Ok(());
    }
    let body = &reply.body;
    Err(format!("expected {expected:?}, found {found:?}: {body}"))
}

/// Which one of `count` is meant, oldest first.
pub(crate) fn among(which: Which, count: usize) -> Option<usize> {
    let newest = count.checked_sub(1)?;
    match which {
        Which::Newest(age) => Some(newest.saturating_sub(usize::from(age))),
        Which::Unknown(_) => None,
    }
}

impl World {
    /// Does it, and says how the server's answer differs from the model's.
    pub(crate) async fn perform(&mut self, action: &Action) -> Result<(), String> {
        // Time never stands quite still.
        self.pass(1_000);
        self.stay_logged_in().await?;
        let who = usize::from(action.who) % self.model.members.len();
        match &action.deed {
            MemberAction::Write {
                text,
                to,
                poll,
                key,
            } => {
                let options = |count: usize| OPTIONS[..count].iter().map(ToString::to_string);
                let draft = Draft {
                    words: self.words(text),
                    parent: *to,
                    reply_to: to.and_then(|which| among(which, self.model.posts.len())),
                    poll: poll.map(|(count, minutes)| (options(count).collect(), minutes)),
                    key: key_of(*key),
                };
                self.write(who, &draft).await
            }
            MemberAction::Repost(post, key) => self.repost(who, *post, key_of(*key)).await,
            MemberAction::Delete { own, post } => self.delete(who, *own, *post).await,
            MemberAction::UndoRepost { own, post } => self.undo_repost(who, *own, *post).await,
            MemberAction::Like(post, on) => self.like(who, *post, *on).await,
            MemberAction::Vote { poll, post, option } => {
                self.vote(who, *poll, *post, *option).await
            }
            MemberAction::Follow(whom, on) => self.follow(who, *whom, *on).await,
            MemberAction::Block(whom, on) => self.keep_away(who, *whom, ("blocks", *on)).await,
            MemberAction::Mute(whom, on) => self.keep_away(who, *whom, ("mutes", *on)).await,
            MemberAction::Read { of, row } => self.read(who, *of, *row).await,
            MemberAction::ReadAll => self.read_all(who).await,
            MemberAction::Invite => self.invite(who).await,
            MemberAction::Revoke { own, invite } => self.revoke(who, *own, *invite).await,
            MemberAction::Ask(entry) => self.ask(*entry).await.map(drop),
            MemberAction::Open(which) => match among(*which, self.links.len()) {
                Some(link) => self.open(link).await,
                None => Ok(()),
            },
            MemberAction::Join(entry) => match self.ask(*entry).await? {
                Some(link) => self.open(link).await,
                None => Ok(()),
            },
            MemberAction::ChooseName(whose) => self.choose_name(who, *whose).await,
            MemberAction::Rename(number) => self.rename(who, *number).await,
            MemberAction::Pass(passing) => {
                self.move_clock(*passing);
                Ok(())
            }
            MemberAction::Look(sizes) => self.look(who, *sizes).await,
        }
    }

    fn words(&self, text: &Text) -> Vec<String> {
        match text {
            Text::Blank => Vec::new(),
            Text::TooLong => vec!["x".repeat(501)],
            Text::Words(word, parts) => {
                let members = &self.model.members;
                let written = |part: &Part| match part {
                    Part::Tag(tag) => TAGS[usize::from(*tag) % TAGS.len()].to_owned(),
                    Part::Name(member, former) => {
                        let names = &members[usize::from(*member) % members.len()].names;
                        let name = if *former { names.first() } else { names.last() };
                        format!("@{}", name.unwrap())
                    }
                };
                let word = WORDS[usize::from(*word) % WORDS.len()].to_owned();
                std::iter::once(word)
                    .chain(parts.iter().map(written))
                    .collect()
            }
        }
    }

    /// The server's id of a post.
    pub(crate) fn post_id(&self, post: Option<usize>, which: Which) -> String {
        post.map_or_else(|| unknown(which), |post| self.model.posts[post].id.clone())
    }

    /// Calls, and compares how it ended with what the model says.
    pub(crate) async fn expect(
        &mut self,
        who: usize,
        (method, path): (&str, &str),
        body: Option<Value>,
        key: Option<&str>,
        expected: Result<u16, Refusal>,
    ) -> Result<Value, String> {
        let reply = self.call(who, method, path, body.as_ref(), key).await?;
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let key = key.unwrap_or_default();
        self.log.push(format!(
            "member-{who}: {method} {path} {body} {key} → {}",
            reply.status
        ));
        agree(&reply, expected)
            .map_err(|error| format!("{method} {path} {body} by member-{who}: {error}"))?;
        Ok(reply.body)
    }

    /// Learns the id of a post that is new, and compares the answer with the post.
    pub(crate) fn expect_post(
        &mut self,
        who: usize,
        post: usize,
        answer: &Value,
    ) -> Result<(), String> {
        if self.model.posts[post].id.is_empty() {
            answer["id"]
                .as_str()
                .unwrap_or_default()
                .clone_into(&mut self.model.posts[post].id);
        }
        differences(
            "the answered post",
            &self.model.show_post(who, post),
            answer,
        )
    }
}
