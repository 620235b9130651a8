//! Renders announcements.

use crate::mail::rendered::build_mail;
use crate::mail::{Language, Mail, Recipient};
use maud::html;

/// Renders the mail with an announcement to all members.
#[must_use]
pub fn render_announcement_mail(to: Recipient<'_>, text: &str, site: &str) -> Mail {
    let network = &to.network.name;
    let (title, go, notes) = match to.language {
        Language::English => (
            format!("Announcement from {network}"),
            format!("Go to {network}"),
            format!("You get this email because you are a member of {network}."),
        ),
        Language::German => (
            format!("Ankündigung von {network}"),
            format!("Zu {network}"),
            format!("Du bekommst diese E-Mail, weil du Mitglied von {network} bist."),
        ),
    };
    let signature = to.network.signature(to.language);
    let plain = format!("{title}\n\n{text}\n\n{go}:\n{site}\n\n{notes}\n\n{signature}\n");
    let main = html! {
        h1 { (title) }
        @for line in text.lines().filter(|line| !line.trim().is_empty()) { p { (line) } }
        p { a.go href=(site) { (go) } }
        p { small { (notes) } }
        p { small { (signature) } }
    };
    build_mail(to, &title, plain, &main, site)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::rendered::tests::recipient;

    /// proves: mail-announcement
    #[test]
    fn text_and_html_have_the_announcement_in_the_recipients_language() {
        let text = "We meet on Friday.\n\nBring <cake>.";
        let to = recipient(Language::English, "a@b.co");
        let mail = render_announcement_mail(to, text, "https://kith.example");
        assert_eq!(mail.subject, "Announcement from Kith");
        assert!(mail.text.contains(&format!("{text}\n\nGo to Kith:\nhttps://kith.example\n")));
        assert!(mail.html.contains("<p>We meet on Friday.</p><p>Bring &lt;cake&gt;.</p>"));
        let to = recipient(Language::German, "a@b.co");
        let mail = render_announcement_mail(to, text, "https://kith.example");
        assert!(mail.text.contains("weil du Mitglied von Kith bist"), "{}", mail.text);
    }
}
