//! `cargo xtask words`: finds words that the project does not use any more.

use anyhow::{Context as _, Result, bail};

use crate::{process, python, root};

/// Folders whose names, comments and texts are checked: the whole repository. `typos.toml` lists the exceptions, and
/// files that Git ignores are skipped.
const FOLDERS: &[&str] = &["."];

/// Fails if a retired word is used anywhere, and prints each use with its file and line.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    if let Some(argument) = arguments.first() {
        bail!("`words` takes no argument such as `{argument}`");
    }
    let uses = find()?;
    if uses.is_empty() {
        return Ok(());
    }
    for line in &uses {
        println!("{line}");
    }
    bail!("{} uses of retired words: CONTRIBUTING says what to use instead", uses.len())
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
