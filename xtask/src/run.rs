//! `cargo xtask run`: builds and serves a network from a fresh clone.

use std::os::unix::process::CommandExt as _;

use anyhow::{Context as _, Result};

use crate::after_dashes;
use crate::support::cargo::{self, Profile};
use crate::support::{paths, process, web_app};

/// Flag that fills an empty data folder with demo members first.
const DEMO: &str = "--demo";

/// Flags of `kith serve` that `kith demo` accepts, too.
const DEMO_FLAGS: &[&str] = &["--data", "--database-url", "--storage-url", "--public-url"];

/// Builds everything and replaces this process with `kith serve`, which then gets signals directly.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    web_app::build()?;
    let binary = cargo::build(Profile::Local)?;
    let mut flags = after_dashes(arguments).to_vec();
    if flags.iter().any(|flag| flag == DEMO) {
        flags.retain(|flag| flag != DEMO);
        let mut demo = std::process::Command::new(&binary);
        demo.args(["demo", "--if-empty"]).args(demo_flags(&flags));
        process::run(demo.current_dir(paths::root()))?;
    }
    let error = std::process::Command::new(&binary)
        .arg("serve")
        .args(flags)
        .current_dir(paths::root())
        .exec();
    Err(error).with_context(|| format!("cannot start {}", binary.display()))
}

/// Selects the flags, with values, that `kith demo` accepts.
fn demo_flags(flags: &[String]) -> Vec<&str> {
    let mut found = Vec::new();
    let mut flags = flags.iter().map(String::as_str);
    while let Some(flag) = flags.next() {
        let (name, value) = flag.split_once('=').unzip();
        if !DEMO_FLAGS.contains(&name.unwrap_or(flag)) {
            continue;
        }
        found.push(flag);
        if value.is_none() {
            found.extend(flags.next());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_gets_the_flags_of_the_server() {
        let flags = ["--listen", "[::]:80", "--data", "d", "--public-url=http://a"];
        let flags = flags.map(str::to_owned);
        assert_eq!(demo_flags(&flags), ["--data", "d", "--public-url=http://a"]);
        assert_eq!(demo_flags(&[]), [""; 0]);
    }
}
