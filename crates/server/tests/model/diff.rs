//! Readable differences between two JSON values.

use serde_json::Value;

/// Lists every difference, one per line, as an error. Fields without an expectation may have any value.
pub(crate) fn differences(what: &str, expected: &Value, found: &Value) -> Result<(), String> {
    let mut lines = Vec::new();
    collect(what, expected, found, &mut lines);
    if lines.is_empty() { Ok(()) } else { Err(lines.join("\n")) }
}

/// Lists the differences between two lists.
pub(crate) fn list_differences(
    what: &str,
    expected: &[Value],
    found: &[Value],
) -> Result<(), String> {
    let mut lines = Vec::new();
    collect_lists(what, expected, found, &mut lines);
    if lines.is_empty() { Ok(()) } else { Err(lines.join("\n")) }
}

fn collect(place: &str, expected: &Value, found: &Value, lines: &mut Vec<String>) {
    match (expected, found) {
        (Value::Object(fields), Value::Object(others)) => {
            for (name, value) in fields {
                let other = others.get(name).unwrap_or(&Value::Null);
                if value != other {
                    collect(&format!("{place}.{name}"), value, other, lines);
                }
            }
        }
        (Value::Array(rows), Value::Array(others)) => collect_lists(place, rows, others, lines),
        _ if expected == found => {}
        _ => lines.push(format!("{place}: expected {expected}, found {found}")),
    }
}

/// Reports missing and additional rows first; differences inside rows would hide them.
fn collect_lists(place: &str, expected: &[Value], found: &[Value], lines: &mut Vec<String>) {
    let (rows, others) = (expected.iter().map(name), found.iter().map(name));
    let (rows, others) = (rows.collect::<Vec<_>>(), others.collect::<Vec<_>>());
    let named = expected.iter().all(|row| row.get("id").is_some());
    if rows.len() != others.len() || named && rows != others {
        let (rows, others) = (rows.join(", "), others.join(", "));
        lines.push(format!("{place}: expected [{rows}], found [{others}]"));
        return;
    }
    for (row, (value, other)) in expected.iter().zip(found).enumerate() {
        if value != other {
            collect(&format!("{place}[{row}]"), value, other, lines);
        }
    }
}

/// A short name of a row: its id, else its type or code, else the whole row.
fn name(row: &Value) -> String {
    let known = ["id", "type", "code"].iter().find_map(|field| row.get(field)?.as_str());
    known.map_or_else(|| row.to_string(), str::to_owned)
}
