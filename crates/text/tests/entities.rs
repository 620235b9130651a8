//! Mentions, hashtags and links in texts: fixed cases, and properties of any text.

use kith_text::{clean, find_hashtags, find_links, find_mentions, fold, normalize_hashtag};
use std::time::{Duration, Instant};
use unicode_segmentation::UnicodeSegmentation;
use url::Url;

/// A looked-up or stored text with its position in UTF-16 units.
type Entity = (String, usize, usize);

#[derive(serde::Deserialize)]
struct Vectors {
    cases: Vec<Case>,
}

#[derive(serde::Deserialize)]
struct Case {
    name: String,
    text: String,
    mentions: Vec<Entity>,
    hashtags: Vec<Entity>,
}

fn found(text: &str) -> (Vec<Entity>, Vec<Entity>) {
    let mentions = find_mentions(text)
        .into_iter()
        .map(|found| (found.username, found.start, found.end))
        .collect();
    let hashtags =
        find_hashtags(text).into_iter().map(|found| (found.tag, found.start, found.end)).collect();
    (mentions, hashtags)
}

/// The part of a text at a position; panics if that is not on character boundaries.
fn slice(text: &str, start: usize, end: usize) -> String {
    let units = text.encode_utf16().collect::<Vec<_>>();
    String::from_utf16(&units[start..end]).expect("places are on character borders")
}

/// Checks properties of every text: positions are valid and match the found texts.
fn check(text: &str) {
    let (mentions, hashtags) = found(text);
    assert!(mentions.len() <= 50 && hashtags.len() <= 30, "{text:?}");
    for (name, start, end) in &mentions {
        let written = slice(text, *start, *end);
        let written = written.strip_prefix(['@', '＠']).expect("a name begins at its @");
        assert_eq!(&written.to_lowercase(), name, "{text:?}");
        assert!((3..=20).contains(&name.len()), "{text:?}");
        assert!(name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_')), "{text:?}");
    }
    for (tag, start, end) in &hashtags {
        let written = slice(text, *start, *end);
        let written = written.strip_prefix(['#', '＃']).expect("a tag begins at its #");
        assert_eq!(fold(written).trim_matches(['·', '・']), tag, "{text:?}");
        assert_eq!(normalize_hashtag(tag).as_ref(), Some(tag), "{text:?}");
        assert!(tag.len() <= 500 && tag.graphemes(true).count() <= 100);
    }
    let links = find_links(text).into_iter().map(|link| {
        let written = slice(text, link.start, link.end).to_lowercase();
        let url = Url::parse(&link.url).expect("a link's URL is whole");
        assert!(url.username().is_empty() && written.starts_with(url.scheme()), "{text:?}");
        let host = url.host_str().expect("a link has a host");
        assert!(link.label.contains(host.trim_start_matches("www.")), "{text:?}");
        (link.url, link.start, link.end)
    });
    let links = links.collect();
    let mut places = [mentions, hashtags, links].concat();
    places.sort_by_key(|(_, start, _)| *start);
    assert!(
        places.windows(2).all(|pair| pair[0].2 <= pair[1].1),
        "overlap in {text:?}: {places:?}"
    );
}

/// proves: tag-found, mention-resolved, entity-post-mentions, entity-post-hashtags
#[test]
fn fixed_cases_are_found() {
    let vectors: Vectors =
        serde_json::from_str(include_str!("entities.json")).expect("the cases are readable");
    assert!(vectors.cases.len() >= 120);
    let wrong = vectors
        .cases
        .into_iter()
        .filter_map(|case| {
            check(&case.text);
            let found = found(&case.text);
            let expected = (case.mentions, case.hashtags);
            (found != expected).then(|| {
                format!(
                    "{}: {:?}\n  expected {expected:?}\n  found    {found:?}\n",
                    case.name, case.text
                )
            })
        })
        .collect::<String>();
    assert!(wrong.is_empty(), "{wrong}");
}

/// Reproducible pseudo-random numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits are left") % bound
    }
}

#[test]
fn positions_are_valid_in_any_text() {
    let nasty = "@@@＠###＃＃aAbdz09_＿.-:/?&()[]'\" \n\t\u{a0}\u{3000}éßİıſΣςйЁ\u{301}\u{308}\u{345}\u{323}\
        你の゛゜～〜・･·ｶﾞﾡￂㅋ한\u{1112}\u{1161}\u{3164}हि्न์ำ\u{e4d}า་אָ־׳مِـی\u{200b}\u{200c}\u{200c}\u{200d}\u{200f}\u{2060}\u{ad}\
        \u{fe0e}\u{fe0f}\u{20e3}\u{e0100}👍🏽🇩🇪❤ℹ𠀀𝒯ﬁŀŉǆ\u{180b}\u{1b44}ක්ර";
    let nasty = nasty.chars().collect::<Vec<_>>();
    let pieces =
        ["https://", "http://x.org", "x.org/", "@ada", "RT", "#tag", ".example.org", "&#39;"];
    let mut numbers = Numbers(7);
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..numbers.below(24) {
            if numbers.below(8) == 0 {
                text.push_str(pieces[numbers.below(pieces.len())]);
            } else {
                text.push(nasty[numbers.below(nasty.len())]);
            }
        }
        check(&text);
        check(&clean(&text));
    }
}

#[test]
fn every_character_is_accepted_beside_and_inside_entities() {
    // Without ideographs and syllables, which are many and similar.
    let chars = ('\0'..='\u{33ff}')
        .chain('\u{f900}'..='\u{ffff}')
        .chain('\u{1f000}'..='\u{1f2ff}')
        .chain('\u{e0000}'..='\u{e01ef}');
    for c in chars {
        check(&format!("{c}@ada{c} {c}#t{c}g{c} #{c} @{c}"));
    }
}

/// A hundred times the size of a post, which takes too long unless the search is linear.
#[test]
fn hostile_texts_take_linear_time() {
    for piece in [
        "@",
        "#",
        "@a",
        "#a",
        "@ada",
        "#a#",
        "@ada.",
        "@ada-",
        "#\u{301}",
        "://",
        "a://",
        "http://a ",
        "http://é.a/(",
        "https://a.",
        "\"http://[",
        "a.bc/",
        "((",
        "/@",
        "#\u{200c}",
        "م\u{200c}",
        "#a\u{301}",
        "\u{fe0f}",
        "#a\u{20e3}",
        "RT@",
        "@ada ",
        "#a ",
    ] {
        let text = piece.repeat(500_000 / piece.len());
        let begun = Instant::now();
        let _ = (found(&text), find_links(&text));
        assert!(begun.elapsed() < Duration::from_secs(10), "{piece:?}");
    }
}
