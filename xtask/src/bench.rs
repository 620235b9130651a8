//! `cargo xtask bench`: what Kith costs beside a floor that does no work.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::services::postgres::Cluster;
use crate::support::cargo::{self, Profile};
use crate::support::child::ChildGuard;
use crate::support::{paths, process};

/// How often we look whether the run has ended.
const LOOK: Duration = Duration::from_millis(100);

/// What is said to us; the rest is said to `kith-bench run`.
#[derive(Debug, PartialEq, Eq)]
struct Args {
    quick: bool,
    postgres: bool,
    write: bool,
    rest: Vec<String>,
}

/// Builds the release program and the harness, and measures one with the other in a folder of the
/// target folder, which is on the disk that matters and goes with us. `--postgres` measures on a private
/// PostgreSQL, `--quick` takes the debug builds.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    let args = Args::read(arguments);
    let profile = if args.quick {
        Profile::Debug
    } else {
        Profile::Release
    };
    let kith = cargo::build(profile)?;
    let mut rest = args.rest;
    if args.write {
        let document = paths::root().join("docs/performance.md");
        rest.extend(["--write".to_owned(), document.display().to_string()]);
    }
    let harness = build(profile)?;
    if !args.postgres {
        return run(&kith, &harness, &rest);
    }
    let cluster = Cluster::durable()?;
    rest.extend(["--postgres".to_owned(), cluster.url().to_owned()]);
    run(&kith, &harness, &rest)
}

/// A step of the suite: that the harness works with debug builds, both of which are there.
pub(crate) fn step(kith: &Path) -> Result<()> {
    if !Path::new("/proc/self/stat").exists() {
        println!("left out: this system has no /proc");
        return Ok(());
    }
    run(kith, &harness_beside(kith), &["--quick".to_owned()])
}

fn run(kith: &Path, harness: &Path, arguments: &[String]) -> Result<()> {
    let folder = paths::target().join(format!("bench-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let mut command = process::command(harness, &["run", "--kith"]);
    command
        .arg(kith)
        .arg("--folder")
        .arg(&folder)
        .args(arguments);
    // The servers that it starts are of its process group, and end with it.
    let mut run = ChildGuard::start(&mut command, "TERM", Some(&folder))?;
    let status = loop {
        match run.ended()? {
            Some(status) => break status,
            None => std::thread::sleep(LOOK),
        }
    };
    ensure!(status.success(), "the run failed ({status})");
    Ok(())
}

/// By itself, so that the program is built as it ships, whatever the harness needs of a library.
fn build(profile: Profile) -> Result<PathBuf> {
    let mut arguments = vec!["build", "-p", "kith-bench", "--bin", "kith-bench"];
    if matches!(profile, Profile::Release) {
        arguments.push("--release");
    }
    cargo::cargo(&arguments)?;
    Ok(harness_beside(&cargo::binary(profile)?))
}

fn harness_beside(kith: &Path) -> PathBuf {
    kith.with_file_name("kith-bench")
}

impl Args {
    fn read(arguments: &[String]) -> Self {
        let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
        let ours = |argument: &str| matches!(argument, "--postgres" | "--write");
        let rest = arguments.iter().filter(|argument| !ours(argument));
        Self {
            quick: has("--quick"),
            postgres: has("--postgres"),
            write: has("--write"),
            rest: rest.cloned().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_harness_is_told_everything_but_where_to_write() {
        let arguments = ["--quick", "--write", "--postgres", "--posts", "5"].map(String::from);
        let args = Args::read(&arguments);
        assert!(args.quick && args.write && args.postgres);
        assert_eq!(args.rest, ["--quick", "--posts", "5"]);
        let args = Args::read(&arguments[3..]);
        assert!(!(args.quick || args.write || args.postgres));
    }
}
