//! `cargo xtask words`: finds words that the project does not use any more.

use std::fs;

use anyhow::{Context as _, Result, bail};

use crate::{process, python, root};

/// Folders whose names, comments and texts are checked.
const FOLDERS: &[&str] = &["crates", "xtask/src", "xtask/attack", "xtask/fuzz-api"];
/// How many uses are left. The number may only decrease.
const LIMIT: &str = "xtask/words/limit";

/// Fails when there are more uses than the limit, or fewer: then the limit is out of date.
/// With `--list` prints each use instead.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    let uses = find()?;
    match arguments.first().map(String::as_str) {
        None => compare(uses.len()),
        Some("--list") => {
            for line in uses {
                println!("{line}");
            }
            Ok(())
        }
        Some(other) => bail!("there is no flag `{other}`, only --list"),
    }
}

fn compare(count: usize) -> Result<()> {
    let path = root::root().join(LIMIT);
    let limit = fs::read_to_string(&path).with_context(|| format!("{LIMIT} can't be read"))?;
    let limit: usize = limit.trim().parse().context("the limit is no number")?;
    if count == limit {
        println!("{count} uses of retired words are left");
        return Ok(());
    }
    let more = "`cargo xtask words --list` shows them, CONTRIBUTING says what to use instead";
    if count > limit {
        bail!("{count} uses of retired words, {limit} are allowed: {more}");
    }
    bail!("{count} uses of retired words are left: write {count} into {LIMIT}")
}

/// One line for each use, with its file and line.
fn find() -> Result<Vec<String>> {
    let requirements = root::root().join("xtask/words/requirements.txt");
    let program = python::environment("words", &requirements)?.join("bin/typos");
    let mut command = process::command(program, &["--format", "brief"]);
    let output = command.args(FOLDERS).current_dir(root::root()).output();
    let output = output.context("typos can't be started")?;
    // 2 says that words were found.
    if !matches!(output.status.code(), Some(0 | 2)) {
        bail!("typos: {}", String::from_utf8_lossy(&output.stderr));
    }
    let text = String::from_utf8(output.stdout).context("typos printed no UTF-8")?;
    Ok(text.lines().map(ToOwned::to_owned).collect())
}
