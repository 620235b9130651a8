//! Performs an action on the model and on the server, and compares the responses.

use crate::actions::{Action, ActionKind, Part, Text, Which};
use crate::diff::differences;
use crate::model::Rejection;
use crate::words::{TAGS, WORDS};
use crate::world::{Reply, World};
use crate::writing::Draft;
use serde_json::Value;

/// Ids that no row has.
const UNKNOWN: [&str; 4] = ["1", "0", "nonsense", "99999999999999999999"];
/// Poll options; the last one is in no poll.
pub(crate) const OPTIONS: [&str; 5] = ["tea", "coffee", "water", "milk", "cocoa"];

/// An id that no row has.
pub(crate) fn unknown(which: Which) -> String {
    let (Which::Newest(number) | Which::Unknown(number)) = which;
    UNKNOWN[usize::from(number) % UNKNOWN.len()].to_owned()
}

/// Whether the id for a missing row is invalid rather than unknown.
pub(crate) fn is_nonsense(row: Option<usize>, which: Which) -> bool {
    row.is_none() && unknown(which) != "1"
}

/// The idempotency key with this number.
fn key_of(number: Option<u8>) -> Option<String> {
    number.map(|number| format!("key-{number}"))
}

/// A field's text, or an empty one.
pub(crate) fn text_of(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_default().to_owned()
}

/// Compares the status and error code of a response with the expected ones.
pub(crate) fn agree(reply: &Reply, expected: Result<u16, Rejection>) -> Result<(), String> {
    let code = reply.body["code"].as_str().filter(|_| reply.status >= 400);
    let found = (reply.status, code.unwrap_or_default());
    let expected = expected.map_or_else(|rejection| rejection, |status| (status, ""));
    if found == expected {
        return Ok(());
    }
    let body = &reply.body;
    Err(format!("expected {expected:?}, found {found:?}: {body}"))
}

/// Index of the selected row, oldest first.
pub(crate) fn among(which: Which, count: usize) -> Option<usize> {
    let newest = count.checked_sub(1)?;
    match which {
        Which::Newest(age) => Some(newest.saturating_sub(usize::from(age))),
        Which::Unknown(_) => None,
    }
}

impl World {
    /// Performs an action and returns the difference between the server's response and the model's.
    pub(crate) async fn perform(&mut self, action: &Action) -> Result<(), String> {
        // Every action takes some time.
        self.pass(1_000);
        self.stay_logged_in().await?;
        let who = usize::from(action.who) % self.model.members.len();
        match &action.kind {
            ActionKind::Write { text, to, poll, key } => {
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
            ActionKind::Repost(post, key) => self.repost(who, *post, key_of(*key)).await,
            ActionKind::Delete { own, post } => self.delete(who, *own, *post).await,
            ActionKind::UndoRepost { own, post } => self.undo_repost(who, *own, *post).await,
            ActionKind::Like(post, on) => self.like(who, *post, *on).await,
            ActionKind::Vote { poll, post, option } => self.vote(who, *poll, *post, *option).await,
            ActionKind::Follow(target, on) => self.follow(who, *target, *on).await,
            ActionKind::Block(target, on) => {
                self.block_or_mute(who, *target, ("blocks", *on)).await
            }
            ActionKind::Mute(target, on) => self.block_or_mute(who, *target, ("mutes", *on)).await,
            ActionKind::Read { of, row } => self.read(who, *of, *row).await,
            ActionKind::ReadAll => self.read_all(who).await,
            ActionKind::Invite => self.invite(who).await,
            ActionKind::Revoke { own, invite } => self.revoke(who, *own, *invite).await,
            ActionKind::Ask(entry) => self.ask(*entry).await.map(drop),
            ActionKind::Open(which) => match among(*which, self.links.len()) {
                Some(link) => self.open(link).await,
                None => Ok(()),
            },
            ActionKind::Join(entry) => match self.ask(*entry).await? {
                Some(link) => self.open(link).await,
                None => Ok(()),
            },
            ActionKind::ChooseName(whose) => self.choose_name(who, *whose).await,
            ActionKind::Rename(number) => self.rename(who, *number).await,
            ActionKind::Pass(passing) => {
                self.move_clock(*passing);
                Ok(())
            }
            ActionKind::Compare(sizes) => self.compare_all(who, *sizes).await,
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
                std::iter::once(word).chain(parts.iter().map(written)).collect()
            }
        }
    }

    /// The server's id of a post.
    pub(crate) fn post_id(&self, post: Option<usize>, which: Which) -> String {
        post.map_or_else(|| unknown(which), |post| self.model.posts[post].id.clone())
    }

    /// Sends a request and compares its outcome with the expected one.
    pub(crate) async fn expect(
        &mut self,
        who: usize,
        (method, path): (&str, &str),
        body: Option<Value>,
        key: Option<&str>,
        expected: Result<u16, Rejection>,
    ) -> Result<Value, String> {
        let reply = self.call(who, method, path, body.as_ref(), key).await?;
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let key = key.unwrap_or_default();
        self.log.push(format!("member-{who}: {method} {path} {body} {key} → {}", reply.status));
        agree(&reply, expected)
            .map_err(|error| format!("{method} {path} {body} by member-{who}: {error}"))?;
        Ok(reply.body)
    }

    /// Stores the id of a new post, and compares the response with the model's post.
    pub(crate) fn expect_post(
        &mut self,
        who: usize,
        post: usize,
        answer: &Value,
    ) -> Result<(), String> {
        if self.model.posts[post].id.is_empty() {
            answer["id"].as_str().unwrap_or_default().clone_into(&mut self.model.posts[post].id);
        }
        differences("the answered post", &self.model.show_post(who, post), answer)
    }
}
