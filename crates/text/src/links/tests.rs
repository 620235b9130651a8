use super::*;

/// Replaces each link of the text by its label in brackets.
fn read(text: &str) -> String {
    let units = text.encode_utf16().collect::<Vec<_>>();
    let slice = |from, to| String::from_utf16(&units[from..to]).expect("whole characters");
    let (mut out, mut last) = (String::new(), 0);
    for link in find_links(text) {
        out += &slice(last, link.start);
        out.extend(["⟦", &link.label, "⟧"]);
        last = link.end;
    }
    out + &slice(last, units.len())
}

/// proves: entity-post-links
#[test]
fn links_have_a_position_a_label_and_a_url() {
    let link = |start, end, label: &str, url: &str| Link {
        url: url.to_owned(),
        label: label.to_owned(),
        start,
        end,
    };
    assert_eq!(
        find_links("👋 HTTPS://www.A.example:443/Müller/, https://b.example?q"),
        [
            link(3, 36, "a.example/Müller", "https://www.a.example/M%C3%BCller/"),
            link(38, 57, "b.example?q", "https://b.example/?q"),
        ]
    );
}

#[test]
fn links_end_before_the_rest_of_the_sentence() {
    for (text, shown) in [
        ("see https://a.example/x.", "see ⟦a.example/x⟧."),
        ("(https://a.example/b)", "(⟦a.example/b⟧)"),
        ("https://a.example/b_(c)!", "⟦a.example/b_(c)⟧!"),
        ("“https://a.example/b.”", "“⟦a.example/b⟧.”"),
        ("«https://a.example/b»,", "«⟦a.example/b⟧»,"),
        ("https://a.example/b。", "⟦a.example/b⟧。"),
        ("https://a.example/b…", "⟦a.example/b⟧…"),
        ("~https://a.example~", "~⟦https://a.example⟧~"),
        ("https://my_blog.example!", "⟦my_blog.example⟧!"),
        ("http://日本.example/ノ.", "⟦xn--wgv71a.example/ノ⟧."),
        ("http://हिन्दी.example", "⟦xn--j2bd4cyah0f.example⟧"),
        ("http://[2001:db8::1]:8080/.", "⟦[2001:db8::1]:8080⟧."),
        ("https://a.example/#@b#c @d", "⟦a.example/#@b#c⟧ @d"),
        // Joiners of letters and of emoji.
        ("https://a.example/نرم\u{200c}اف", "⟦a.example/نرم\u{200c}اف⟧"),
        ("https://a.example/❤\u{fe0f}\u{200d}🔥/x", "⟦a.example/❤\u{fe0f}\u{200d}🔥/x⟧"),
    ] {
        assert_eq!(read(text), shown);
    }
}

#[test]
fn only_http_and_https_urls_are_links() {
    for text in [
        "javascript:alert(1)",
        "javascript://a.example/%0aalert(1)",
        "data:text/html,x",
        "https://",
        "https:///a.example",
        "ftp://a.example",
        "xhttps://a.example",
        "a.example/b",
    ] {
        assert_eq!(find_links(text), [], "{text}");
    }
}

/// proves: card-address-open
#[test]
fn misleading_urls_are_text() {
    let signs = "\u{2044}\u{2215}\u{29f8}\u{2571}\u{ff0f}\\\u{3002}\u{30ce}\u{1c0}".chars();
    let signs = signs.map(String::from).chain(["\u{131}\u{338}".to_owned()]);
    let slashes = signs.map(|sign| format!("https://kith.example{sign}login.evil.example/x"));
    for text in slashes.chain(
        [
            "https://kith.example@evil.example/login",
            "https://kith.example:443@evil.example/",
            "https://:kith.example@evil.example",
            "HTTP://kith.example%2Flogin@evil.example",
            "https://kith.example@@evil.example",
            "https://kith.example,@evil.example/",
            "http://[::1]@evil.example/",
            "http://[::1]\\evil.example/",
            "https://fа\u{441}ebook.example",
            "https://日本\u{3164}/kith.example",
        ]
        .map(str::to_owned),
    ) {
        assert_eq!(read(&text), text);
        let more = format!("see {text}, and https://a.example/@ada");
        assert_eq!(read(&more), format!("see {text}, and ⟦a.example/@ada⟧"));
    }
}

