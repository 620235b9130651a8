//! Names of objects.

use std::fmt;

use crate::StorageError;

/// The transfer_timeout key, so that it fits a file's name everywhere.
const MAX_BYTES: usize = 200;

/// A checked key: parts of `a-z`, `0-9`, `_`, `-` and `.`, separated by single slashes. No part
/// begins with a dot, so none means a folder above or hides a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key<'a>(&'a str);

impl<'a> Key<'a> {
    /// Takes `text` when it is a key.
    pub(crate) fn new(text: &'a str) -> Result<Self, StorageError> {
        if text.is_empty() || text.len() > MAX_BYTES {
            return Err(StorageError::InvalidKey("has 1 to 200 characters"));
        }
        if !has_valid_chars(text) {
            return Err(StorageError::InvalidKey(
                "is made of a-z, 0-9, /, _, - and .",
            ));
        }
        let wrong = |part: &str| part.is_empty() || part.starts_with('.') || part.contains("..");
        if text.split('/').any(wrong) {
            return Err(StorageError::InvalidKey(
                "has an empty part, or one with stray dots",
            ));
        }
        Ok(Self(text))
    }

    /// The key as it was given.
    pub(crate) fn as_str(self) -> &'a str {
        self.0
    }
}

impl fmt::Display for Key<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0)
    }
}

/// Whether `text` could be the beginning of a key, or a place between keys.
pub(crate) fn has_valid_chars(text: &str) -> bool {
    let allowed = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'/' | b'_' | b'.' | b'-');
    text.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_taken() {
        for text in [
            "a",
            "posts/5f3a/640.webp",
            "a_b-c.d",
            "0/1/2",
            &"x".repeat(MAX_BYTES),
        ] {
            assert_eq!(Key::new(text).expect(text).as_str(), text);
        }
    }

    #[test]
    fn what_could_lead_elsewhere_is_no_key() {
        let long = "x".repeat(MAX_BYTES + 1);
        let wrong = [
            "",
            "/",
            "/etc/passwd",
            "a/",
            "a//b",
            ".",
            "..",
            "../a",
            "a/..",
            "a/../b",
            "a..b",
            ".hidden",
            "a/.b",
            "A",
            "é",
            "a b",
            "a\0b",
            "a\\b",
            "a@b",
            "a%2e",
            "a?b",
            "a#b",
            "a\nb",
            "~",
            &long,
        ];
        for text in wrong {
            assert!(
                matches!(Key::new(text), Err(StorageError::InvalidKey(_))),
                "{text:?}"
            );
        }
    }
}
