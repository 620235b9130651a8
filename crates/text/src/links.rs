//! Extraction of URLs and links from a text.
//!
//! A URL ends at white space, quotes, an unmatched closing bracket, non-ASCII punctuation and invisible characters;
//! names and tags inside it are ignored. Links are http and https URLs whose text shows the host that they open.

use crate::clean::{category, is_invisible};
use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup, Script};
use serde::Serialize;
use std::net::Ipv6Addr;
use std::ops::Range;
use url::{Position, Url};
use utoipa::ToSchema;

const LETTERS: GeneralCategoryGroup =
    GeneralCategoryGroup::Letter.union(GeneralCategoryGroup::Mark);
const WORD: GeneralCategoryGroup = LETTERS.union(GeneralCategoryGroup::Number);

/// A link in a text, displayed by its host and path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PostLink)]
pub struct Link {
    /// Normalized http or https URL.
    #[schema(max_length = 20_000, example = "https://www.kith.example/about/")]
    pub url: String,
    /// Text to display instead of the URL: host and path, with the scheme if the URL adjoins other text.
    #[schema(max_length = 20_000, example = "kith.example/about")]
    pub label: String,
    /// Start of the URL, in UTF-16 units.
    pub start: usize,
    /// End of the URL, in UTF-16 units.
    pub end: usize,
}

/// Finds the links of a text, in its order.
#[must_use]
pub fn find_links(text: &str) -> Vec<Link> {
    let chars = text.chars().collect::<Vec<_>>();
    let mut links = Vec::new();
    // End of the last link, in characters and in UTF-16 units.
    let (mut last, mut units) = (0, 0);
    for found in find_url_ranges(&chars) {
        let closing = chars[found.clone()].iter().rev();
        let end = found.end - closing.take_while(|c| is_closing(**c)).count();
        let (before, after) = (&chars[..found.start], &chars[end..]);
        let typed = chars[found.start..end].iter().collect::<String>();
        let Some((url, path)) = parse_link(&typed) else {
            continue;
        };
        let is_closed = is_before_gap(after);
        // Without a path, the following text could seem to be part of the host.
        if path.is_empty() && !is_closed {
            continue;
        }
        let between = &chars[last..found.start];
        let is_adjacent = last > 0 && between.iter().all(|c| is_opening(*c) || c.is_whitespace());
        let is_apart = is_closed && is_after_gap(before) && !is_adjacent;
        let start = units + between.iter().map(|c| c.len_utf16()).sum::<usize>();
        (last, units) = (end, start + typed.encode_utf16().count());
        links.push(Link {
            label: format_label(&url, path, is_apart),
            url: url.into(),
            start,
            end: units,
        });
    }
    links
}

/// Returns for each character whether it is part of a URL.
pub(crate) fn mark_urls(chars: &[char]) -> Vec<bool> {
    let mut inside = vec![false; chars.len()];
    for url in find_url_ranges(chars) {
        inside[url].fill(true);
    }
    inside
}

/// Returns the ranges of URLs with any scheme, and of hosts with a path but without scheme (`example.org/`).
fn find_url_ranges(chars: &[char]) -> Vec<Range<usize>> {
    let mut urls = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let (before, rest) = chars.split_at(i);
        let url = match rest {
            [':', '/', '/', rest @ ..] if before.last().is_some_and(|c| is_scheme_char(*c)) => {
                let host = i + 3 + count_leading(rest, is_host_char);
                let end = match chars.get(host) {
                    Some('/' | '?' | '#') => find_path_end(chars, host),
                    Some('[') if host == i + 3 => find_path_end(chars, host),
                    _ => host,
                };
                i - count_leading(before.iter().rev(), is_scheme_char)..end
            }
            ['/', ..] if ends_in_host(before) => i..find_path_end(chars, i),
            _ => {
                i += 1;
                continue;
            }
        };
        i = url.end;
        urls.push(url);
    }
    urls
}

/// Counts the leading characters for which `is` holds.
fn count_leading<'a>(
    chars: impl IntoIterator<Item = &'a char>,
    is: impl Fn(char) -> bool,
) -> usize {
    chars.into_iter().take_while(|c| is(**c)).count()
}

const fn is_scheme_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_host_char(c: char) -> bool {
    is_visible_in(c, WORD) || matches!(c, '.' | '-' | '_' | ':' | '%')
}

/// Returns whether the text ends like `example.org`.
fn ends_in_host(before: &[char]) -> bool {
    let letters = count_leading(before.iter().rev(), |c| c.is_ascii_alphabetic());
    letters >= 2
        && matches!(before[..before.len() - letters], [.., c, '.'] if c.is_ascii_alphanumeric())
}

