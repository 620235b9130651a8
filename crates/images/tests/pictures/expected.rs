//! The expected result of each corpus file.

use std::collections::BTreeSet;
use std::fs;

use kith_images::{Preset, process};

use crate::corpus::{Seen, file, folder};

/// Lines of the list: a file, and the dimensions of its largest rendition or its error.
fn list() -> Vec<(String, String)> {
    let list = String::from_utf8(file("expected.txt")).unwrap();
    let lines = list.lines().map(|line| line.split_once(' ').unwrap());
    lines.map(|(name, answer)| (name.to_owned(), answer.to_owned())).collect()
}

#[test]
fn every_file_has_the_listed_result() {
    let mut wrong = Vec::new();
    for (name, expected) in list() {
        let answer = match process(&file(&name), Preset::Post, None) {
            Ok(made) => {
                let seen = Seen::of(made.renditions.last().unwrap());
                format!("{}x{}", seen.width, seen.height)
            }
            Err(error) => format!("{error:?}"),
        };
        if answer != expected {
            wrong.push(format!("{name}: {answer}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_list_names_every_file() {
    let names = |start: &str| {
        let entries = fs::read_dir(folder().join(start)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let names = names.map(|name| format!("{start}{name}"));
        let names: Vec<String> = names.collect();
        names
    };
    let listed: BTreeSet<String> = list().into_iter().map(|(name, _)| name).collect();
    assert!(listed.len() >= 200, "{}", listed.len());
    let hostile: BTreeSet<String> = names("hostile/").into_iter().collect();
    let of_list = listed.iter().filter(|name| name.starts_with("hostile/"));
    assert!(of_list.eq(hostile.iter()));
    for (name, _) in crate::corpus::files() {
        assert!(listed.contains(&name), "{name}");
    }
}
