//! Shell blocks of the book.

use std::path::Path;
use std::process::{Command, Stdio};

/// Its commands need codes from mails between them: `curl_examples.rs` runs them all.
const OTHER_TEST: &str = "docs/api/examples.md";

/// A page with shell blocks.
pub(super) struct Page {
    /// Path from the root of the repository.
    pub(super) path: String,
    /// Blocks and commands in them.
    pub(super) commands: Vec<(String, String)>,
}

pub(super) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

pub(super) fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// Texts of the blocks in a language, without the indentation of a list.
pub(super) fn blocks_in(text: &str, language: &str) -> Vec<String> {
    let (mut blocks, mut open): (Vec<String>, Option<bool>) = (Vec::new(), None);
    for line in text.lines() {
        match (line.trim_start().strip_prefix("```"), open) {
            (Some(name), None) => {
                open = Some(name == language);
                blocks.extend((name == language).then(String::new));
            }
            (Some(_), Some(_)) => open = None,
            (None, Some(true)) => {
                let block = blocks.last_mut().unwrap();
                block.push_str(if block.is_empty() { line.trim_start() } else { line });
                block.push('\n');
            }
            (None, _) => {}
        }
    }
    blocks
}

/// Pages of the book and the readme that have commands.
pub(super) fn pages() -> Vec<Page> {
    let mut paths = vec!["README.md".to_owned()];
    add_files("docs", &mut paths);
    paths.sort();
    let pages = paths.into_iter().filter(|path| path != OTHER_TEST).map(|path| {
        let blocks = blocks_in(&read(&path), "sh");
        let in_block = |block: &String| {
            split(block).into_iter().map(|one| (block.clone(), one)).collect::<Vec<_>>()
        };
        Page { path, commands: blocks.iter().flat_map(in_block).collect() }
    });
    pages.filter(|page| !page.commands.is_empty()).collect()
}

fn add_files(folder: &str, paths: &mut Vec<String>) {
    for entry in std::fs::read_dir(root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            add_files(&path, paths);
        } else if entry.path().extension().is_some_and(|end| end == "md") {
            paths.push(path);
        }
    }
}

/// Splits a block into commands, each of one or more lines.
fn split(block: &str) -> Vec<String> {
    let (mut commands, mut command) = (Vec::new(), String::new());
    for line in block.lines() {
        command.push_str(line.trim_start());
        if line.ends_with('\\') || !is_complete(&command) {
            command.push('\n');
        } else {
            let done = std::mem::take(&mut command);
            let is_comment = done.is_empty() || done.starts_with('#');
            commands.extend((!is_comment).then_some(done));
        }
    }
    assert_eq!(command, "", "a command does not end");
    commands
}

/// Whether a shell waits for no further line.
fn is_complete(command: &str) -> bool {
    let mut bash = Command::new("bash");
    let status = bash.args(["-n", "-c", command]).stderr(Stdio::null()).status();
    status.unwrap().success()
}

#[test]
fn blocks_are_split_into_commands() {
    let text = "1. A list:\n\n   ```sh\n   a 'b\n   c' && # d\n   e |\n   f \\\n   g\n   # h\n   i\n   ```\n```text\nj\n```\n";
    let blocks = blocks_in(text, "sh");
    assert_eq!(blocks.len(), 1);
    assert_eq!(split(&blocks[0]), ["a 'b\nc' && # d\ne |\nf \\\ng", "i"]);
}
