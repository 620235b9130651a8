//! Generates names, texts, hashtags and poll options.

use super::post_length;
use fastrand::Rng;
use kith::ops::demo::power_law_index;

const FIRST: &[&str] = &[
    "Ada", "Amir", "Anna", "Asha", "Ben", "Bora", "Carla", "Chen", "Clara", "Dara", "David",
    "Diya", "Elif", "Emil", "Eva", "Farah", "Finn", "Gita", "Hana", "Hugo", "Ida", "Ivan", "Jana",
    "Joao", "Kaia", "Kofi", "Lena", "Liam", "Lucia", "Maja", "Mara", "Marie", "Mateo", "Mina",
    "Nadia", "Nils", "Noor", "Olga", "Omar", "Paul", "Petra", "Rana", "Rosa", "Sami", "Sofia",
    "Tara", "Theo", "Uma", "Vera", "Yuki", "Zoe", "Zoltan",
];
const LAST: &[&str] = &[
    "Abe",
    "Almeida",
    "Andersen",
    "Bauer",
    "Berg",
    "Castro",
    "Costa",
    "Diallo",
    "Dubois",
    "Eriksen",
    "Farkas",
    "Ferrari",
    "García",
    "Haddad",
    "Hansen",
    "Ito",
    "Jansen",
    "Kaya",
    "Keller",
    "Kim",
    "Kovács",
    "Lindqvist",
    "Lopez",
    "Malik",
    "Marino",
    "Meyer",
    "Mishra",
    "Moreau",
    "Müller",
    "Nagy",
    "Novak",
    "Okafor",
    "Olsen",
    "Park",
    "Patel",
    "Petrov",
    "Rossi",
    "Sato",
    "Schmidt",
    "Silva",
    "Singh",
    "Sørensen",
    "Tanaka",
    "Weber",
    "Yılmaz",
];
const TOPICS: &[&str] = &[
    "coffee", "bread", "garden", "music", "film", "books", "hiking", "cycling", "rust", "maps",
    "photos", "trains", "tea", "chess", "pottery", "running", "weather", "science", "history",
    "poetry", "cats", "dogs", "birds", "recipes", "design", "friday", "travel", "cities", "rivers",
    "stars",
];
const WORDS: &[&str] = &[
    "the", "a", "and", "of", "to", "in", "it", "is", "that", "was", "for", "on", "with", "as",
    "this", "but", "not", "are", "from", "or", "have", "an", "they", "which", "one", "you", "were",
    "all", "her", "she", "there", "would", "their", "we", "him", "been", "has", "when", "who",
    "will", "no", "more", "if", "out", "so", "up", "said", "what", "about", "into", "than", "them",
    "can", "only", "other", "time", "new", "some", "could", "these", "two", "may", "first", "then",
    "do", "any", "like", "my", "now", "over", "such", "our", "man", "me", "even", "most", "made",
    "after", "also", "did", "many", "off", "before", "must", "well", "back", "through", "years",
    "much", "where", "your", "way", "down", "should", "because", "long", "each", "just", "people",
    "those", "too", "little", "state", "good", "very", "make", "world", "still", "see", "own",
    "work", "here", "get", "both", "between", "life", "being", "under", "three", "never", "know",
    "same", "last", "another", "while", "us", "might", "great", "go", "old", "year", "since",
    "come", "against", "right", "came", "take", "used", "himself", "few", "house", "use", "place",
    "during", "high", "without", "again", "home", "around", "small", "however", "found", "thought",
    "went", "say", "part", "once", "general", "upon", "school", "every", "water", "nothing",
    "morning", "evening", "rain", "light", "table", "window", "street", "kitchen", "friend",
    "letter", "story", "question", "answer",
];

/// Username and display name; the username ends with the member's index, so it is unique.
#[must_use]
pub(super) fn draw_names(rng: &mut Rng, number: usize) -> (String, String) {
    let (first, last) = (FIRST[rng.usize(..FIRST.len())], LAST[rng.usize(..LAST.len())]);
    (format!("{}{number}", first.to_lowercase()), format!("{first} {last}"))
}

/// A text whose length follows the distribution of posts.
#[must_use]
pub(super) fn draw_text(rng: &mut Rng) -> String {
    let length = post_length::draw_length(rng);
    let mut text = String::with_capacity(length + 16);
    while text.len() < length {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(WORDS[rng.usize(..WORDS.len())]);
    }
    text[..1].make_ascii_uppercase();
    text.push('.');
    text
}

/// A hashtag; a few of them are in most posts with hashtags.
#[must_use]
pub(super) fn draw_hashtag(rng: &mut Rng) -> &'static str {
    TOPICS[power_law_index(rng, TOPICS.len())]
}

/// The distinct options of a poll.
#[must_use]
pub(super) fn draw_poll_options(rng: &mut Rng, count: usize) -> Vec<String> {
    let first = rng.usize(..TOPICS.len());
    (0..count).map(|at| TOPICS[(first + at) % TOPICS.len()].to_owned()).collect()
}

/// Search terms of a run: prefixes of names.
pub const SEARCHES: &[&str] = &["ma", "ada", "lin", "so", "ben", "mor", "yu", "ko"];
