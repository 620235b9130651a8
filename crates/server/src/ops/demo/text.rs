//! Composes the texts of a demo from its topics.

use super::activity::{TextForm, TextSpec};
use super::topics::{ALL, PHOTOS, PHRASES, Topic};

/// Returns the index in [`PHOTOS`] of a post's photos.
pub(super) fn photo_subject(spec: TextSpec) -> usize {
    match spec.topic {
        // Baking, gardening and tea mostly have photos of their own subject.
        0 if spec.nth % 3 < 2 => 6,
        1 if spec.nth % 3 < 2 => 7,
        12 if spec.nth % 3 < 2 => 5,
        topic => (usize::from(topic) + spec.nth as usize * 3) % 5,
    }
}

/// Composes the text of an entry. `entry` varies endings and hashtags; `mentioned` is the mentioned member's username.
pub(super) fn compose_text(spec: TextSpec, entry: u32, mentioned: Option<&str>) -> String {
    let topic = &ALL[usize::from(spec.topic)];
    let nth = spec.nth as usize;
    // Hash the number, so that consecutive entries differ.
    let salt = entry.wrapping_mul(0x9e37_79b1) >> 16;
    let text = match spec.form {
        TextForm::Post => {
            let text = fill_template(topic, &topic.posts, nth);
            with_hashtag(with_tail(text, salt), topic, salt)
        }
        TextForm::Mention(_) => {
            let text = fill_template(topic, &PHRASES.mentions, nth + usize::from(spec.topic) * 3);
            text.replace("{who}", &format!("@{}", mentioned.unwrap_or_default()))
        }
        TextForm::Poll => topic.polls[nth % topic.polls.len()].0.clone(),
        TextForm::Images(_) => {
            let captions = &PHOTOS[photo_subject(spec)].captions;
            let caption = &captions[(nth + usize::from(spec.topic)) % captions.len()];
            with_hashtag(caption.clone(), topic, salt)
        }
        TextForm::Reply => compose_reply(topic, nth, usize::from(spec.topic)),
        TextForm::Remark => select_opener(nth, usize::from(spec.topic)).to_owned(),
        TextForm::AuthorReply => {
            let answers = &PHRASES.answers;
            answers[(nth * 5 + usize::from(spec.topic) * 3) % answers.len()].clone()
        }
    };
    with_capitals(&text)
}

/// Composes the bio of a member with a topic.
pub(super) fn compose_bio(topic: usize, member: usize) -> String {
    let topic = &ALL[topic];
    let first = &topic.bios[member / ALL.len() % topic.bios.len()];
    let jobs = &PHRASES.jobs;
    let job = &jobs[(member * 7 + member / jobs.len()) % jobs.len()];
    match member % 11 {
        5 => String::new(),
        1 | 4 | 8 => first.clone(),
        _ => format!("{first} {job}"),
    }
}

/// Selects the beginning of a reply. The step is coprime to the list's length, so that all are used before one repeats.
fn select_opener(nth: usize, topic_index: usize) -> &'static str {
    let openers = &PHRASES.openers;
    &openers[(nth * 7 + topic_index * 11) % openers.len()]
}

fn compose_reply(topic: &Topic, nth: usize, topic_index: usize) -> String {
    let opener = select_opener(nth, topic_index);
    let on_topic = || fill_template(topic, &topic.replies, nth);
    match nth % 5 {
        0 | 3 => on_topic(),
        1 => opener.to_owned(),
        _ => format!("{opener} {}", on_topic()),
    }
}

/// Fills the placeholders of the nth text: each template is used once per round, with other words in the next round.
fn fill_template(topic: &Topic, list: &[String], nth: usize) -> String {
    let round = nth / list.len();
    let index = (nth * 7 + round * 3 + 2) % list.len();
    let text = &list[index];
    let a = &topic.a[(round + index * 3) % topic.a.len()];
    let b = &topic.b[(round + round / topic.a.len() + index * 2) % topic.b.len()];
    text.replace("{a}", a).replace("{b}", b)
}

fn with_tail(text: String, salt: u32) -> String {
    if salt % 10 < 2 {
        let tail = &PHRASES.tails[(salt / 10) as usize % PHRASES.tails.len()];
        format!("{text} {tail}")
    } else {
        text
    }
}

fn with_hashtag(text: String, topic: &Topic, salt: u32) -> String {
    match salt / 7 % 10 {
        0 | 1 => format!("{text} #{}", topic.tags[0]),
        2 => format!("{text} #{}", topic.tags[1]),
        _ => text,
    }
}

/// Capitalizes the first letter of each sentence.
fn with_capitals(text: &str) -> String {
    let mut capital = true;
    let mut written = String::with_capacity(text.len());
    let mut end = false;
    for letter in text.chars() {
        match letter {
            ' ' => capital |= end,
            _ if capital && letter.is_alphabetic() => {
                written.extend(letter.to_uppercase());
                (capital, end) = (false, false);
                continue;
            }
            '@' | '#' => capital = false,
            _ if letter.is_alphanumeric() => capital = false,
            _ => {}
        }
        end = matches!(letter, '.' | '!' | '?');
        written.push(letter);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::demo::topics;
    use std::collections::{HashMap, HashSet};

    #[test]
    fn sentences_begin_with_a_capital() {
        for (text, written) in [
            ("a rye, 3.5 times. it sings! yes.", "A rye, 3.5 times. It sings! Yes."),
            ("@ada lent me a book", "@ada lent me a book"),
            ("\"please\". on it.", "\"Please\". On it."),
            ("4 birds. three left", "4 birds. Three left"),
        ] {
            assert_eq!(with_capitals(text), written);
        }
    }

    #[test]
    fn every_placeholder_is_filled() {
        for (topic, _) in topics::ALL.iter().enumerate() {
            for form in [
                TextForm::Post,
                TextForm::Mention(1),
                TextForm::Images(1),
                TextForm::Reply,
                TextForm::Remark,
                TextForm::AuthorReply,
                TextForm::Poll,
            ] {
                for nth in 0..200 {
                    let topic = topic as u16;
                    let text = compose_text(TextSpec { form, topic, nth }, nth * 13, Some("ada"));
                    assert!(!text.contains(['{', '}']), "{text}");
                    assert!((2..400).contains(&text.len()), "{text}");
                }
            }
        }
    }

    /// proves: demo-texts
    #[test]
    fn posts_on_a_topic_do_not_repeat_for_long() {
        for (topic, _) in topics::ALL.iter().enumerate() {
            let text = |nth| {
                let (form, topic) = (TextForm::Post, topic as u16);
                compose_text(TextSpec { form, topic, nth }, 7, None)
            };
            let texts = (0..60).map(text).collect::<HashSet<_>>();
            assert_eq!(texts.len(), 60);
        }
        let mut replies = HashMap::<String, u32>::new();
        for nth in 0..60 {
            let (form, topic) = (TextForm::Reply, 3);
            *replies.entry(compose_text(TextSpec { form, topic, nth }, 7, None)).or_default() += 1;
        }
        assert!(replies.values().all(|count| *count <= 2), "{replies:?}");
    }
}
