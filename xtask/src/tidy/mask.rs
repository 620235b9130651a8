//! Masks comments and literals in Rust source with spaces; byte offsets stay the same.

/// Masks comments and the contents of string and character literals.
pub(super) fn code(text: &str) -> String {
    blank(text, true)
}

/// Masks comments only.
pub(super) fn comments(text: &str) -> String {
    blank(text, false)
}

/// Masks items under `#[cfg(test)]` in the output of [`code`].
pub(super) fn without_tests(code: &str) -> String {
    blank_ranges(code, &test_ranges(code))
}

/// Masks items under `#[cfg(test)]` in unmasked text or in the output of [`comments`].
pub(super) fn without_tests_of(text: &str) -> String {
    blank_ranges(text, &test_ranges(&code(text)))
}

/// Offset behind the brace that closes the one at `open`.
pub(super) fn closing(code: &str, open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return at + 1;
        }
    }
    code.len()
}

fn test_ranges(code: &str) -> Vec<(usize, usize)> {
    let starts = code.match_indices("#[cfg(test)]").map(|(at, _)| at);
    let end = |start: usize| match code[start..].find(['{', ';']) {
        Some(at) if code[start + at..].starts_with('{') => closing(code, start + at),
        Some(at) => start + at,
        None => code.len(),
    };
    starts.map(|start| (start, end(start))).collect()
}

fn blank_ranges(text: &str, ranges: &[(usize, usize)]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for (start, end) in ranges {
        blank_bytes(&mut bytes[*start..*end]);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn blank_bytes(bytes: &mut [u8]) {
    for byte in bytes.iter_mut().filter(|byte| **byte != b'\n') {
        *byte = b' ';
    }
}

fn blank(text: &str, literals: bool) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let after_word = text[..at].ends_with(super::is_word);
        let (length, is_comment) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), true)
        } else if rest.starts_with("/*") {
            (block_comment(rest), true)
        } else if let Some(length) = raw_string(rest).filter(|_| !after_word) {
            (length, false)
        } else if rest.starts_with('"') {
            (quoted(rest, '"'), false)
        } else if rest.starts_with('\'') {
            (character(rest), false)
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        if is_comment {
            blank_bytes(&mut bytes[at..at + length]);
        } else if literals && length > 2 {
            blank_bytes(&mut bytes[at + 1..at + length - 1]);
        }
        at += length;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Length of a block comment, which may contain others.
fn block_comment(rest: &str) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            (at, depth) = (at + 2, depth + 1);
        } else if rest[at..].starts_with("*/") {
            (at, depth) = (at + 2, depth - 1);
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

fn raw_string(rest: &str) -> Option<usize> {
    let prefix = ["r", "br", "cr"].into_iter().find(|prefix| {
        rest.strip_prefix(prefix).is_some_and(|more| more.starts_with(['#', '"']))
    })?;
    let hashes = rest[prefix.len()..].bytes().take_while(|byte| *byte == b'#').count();
    let start = prefix.len() + hashes + 1;
    if !rest[..start.min(rest.len())].ends_with('"') {
        return None;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    Some(rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len()))
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Length of a character literal, or 1 for the quote of a lifetime.
fn character(rest: &str) -> usize {
    let mut characters = rest.chars().skip(1);
    let first = characters.next();
    if first == Some('\\') || (first.is_some() && characters.next() == Some('\'')) {
        return quoted(rest, '\'');
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blanked_in_place() {
        let text = "a /* { /* } */ */ b // {\n\"x\\\"{\" r#\"{\"{\"# '{' '\\'' &'a str 'é' {";
        let code = code(text);
        assert_eq!(code.len(), text.len());
        assert_eq!(code.matches('{').count(), 1, "{code}");
        assert!(code.starts_with('a') && code.contains(" b ") && code.contains("&'a str"));
    }

    #[test]
    fn strings_stay_when_only_comments_go() {
        assert_eq!(comments("f(\"// no\") // yes"), "f(\"// no\")       ");
    }

    #[test]
    fn names_that_end_in_r_are_no_raw_strings() {
        assert_eq!(code("for\"x\"; r\"y\""), "for\" \"; r\"y\"".replace("r\"y", "r  "));
    }

    #[test]
    fn test_modules_are_blanked_and_what_follows_stays() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests { fn b() { \"}\"; } }\nfn c() {}\n";
        let left = without_tests_of(text);
        assert!(left.contains("fn a") && left.contains("fn c") && !left.contains("fn b"));
        assert_eq!(left.lines().count(), text.lines().count());
        assert!(without_tests("#[cfg(test)]\nmod tests;\nfn a() {}").contains("fn a"));
    }
}
