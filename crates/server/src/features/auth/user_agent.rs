//! Browser and system names from a `User-Agent` header.

/// Substrings of the header and browser names. Many browsers also name their ancestors, so the first match wins.
const BROWSERS: &[(&str, &str)] = &[
    ("Edg/", "Edge"),
    ("EdgA/", "Edge"),
    ("EdgiOS/", "Edge"),
    ("OPR/", "Opera"),
    ("OPT/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Vivaldi/", "Vivaldi"),
    ("DuckDuckGo/", "DuckDuckGo"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];

/// Substrings of the header and system names; the first match wins.
const SYSTEMS: &[(&str, &str)] = &[
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "macOS"),
    ("Linux", "Linux"),
];

/// Returns browser and system, such as "Firefox on Linux". Never contains text of the header.
pub(super) fn describe(user_agent: &str) -> String {
    match (first_match(BROWSERS, user_agent), first_match(SYSTEMS, user_agent)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => "Unknown device".to_owned(),
    }
}

fn first_match(table: &[(&str, &'static str)], text: &str) -> Option<&'static str> {
    let mut rows = table.iter();
    rows.find(|(pattern, _)| text.contains(pattern)).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: session-name
    #[test]
    fn browsers_and_systems_have_their_common_names() {
        for (user_agent, name) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
                "Firefox on Linux",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
                "Chrome on Windows",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15",
                "Safari on macOS",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1",
                "Chrome on iPhone",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36",
                "Samsung Internet on Android",
            ),
            (
                "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
                "Chrome on ChromeOS",
            ),
            ("curl/8.5.0", "curl"),
            ("Dalvik/2.1.0 (Linux; U; Android 15)", "Android"),
            ("a program of mine", "Unknown device"),
            ("", "Unknown device"),
        ] {
            assert_eq!(describe(user_agent), name, "{user_agent}");
        }
    }

    /// `SessionInfo::name` documents this maximum.
    #[test]
    fn a_name_has_at_most_60_characters() {
        let longest = |table: &[(&str, &str)]| table.iter().map(|(_, name)| name.len()).max();
        let (browser, system) = (longest(BROWSERS).unwrap(), longest(SYSTEMS).unwrap());
        assert!(browser + " on ".len() + system <= 60);
    }
}
