//! Instruments statements on PostgreSQL so that they return the watched rows that they change.
//!
//! A statement that writes to a watched table gets the watched columns appended to its `returning`. A tokenizer
//! suffices for the common dialect; a statement that it does not understand is [`Instrumentation::Unknown`].

use crate::change_feed::MAX_COLUMNS;
use crate::{Error, Result, Row, RowChange, Sql, WatchSpec, hash_key};
use tokio_postgres::types::Type;

/// Effect of a statement on watched rows.
#[derive(Debug)]
pub(crate) enum Instrumentation {
    /// Changes no watched row.
    Unwatched,
    /// Returns its changes in additional columns.
    Instrumented(InstrumentedStatement),
    /// May change anything.
    Unknown,
}

#[derive(Debug)]
pub(crate) struct InstrumentedStatement {
    /// Statement text with the additional columns.
    pub(crate) text: String,
    /// Number of additional columns.
    appended: usize,
    maps: Vec<ReturningMap>,
}

/// Columns of one watch; indexes count from the first additional column.
#[derive(Debug)]
struct ReturningMap {
    topic: u8,
    is_gone: bool,
    columns: Vec<usize>,
    /// Boolean column that says whether the row counts.
    condition: Option<usize>,
}

/// A watch that a statement concerns.
#[derive(Clone, Copy)]
struct MatchedWatch<'a> {
    watch: &'a WatchSpec,
    is_delete: bool,
    can_check_condition: bool,
}

/// A word, string literal or punctuation mark, and the number of parentheses open around it.
type Token<'a> = (&'a str, usize);

impl Instrumentation {
    /// Instruments a statement, which is written in lower case.
    pub(crate) fn parse(text: &str, watches: &[WatchSpec]) -> Self {
        let tokens = tokens(text);
        let words = tokens.iter().map(|token| token.0).collect::<Vec<_>>();
        let writes = |word: &&str| ["insert", "update", "delete", "merge"].contains(word);
        let table = match words[..] {
            ["select", ..] => return Self::Unwatched,
            ["with", ..] if !words.iter().any(writes) => return Self::Unwatched,
            ["insert", "into", table, "(", ..]
            | ["update", table, "set", ..]
            | ["delete", "from", table]
            | ["delete", "from", table, "where" | "returning", ..] => table,
            _ => return Self::Unknown,
        };
        let watches = watches.iter().filter(|watch| watch.table == table);
        let watches = watches.collect::<Vec<_>>();
        // An insert may update the row in conflict.
        let set = tokens.iter().position(|token| *token == ("set", 0));
        let changed = set.map_or(Some(Vec::new()), |set| changed_columns(&tokens[set + 1..]));
        let matched = changed.and_then(|changed| match_watches(words[0], &watches, &changed));
        match matched {
            None => Self::Unknown,
            Some(matched) if matched.is_empty() => Self::Unwatched,
            Some(matched) => {
                Self::Instrumented(InstrumentedStatement::new(text, table, &tokens, &matched))
            }
        }
    }
}

/// Returns the text that the server gets.
pub(crate) fn statement_text<'a>(
    sql: &'a Sql,
    instrumented: Option<&'a Instrumentation>,
) -> &'a str {
    match instrumented {
        Some(Instrumentation::Instrumented(statement)) => &statement.text,
        _ => sql.postgres,
    }
}

/// Returns the watches that a statement concerns; `None` if its effect is unknown.
fn match_watches<'a>(
    kind: &str,
    watches: &[&'a WatchSpec],
    changed: &[&str],
) -> Option<Vec<MatchedWatch<'a>>> {
    if watches.iter().any(|watch| sets_watched_column(watch, changed)) {
        return None;
    }
    let is_changed = |watch: &&&WatchSpec| {
        kind != "update"
            || changed
                .iter()
                .any(|column| watch.update_of.is_empty() || watch.update_of.contains(column))
    };
    // The old values of an updated row are unknown, so its condition cannot be evaluated and each row counts.
    let can_check_condition = kind != "update" && changed.is_empty();
    let matched = watches.iter().filter(is_changed);
    let is_delete = kind == "delete";
    Some(matched.map(|watch| MatchedWatch { watch, is_delete, can_check_condition }).collect())
}

/// Whether the statement changes a watched column. Subscribers would have to learn the old value, which is lost.
fn sets_watched_column(watch: &WatchSpec, changed: &[&str]) -> bool {
    watch.columns.iter().any(|column| changed.contains(column))
}

/// Returns the columns that `column = value, …` changes; `a = a` only locks the row.
fn changed_columns<'a>(tokens: &[Token<'a>]) -> Option<Vec<&'a str>> {
    let is_end =
        |(word, depth): &Token<'_>| *depth == 0 && ["where", "from", "returning"].contains(word);
    let end = tokens.iter().position(is_end).unwrap_or(tokens.len());
    if end > 0 && tokens[end - 1].0 == "distinct" {
        // Part of `is distinct from`, not the end of the list.
        return None;
    }
    let mut changed = Vec::new();
    for item in tokens[..end].split(|token| *token == (",", 0)) {
        match item {
            [(column, 0), ("=", 0), (value, 0)] if column == value => {}
            [(column, 0), ("=", 0), _, ..] => changed.push(*column),
            _ => return None,
        }
    }
    Some(changed)
}

