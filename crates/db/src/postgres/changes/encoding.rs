//! Text of the changes in a row of `changes`: the hash of the watches, then each change as topic, `+` or `-`, and values.

use crate::change_feed::MAX_COLUMNS;
use crate::{RowChange, WatchSpec};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// Version of the encoding. Processes with another version treat a row as an unknown change.
const VERSION: u8 = 1;
/// Content of a row whose transaction may have changed anything.
pub(super) const UNKNOWN: &str = "*";

/// Returns a short hash of the watches: topics of another process mean the same only if its hash is equal.
pub(super) fn spec_hash(watches: &[WatchSpec]) -> String {
    let digest = Sha256::digest(format!("{VERSION} {watches:?}"));
    hex::encode(&digest[..6])
}

/// Encodes the changes of a transaction.
pub(super) fn encode(spec_hash: &str, changes: &[RowChange]) -> String {
    let mut text = spec_hash.to_owned();
    for change in changes {
        let sign = if change.is_gone { '-' } else { '+' };
        let _ = write!(text, " {}{sign}", change.topic);
        let last = change.row.iter().rposition(Option::is_some);
        for value in &change.row[..last.map_or(0, |last| last + 1)] {
            let value = value.map(|value| value.to_string()).unwrap_or_default();
            let _ = write!(text, "{value},");
        }
    }
    text
}

/// Decodes a row; `None` means that anything may have changed.
pub(super) fn decode(spec_hash: &str, text: &str) -> Option<Vec<RowChange>> {
    let mut words = text.split(' ');
    let changes = (words.next() == Some(spec_hash)).then_some(words)?;
    changes.map(decode_change).collect()
}

fn decode_change(word: &str) -> Option<RowChange> {
    let sign = word.find(['+', '-'])?;
    let mut row = [None; MAX_COLUMNS];
    for (number, value) in word[sign + 1..].split_terminator(',').enumerate() {
        let slot = row.get_mut(number)?;
        if !value.is_empty() {
            *slot = Some(value.parse().ok()?);
        }
    }
    Some(RowChange {
        topic: word[..sign].parse().ok()?,
        is_gone: word[sign..].starts_with('-'),
        row,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OTHER: &[WatchSpec] =
        &[WatchSpec { topic: 0, table: "t", columns: &[], update_of: &[], when: "" }];

    #[test]
    fn changes_round_trip_between_processes_with_the_same_watches() {
        let change = |topic, is_gone, row| RowChange { topic, is_gone, row };
        let changes = [
            change(0, false, [Some(i64::MIN), Some(i64::MAX), None, Some(-1)]),
            change(11, true, [None; 4]),
            change(255, false, [None, Some(0), None, None]),
        ];
        let (own, other) = (spec_hash(&[]), spec_hash(OTHER));
        let encoded = encode(&own, &changes);
        assert_eq!(decode(&own, &encoded).as_deref(), Some(&changes[..]));
        assert_eq!(decode(&other, &encoded), None, "another version of the program");
        assert_eq!(decode(&own, UNKNOWN), None);
        assert_eq!(decode(&own, &format!("{encoded} 1+x,")), None);
    }
}
