//! Makes a failing list of actions small: fewer of them, and simpler ones.

use crate::actions::{Action, Deed, Entry, Sizes, Text, Which};

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
        Deed::Write { .. } => simpler_posts(&action.deed),
        Deed::Repost(post, Some(_)) => vec![Deed::Repost(*post, None)],
        Deed::Repost(post, None) => lower(*post, |post| Deed::Repost(post, None)),
        Deed::Delete { own, post } => {
            let own = *own;
            lower(*post, |post| Deed::Delete { own, post })
        }
        Deed::Revoke { own, invite } => {
            let own = *own;
            lower(*invite, |invite| Deed::Revoke { own, invite })
        }
        Deed::UndoRepost { own, post } => {
            let own = *own;
            lower(*post, |post| Deed::UndoRepost { own, post })
        }
        Deed::Like(post, on) => lower(*post, |post| Deed::Like(post, *on)),
        Deed::Vote { poll, post, option } => {
            let (poll, option) = (*poll, *option);
            lower(*post, |post| Deed::Vote { poll, post, option })
        }
        Deed::Follow(whom, on) => lower(*whom, |whom| Deed::Follow(whom, *on)),
        Deed::Block(whom, on) => lower(*whom, |whom| Deed::Block(whom, *on)),
        Deed::Mute(whom, on) => lower(*whom, |whom| Deed::Mute(whom, *on)),
        Deed::Read { of, row } => lower(*row, |row| Deed::Read { of: *of, row }),
        Deed::Open(link) => lower(*link, Deed::Open),
        Deed::Ask(entry) => lower_code(*entry, Deed::Ask),
        Deed::Join(entry) => lower_code(*entry, Deed::Join),
        Deed::Look(Sizes(by_offset, by_cursor, number)) if (*by_offset, *by_cursor) != (50, 50) => {
            vec![Deed::Look(Sizes(50, 50, *number))]
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
fn lower(which: Which, deed: impl Fn(Which) -> Deed) -> Vec<Deed> {
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

fn lower_code(entry: Entry, deed: impl Fn(Entry) -> Deed) -> Vec<Deed> {
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
fn simpler_posts(deed: &Deed) -> Vec<Deed> {
    let Deed::Write {
        text,
        to,
        poll,
        key,
    } = deed
    else {
        return Vec::new();
    };
    let (to, poll, key) = (*to, *poll, *key);
    let write = |text: &Text, to, poll, key| Deed::Write {
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
