//! Renders the weekly digest.

use crate::mail::rendered::build_mail;
use crate::mail::{Language, Mail, Recipient};
use maud::html;

/// Characters of a post that a digest shows.
const MAX_TEXT: usize = 140;
/// Largest count that is written out.
const MAX_COUNT: usize = 99;

/// Content of a digest.
#[derive(Debug, Default)]
pub struct Digest {
    /// Replies and mentions to show.
    pub posts: Vec<DigestPost>,
    /// Number of further replies and mentions.
    pub further_posts: usize,
    /// Number of new likes.
    pub likes: usize,
    /// Number of new reposts.
    pub reposts: usize,
    /// Number of new followers.
    pub followers: usize,
    /// Number of followed members who posted; one above [`Digest::MAX_FRIENDS`] stands for more.
    pub friends: usize,
}

/// A reply or mention in a digest.
#[derive(Debug)]
pub struct DigestPost {
    /// Display name of the author.
    pub author: String,
    /// Whether the post replies to the recipient; otherwise it mentions them.
    pub is_reply: bool,
    /// Text of the post.
    pub text: String,
}

impl Digest {
    /// Largest number of followed members who posted that is written out.
    pub const MAX_FRIENDS: usize = 20;

    /// Returns whether nothing is waiting for the recipient.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let counts = [self.further_posts, self.likes, self.reposts, self.followers, self.friends];
        self.posts.is_empty() && counts == [0; 5]
    }

    /// Returns the sentence about followed members who posted; empty without any.
    fn friends(&self, language: Language) -> String {
        let count = capped(self.friends, Self::MAX_FRIENDS);
        match (language, self.friends) {
            (_, 0) => String::new(),
            (Language::English, 1) => "1 friend posted".to_owned(),
            (Language::English, _) => format!("{count} friends posted"),
            (Language::German, 1) => "Neue Beiträge aus deinem Freundeskreis".to_owned(),
            (Language::German, _) => format!("Neue Beiträge von {count} Freunden"),
        }
    }
}

impl DigestPost {
    /// Returns the action and the start of the text, which follow the author's name.
    fn action(&self, language: Language) -> String {
        let action = match (language, self.is_reply) {
            (Language::English, true) => "replied to you",
            (Language::English, false) => "mentioned you",
            (Language::German, true) => "hat dir geantwortet",
            (Language::German, false) => "hat dich erwähnt",
        };
        match shorten(&self.text) {
            text if text.is_empty() => action.to_owned(),
            text => format!("{action}: {text}"),
        }
    }
}

