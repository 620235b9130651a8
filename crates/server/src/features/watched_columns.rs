//! Test of the columns whose changes invalidate cached statements.

use kith_db::WatchSpec;

use crate::platform::cache::CacheTag;

/// Returns the columns of a cached statement that no watch of its table covers: their changes would not invalidate
/// it.
pub(crate) fn unwatched_columns(
    watches: &[WatchSpec],
    sql: &str,
    tag: CacheTag,
    table: &str,
) -> Vec<String> {
    const NO_COLUMNS: &str =
        "select from where in and or is not null order by desc limit offset as id";
    let is_match = |watch: &&WatchSpec| watch.topic == tag as u8 && watch.table == table;
    let watch = watches.iter().find(is_match);
    let watch = watch.unwrap_or_else(|| panic!("no watch of {table}"));
    // Skip quoted values.
    let text = sql.split('\'').step_by(2).collect::<Vec<_>>().join(" ");
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$'));
    let words = words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()));
    let is_no_column = |word: &str| word == table || NO_COLUMNS.split(' ').any(|no| no == word);
    let is_watched = |word: &str| watch.update_of.is_empty() || watch.update_of.contains(&word);
    let words = words.filter(|word| !is_no_column(word) && !is_watched(word));
    words.map(str::to_owned).collect()
}
