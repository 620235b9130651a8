//! Finding the #tags in a text.

use crate::posts::Hashtag;
use crate::text;

/// Every hashtag of a text, by its place.
#[must_use]
pub fn find(content: &str) -> Vec<Hashtag> {
    let mut found = Vec::new();
    let mut units = 0;
    for word in content.split(' ') {
        if let Some(tag) = word.strip_prefix('#').and_then(normalize) {
            found.push(Hashtag {
                tag,
                start: units,
                end: units + word.encode_utf16().count(),
            });
        }
        units += word.encode_utf16().count() + 1;
    }
    found
}

/// The form in which a typed tag is stored, if it can be one.
pub(super) fn normalize(typed: &str) -> Option<String> {
    let tag = text::fold(typed.trim_start_matches('#'));
    (!tag.is_empty() && tag.chars().all(char::is_alphanumeric)).then_some(tag)
}
