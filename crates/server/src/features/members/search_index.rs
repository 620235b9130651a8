//! The index of names: every ending of every name, so that a prefix of an ending is any part of a name. It is plain SQL
//! for both engines, and a look-up is a key range.

use crate::features::members::hold;
use crate::platform::ids::Id;
use kith_db::{Db, Error, Result, Row, Sql, Tx, params, sql};
use std::collections::BTreeSet;

/// Characters of an ending that are stored; what is longer is compared in memory.
pub(super) const LENGTH: usize = 24;
/// Characters of a name from which an ending may begin; longer names than any person's are found by their beginning.
const REACH: usize = 64;
/// Members whose names are written in one transaction.
const BATCH: usize = 100;

const INSERT: Sql = sql!(
    "insert into search_terms (place, term, member_id) values ($1, $2, $3)
     on conflict (place, term, member_id) do nothing"
);
const DELETE: Sql =
    sql!("delete from search_terms where place = $1 and term = $2 and member_id = $3");
const NAMES: Sql = sql!("select username, display_name, search_key from members where id = $1");
const UPDATE: Sql = sql!("update members set search_key = $2 where id = $1");
const UNINDEXED: Sql = sql!("select id from members where search_key is null order by id limit $1");

/// Where in a name an ending begins. The numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// It is the whole name.
    Start = 0,
    /// At the start of a word.
    Word = 1,
    Inside = 2,
}

/// A member's names as they are compared: username, line break, display name.
pub(super) fn key(username: &str, display_name: &str) -> String {
    format!(
        "{}\n{}",
        kith_text::fold(username),
        kith_text::fold(display_name)
    )
}

/// A member's entries in the index of names: the key in their row, and each ending with its place.
#[must_use]
pub fn search_terms(username: &str, display_name: &str) -> (String, Vec<(i64, String)>) {
    let key = key(username, display_name);
    let terms = terms(&key).into_iter();
    let terms = terms.map(|(place, term)| (place as i64, term)).collect();
    (key, terms)
}

/// The endings of the names in a key.
fn terms(key: &str) -> BTreeSet<(Place, String)> {
    let mut terms = BTreeSet::new();
    for name in key.split('\n') {
        let mut before = None;
        for (at, c) in name.char_indices().take(REACH) {
            let place = match before.replace(c) {
                None => Place::Start,
                Some(before) if !before.is_alphanumeric() => Place::Word,
                Some(_) => Place::Inside,
            };
            let term = name[at..].chars().take(LENGTH).collect::<String>();
            // A term never begins with a space.
            if !c.is_whitespace() {
                terms.insert((place, term));
            }
        }
    }
    terms
}

/// Brings the index up to date with a member's names. The caller holds the member's row.
pub(super) async fn index(tx: &mut Tx, member: Id) -> Result<()> {
    let read = |row: &Row<'_>| Ok((key(&row.text(0)?, &row.text(1)?), row.opt_text(2)?));
    let Some((new, old)) = tx.opt(&NAMES, params![member.0], read).await? else {
        return Ok(());
    };
    if old.as_ref() == Some(&new) {
        return Ok(());
    }
    let stored = old.as_deref().map(terms).unwrap_or_default();
    let wanted = terms(&new);
    for (place, term) in stored.difference(&wanted) {
        tx.exec(&DELETE, params![*place as i64, term, member.0])
            .await?;
    }
    for (place, term) in wanted.difference(&stored) {
        tx.exec(&INSERT, params![*place as i64, term, member.0])
            .await?;
    }
    tx.exec(&UPDATE, params![member.0, &new]).await.map(drop)
}

/// Takes a member's names out of the index, for good.
pub(super) async fn forget(tx: &mut Tx, member: Id) -> Result<()> {
    let read = |row: &Row<'_>| row.opt_text(2);
    let key = tx.opt(&NAMES, params![member.0], read).await?;
    for (place, term) in terms(&key.flatten().unwrap_or_default()) {
        tx.exec(&DELETE, params![place as i64, &term, member.0])
            .await?;
    }
    tx.exec(&UPDATE, params![member.0, ""]).await.map(drop)
}

/// Writes what is missing, for members who joined before there was an index.
pub async fn index_all(db: &Db) -> Result<()> {
    loop {
        let members = db
            .reader()
            .all(&UNINDEXED, params![BATCH], |row| row.int(0))
            .await?;
        if members.is_empty() {
            return Ok(());
        }
        db.write(Index { members }).await?;
    }
}

struct Index {
    members: Vec<i64>,
}

impl kith_db::Write for Index {
    type Out = ();
    type Err = Error;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        for member in &self.members {
            // Somebody may be renaming themselves at this moment.
            hold(tx, Id(*member)).await?;
            index(tx, Id(*member)).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_name_begins_an_ending() {
        let terms = terms(&key("ada_l", "Ada Lé"));
        let terms = terms
            .iter()
            .map(|(place, term)| (*place, term.as_str()))
            .collect::<Vec<_>>();
        assert_eq!(
            terms,
            [
                (Place::Start, "ada le"),
                (Place::Start, "ada_l"),
                (Place::Word, "l"),
                (Place::Word, "le"),
                (Place::Inside, "_l"),
                (Place::Inside, "a le"),
                (Place::Inside, "a_l"),
                (Place::Inside, "da le"),
                (Place::Inside, "da_l"),
                (Place::Inside, "e"),
            ]
        );
    }

    #[test]
    fn long_names_have_short_endings() {
        let terms = terms(&key("ada", &"é".repeat(50)));
        assert!(terms.iter().all(|(_, term)| term.chars().count() <= LENGTH));
        assert_eq!(terms.len(), 28, "equal endings are one row");
    }
}