impl InstrumentedStatement {
    fn new(text: &str, table: &str, tokens: &[Token<'_>], matched: &[MatchedWatch<'_>]) -> Self {
        let mut appended: Vec<String> = Vec::new();
        let mut add = |expression: String| {
            let existing = appended.iter().position(|other| *other == expression);
            existing.unwrap_or_else(|| {
                appended.push(expression);
                appended.len() - 1
            })
        };
        let maps = matched.iter().map(|&MatchedWatch { watch, is_delete, can_check_condition }| {
            ReturningMap {
                topic: watch.topic,
                is_gone: is_delete,
                columns: {
                    let columns = watch.columns.iter().take(MAX_COLUMNS);
                    columns.map(|column| add(format!("{table}.{column}"))).collect()
                },
                condition: (can_check_condition && !watch.when.is_empty()).then(|| {
                    add(format!("({})", watch.when.replace("row.", &format!("{table}."))))
                }),
            }
        });
        let maps = maps.collect();
        if appended.is_empty() {
            // That a row is returned is the change.
            appended.push("1".to_owned());
        }
        let has_returning = tokens.contains(&("returning", 0));
        let separator = if has_returning { "," } else { " returning" };
        let text = text.trim_end().trim_end_matches(';');
        Self {
            text: format!("{text}{separator} {}", appended.join(", ")),
            appended: appended.len(),
            maps,
        }
    }

    /// Decodes the changes in the additional columns of a row.
    pub(crate) fn decode_changes(
        &self,
        row: &tokio_postgres::Row,
        changes: &mut Vec<RowChange>,
    ) -> Result<()> {
        let first = row.len().checked_sub(self.appended);
        let first =
            first.ok_or_else(|| Error::Decode("a row lacks the additional columns".into()))?;
        let decode_error = |error: tokio_postgres::Error| Error::Decode(error.to_string());
        for map in &self.maps {
            if let Some(condition) = map.condition
                && row.try_get::<_, Option<bool>>(first + condition).map_err(decode_error)?
                    != Some(true)
            {
                continue;
            }
            let mut values = [None; MAX_COLUMNS];
            for (value, column) in values.iter_mut().zip(&map.columns) {
                let column = first + column;
                *value = if *row.columns()[column].type_() == Type::TEXT {
                    let text: Option<&str> = row.try_get(column).map_err(decode_error)?;
                    text.map(hash_key)
                } else {
                    Row::postgres(row).opt_int(column)?
                };
            }
            let change = RowChange { topic: map.topic, is_gone: map.is_gone, row: values };
            // A statement may change many rows with the same key: one event is enough.
            if changes.last() != Some(&change) {
                changes.push(change);
            }
        }
        Ok(())
    }
}

/// Splits a statement into words, string literals and punctuation.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut depth = 0_usize;
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let in_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
        let length = match first {
            '\'' => rest[1..].find('\'').map_or(rest.len(), |end| end + 2),
            _ if in_word(first) => rest.find(|c| !in_word(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        if first == ')' {
            depth = depth.saturating_sub(1);
        }
        tokens.push((&rest[..length], depth));
        if first == '(' {
            depth += 1;
        }
        rest = rest[length..].trim_start();
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: WatchSpec = WatchSpec {
        topic: 1,
        table: "t",
        columns: &["id", "owner"],
        update_of: &["amount"],
        when: "",
    };
    const SOME: WatchSpec = WatchSpec {
        topic: 2,
        columns: &[],
        update_of: &["closed_at"],
        when: "row.closed_at is not null",
        ..ALL
    };

    /// Returns the instrumented text, "-" for an unwatched statement, "?" for an unknown effect.
    fn instrument(text: &str) -> String {
        match Instrumentation::parse(text, &[ALL, SOME]) {
            Instrumentation::Unwatched => "-".into(),
            Instrumentation::Instrumented(statement) => statement.text,
            Instrumentation::Unknown => "?".into(),
        }
    }

    #[test]
    fn a_writing_statement_returns_its_changes() {
        let appended = "t.id, t.owner, (t.closed_at is not null)";
        for (text, expected) in [
            ("select a from t where b = 'delete'", "-"),
            ("with x as (select 1) select 1 from x", "-"),
            ("insert into u (id) values ($1)", "-"),
            ("update u set amount = 1", "-"),
            ("delete from u", "-"),
            ("update t set other = $1 where id = 1", "-"),
            ("update t set amount = amount where id = 1", "-"),
        ] {
            assert_eq!(instrument(text), expected, "{text}");
        }
        for text in [
            "delete from t",
            "delete from t where id in (select id from u returning)",
            "insert into t (id) values ('set returning')",
            "insert into t (id) values (1) on conflict (id) do nothing",
        ] {
            assert_eq!(instrument(text), format!("{text} returning {appended}"));
        }
        let text = "delete from t where id = $1 returning amount";
        assert_eq!(instrument(text), format!("{text}, {appended}"));
        let text =
            "update t set other = 1, amount = (select max(x), 1 from u where 1) where id = 2";
        assert_eq!(instrument(text), format!("{text} returning t.id, t.owner"));
        // The old values of an existing row are unknown.
        let text =
            "insert into t (id) values (1) on conflict (id) do update set amount = excluded.amount";
        assert_eq!(instrument(text), format!("{text} returning t.id, t.owner"));
        let text = "update t set closed_at = null";
        assert_eq!(instrument(text), format!("{text} returning 1"));
    }

    #[test]
    fn an_unknown_statement_is_never_taken_as_unwatched() {
        for text in [
            "with x as (delete from t returning id) select id from x",
            "update t as x set amount = 1",
            "update t set (amount, other) = (1, 2)",
            "update t set other = 1 is distinct from 2, amount = 3",
            "delete from t using u where t.id = u.id",
            "insert into t select 1",
            "truncate t",
            // Subscribers that know the row by its old owner would miss the change.
            "update t set owner = $1",
            "insert into t (id) values (1) on conflict (id) do update set owner = 'x'",
        ] {
            assert_eq!(instrument(text), "?", "{text}");
        }
    }
}
