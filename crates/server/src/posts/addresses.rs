//! Where the web addresses of a text are: what looks like a name or a tag inside
//! one is neither.

use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};

/// For each character, whether it is part of a web address: from the colon after its
/// scheme (`https://`), or without one from the slash after its host (`example.org/`).
///
/// An address ends where a sentence goes on: at white space,
/// quotes, a bracket it did not open, and punctuation that is not ASCII.
pub(super) fn within(chars: &[char]) -> Vec<bool> {
    let mut within = vec![false; chars.len()];
    let mut i = 0;
    while i < chars.len() {
        let end = if is_scheme(chars, i) {
            let host = i + 3 + run(&chars[i + 3..], is_host);
            match chars.get(host) {
                Some('/' | '?' | '#') => path_end(chars, host),
                _ => host,
            }
        } else if chars[i] == '/' && follows_host(&chars[..i]) {
            path_end(chars, i)
        } else {
            i
        };
        within[i..end].fill(true);
        i = end.max(i + 1);
    }
    within
}

/// How many characters from the start are of a kind.
fn run(chars: &[char], is: impl Fn(char) -> bool) -> usize {
    chars.iter().take_while(|c| is(**c)).count()
}

fn is_scheme(chars: &[char], i: usize) -> bool {
    chars[i..].starts_with(&[':', '/', '/']) && i > 0 && chars[i - 1].is_ascii_alphanumeric()
}

fn is_host(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '%')
}

/// Whether the text so far ends like `example.org`.
fn follows_host(before: &[char]) -> bool {
    let letters = before
        .iter()
        .rev()
        .take_while(|c| c.is_ascii_alphabetic())
        .count();
    letters >= 2
        && matches!(before[..before.len() - letters], [.., c, '.'] if c.is_ascii_alphanumeric())
}

/// Where the path that begins at `from` ends.
fn path_end(chars: &[char], from: usize) -> usize {
    let (mut round, mut square) = (0, 0);
    for (i, c) in chars.iter().enumerate().skip(from) {
        match c {
            '(' => round += 1,
            '[' => square += 1,
            ')' if round > 0 => round -= 1,
            ']' if square > 0 => square -= 1,
            ')' | ']' => return i,
            c if !is_path(*c) => return i,
            _ => {}
        }
    }
    chars.len()
}

fn is_path(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_graphic() && !matches!(c, '<' | '>' | '"' | '\'' | '`');
    }
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    GeneralCategoryGroup::Letter
        .union(GeneralCategoryGroup::Mark)
        .union(GeneralCategoryGroup::Number)
        .contains(category)
        || matches!(c, '\u{200c}' | '\u{200d}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> String {
        let chars = text.chars().collect::<Vec<_>>();
        let within = within(&chars);
        chars
            .into_iter()
            .zip(within)
            .filter_map(|(c, within)| within.then_some(c))
            .collect()
    }

    #[test]
    fn addresses_end_where_the_sentence_goes_on() {
        for (text, inside) in [
            (
                "see https://kith.example/a?b#c now",
                "://kith.example/a?b#c",
            ),
            ("(https://kith.example/a_(b)) c", "://kith.example/a_(b)"),
            ("[https://kith.example]#c", "://kith.example"),
            ("kith.example/#a b", "/#a"),
            ("https://kith.example/a。b", "://kith.example/a"),
            ("https://kith.example,b", "://kith.example"),
            ("and/or e.g./a", ""),
        ] {
            assert_eq!(found(text), inside, "{text}");
        }
    }
}
