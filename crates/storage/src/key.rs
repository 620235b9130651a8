//! Keys of objects.

use std::fmt;

use crate::StorageError;

/// Longest key in bytes, so that it fits a file name on every file system.
const MAX_BYTES: usize = 200;

/// A valid key: parts of `a-z`, `0-9`, `_`, `-` and `.`, separated by single slashes. No part
/// begins with a dot, so that none names a parent folder or a hidden file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key<'a>(&'a str);

impl<'a> Key<'a> {
    /// Validates `text` as a key.
    pub(crate) fn new(text: &'a str) -> Result<Self, StorageError> {
        if text.is_empty() || text.len() > MAX_BYTES {
            return Err(StorageError::InvalidKey("has 1 to 200 characters"));
        }
        if !has_valid_chars(text) {
            return Err(StorageError::InvalidKey("is made of a-z, 0-9, /, _, - and ."));
        }
        let wrong = |part: &str| part.is_empty() || part.starts_with('.') || part.contains("..");
        if text.split('/').any(wrong) {
            return Err(StorageError::InvalidKey("has an empty part, or one with stray dots"));
        }
        Ok(Self(text))
    }

    /// The key as text.
    pub(crate) fn as_str(self) -> &'a str {
        self.0
    }
}

impl fmt::Display for Key<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0)
    }
}

/// Whether `text` has only characters of keys, and may be the cursor of a list.
pub(crate) fn has_valid_chars(text: &str) -> bool {
    let allowed = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'/' | b'_' | b'.' | b'-');
    text.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_accepted() {
        for text in ["a", "posts/5f3a/640.webp", "a_b-c.d", "0/1/2", &"x".repeat(MAX_BYTES)] {
            assert_eq!(Key::new(text).expect(text).as_str(), text);
        }
    }

    #[test]
    fn a_path_out_of_the_folder_is_no_key() {
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
            assert!(matches!(Key::new(text), Err(StorageError::InvalidKey(_))), "{text:?}");
        }
    }
}