/// proves: card-address-open, card-address-www
#[test]
fn labels_name_the_opened_host() {
    for (typed, shown) in [
        ("https://\u{17f}acebook.com/Login?a#b", "sacebook.com/Login?a#b"),
        ("https://www.\u{430}\u{440}\u{440}\u{4cf}\u{435}.com/", "xn--80ak6aa92e.com"),
        ("https://g\u{ed0}\u{ed0}gle.com:8443/x", "xn--ggle-q7oa.com:8443/x"),
        ("https://faceboo\u{138}.com", "xn--faceboo-jhb.com"),
        ("https://müller.example/Müller", "xn--mller-kva.example/Müller"),
        ("http://2130706433/x", "127.0.0.1/x"),
        ("HTTPS://A.Example/B", "a.example/B"),
        ("https://www.kith.example/", "kith.example"),
        ("https://www.3.example/x", "3.example/x"),
        ("https://www./kith.example/login", "www./kith.example/login"),
        ("https://www.?kith.example", "www.?kith.example"),
        ("https://www.-a.example/", "www.-a.example"),
    ] {
        assert_eq!(read(typed), format!("⟦{shown}⟧"));
    }
}

/// proves: card-address-apart
#[test]
fn links_keep_their_scheme_beside_other_text() {
    let link = "https://www.terms.example/2026";
    let short = "⟦terms.example/2026⟧";
    for before in ["", " ", "\n", "\u{a0}", "\u{3000}", "(", " “", "\n«", " 「", " (\"", "see <"]
    {
        assert_eq!(read(&format!("{before}{link}")), format!("{before}{short}"));
    }
    for after in ["", " ", "\n", "\u{a0}", "\u{3000}", ").", "\" and", "'.", "> and"] {
        assert_eq!(read(&format!("{link}{after}")), format!("{short}{after}"));
    }
    for before in [
        "accounts.kith.",
        "kith.example/ \u{200b}",
        "kith.example/\u{2002}",
        "kith.example/\u{200a}",
        "kith.example/\u{202f}",
        "kith.example/\u{205f}",
        "kith.example/\u{200b}",
        "\u{2800}",
        "請看",
        "see:",
    ] {
        assert_eq!(read(&format!("{before}{link}")), format!("{before}⟦{link}⟧"));
    }
    // In right-to-left text the following part may be shown at the left of the link.
    for after in ["\u{200b}", "\u{200a}", "\u{2800}", "\u{3164}", "'", "'\u{200f}", ")"] {
        let after = format!("{after}kith.example/");
        assert_eq!(read(&format!("א {link}{after}")), format!("א ⟦{link}⟧{after}"));
    }
}

/// proves: card-address-apart
#[test]
fn adjacent_links_are_separate() {
    let (one, two) = ("https://kith.example/help//", "https://www.terms.example/2026");
    for gap in [" ", "\n", " (", "\n\n"] {
        let shown = format!("⟦kith.example/help/⟧{gap}⟦{two}⟧");
        assert_eq!(read(&format!("{one}{gap}{two}")), shown);
    }
    let gap = "\u{200a}";
    assert_eq!(read(&format!("{one}{gap}{two}")), format!("⟦{one}⟧{gap}⟦{two}⟧"));
    let shown = "⟦kith.example/help/⟧ and ⟦terms.example/2026⟧";
    assert_eq!(read(&format!("{one} and {two}")), shown);
}

/// proves: card-address-apart
#[test]
fn links_end_at_invisible_characters() {
    for blank in
        ["\u{200b}", "\u{2060}", "\u{ad}", "\u{2800}", "\u{3164}", "\u{1d159}", "\u{16fe4}"]
    {
        let rest = format!("{}kith.example/help", blank.repeat(30));
        let link = "https://terms.example/";
        assert_eq!(read(&format!("{link}{rest}")), format!("⟦{link}⟧{rest}"));
    }
    for gap in ["\u{200b}", "\u{200a}", "\u{2028}", "\u{2800}", "\u{3164}", "\u{200b}\u{200a}"] {
        for rest in ["m/login", ".uk", "-login.example", "!"] {
            let text = format!("https://kith.co{gap}{rest}");
            assert_eq!(read(&text), text, "its host seems to go on");
        }
    }
}
