//! Makes a failing list of actions small: fewer of them, and simpler ones.

use crate::actions::{Action, Entry, MemberAction, Sizes, Text, Which};

/// Every way to make an action a little simpler; none of them leads back.
pub(crate) fn simpler(action: &Action) -> Vec<Action> {
    let mut found = Vec::new();
    if action.who > 0 {
        found.push(Action {
            who: 0,
            ..action.clone()
        });
    }
    let deeds = match &action.deed {
        MemberAction::Write { .. } => simpler_posts(&action.deed),
        MemberAction::Repost(post, Some(_)) => vec![MemberAction::Repost(*post, None)],
        MemberAction::Repost(post, None) => lower(*post, |post| MemberAction::Repost(post, None)),
        MemberAction::Delete { own, post } => {
            let own = *own;
            lower(*post, |post| MemberAction::Delete { own, post })
        }
        MemberAction::Revoke { own, invite } => {
            let own = *own;
            lower(*invite, |invite| MemberAction::Revoke { own, invite })
        }
        MemberAction::UndoRepost { own, post } => {
            let own = *own;
            lower(*post, |post| MemberAction::UndoRepost { own, post })
        }
        MemberAction::Like(post, on) => lower(*post, |post| MemberAction::Like(post, *on)),
        MemberAction::Vote { poll, post, option } => {
            let (poll, option) = (*poll, *option);
            lower(*post, |post| MemberAction::Vote { poll, post, option })
        }
        MemberAction::Follow(whom, on) => lower(*whom, |whom| MemberAction::Follow(whom, *on)),
        MemberAction::Block(whom, on) => lower(*whom, |whom| MemberAction::Block(whom, *on)),
        MemberAction::Mute(whom, on) => lower(*whom, |whom| MemberAction::Mute(whom, *on)),
        MemberAction::Read { of, row } => lower(*row, |row| MemberAction::Read { of: *of, row }),
        MemberAction::Open(link) => lower(*link, MemberAction::Open),
        MemberAction::Ask(entry) => lower_code(*entry, MemberAction::Ask),
        MemberAction::Join(entry) => lower_code(*entry, MemberAction::Join),
        MemberAction::Look(Sizes(by_offset, by_cursor, number))
            if (*by_offset, *by_cursor) != (50, 50) =>
        {
            vec![MemberAction::Look(Sizes(50, 50, *number))]
        }
        _ => Vec::new(),
    };
    found.extend(deeds.into_iter().map(|deed| Action {
        who: action.who,
        deed,
    }));
    found
}

/// A newer one instead.
fn lower(which: Which, deed: impl Fn(Which) -> MemberAction) -> Vec<MemberAction> {
    match which {
        Which::Newest(age) if age > 0 => {
            let mut ages = vec![0, age / 2, age - 1];
            ages.dedup();
            ages.into_iter()
                .map(|age| deed(Which::Newest(age)))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn lower_code(entry: Entry, deed: impl Fn(Entry) -> MemberAction) -> Vec<MemberAction> {
    let email = entry.email;
    entry.code.map_or_else(Vec::new, |code| {
        lower(code, |code| {
            deed(Entry {
                code: Some(code),
                email,
            })
        })
    })
}

/// Without what a post need not have.
fn simpler_posts(deed: &MemberAction) -> Vec<MemberAction> {
    let MemberAction::Write {
        text,
        to,
        poll,
        key,
    } = deed
    else {
        return Vec::new();
    };
    let (to, poll, key) = (*to, *poll, *key);
    let write = |text: &Text, to, poll, key| MemberAction::Write {
        text: text.clone(),
        to,
        poll,
        key,
    };
    let mut found = vec![
        write(&Text::Words(0, Vec::new()), to, poll, key),
        write(text, None, poll, key),
        write(text, to, None, key),
        write(text, to, poll, None),
    ];
    if let Some(parent) = to {
        found.extend(lower(parent, |parent| write(text, Some(parent), poll, key)));
    }
    found.retain(|varied| varied != deed);
    found
}
