//! Shrinks a failing list of actions.

use crate::actions::{Action, ActionKind, Entry, Sizes, Text, Which};

/// Every way to simplify an action by one step; simplification always terminates.
pub(crate) fn simpler(action: &Action) -> Vec<Action> {
    let mut found = Vec::new();
    if action.who > 0 {
        found.push(Action { who: 0, ..action.clone() });
    }
    let kinds = match &action.kind {
        ActionKind::Write { .. } => simpler_posts(&action.kind),
        ActionKind::Repost(post, Some(_)) => vec![ActionKind::Repost(*post, None)],
        ActionKind::Repost(post, None) => lower(*post, |post| ActionKind::Repost(post, None)),
        ActionKind::Delete { own, post } => {
            let own = *own;
            lower(*post, |post| ActionKind::Delete { own, post })
        }
        ActionKind::Revoke { own, invite } => {
            let own = *own;
            lower(*invite, |invite| ActionKind::Revoke { own, invite })
        }
        ActionKind::UndoRepost { own, post } => {
            let own = *own;
            lower(*post, |post| ActionKind::UndoRepost { own, post })
        }
        ActionKind::Like(post, on) => lower(*post, |post| ActionKind::Like(post, *on)),
        ActionKind::Vote { poll, post, option } => {
            let (poll, option) = (*poll, *option);
            lower(*post, |post| ActionKind::Vote { poll, post, option })
        }
        ActionKind::Follow(target, on) => lower(*target, |target| ActionKind::Follow(target, *on)),
        ActionKind::Block(target, on) => lower(*target, |target| ActionKind::Block(target, *on)),
        ActionKind::Mute(target, on) => lower(*target, |target| ActionKind::Mute(target, *on)),
        ActionKind::Read { of, row } => lower(*row, |row| ActionKind::Read { of: *of, row }),
        ActionKind::Open(link) => lower(*link, ActionKind::Open),
        ActionKind::Ask(entry) => lower_code(*entry, ActionKind::Ask),
        ActionKind::Join(entry) => lower_code(*entry, ActionKind::Join),
        ActionKind::Compare(Sizes(by_offset, by_cursor, number))
            if (*by_offset, *by_cursor) != (50, 50) =>
        {
            vec![ActionKind::Compare(Sizes(50, 50, *number))]
        }
        _ => Vec::new(),
    };
    found.extend(kinds.into_iter().map(|kind| Action { who: action.who, kind }));
    found
}

/// Variants with a newer row.
fn lower(which: Which, kind: impl Fn(Which) -> ActionKind) -> Vec<ActionKind> {
    match which {
        Which::Newest(age) if age > 0 => {
            let mut ages = vec![0, age / 2, age - 1];
            ages.dedup();
            ages.into_iter().map(|age| kind(Which::Newest(age))).collect()
        }
        _ => Vec::new(),
    }
}

fn lower_code(entry: Entry, kind: impl Fn(Entry) -> ActionKind) -> Vec<ActionKind> {
    let email = entry.email;
    entry
        .code
        .map_or_else(Vec::new, |code| lower(code, |code| kind(Entry { code: Some(code), email })))
}

/// Variants of a post without one of its optional parts.
fn simpler_posts(kind: &ActionKind) -> Vec<ActionKind> {
    let ActionKind::Write { text, to, poll, key } = kind else {
        return Vec::new();
    };
    let (to, poll, key) = (*to, *poll, *key);
    let write =
        |text: &Text, to, poll, key| ActionKind::Write { text: text.clone(), to, poll, key };
    let mut found = vec![
        write(&Text::Words(0, Vec::new()), to, poll, key),
        write(text, None, poll, key),
        write(text, to, None, key),
        write(text, to, poll, None),
    ];
    if let Some(parent) = to {
        found.extend(lower(parent, |parent| write(text, Some(parent), poll, key)));
    }
    found.retain(|varied| varied != kind);
    found
}
