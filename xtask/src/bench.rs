//! `cargo xtask bench`: compares Kith with a baseline server.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::services::postgres::Cluster;
use crate::support::cargo::{self, Profile};
use crate::support::child::ChildGuard;
use crate::support::{paths, process};

/// Interval for checking whether the run has exited.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Parsed arguments; `harness_arguments` go to `kith-bench run`.
#[derive(Debug, PartialEq, Eq)]
struct Args {
    quick: bool,
    postgres: bool,
    write: bool,
    harness_arguments: Vec<String>,
}

/// Builds the release binary and the harness, then runs the benchmark in the target folder, so that it
/// uses the disk of the repository. `--postgres` starts a private PostgreSQL, `--quick` uses debug builds.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    let args = Args::parse(arguments);
    let profile = if args.quick { Profile::Debug } else { Profile::Release };
    let kith = cargo::build(profile)?;
    let mut harness_arguments = args.harness_arguments;
    if args.write {
        let document = paths::root().join("docs/performance.md");
        harness_arguments.extend(["--write".to_owned(), document.display().to_string()]);
    }
    let harness = build_harness(profile)?;
    if !args.postgres {
        return run_harness(&kith, &harness, &harness_arguments);
    }
    let cluster = Cluster::start_durable()?;
    harness_arguments.extend(["--postgres".to_owned(), cluster.url().to_owned()]);
    run_harness(&kith, &harness, &harness_arguments)
}

/// Step of the test suite: runs the benchmark with the debug builds of the suite.
pub(crate) fn step(kith: &Path) -> Result<()> {
    if !Path::new("/proc/self/stat").exists() {
        println!("skipped: this system has no /proc");
        return Ok(());
    }
    run_harness(kith, &harness_path(kith), &["--quick".to_owned()])
}

fn run_harness(kith: &Path, harness: &Path, arguments: &[String]) -> Result<()> {
    let folder = paths::target().join(format!("bench-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let mut command = process::command(harness, &["run", "--kith"]);
    command.arg(kith).arg("--folder").arg(&folder).args(arguments);
    // The harness's servers are in its process group and stop with it.
    let mut run = ChildGuard::start(&mut command, "TERM", Some(&folder))?;
    let status = loop {
        match run.exit_status()? {
            Some(status) => break status,
            None => std::thread::sleep(POLL_INTERVAL),
        }
    };
    ensure!(status.success(), "the run failed ({status})");
    Ok(())
}

/// Builds the harness alone, since its dependencies would change the features of the release binary.
fn build_harness(profile: Profile) -> Result<PathBuf> {
    let mut arguments = vec!["build", "-p", "kith-bench", "--bin", "kith-bench"];
    if matches!(profile, Profile::Release) {
        arguments.push("--release");
    }
    cargo::cargo(&arguments)?;
    Ok(harness_path(&cargo::binary(profile)?))
}

fn harness_path(kith: &Path) -> PathBuf {
    kith.with_file_name("kith-bench")
}

impl Args {
    fn parse(arguments: &[String]) -> Self {
        let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
        let is_own_flag = |argument: &str| matches!(argument, "--postgres" | "--write");
        let harness_arguments = arguments.iter().filter(|argument| !is_own_flag(argument));
        Self {
            quick: has("--quick"),
            postgres: has("--postgres"),
            write: has("--write"),
            harness_arguments: harness_arguments.cloned().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_arguments_are_passed_to_the_harness() {
        let arguments = ["--quick", "--write", "--postgres", "--posts", "5"].map(String::from);
        let args = Args::parse(&arguments);
        assert!(args.quick && args.write && args.postgres);
        assert_eq!(args.harness_arguments, ["--quick", "--posts", "5"]);
        let args = Args::parse(&arguments[3..]);
        assert!(!(args.quick || args.write || args.postgres));
    }
}
