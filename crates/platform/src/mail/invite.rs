//! Renders invite mails and the operator's test mail.

use crate::mail::rendered::build_mail;
use crate::mail::{Language, Mail, MailIdentity, Recipient};
use maud::html;

/// Renders the mail with an invite code, which works for `days`, to an admitted waitlist entry.
#[must_use]
pub fn render_invite_mail(to: Recipient<'_>, site: &str, code: &str, days: i64) -> Mail {
    let network = &to.network.name;
    let (subject, title, ready, go) = match to.language {
        Language::English => (
            format!("You're invited to join {network}"),
            format!("You're invited to {network}"),
            "Your spot is ready",
            format!("Go to {network}"),
        ),
        Language::German => (
            format!("Du bist zu {network} eingeladen"),
            format!("Du bist zu {network} eingeladen"),
            "Dein Platz ist frei",
            format!("Zu {network}"),
        ),
    };
    let (choose, login, steps, notes) = match to.language {
        Language::English => (
            "Choose ",
            "Login",
            ", then enter this invite code and your email address:",
            format!(
                "The code works once and expires in {days} {}. If you didn't ask to join {network}, you can safely ignore this email.",
                if days == 1 { "day" } else { "days" }
            ),
        ),
        Language::German => (
            "Wähle ",
            "Anmelden",
            " und gib diesen Einladungscode und deine E-Mail-Adresse ein:",
            format!(
                "Der Code gilt einmal und {days} {} lang. Wenn du nicht zu {network} wolltest, kannst du diese E-Mail ignorieren.",
                if days == 1 { "Tag" } else { "Tage" }
            ),
        ),
    };
    let signature = to.network.signature(to.language);
    let text = format!(
        "{title}\n\n{ready}:\n{site}\n\n{choose}{login}{steps}\n{code}\n\n{notes}\n\n{signature}\n"
    );
    let main = html! {
        h1 { (title) }
        p { (ready) "." }
        p { a.go href=(site) { (go) } }
        p { (choose) strong { (login) } (steps) }
        p.code { (code) }
        p { small { (notes) } }
        p { small { (signature) } }
    };
    build_mail(to, &subject, text, &main, site)
}

/// Renders the test mail of the doctor command.
#[must_use]
pub fn render_test_mail(email: &str, site: &str) -> Mail {
    let network = &MailIdentity::default();
    let to = Recipient { email, language: Language::English, network };
    let words = "This mail shows that Kith can send mail. There is nothing to do.";
    let subject = "Kith test email";
    let main = html! { h1 { "Mail works" } p { (words) } p { small { (site) } } };
    build_mail(to, subject, format!("{words}\n\n{site}\n"), &main, site)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::rendered::tests::recipient;

    #[test]
    fn text_and_html_contain_the_code_and_url() {
        let mail = render_invite_mail(
            recipient(Language::English, "a@b.co"),
            "https://kith.example",
            "ABCDEFGHJKMN",
            7,
        );
        for text in [&mail.text, &mail.html] {
            assert!(text.contains("ABCDEFGHJKMN") && text.contains("https://kith.example"));
        }
    }

    /// proves: mail-invited
    #[test]
    fn an_invite_mail_explains_how_to_join() {
        let mail = render_invite_mail(
            recipient(Language::English, "a@b.co"),
            "https://kith.example",
            "ABCDEFGHJKMN",
            7,
        );
        for sentence in [
            "Your spot is ready:\nhttps://kith.example",
            "Choose Login, then enter this invite code and your email address:\nABCDEFGHJKMN",
            "The code works once and expires in 7 days. If you didn't ask to join Kith, you can safely ignore this email.",
        ] {
            assert!(mail.text.contains(sentence), "{}", mail.text);
        }
        let short = render_invite_mail(
            recipient(Language::German, "a@b.co"),
            "https://kith.example",
            "ABCDEFGHJKMN",
            1,
        );
        assert!(short.text.contains("Der Code gilt einmal und 1 Tag lang."), "{}", short.text);
    }
}