/// Returns the end of the path that begins at `from`.
fn find_path_end(chars: &[char], from: usize) -> usize {
    let (mut round, mut square) = (0, 0);
    for (i, c) in chars.iter().enumerate().skip(from) {
        match c {
            '(' => round += 1,
            '[' => square += 1,
            ')' if round > 0 => round -= 1,
            ']' if square > 0 => square -= 1,
            ')' | ']' => return i,
            c if !is_path_char(*c) => return i,
            _ => {}
        }
    }
    chars.len()
}

fn is_path_char(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_graphic() && !matches!(c, '<' | '>' | '"' | '\'' | '`');
    }
    // Joiners of letters and emoji, and the selector of emoji style, are invisible.
    is_visible_in(c, WORD.union(GeneralCategoryGroup::Symbol))
        || matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0f}')
}

fn is_visible_in(c: char, group: GeneralCategoryGroup) -> bool {
    group.contains(category(c)) && !is_invisible(c)
}

/// Parses a URL and returns the text after its host. `None` for a URL with credentials, which could look like a host,
/// or with characters that could look like a slash or a dot in the host.
fn parse_link(typed: &str) -> Option<(Url, &str)> {
    let (_, rest) = typed.split_once("://")?;
    let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = match host.rsplit_once(':') {
        Some((host, port)) if port.parse::<u16>().is_ok() => host,
        _ => host,
    };
    let v6 = host.strip_prefix('[').and_then(|v6| v6.strip_suffix(']'));
    let is_readable = match v6 {
        Some(v6) => v6.parse::<Ipv6Addr>().is_ok(),
        None => !host.is_empty() && host.split('.').all(is_of_one_script),
    };
    let url = Url::parse(typed).ok()?;
    (is_readable && matches!(url.scheme(), "http" | "https")).then_some((url, path))
}

/// Returns whether a label of a host has only letters, digits, hyphens and underscores, and Latin letters neither
/// beside other scripts, such as the ノ of Japanese, nor beside strokes.
fn is_of_one_script(label: &str) -> bool {
    let script = CodePointMapData::<Script>::new();
    let is_latin = label.chars().any(|c| script.get(c) == Script::Latin);
    label.chars().all(|c| match c {
        'a'..='z' | 'A'..='Z' | '_' | '-' => true,
        // Without the click letters from ǀ to ǃ.
        'À'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => !matches!(c, 'ǀ'..='ǃ'),
        _ if category(c) == GeneralCategory::DecimalNumber => true,
        _ => !is_latin && LETTERS.contains(category(c)),
    })
}

/// Formats the label of a link: the host and the text after it. Keeps the scheme if the URL touches other text, which
/// would otherwise seem to be part of it.
fn format_label(url: &Url, path: &str, is_apart: bool) -> String {
    let host = &url[Position::BeforeHost..Position::AfterPort];
    if !is_apart {
        return format!("{}://{host}{path}", url.scheme());
    }
    let bare = host.strip_prefix("www.");
    let bare = bare.filter(|host| host.starts_with(|c: char| c.is_ascii_alphanumeric()));
    let mut label = format!("{}{path}", bare.unwrap_or(host));
    if label.ends_with('/') {
        label.pop();
    }
    label
}

/// Returns whether a word can begin after a text, which ends in a gap and optional brackets or quotes.
fn is_after_gap(before: &[char]) -> bool {
    is_gap(before.iter().rev().find(|c| !is_opening(**c)))
}

/// Returns whether a word has ended before a text, which begins with optional punctuation and a gap.
fn is_before_gap(after: &[char]) -> bool {
    let is_end = |c| {
        matches!(c, '<' | '>' | '`' | '~')
            || GeneralCategoryGroup::Punctuation.contains(category(c))
    };
    is_gap(after.iter().find(|c| !is_end(**c)))
}

/// Returns whether a character is visible white space, or absent at the end of the text.
const fn is_gap(c: Option<&char>) -> bool {
    matches!(c, None | Some(' ' | '\t' | '\n' | '\u{a0}' | '\u{3000}'))
}

fn is_opening(c: char) -> bool {
    matches!(c, '<' | '"' | '\'' | '`')
        || matches!(
            category(c),
            GeneralCategory::OpenPunctuation
                | GeneralCategory::InitialPunctuation
                | GeneralCategory::FinalPunctuation
        )
}

/// Returns whether a character at the end of a URL is punctuation of the sentence around it.
const fn is_closing(c: char) -> bool {
    matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '*' | '_' | '~')
}

#[cfg(test)]
mod tests;
