//! `cargo xtask docs`: builds the book of `docs/` with mdBook and checks it.

pub(crate) mod assemble;
mod html_links;
pub(crate) mod openapi;

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};

use crate::support::{cargo, paths, process};
use crate::tidy;

/// Version of mdBook that is installed unless it is there.
const MDBOOK: &str = "0.5.4";

/// Writes the book into `target/book`; fails if a link of it leads nowhere, or a rule about pages is violated.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    ensure!(arguments.is_empty(), "this command takes no arguments");
    tidy::check_book()?;
    let program = mdbook_program()?;
    let source = paths::target().join("book-source");
    let book = paths::target().join("book");
    assemble::write_source(&source)?;
    let mut build = process::command(&program, &["build", "--dest-dir"]);
    process::run(build.arg(&book).arg(&source))?;
    let findings = html_links::find_broken(&book)?;
    for finding in &findings {
        println!("{finding}");
    }
    if !findings.is_empty() {
        bail!("{} links of the book lead nowhere", findings.len());
    }
    println!("The book is in {}", book.join("index.html").display());
    Ok(())
}

/// Path of mdBook: an installed one of the right version, or one built into `target/tools`.
fn mdbook_program() -> Result<PathBuf> {
    let is_right = |program: &PathBuf| {
        let printed = process::stdout_of(&mut process::command(program, &["--version"]));
        printed.is_some_and(|text| text.ends_with(&format!("v{MDBOOK}")))
    };
    if let Some(found) = process::find_program("mdbook").filter(is_right) {
        return Ok(found);
    }
    let folder = paths::target().join("tools");
    let program = folder.join("bin/mdbook");
    if !is_right(&program) {
        println!("installing mdBook {MDBOOK} into {}", folder.display());
        let mut install = cargo::command(&["install", "--quiet", "--locked", "mdbook"]);
        install.args(["--version", MDBOOK, "--no-default-features", "--features", "search"]);
        process::run(install.arg("--root").arg(&folder))?;
    }
    Ok(program)
}