/// Lists the counts of what is not shown in full, such as `3 likes, 1 new follower`.
fn list_counts(language: Language, digest: &Digest) -> String {
    let (posts, likes, reposts, followers) = match language {
        Language::English => (
            ("more reply or mention", "more replies and mentions"),
            ("like", "likes"),
            ("repost", "reposts"),
            ("new follower", "new followers"),
        ),
        Language::German => (
            ("weitere Antwort oder Erwähnung", "weitere Antworten und Erwähnungen"),
            ("Mal „Gefällt mir“", "Mal „Gefällt mir“"),
            ("Mal geteilt", "Mal geteilt"),
            ("neuer Follower", "neue Follower"),
        ),
    };
    let counts = [
        (digest.further_posts, posts),
        (digest.likes, likes),
        (digest.reposts, reposts),
        (digest.followers, followers),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts = counts.map(|(count, (one, many))| {
        format!("{} {}", capped(count, MAX_COUNT), if count == 1 { one } else { many })
    });
    counts.collect::<Vec<_>>().join(", ")
}

/// Writes a count, or `20+` for one above a maximum of 20.
fn capped(count: usize, max: usize) -> String {
    if count > max { format!("{max}+") } else { count.to_string() }
}

/// Puts the start of a text on one line.
fn shorten(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Renders the weekly digest. `link` is the page with the recipient's notifications; `unsubscribe` is the URL to which
/// mail programs post to turn digests off, and leads a reader to the settings.
#[must_use]
pub fn render_digest_mail(
    to: Recipient<'_>,
    digest: &Digest,
    link: &str,
    unsubscribe: &str,
) -> Mail {
    let (language, network) = (to.language, &to.network.name);
    let (title, action, notes, unsubscribe_action) = match language {
        Language::English => (
            format!("Your week on {network}"),
            "See what's new",
            format!(
                "You get this email at most once a week, if something waits for you on {network}."
            ),
            "Unsubscribe",
        ),
        Language::German => (
            format!("Deine Woche bei {network}"),
            "Neues ansehen",
            format!(
                "Du bekommst diese E-Mail höchstens einmal pro Woche, wenn bei {network} etwas auf dich wartet."
            ),
            "Abbestellen",
        ),
    };
    let posts = digest.posts.iter().map(|post| (&post.author, post.action(language)));
    let posts = posts.collect::<Vec<_>>();
    let sums = [list_counts(language, digest), digest.friends(language)];
    let sums = sums.iter().filter(|sum| !sum.is_empty()).collect::<Vec<_>>();
    let signature = to.network.signature(language);
    let lines = posts.iter().map(|(author, action)| format!("{author} {action}"));
    let lines = lines.chain(sums.iter().map(|sum| (*sum).clone())).collect::<Vec<_>>().join("\n\n");
    let text = format!(
        "{title}\n\n{lines}\n\n{action}:\n{link}\n\n{notes}\n\n{unsubscribe_action}:\n{unsubscribe}\n\n{signature}\n"
    );
    let main = html! {
        h1 { (title) }
        @for (author, action) in &posts { p { strong { (author) } " " (action) } }
        @for sum in &sums { p { (sum) } }
        p { a.go href=(link) { (action) } }
        p { small { (notes) " " a href=(unsubscribe) { (unsubscribe_action) } } }
        p { small { (signature) } }
    };
    let mail = build_mail(to, &title, text, &main, link);
    Mail { unsubscribe: Some(unsubscribe.to_owned()), ..mail }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::rendered::tests::recipient;

    const LINK: &str = "https://kith.example/notifications";
    const UNSUBSCRIBE: &str = "https://kith.example/api/digest/unsubscribe?token=x";

    fn render(language: Language, digest: &Digest) -> Mail {
        render_digest_mail(recipient(language, "a@b.co"), digest, LINK, UNSUBSCRIBE)
    }

    fn post(author: &str, is_reply: bool, text: &str) -> DigestPost {
        DigestPost { author: author.to_owned(), is_reply, text: text.to_owned() }
    }

    /// proves: digest-content, digest-language
    #[test]
    fn text_and_html_have_the_same_content() {
        let digest = Digest {
            posts: vec![post("Ada", true, "Well,\n\nhello <b>"), post("Ben", false, "")],
            further_posts: 2,
            likes: 3,
            reposts: 120,
            followers: 1,
            friends: 21,
        };
        let mail = render(Language::English, &digest);
        let lines = "Ada replied to you: Well, hello <b>\n\nBen mentioned you\n\n\
             2 more replies and mentions, 3 likes, 99+ reposts, 1 new follower\n\n20+ friends posted\n\n\
             See what's new:\nhttps://kith.example/notifications\n\n";
        assert!(mail.text.contains(lines), "{}", mail.text);
        assert!(mail.text.contains(&format!("Unsubscribe:\n{UNSUBSCRIBE}\n")));
        for part in [
            "<strong>Ada</strong> replied to you: Well, hello &lt;b&gt;</p>",
            "<strong>Ben</strong> mentioned you</p>",
            "<p>2 more replies and mentions, 3 likes, 99+ reposts, 1 new follower</p><p>20+ friends posted</p>",
            &format!("href=\"{LINK}\""),
            &format!("<a href=\"{UNSUBSCRIBE}\">Unsubscribe</a>"),
        ] {
            assert!(mail.html.contains(part), "{part}: {}", mail.html);
        }
        assert_eq!(mail.unsubscribe.as_deref(), Some(UNSUBSCRIBE));
        let german = render(Language::German, &digest);
        let lines = "Ada hat dir geantwortet: Well, hello <b>\n\nBen hat dich erwähnt\n\n\
             2 weitere Antworten und Erwähnungen, 3 Mal „Gefällt mir“, 99+ Mal geteilt, 1 neuer Follower\n\n\
             Neue Beiträge von 20+ Freunden\n\n";
        assert!(german.text.contains(lines), "{}", german.text);
    }

    #[test]
    fn a_long_text_is_cut_off() {
        assert_eq!(shorten(&"é".repeat(140)), "é".repeat(140));
        assert_eq!(shorten(&"é".repeat(141)), format!("{}…", "é".repeat(140)));
    }

    #[test]
    fn nothing_waiting_makes_an_empty_digest() {
        assert!(Digest::default().is_empty());
        assert!(!Digest { friends: 1, ..Digest::default() }.is_empty());
        assert!(!Digest { posts: vec![post("Ada", true, "")], ..Digest::default() }.is_empty());
    }
}
