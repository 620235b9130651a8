//! Commands and settings in the book's text exist.

use crate::pages::{files_below, read, root};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory as _};
use kith::cli::Cli;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Pages of the book and the Markdown files beside it: path and text.
fn pages() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    files_below(&root().join("docs"), &[".md"], &mut files);
    files.extend(["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| root().join(name)));
    let read = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).unwrap();
        (file, text)
    };
    files.into_iter().map(read).collect()
}

/// Lines of shell blocks, with continued ones joined.
fn shell_lines(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut is_shell = false;
    let mut continued = String::new();
    for line in text.lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            is_shell = !is_shell && language == "sh";
        } else if is_shell {
            continued.push_str(line.trim_end_matches('\\'));
            if !line.ends_with('\\') {
                lines.push(std::mem::take(&mut continued));
            }
        }
    }
    lines
}

/// Splits a line into words, without quotation marks and comments. A word in quotation marks is never an operator.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut is_word) = (Vec::new(), String::new(), None, false);
    for character in line.chars() {
        match quote {
            Some(mark) if character == mark => quote = None,
            Some(_) => word.push(character),
            None if character == '#' && !is_word => break,
            None if matches!(character, '\'' | '"') => {
                quote = Some(character);
                is_word = true;
            }
            None if character.is_whitespace() => {
                if std::mem::take(&mut is_word) {
                    words.push(std::mem::take(&mut word));
                }
            }
            None => {
                word.push(character);
                is_word = true;
            }
        }
    }
    if is_word {
        words.push(word);
    }
    words
}

/// Arguments of each `kith` in a shell line.
fn calls(line: &str) -> Vec<Vec<String>> {
    let words = words(line);
    let commands = words.split(|word| matches!(word.as_str(), "&&" | "||" | "|" | ";"));
    commands.filter_map(arguments).collect()
}

/// Arguments of `kith` in a single command; `None` if it runs another program.
fn arguments(command: &[String]) -> Option<Vec<String>> {
    let is_assignment = |word: &&String| {
        let name = word.split('=').next().unwrap_or_default();
        word.contains('=') && name.chars().all(|at| at.is_ascii_uppercase() || at == '_')
    };
    let skipped = command.iter().take_while(is_assignment).count();
    let command = &command[skipped..];
    let start = match command.first()?.as_str() {
        "kith" | "kith-as-server" => 1,
        // In containers the service has the program's name, which `exec` repeats.
        "docker" => {
            let service = command.iter().position(|word| word == "kith")?;
            let verbs = &command[..service];
            match command.get(service + 1)?.as_str() {
                "kith" if verbs.iter().any(|word| word == "exec") => service + 2,
                _ if verbs.iter().any(|word| word == "run")
                    && !verbs.iter().any(|word| word == "--entrypoint") =>
                {
                    service + 1
                }
                _ => return None,
            }
        }
        "systemd-run" => command.iter().position(|word| word == "/usr/local/bin/kith")? + 1,
        _ => return None,
    };
    let rest = command[start..].iter().take_while(|word| !word.starts_with(['>', '<']));
    let rest = rest.filter(|word| *word != "…");
    let words = rest.map(|word| word.trim_end_matches(';').to_owned());
    Some(std::iter::once("kith".to_owned()).chain(words).collect())
}

/// Whether a word has to be replaced by the reader, such as `NUMBER`.
fn is_placeholder(word: &str) -> bool {
    word.contains('…') || word.len() > 1 && word.chars().all(|at| at.is_ascii_uppercase())
}

/// Adds the variables of a command and its subcommands, with the flags that they stand in for.
fn add_variables(command: &Command, known: &mut BTreeMap<String, String>) {
    for arg in command.get_arguments() {
        if let (Some(name), Some(flag)) = (arg.get_env(), arg.get_long()) {
            known.insert(name.to_string_lossy().into_owned(), format!("--{flag}"));
        }
    }
    command.get_subcommands().for_each(|one| add_variables(one, known));
}

/// Variables of all commands, with their flags.
fn known_variables() -> BTreeMap<String, String> {
    let mut known = BTreeMap::new();
    let mut command = Cli::command();
    command.build();
    add_variables(&command, &mut known);
    known
}

/// Whether all arguments that are missing can also be variables.
fn lacks_variables_only(error: &clap::Error) -> bool {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
        return false;
    };
    let known = known_variables();
    missing.iter().all(|arg| known.values().any(|flag| arg.starts_with(flag.as_str())))
}

/// Error of the command line for arguments, unless it concerns the value of a placeholder or something that a variable
/// may have.
fn error_of(arguments: &[String]) -> Option<clap::Error> {
    let error = Cli::command().try_get_matches_from(arguments).err()?;
    let is_expected = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => true,
        ErrorKind::ValueValidation | ErrorKind::InvalidValue => {
            arguments.iter().any(|word| is_placeholder(word))
        }
        ErrorKind::MissingRequiredArgument => lacks_variables_only(&error),
        _ => false,
    };
    (!is_expected).then_some(error)
}

