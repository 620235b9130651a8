//! Suffix index of member names: each suffix of each name is a row, so that a substring search is a prefix
//! range scan. Plain SQL for both database engines.

use crate::platform::ids::Id;
use kith_db::{Result, Row, Sql, Tx, params, sql};
use std::collections::BTreeSet;

/// Maximum stored length of a suffix, in characters; longer matches are verified in memory.
pub(super) const MAX_SUFFIX: usize = 24;
/// Positions of a name at which suffixes are indexed; longer names are found by their first 64 characters.
const MAX_POSITIONS: usize = 64;

const INSERT: Sql = sql!(
    "insert into search_terms (place, term, member_id) values ($1, $2, $3)
     on conflict (place, term, member_id) do nothing"
);
const DELETE: Sql =
    sql!("delete from search_terms where place = $1 and term = $2 and member_id = $3");
const NAMES: Sql = sql!("select username, display_name, search_key from members where id = $1");
const UPDATE: Sql = sql!("update members set search_key = $2 where id = $1");

/// Position in a name at which a suffix begins. The discriminants are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MatchPosition {
    /// Start of the name.
    Start = 0,
    /// Start of a later word.
    Word = 1,
    Inside = 2,
}

/// Builds a member's search key: folded username, line break, folded display name.
pub(super) fn search_key(username: &str, display_name: &str) -> String {
    format!("{}\n{}", kith_text::fold(username), kith_text::fold(display_name))
}

/// Builds a member's index entries: the search key of the row, and each suffix with its position.
#[must_use]
pub fn build_search_terms(username: &str, display_name: &str) -> (String, Vec<(i64, String)>) {
    let key = search_key(username, display_name);
    let terms = build_suffixes(&key).into_iter();
    let terms = terms.map(|(position, term)| (position as i64, term)).collect();
    (key, terms)
}

/// Builds the suffixes of the names in a search key.
fn build_suffixes(key: &str) -> BTreeSet<(MatchPosition, String)> {
    let mut terms = BTreeSet::new();
    for name in key.split('\n') {
        let mut previous = None;
        for (start, c) in name.char_indices().take(MAX_POSITIONS) {
            let position = match previous.replace(c) {
                None => MatchPosition::Start,
                Some(previous) if !previous.is_alphanumeric() => MatchPosition::Word,
                Some(_) => MatchPosition::Inside,
            };
            let term = name[start..].chars().take(MAX_SUFFIX).collect::<String>();
            // Search terms are trimmed, so none begins with a space.
            if !c.is_whitespace() {
                terms.insert((position, term));
            }
        }
    }
    terms
}

/// Updates a member's index rows. The transaction must have locked the member's row.
pub(super) async fn index_member(tx: &mut Tx, member: Id) -> Result<()> {
    let read = |row: &Row<'_>| Ok((search_key(&row.text(0)?, &row.text(1)?), row.opt_text(2)?));
    let Some((new, old)) = tx.opt(&NAMES, params![member.0], read).await? else {
        return Ok(());
    };
    if old.as_ref() == Some(&new) {
        return Ok(());
    }
    let old_terms = old.as_deref().map(build_suffixes).unwrap_or_default();
    let new_terms = build_suffixes(&new);
    for (position, term) in old_terms.difference(&new_terms) {
        tx.exec(&DELETE, params![*position as i64, term, member.0]).await?;
    }
    for (position, term) in new_terms.difference(&old_terms) {
        tx.exec(&INSERT, params![*position as i64, term, member.0]).await?;
    }
    tx.exec(&UPDATE, params![member.0, &new]).await.map(drop)
}

/// Deletes a member's index rows and empties the search key, so that the member is not indexed again.
pub(super) async fn remove_member(tx: &mut Tx, member: Id) -> Result<()> {
    let read = |row: &Row<'_>| row.opt_text(2);
    let key = tx.opt(&NAMES, params![member.0], read).await?;
    for (position, term) in build_suffixes(&key.flatten().unwrap_or_default()) {
        tx.exec(&DELETE, params![position as i64, &term, member.0]).await?;
    }
    tx.exec(&UPDATE, params![member.0, ""]).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_suffix_has_the_position_at_which_it_begins() {
        let terms = build_suffixes(&search_key("ada_l", "Ada Lé"));
        let terms =
            terms.iter().map(|(position, term)| (*position, term.as_str())).collect::<Vec<_>>();
        assert_eq!(
            terms,
            [
                (MatchPosition::Start, "ada le"),
                (MatchPosition::Start, "ada_l"),
                (MatchPosition::Word, "l"),
                (MatchPosition::Word, "le"),
                (MatchPosition::Inside, "_l"),
                (MatchPosition::Inside, "a le"),
                (MatchPosition::Inside, "a_l"),
                (MatchPosition::Inside, "da le"),
                (MatchPosition::Inside, "da_l"),
                (MatchPosition::Inside, "e"),
            ]
        );
    }

    #[test]
    fn suffixes_of_long_names_are_truncated() {
        let terms = build_suffixes(&search_key("ada", &"é".repeat(50)));
        assert!(terms.iter().all(|(_, term)| term.chars().count() <= MAX_SUFFIX));
        assert_eq!(terms.len(), 28, "equal endings are one row");
    }
}
