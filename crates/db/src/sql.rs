//! Statements: written once with `$n` parameters, rewritten for SQLite at compile time.

use std::sync::OnceLock;

/// One statement in both dialects. Make it with [`sql!`](crate::sql).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sql {
    /// The text SQLite gets (`?1`).
    pub sqlite: &'static str,
    /// The text PostgreSQL gets (`$1`).
    pub postgres: &'static str,
}

/// A [`Sql`] from one literal that both engines take, or from a documented fork:
/// `sql!(sqlite: "…", postgres: "…")`. A word that only one engine knows is a compile error.
#[macro_export]
macro_rules! sql {
    ($text:literal) => {{
        const TEXT: &str = $text;
        const BYTES: [u8; TEXT.len()] = $crate::dialect::to_sqlite(TEXT);
        const SQLITE: &str = match ::core::str::from_utf8(&BYTES) {
            Ok(text) => text,
            Err(_) => panic!("the statement is not UTF-8"),
        };
        const { $crate::dialect::check(TEXT) };
        $crate::Sql {
            sqlite: SQLITE,
            postgres: TEXT,
        }
    }};
    (sqlite: $sqlite:literal, postgres: $postgres:literal) => {
        $crate::Sql {
            sqlite: $sqlite,
            postgres: $postgres,
        }
    };
}

/// A statement over a bounded list of ids: `… where id in ($ids) …`.
///
/// The list is padded to a few fixed lengths so that both engines keep a handful
/// of prepared statements instead of one per length. Fixed parameters come first
/// (`$1`, `$2`, …), the ids after them. Make it with [`sql_in!`](crate::sql_in).
#[derive(Debug)]
pub struct SqlIn {
    template: &'static str,
    sized: [OnceLock<Sql>; SIZES.len()],
}

/// Lengths that lists are padded to; longer lists are read in pieces of the last.
const SIZES: [usize; 4] = [1, 4, 20, 50];

/// A static [`SqlIn`] from one literal that holds `($ids)` once.
#[macro_export]
macro_rules! sql_in {
    ($text:literal) => {{
        const { $crate::dialect::check($text) };
        $crate::SqlIn::new($text)
    }};
}

impl SqlIn {
    /// Used by [`sql_in!`](crate::sql_in).
    #[must_use]
    pub const fn new(template: &'static str) -> Self {
        Self {
            template,
            sized: [const { OnceLock::new() }; SIZES.len()],
        }
    }

    /// The shortest list on SQLite: for one id it makes no table of its own, as it does for more.
    pub(crate) const ONE: usize = SIZES[0];
    /// The shortest list on PostgreSQL: each length is prepared anew on each connection, which is a wait.
    pub(crate) const FEW: usize = SIZES[1];
    /// The longest list that one execution takes.
    pub(crate) const MAX: usize = SIZES[SIZES.len() - 1];

    /// The statement for a list of `len` ids, and the length to pad the list to.
    pub(crate) fn sized(&self, len: usize) -> (&Sql, usize) {
        let slot = SIZES
            .iter()
            .position(|&size| len <= size)
            .unwrap_or(SIZES.len() - 1);
        (
            self.sized[slot].get_or_init(|| expand(self.template, SIZES[slot])),
            SIZES[slot],
        )
    }

    /// Every statement this list may turn into, for the test that prepares them all.
    pub fn all_sizes(&self) -> impl Iterator<Item = &Sql> {
        SIZES.iter().map(|&size| self.sized(size).0)
    }
}

/// Writes the placeholders out. Leaks the text: it happens once per statement and length.
fn expand(template: &'static str, size: usize) -> Sql {
    let bare = template.replace("$ids", "");
    let fixed = (1..=9)
        .take_while(|n| bare.contains(&format!("${n}")))
        .count();
    let list = (fixed + 1..=fixed + size)
        .map(|n| format!("${n}"))
        .collect::<Vec<_>>()
        .join(",");
    let postgres: &'static str = template.replace("$ids", &list).leak();
    let sqlite: &'static str = postgres.replace('$', "?").leak();
    Sql { sqlite, postgres }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_rewritten_for_sqlite() {
        const FIND: Sql = sql!("select a from t where b = $1 and c > $2");
        assert_eq!(FIND.sqlite, "select a from t where b = ?1 and c > ?2");
        assert_eq!(FIND.postgres, "select a from t where b = $1 and c > $2");
    }

    #[test]
    fn lists_are_padded_and_numbered_after_the_fixed_parameters() {
        static LIST: SqlIn = sql_in!("select a from t where k = $1 and id in ($ids)");
        let (sql, size) = LIST.sized(3);
        assert_eq!(size, 4);
        assert_eq!(
            sql.postgres,
            "select a from t where k = $1 and id in ($2,$3,$4,$5)"
        );
        assert_eq!(
            sql.sqlite,
            "select a from t where k = ?1 and id in (?2,?3,?4,?5)"
        );
        assert_eq!([1, 2, 21].map(|len| LIST.sized(len).1), [1, 4, 50]);
    }
}
