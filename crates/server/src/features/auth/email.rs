//! Mail addresses, in the one form that they are stored and compared in.

use crate::http::error::{ApiError, Result};
use unicode_normalization::UnicodeNormalization;

/// Characters of an address, as RFC 5321 lets it be sent to.
const LONGEST: usize = 254;

/// A canonical address: compatibility-folded, lower case, plain ASCII, one recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// Reads what somebody typed.
    pub fn parse(typed: &str) -> Result<Self> {
        // First, for folding a long text costs a hundred times what refusing a call does.
        if typed.chars().nth(LONGEST).is_some() {
            return Err(invalid());
        }
        let text = typed.nfkc().collect::<String>().trim().to_ascii_lowercase();
        if text.is_empty() {
            return Err(ApiError::missing_field(
                "email",
                "Please enter your email address.",
            ));
        }
        // Folding can make several letters of one.
        if text.len() <= LONGEST && is_address(&text) {
            Ok(Self(text))
        } else {
            Err(invalid())
        }
    }

    /// The same of an address that nobody has to prove before it stands in a list. One that is stored already, or
    /// that a link goes to, may be any.
    pub fn unproven(typed: &str) -> Result<Self> {
        let email = Self::parse(typed)?;
        is_harmless(&email.0).then_some(email).ok_or_else(invalid)
    }

    /// The same of an address that a mail to somebody else names: mail programs make a link of what begins like
    /// a host and goes on like a path.
    pub fn named(typed: &str) -> Result<Self> {
        let email = Self::parse(typed)?;
        let is_path = email.0.contains(['/', '?', '#', '=', '&']) || email.0.starts_with("www.");
        (!is_path).then_some(email).ok_or_else(invalid)
    }

    /// Takes what is stored, which was an address when it was.
    #[must_use]
    pub fn stored(text: String) -> Option<Self> {
        is_address(&text).then_some(Self(text))
    }

    /// The canonical text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn invalid() -> ApiError {
    ApiError::invalid_field("email", "Please enter a valid email address.")
}

/// A deliberately narrow reading of RFC 5321: no quotes, comments, literals or control characters.
fn is_address(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else {
        return false;
    };
    let local_ok = (1..=64).contains(&local.len())
        && local
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte))
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..");
    let label_ok = |label: &str| {
        (1..=63).contains(&label.len())
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    local_ok && domain.len() <= 253 && domain.contains('.') && domain.split('.').all(label_ok)
}

/// Whether an address is harmless to paste into a shell without quotation marks, or as an argument that must not be a
/// flag. Few mailboxes have such names, and lists are quoted all the same.
fn is_harmless(text: &str) -> bool {
    !text.starts_with('-') && !text.contains(['`', '$', '|', '&'])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: link-address-form
    #[test]
    fn addresses_are_folded_or_refused() {
        for (typed, stored) in [
            (" Ada@Example.ORG ", "ada@example.org"),
            ("ａda@example.org", "ada@example.org"),
            ("a+b@c-d.co", "a+b@c-d.co"),
            ("O'Brien+co@b.co", "o'brien+co@b.co"),
        ] {
            assert_eq!(
                Email::parse(typed).map(|email| email.0),
                Ok(stored.to_owned())
            );
        }
        let of = |length: usize| {
            let (local, label) = ("a".repeat(64), "b".repeat(63));
            format!("{local}@{label}.{label}.{}.co", "c".repeat(length - 196))
        };
        assert_eq!(of(LONGEST).len(), LONGEST);
        assert!(Email::parse(&of(LONGEST)).is_ok());
        let long = of(LONGEST + 1);
        let grows = of(LONGEST).replacen('c', "ﬃ", 1);
        for bad in [
            long.as_str(),
            &grows,
            "a",
            "a@b",
            "@b.co",
            "a@",
            "a b@c.co",
            "a@b.co,c@d.co",
            "a@b.co\r\nBcc: x@y.co",
            "\"a\"@b.co",
            "a@[1.2.3.4]",
            ".a@b.co",
            "a..b@c.co",
            "a@-b.co",
            "a@b..co",
            "ä@b.co",
            "a@b@c.co",
            "<a@b.co>",
        ] {
            assert!(Email::parse(bad).is_err(), "{bad}");
        }
        for pasted in [
            "`id`@b.co",
            "a|touch${IFS}b@c.co",
            "--vouched@b.co",
            "a'&poweroff&'b@c.co",
        ] {
            assert!(Email::unproven(pasted).is_err(), "{pasted}");
            assert!(Email::parse(pasted).is_ok(), "{pasted} may be a member's");
        }
    }

    /// proves: change-no-path
    #[test]
    fn an_address_that_reads_like_a_path_is_not_named_in_mails() {
        for fine in ["ada@b.co", "a+b.c@d.co", "o'brien_7@b.co"] {
            assert!(Email::named(fine).is_ok(), "{fine}");
        }
        for path in [
            "evil.com/stop?n=1@b.co",
            "www.evil.com@b.co",
            "a=b@b.co",
            "a#b@b.co",
        ] {
            assert!(
                Email::parse(path).is_ok() && Email::named(path).is_err(),
                "{path}"
            );
        }
    }
}
