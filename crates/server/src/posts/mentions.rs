//! Finding the @names in a text.

/// An @name at a place, whether or not anybody is called so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    /// Lower case, without the @.
    pub(super) name: String,
    /// UTF-16 units.
    pub(super) start: usize,
    /// UTF-16 units.
    pub(super) end: usize,
}

/// Names in one post that are looked up at most.
const MOST: usize = 50;

/// Every `@name` that stands on its own: not inside a word, an address or a path.
pub(super) fn find(text: &str) -> Vec<Candidate> {
    let chars = text.chars().collect::<Vec<_>>();
    let mut found = Vec::new();
    let mut units = 0;
    let mut i = 0;
    while i < chars.len() && found.len() < MOST {
        let at = matches!(chars[i], '@' | '＠');
        let free = i == 0 || !glues(chars[i - 1]);
        if at && free {
            let name = chars[i + 1..]
                .iter()
                .take_while(|c| is_name(**c))
                .collect::<String>();
            let next = chars.get(i + 1 + name.len());
            let alone = !next
                .is_some_and(|c| matches!(c, '@' | '＠') || c.is_alphanumeric() && c.is_ascii());
            if (3..=20).contains(&name.len()) && alone && !is_domain(&chars[i + 1 + name.len()..]) {
                found.push(Candidate {
                    name: name.to_ascii_lowercase(),
                    start: units,
                    end: units + 1 + name.len(),
                });
            }
        }
        units += chars[i].len_utf16();
        i += 1;
    }
    found
}

const fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Characters that, before an @, make it part of something else.
fn glues(c: char) -> bool {
    is_name(c)
        || matches!(
            c,
            '@' | '＠' | '/' | '.' | '-' | '+' | '&' | '#' | '!' | '$' | '%' | '*' | '='
        )
        || (c.is_alphabetic() && c.is_ascii())
}

/// `@name.tld` with a letter after the dot is a handle of another network.
fn is_domain(rest: &[char]) -> bool {
    matches!(rest, ['.', c, ..] if c.is_ascii_lowercase())
        && rest.get(2).is_some_and(char::is_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        find(text).into_iter().map(|found| found.name).collect()
    }

    #[test]
    fn names_stand_on_their_own() {
        assert_eq!(
            names("@ada, @Bob_1! (@eve) 「@kim」 ＠lin's"),
            ["ada", "bob_1", "eve", "kim", "lin"]
        );
        assert_eq!(names("你好@ada你好"), ["ada"]);
        for none in [
            "a@ada.org",
            "ada@bob",
            "@ab",
            "@aaaaaaaaaaaaaaaaaaaaa",
            "@@ada",
            "x/@ada",
            "@ada@example.org",
            "@ada.example.org",
        ] {
            assert_eq!(names(none), Vec::<String>::new(), "{none}");
        }
        assert_eq!(names("by @ada. Yes"), ["ada"]);
    }

    /// proves: entity-post-mentions
    #[test]
    fn places_are_utf_16() {
        let found = find("👋 @ada");
        assert_eq!((found[0].start, found[0].end), (3, 7));
    }
}
