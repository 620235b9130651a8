//! The text format of PostgreSQL's `COPY`.

use crate::{Error, Result};
use bytes::{BufMut as _, BytesMut};
use rusqlite::Row;
use rusqlite::types::ValueRef;

/// Writes a row in the text format of `COPY`, without its line break.
pub(crate) fn write_line(line: &mut BytesMut, row: &Row<'_>, columns: usize) -> Result<()> {
    for column in 0..columns {
        if column > 0 {
            line.put_u8(b'\t');
        }
        write_value(line, row.get_ref(column)?)?;
    }
    Ok(())
}

/// Characters that `COPY` escapes, and the letters after their backslashes.
const ESCAPED: [(u8, u8); 7] = [
    (b'\\', b'\\'),
    (b'\n', b'n'),
    (b'\r', b'r'),
    (b'\t', b't'),
    (8, b'b'),
    (11, b'v'),
    (12, b'f'),
];

/// Writes a value in the text format of `COPY`, as PostgreSQL itself would.
fn write_value(line: &mut BytesMut, value: ValueRef<'_>) -> Result<()> {
    match value {
        ValueRef::Null => line.put_slice(b"\\N"),
        ValueRef::Integer(number) => line.put_slice(number.to_string().as_bytes()),
        ValueRef::Text(text) => {
            for byte in text {
                match ESCAPED.iter().find(|(escaped, _)| escaped == byte) {
                    Some((_, letter)) => line.put_slice(&[b'\\', *letter]),
                    None => line.put_u8(*byte),
                }
            }
        }
        other => {
            return Err(Error::Decode(format!("{other:?} is not a value of both engines")));
        }
    }
    Ok(())
}

/// Reads a value that PostgreSQL wrote in the text format of `COPY`; `None` is null.
pub(crate) fn read_value(text: &[u8]) -> Result<Option<String>> {
    if text == b"\\N" {
        return Ok(None);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.iter();
    while let Some(byte) = rest.next() {
        if *byte != b'\\' {
            bytes.push(*byte);
            continue;
        }
        let letter = rest.next();
        let escaped = ESCAPED.iter().find(|(_, known)| Some(known) == letter);
        let (byte, _) = escaped.ok_or_else(|| Error::Decode("an unknown escape".into()))?;
        bytes.push(*byte);
    }
    String::from_utf8(bytes).map(Some).map_err(|error| Error::Decode(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_round_trip_through_the_text_format() -> Result<()> {
        let text = "a\tb\\c\nd\re\u{8}\u{b}\u{c}\\N 👋";
        let mut line = BytesMut::new();
        write_value(&mut line, ValueRef::Text(text.as_bytes()))?;
        assert!(!line.contains(&b'\t') && !line.contains(&b'\n'));
        assert_eq!(read_value(&line)?.as_deref(), Some(text));
        assert_eq!(read_value(b"\\N")?, None);
        assert_eq!(read_value(b"\\\\N")?.as_deref(), Some("\\N"));
        assert!(read_value(b"\\x41").is_err());
        assert!(write_value(&mut line, ValueRef::Real(0.5)).is_err());
        Ok(())
    }
}
