//! What a statement has to say on PostgreSQL so that each watched row that it changes is told.
//!
//! No triggers there: a statement that writes to a watched table gets the told columns appended to
//! its `returning`. The text is read word by word, which suffices for the common dialect; what is not
//! understood is never silent, it is [`Plan::Unclear`].

use crate::change_feed::TOLD;
use crate::{Change, Error, Result, Row, Sql, Watch, number_of};
use tokio_postgres::types::Type;

/// What becomes of a statement.
#[derive(Debug)]
pub(crate) enum Plan {
    /// It changes no watched row.
    Silent,
    /// It answers what it changed behind what it was written to answer.
    Told(Told),
    /// It may change anything.
    Unclear,
}

#[derive(Debug)]
pub(crate) struct Told {
    /// The text with more to answer.
    pub(crate) text: String,
    /// How many columns are appended.
    appended: usize,
    tells: Vec<Tell>,
}

/// What one watch is told of each row; columns count from the first that is appended.
#[derive(Debug)]
struct Tell {
    topic: u8,
    is_gone: bool,
    columns: Vec<usize>,
    /// A truth value: whether the row is told at all.
    condition: Option<usize>,
}

/// A watch, whether what it is told of is gone, and whether its condition can be asked.
type Telling<'a> = (&'a Watch, bool, bool);

/// A word or a sign, and how many parentheses are open around it.
type Token<'a> = (&'a str, usize);

impl Plan {
    /// Reads a statement, written in lower case as all of them are.
    pub(crate) fn of(text: &str, watches: &[Watch]) -> Self {
        let tokens = tokens(text);
        let words = tokens.iter().map(|token| token.0).collect::<Vec<_>>();
        let writes = |word: &&str| ["insert", "update", "delete", "merge"].contains(word);
        let table = match words[..] {
            ["select", ..] => return Self::Silent,
            ["with", ..] if !words.iter().any(writes) => return Self::Silent,
            ["insert", "into", table, "(", ..]
            | ["update", table, "set", ..]
            | ["delete", "from", table]
            | ["delete", "from", table, "where" | "returning", ..] => table,
            _ => return Self::Unclear,
        };
        let watches = watches.iter().filter(|watch| watch.table == table);
        let watches = watches.collect::<Vec<_>>();
        // An insert that finds its row there may be an update.
        let set = tokens.iter().position(|token| *token == ("set", 0));
        let changed = set.map_or(Some(Vec::new()), |set| changed_columns(&tokens[set + 1..]));
        let tells = changed.and_then(|changed| tells(words[0], &watches, &changed));
        match tells {
            None => Self::Unclear,
            Some(tells) if tells.is_empty() => Self::Silent,
            Some(tells) => Self::Told(Told::new(text, table, &tokens, &tells)),
        }
    }
}

/// The text that the server gets.
pub(crate) fn text_of<'a>(sql: &'a Sql, plan: Option<&'a Plan>) -> &'a str {
    match plan {
        Some(Plan::Told(told)) => &told.text,
        _ => sql.postgres,
    }
}

/// Which watches hear of a statement, whether rows are gone then, and conditions can be asked; none if unclear.
fn tells<'a>(kind: &str, watches: &[&'a Watch], changed: &[&str]) -> Option<Vec<Telling<'a>>> {
    if watches.iter().any(|watch| moves(watch, changed)) {
        return None;
    }
    let hears = |watch: &&&Watch| {
        kind != "update"
            || changed
                .iter()
                .any(|column| watch.of.is_empty() || watch.of.contains(column))
    };
    // What an updated row was before is not known, so no condition can be asked of it: each counts.
    let is_whole = kind != "update" && changed.is_empty();
    let told = watches.iter().filter(hears);
    Some(
        told.map(|watch| (*watch, kind == "delete", is_whole))
            .collect(),
    )
}

/// Whether whoever knows the row by what was told before had to hear that it is gone, which nobody
/// knows afterwards.
fn moves(watch: &Watch, changed: &[&str]) -> bool {
    watch.told.iter().any(|told| changed.contains(told))
}

