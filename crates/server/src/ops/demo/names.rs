//! Draws the names of fictional members.

use super::random::seeded_rng;
use super::topics::read;
use serde::Deserialize;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Name lists. `founder` and `others` are pairs of a display name and a username.
#[derive(Debug, Deserialize)]
struct SuspendedUsernames {
    founder: (String, String),
    /// Names in other scripts than Latin.
    others: Vec<(String, String)>,
    first: Vec<String>,
    last: Vec<String>,
}

static NAMES: LazyLock<SuspendedUsernames> =
    LazyLock::new(|| read(include_str!("data/names.json")));

/// Draws unique display names and usernames by the member's index.
pub(super) fn draw_names(seed: u64, members: usize) -> Vec<(String, String)> {
    let mut rng = seeded_rng(seed, 30);
    let (mut first, mut last) = (NAMES.first.clone(), NAMES.last.clone());
    rng.shuffle(&mut first);
    rng.shuffle(&mut last);
    let mut taken = HashSet::new();
    let mut names = Vec::with_capacity(members);
    for number in 0..members {
        let known = match number {
            0 => Some(&NAMES.founder),
            // Every seventh member, until the list is used up.
            _ if number % 7 == 3 => NAMES.others.get(number / 7),
            _ => None,
        };
        let name = known.map_or_else(
            || {
                let round = number / first.len();
                let last = &last[(number * 31 + round * 17) % last.len()];
                let name = format!("{} {last}", first[number % first.len()]);
                let username = choose_username(&name, rng.u32(..6), number, &taken);
                (name, username)
            },
            Clone::clone,
        );
        taken.insert(name.1.clone());
        names.push(name);
    }
    names
}

/// Derives a free username from a display name.
fn choose_username(name: &str, form: u32, number: usize, taken: &HashSet<String>) -> String {
    let plain = to_ascii(name);
    let (first, last) = plain.split_once(' ').unwrap_or((&plain, ""));
    let initial = |name: &str| name.chars().take(1).collect::<String>();
    let wanted = match form {
        0 => first.to_owned(),
        1 => format!("{first}_{last}"),
        2 => format!("{first}{}", initial(last)),
        3 => format!("{}{last}", initial(first)),
        4 => format!("{first}{}", 60 + number % 40),
        _ => format!("{first}{last}"),
    };
    let is_free = |wanted: &String| {
        (3..=20).contains(&wanted.len())
            && !taken.contains(wanted)
            && *wanted != NAMES.founder.1
            && NAMES.others.iter().all(|(_, name)| name != wanted)
    };
    // The member's index makes the fallback unique.
    Some(wanted).filter(is_free).unwrap_or_else(|| format!("{first}_{number}"))
}

fn to_ascii(name: &str) -> String {
    let folded = kith_text::fold(name);
    let letters = folded.chars().filter_map(|letter| match letter {
        'a'..='z' | ' ' => Some(letter),
        'ø' => Some('o'),
        'ı' => Some('i'),
        _ => None,
    });
    letters.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_members_have_one_name() {
        let names = draw_names(3, 12_000);
        let usernames = names.iter().map(|(_, username)| username);
        assert_eq!(usernames.collect::<HashSet<_>>().len(), 12_000);
        let displayed = names.iter().map(|(name, _)| name);
        assert_eq!(displayed.collect::<HashSet<_>>().len(), 12_000);
        for (name, username) in &names {
            let is_plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
            assert!((3..=20).contains(&username.len()), "{name}: {username}");
            assert!(username.bytes().all(is_plain), "{name}: {username}");
        }
    }
}
