//! Reads and writes cookies.

use crate::platform::Platform;
use axum::http::{HeaderMap, HeaderName, header};
use axum::response::AppendHeaders;

/// Name of the session cookie on http.
pub const SESSION: &str = "session";
/// Name of the session cookie on https, the only place where browsers accept the prefix `__Host-`.
pub const HOST_SESSION: &str = "__Host-session";

/// Returns the name of the session cookie for the configured scheme.
pub(crate) fn session_name(platform: &Platform) -> &'static str {
    if platform.settings.is_https() { HOST_SESSION } else { SESSION }
}

/// Returns whether a request has a session cookie of either name, valid or not.
pub(crate) fn has_session(headers: &HeaderMap) -> bool {
    [HOST_SESSION, SESSION].iter().any(|name| value(headers, name).is_some())
}

/// `Set-Cookie` headers of a response.
pub(crate) type Cookies<const N: usize> = AppendHeaders<[(HeaderName, String); N]>;

/// Returns the value of a cookie. Names are compared as bytes without percent-decoding, because browsers protect
/// only a literal `__Host-` prefix. Invalid bytes in other cookies are ignored.
///
/// Two cookies of one name with different values yield `None`: one of them was injected, and a logged-out
/// request is safer than a request in an attacker's session.
pub(crate) fn value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter();
    let pairs = lines.flat_map(|line| line.as_bytes().split(|byte| *byte == b';'));
    let mut values = pairs.filter_map(|pair| {
        let mut halves = pair.splitn(2, |byte| *byte == b'=');
        let (key, value) = (halves.next()?, halves.next()?);
        (key.trim_ascii() == name.as_bytes()).then(|| value.trim_ascii())
    });
    let first = values.next()?;
    if values.any(|other| other != first) {
        return None;
    }
    std::str::from_utf8(first).ok()
}

/// Builds a `Set-Cookie` header with `HttpOnly` and `SameSite=Lax`. `value` must be cookie-safe or empty;
/// `max_age` is in seconds.
pub(crate) fn set_cookie(
    platform: &Platform,
    name: &str,
    value: &str,
    max_age: i64,
) -> (HeaderName, String) {
    let secure = if platform.settings.is_https() { " Secure;" } else { "" };
    let text = format!("{name}={value}; HttpOnly; SameSite=Lax;{secure} Path=/; Max-Age={max_age}");
    (header::SET_COOKIE, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn read<'a>(headers: &'a mut HeaderMap, lines: &[&[u8]], name: &str) -> Option<&'a str> {
        headers.clear();
        for line in lines {
            headers.append(header::COOKIE, HeaderValue::from_bytes(line).unwrap());
        }
        value(headers, name)
    }

    /// proves: session-raw
    #[test]
    fn a_cookie_is_read_by_its_exact_name() {
        let mut headers = HeaderMap::new();
        let mut found = |lines: &[&[u8]]| {
            let value = read(&mut headers, lines, "__Host-session");
            value.map(str::to_owned)
        };
        for lines in [
            &[b"__Host-session=right".as_slice()] as &[&[u8]],
            &[b"a=1;__Host-session=right;b=2"],
            &[b" ;; a ; =; \t__Host-session \t=\t right ;"],
            &[b"a=1", b"__Host-session=right", b"b"],
            &[b"__Host-session=right; __Host-session=right"],
            &[b"pref=caf\xc3\xa9; __Host-session=right"],
            &[b"pref=\xff\xfe; __Host-session=right; \xe9=1"],
            &[b"pref=\xff", b"__Host-session=right"],
            &[b"%5F%5FHost-session=wrong; __Host-session=right; __Host%2Dsession=wrong"],
            &[b"__host-session=wrong; x__Host-session=wrong; __Host-session=right; __Host-sessions=a"],
            &[b"a=__Host-session=wrong; __Host-session=right; \"__Host-session\"=wrong"],
        ] {
            assert_eq!(found(lines).as_deref(), Some("right"), "{lines:?}");
        }
        assert_eq!(found(&[b"__Host-session=%72ight=a"]).as_deref(), Some("%72ight=a"));
        assert_eq!(found(&[b"__Host-session="]).as_deref(), Some(""));
        for lines in [
            &[] as &[&[u8]],
            &[b"".as_slice()],
            &[b"__Host-session"],
            &[b"%5F%5FHost-session=wrong"],
            &[b"__Host-session=\xff"],
            &[b"__Host-session=one; __Host-session=other"],
            &[b"__Host-session=one", b"__Host-session=other"],
            &[b"__Host-session=one; __Host-session="],
        ] {
            assert_eq!(found(lines), None, "{lines:?}");
        }
    }
}
