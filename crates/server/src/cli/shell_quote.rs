//! Quoting of texts that operators paste into commands.

/// Quotes a text for a shell where necessary, because operators paste listed emails into commands.
pub(super) fn shell_quote(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"@+._/-".contains(&byte);
    if !text.starts_with('-') && !text.is_empty() && text.bytes().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::shell_quote;

    /// proves: waitlist-quoted
    #[test]
    fn a_quoted_email_is_one_shell_word() {
        for (text, word) in [
            ("ada.l+x@b-c.co", "ada.l+x@b-c.co"),
            ("o'brien@b.co", r"'o'\''brien@b.co'"),
            ("a&/tmp/x@b.co", "'a&/tmp/x@b.co'"),
            ("-x@b.co", "'-x@b.co'"),
        ] {
            assert_eq!(shell_quote(text), word);
        }
        for mark in "`$|&;<>(){}\"\\*!?#~=^%\t ".chars() {
            assert_eq!(shell_quote(&mark.to_string()), format!("'{mark}'"));
        }
    }
}
