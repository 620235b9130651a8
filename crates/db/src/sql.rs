//! Statements with `$n` parameters, converted for SQLite at compile time.

use std::sync::OnceLock;

/// One statement in both dialects, made by [`sql!`](crate::sql).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sql {
    /// Text for SQLite (`?1`).
    pub sqlite: &'static str,
    /// Text for PostgreSQL (`$1`).
    pub postgres: &'static str,
}

/// Makes a [`Sql`] from one literal in the common dialect, which a test of the server checks.
#[macro_export]
macro_rules! sql {
    ($text:literal) => {{
        const TEXT: &str = $text;
        const BYTES: [u8; TEXT.len()] = $crate::to_sqlite(TEXT);
        const SQLITE: &str = match ::core::str::from_utf8(&BYTES) {
            Ok(text) => text,
            Err(_) => panic!("the statement is not UTF-8"),
        };
        $crate::Sql { sqlite: SQLITE, postgres: TEXT }
    }};
}

/// Replaces `$n` by `?n`: SQLite reads `$1` as a name and numbers it by first appearance.
#[must_use]
pub const fn to_sqlite<const N: usize>(text: &str) -> [u8; N] {
    let bytes = text.as_bytes();
    let mut out = [0; N];
    let mut i = 0;
    while i < N {
        out[i] = if bytes[i] == b'$' { b'?' } else { bytes[i] };
        i += 1;
    }
    out
}

/// Statement over a bounded list of ids: `… where id in ($ids) …`, made by [`sql_in!`](crate::sql_in).
///
/// Lists are padded to a few fixed lengths, so that an engine caches a few prepared statements instead of one
/// per length. Fixed parameters come first (`$1`, `$2`, …), the ids after them.
#[derive(Debug)]
pub struct SqlIn {
    template: &'static str,
    sized: [OnceLock<Sql>; SIZES.len()],
}

/// Padded lengths; a longer list is split into chunks of the last.
const SIZES: [usize; 4] = [1, 4, 20, 50];

/// Makes a [`SqlIn`] from one literal that contains `($ids)` once.
#[macro_export]
macro_rules! sql_in {
    ($text:literal) => {
        $crate::SqlIn::new($text)
    };
}

impl SqlIn {
    /// Creates a statement; use [`sql_in!`](crate::sql_in).
    #[must_use]
    pub const fn new(template: &'static str) -> Self {
        Self { template, sized: [const { OnceLock::new() }; SIZES.len()] }
    }

    /// Shortest padded list on SQLite, which needs no temporary table for one id.
    pub(crate) const MIN_SQLITE: usize = SIZES[0];
    /// Shortest padded list on PostgreSQL: preparing each length on each connection costs a round trip.
    pub(crate) const MIN_POSTGRES: usize = SIZES[1];
    /// Longest list of one execution.
    pub(crate) const MAX: usize = SIZES[SIZES.len() - 1];

    /// Returns the statement for a list of `len` ids, and its padded length.
    pub(crate) fn sized(&self, len: usize) -> (&Sql, usize) {
        let slot = SIZES.iter().position(|&size| len <= size).unwrap_or(SIZES.len() - 1);
        (self.sized[slot].get_or_init(|| expand(self.template, SIZES[slot])), SIZES[slot])
    }

    /// Returns the statement of every padded length, for tests that prepare them all.
    pub fn all_sizes(&self) -> impl Iterator<Item = &Sql> {
        SIZES.iter().map(|&size| self.sized(size).0)
    }
}

/// Writes out the placeholders. Leaks the text once per statement and length.
fn expand(template: &'static str, size: usize) -> Sql {
    let bare = template.replace("$ids", "");
    let fixed = (1..=9).take_while(|n| bare.contains(&format!("${n}"))).count();
    let list = (fixed + 1..=fixed + size).map(|n| format!("${n}")).collect::<Vec<_>>().join(",");
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
        assert_eq!(sql.postgres, "select a from t where k = $1 and id in ($2,$3,$4,$5)");
        assert_eq!(sql.sqlite, "select a from t where k = ?1 and id in (?2,?3,?4,?5)");
        assert_eq!([1, 2, 21].map(|len| LIST.sized(len).1), [1, 4, 50]);
    }
}
