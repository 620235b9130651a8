//! What a mail server says of a letter, without what stands in the letter.

use crate::mail::Letter;
use std::collections::HashSet;

/// Bytes in a row that are taken for a quotation: no more than the code of a login has.
const QUOTED: usize = 8;

/// A server's words for the log. Some quote the address, or the link that they refuse, with which
/// whoever reads the log could log in.
pub(super) fn redact(said: &str, letter: &Letter) -> String {
    let small = said.to_ascii_lowercase();
    let to = letter.to.to_ascii_lowercase();
    let secret = [&letter.text, &letter.link].map(|text| text.to_ascii_lowercase());
    let secret = secret.iter().chain([&to]);
    let secret = secret
        .flat_map(|text| text.as_bytes().windows(QUOTED))
        .collect::<HashSet<_>>();
    let windows = small.as_bytes().windows(QUOTED).enumerate();
    let quoted = windows
        .filter(|(_, window)| secret.contains(window))
        .map(|(at, _)| (at, QUOTED));
    // An address can be shorter.
    let named = small.match_indices(&to).map(|(at, to)| (at, to.len()));
    let mut hidden = vec![false; said.len()];
    for (at, length) in quoted.chain(named) {
        hidden[at..at + length].fill(true);
    }
    let mut told = String::new();
    for (at, letter) in said.char_indices() {
        if !hidden[at] {
            told.push(letter);
        } else if at == 0 || !hidden[at - 1] {
            told.push('…');
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: mail-refusal-redacted
    #[test]
    fn a_servers_words_repeat_nothing_of_a_letter() {
        let link = "https://kith.example/auth/verify?token=AbCd_0123-456789xyz".to_owned();
        let letter = Letter {
            to: "b@x.io".to_owned(),
            subject: String::new(),
            text: format!("Log in:\n{link}\nOr type K7QM-2XPA."),
            html: String::new(),
            link,
        };
        for (said, told) in [
            (
                "550 5.1.1 <B@X.io>: no such user",
                "550 5.1.1 <…>: no such user",
            ),
            (
                "554 listed: <HTTPS://kith.example/auth/verify?token=abcd_0123-456789XYZ>, é",
                "554 listed: <…>, é",
            ),
            ("550 =3DAbCd_0123-456= 789 K7QM-2XPA", "550 =3D…= 789…"),
            ("421 4.7.0 try later", "421 4.7.0 try later"),
        ] {
            assert_eq!(redact(said, &letter), told);
        }
    }
}