/// proves: operate-book
#[test]
fn commands_in_code_blocks_parse() {
    let (mut count, mut errors) = (0, Vec::new());
    for (file, text) in pages() {
        for call in shell_lines(&text).iter().flat_map(|line| calls(line)) {
            count += 1;
            let error = error_of(&call);
            errors.extend(error.map(|error| format!("{}: {call:?}\n{error}", file.display())));
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    assert!(count > 100, "{count}");
}

/// Texts in single backquotes outside of code blocks.
fn spans(text: &str) -> Vec<&str> {
    let mut is_block = false;
    let mut spans = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
        } else if !is_block {
            spans.extend(line.split('`').skip(1).step_by(2));
        }
    }
    spans
}

/// Why a command, such as `kith member role NAME`, does not exist. Arguments may be left out.
fn unknown_word(call: &str) -> Option<String> {
    let mut root = Cli::command();
    root.build();
    let mut command: &Command = &root;
    for word in call.split_whitespace().skip(1) {
        if let Some(flag) = word.trim_matches(['[', ']', ',']).strip_prefix("--") {
            let flag = flag.split('=').next().unwrap();
            let is_known = command.get_arguments().any(|arg| arg.get_long() == Some(flag));
            if !is_known && flag != "help" {
                return Some(format!("no --{flag}"));
            }
        } else if command.has_subcommands() && word.starts_with(|at: char| at.is_ascii_lowercase())
        {
            match command.find_subcommand(word) {
                Some(found) => command = found,
                None => return Some(format!("no {word}")),
            }
        }
    }
    None
}

/// A process that the server starts by itself, and a connection to PostgreSQL.
const OTHER_NAMES: [&str; 2] = ["kith image-worker", "kith changes"];

/// proves: operate-book
#[test]
fn commands_in_the_text_exist() {
    let is_command = |span: &&str| {
        let starts = span.starts_with("kith ") || span.starts_with("kith-as-server ");
        starts && !span.contains('…') && !OTHER_NAMES.contains(span)
    };
    let (mut count, mut unknown) = (0, Vec::new());
    for (file, text) in pages() {
        for span in spans(&text).into_iter().filter(is_command) {
            count += 1;
            let word = unknown_word(span);
            unknown.extend(word.map(|word| format!("{}: `{span}`: {word}", file.display())));
        }
    }
    assert!(unknown.is_empty(), "{unknown:#?}");
    assert!(count > 100, "{count}");
}

/// Names of variables in a text, such as `KITH_DATA`.
fn variables(text: &str) -> BTreeSet<&str> {
    let is_word = |at: char| at.is_ascii_uppercase() || at.is_ascii_digit() || at == '_';
    let words = text.split(|at| !is_word(at));
    words.filter(|word| word.starts_with("KITH_") && !word.ends_with('_')).collect()
}

/// proves: operate-book
#[test]
fn variables_in_the_book_exist() {
    let mut known = known_variables().into_keys().collect::<BTreeSet<_>>();
    let files = known.iter().map(|name| format!("{name}_FILE")).collect::<Vec<_>>();
    known.extend(files);
    // Samples, tests and tools have variables of their own.
    let mut others = Vec::new();
    for folder in ["deploy", "xtask/src", "web/e2e", "crates/server/tests"] {
        files_below(&root().join(folder), &[""], &mut others);
    }
    for other in others {
        let text = std::fs::read_to_string(other).unwrap_or_default();
        known.extend(variables(&text).into_iter().map(str::to_owned));
    }
    for (file, text) in pages() {
        // It describes faults of earlier versions.
        if file.ends_with("attack.md") {
            continue;
        }
        for name in variables(&text) {
            assert!(known.contains(name), "{}: there is no {name}", file.display());
        }
    }
    assert!(!known.contains(&["KITH_NO", "_SUCH"].concat()));
    assert!(read("docs/reference/settings.md").contains("KITH_PUBLIC_URL"));
}

#[test]
fn calls_are_found_in_shell_lines() {
    let found = |line: &str| calls(line).into_iter().map(|call| call.join(" ")).collect::<Vec<_>>();
    assert_eq!(found("kith doctor --json | jq . # kith nonsense"), ["kith doctor --json"]);
    assert_eq!(found("systemctl stop kith && kith-as-server move"), ["kith move"]);
    assert_eq!(found("KITH_DATA='/x y' kith serve … > log"), ["kith serve"]);
    assert_eq!(found("docker compose exec kith kith doctor"), ["kith doctor"]);
    assert_eq!(found("docker compose run --rm kith restore /a.tar"), ["kith restore /a.tar"]);
    assert!(found("docker compose logs kith; apt remove kith").is_empty());
    assert!(unknown_word("kith member promote NAME").is_some());
    assert!(error_of(&["kith", "invite", "create", "--number", "3"].map(str::to_owned)).is_some());
}