/// The columns that a list of `column = value` changes; one that is set to itself only holds the row.
fn changed_columns<'a>(tokens: &[Token<'a>]) -> Option<Vec<&'a str>> {
    let is_end =
        |(word, depth): &Token<'_>| *depth == 0 && ["where", "from", "returning"].contains(word);
    let end = tokens.iter().position(is_end).unwrap_or(tokens.len());
    if end > 0 && tokens[end - 1].0 == "distinct" {
        // A comparison, and no end.
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

impl Told {
    fn new(text: &str, table: &str, tokens: &[Token<'_>], tells: &[Telling<'_>]) -> Self {
        let mut appended: Vec<String> = Vec::new();
        let mut place = |expression: String| {
            let there = appended.iter().position(|other| *other == expression);
            there.unwrap_or_else(|| {
                appended.push(expression);
                appended.len() - 1
            })
        };
        let tells = tells.iter().map(|&(watch, is_gone, knows_all)| Tell {
            topic: watch.topic,
            is_gone,
            columns: {
                let told = watch.told.iter().take(TOLD);
                told.map(|column| place(format!("{table}.{column}")))
                    .collect()
            },
            condition: (knows_all && !watch.only.is_empty()).then(|| {
                place(format!(
                    "({})",
                    watch.only.replace("row.", &format!("{table}."))
                ))
            }),
        });
        let tells = tells.collect();
        if appended.is_empty() {
            // That there was a row says it all.
            appended.push("1".to_owned());
        }
        let returns = tokens.contains(&("returning", 0));
        let joint = if returns { "," } else { " returning" };
        let text = text.trim_end().trim_end_matches(';');
        Self {
            text: format!("{text}{joint} {}", appended.join(", ")),
            appended: appended.len(),
            tells,
        }
    }

    /// Adds what an answered row tells.
    pub(crate) fn read(&self, row: &tokio_postgres::Row, changes: &mut Vec<Change>) -> Result<()> {
        let first = row.len().checked_sub(self.appended);
        let first = first.ok_or_else(|| Error::Decode("a row does not tell".into()))?;
        let undecoded = |error: tokio_postgres::Error| Error::Decode(error.to_string());
        for tell in &self.tells {
            if let Some(condition) = tell.condition
                && row
                    .try_get::<_, Option<bool>>(first + condition)
                    .map_err(undecoded)?
                    != Some(true)
            {
                continue;
            }
            let mut told = [None; TOLD];
            for (value, column) in told.iter_mut().zip(&tell.columns) {
                let column = first + column;
                *value = if *row.columns()[column].type_() == Type::TEXT {
                    let text: Option<&str> = row.try_get(column).map_err(undecoded)?;
                    text.map(number_of)
                } else {
                    Row::postgres(row).opt_int(column)?
                };
            }
            let change = Change {
                topic: tell.topic,
                is_gone: tell.is_gone,
                row: told,
            };
            // A statement may touch many rows of one member: once is enough.
            if changes.last() != Some(&change) {
                changes.push(change);
            }
        }
        Ok(())
    }
}

/// The words and signs of a statement; what stands in quotation marks is one.
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

    const ALL: Watch = Watch {
        topic: 1,
        table: "t",
        told: &["id", "owner"],
        of: &["amount"],
        only: "",
    };
    const SOME: Watch = Watch {
        topic: 2,
        told: &[],
        of: &["closed_at"],
        only: "row.closed_at is not null",
        ..ALL
    };

    /// The text that PostgreSQL gets, "-" for one that stays, "?" for one that is not understood.
    fn told(text: &str) -> String {
        match Plan::of(text, &[ALL, SOME]) {
            Plan::Silent => "-".into(),
            Plan::Told(told) => told.text,
            Plan::Unclear => "?".into(),
        }
    }

    #[test]
    fn a_writing_statement_answers_what_it_changed() {
        let shown = "t.id, t.owner, (t.closed_at is not null)";
        for (text, expected) in [
            ("select a from t where b = 'delete'", "-"),
            ("with x as (select 1) select 1 from x", "-"),
            ("insert into u (id) values ($1)", "-"),
            ("update u set amount = 1", "-"),
            ("delete from u", "-"),
            ("update t set other = $1 where id = 1", "-"),
            ("update t set amount = amount where id = 1", "-"),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
        for text in [
            "delete from t",
            "delete from t where id in (select id from u returning)",
            "insert into t (id) values ('set returning')",
            "insert into t (id) values (1) on conflict (id) do nothing",
        ] {
            assert_eq!(told(text), format!("{text} returning {shown}"));
        }
        let text = "delete from t where id = $1 returning amount";
        assert_eq!(told(text), format!("{text}, {shown}"));
        let text =
            "update t set other = 1, amount = (select max(x), 1 from u where 1) where id = 2";
        assert_eq!(told(text), format!("{text} returning t.id, t.owner"));
        // Of a row that was there, what it was before is not known.
        let text =
            "insert into t (id) values (1) on conflict (id) do update set amount = excluded.amount";
        assert_eq!(told(text), format!("{text} returning t.id, t.owner"));
        let text = "update t set closed_at = null";
        assert_eq!(told(text), format!("{text} returning 1"));
    }

    #[test]
    fn what_is_not_understood_is_never_silent() {
        for text in [
            "with x as (delete from t returning id) select id from x",
            "update t as x set amount = 1",
            "update t set (amount, other) = (1, 2)",
            "update t set other = 1 is distinct from 2, amount = 3",
            "delete from t using u where t.id = u.id",
            "insert into t select 1",
            "truncate t",
            // Whoever knows the row by its old owner cannot be told.
            "update t set owner = $1",
            "insert into t (id) values (1) on conflict (id) do update set owner = 'x'",
        ] {
            assert_eq!(told(text), "?", "{text}");
        }
    }
}
