//! `cargo xtask test`: runs every test, quick ones first.

pub(crate) mod steps;

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail, ensure};
use steps::{STEPS, SharedServers, Step};

use crate::support::{cargo, process};

/// Runs the whole suite, or the steps selected by flags.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    run_steps(choose_steps(arguments)?)
}

/// Selects the steps by `--only STEP`, which may be repeated, and `--no-e2e`.
fn choose_steps(arguments: &[String]) -> Result<Vec<&'static Step>> {
    let mut chosen: Vec<&Step> = STEPS.iter().collect();
    let mut only = Vec::new();
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        match word {
            "--no-e2e" => chosen.retain(|step| !step.needs_browser),
            "--only" => {
                let name = words.next().unwrap_or_default();
                let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
                ensure!(names.contains(&name), "`--only` takes one of: {}", names.join(", "));
                only.push(name);
            }
            other => bail!("unknown flag `{other}`; known: --no-e2e and --only STEP"),
        }
    }
    chosen.retain(|step| only.is_empty() || only.contains(&step.name));
    Ok(chosen)
}

/// Runs the steps in order, stops at the first failure, and prints the time of each. Steps that leave a core idle run
/// beside others.
pub(crate) fn run_steps(steps: Vec<&Step>) -> Result<()> {
    let names: Vec<&str> = steps.iter().map(|step| step.name).collect();
    let is_beside = |step: &&Step| step.beside.is_some_and(|other| names.contains(&other));
    let (beside, steps): (Vec<&Step>, Vec<&Step>) = steps.into_iter().partition(is_beside);
    let start = Instant::now();
    // The build replaces the file, and the system then no longer knows its path.
    let xtask = std::env::current_exe()?;
    let mut setup = SharedServers::default();
    let mut took: Vec<(&str, Duration)> = Vec::new();
    let total = steps.len();
    for (at, step) in steps.into_iter().enumerate() {
        let Step { name, about, .. } = *step;
        let elapsed = start.elapsed().as_secs();
        println!("\n== {}/{total} {name}: {about} ({elapsed} s so far)", at + 1);
        let begun = Instant::now();
        let beside: Vec<&str> = beside
            .iter()
            .filter(|other| other.beside == Some(name))
            .map(|other| other.name)
            .collect();
        let result = thread::scope(|scope| {
            let beside = scope.spawn(|| run_in_process(&xtask, &beside));
            let result = (step.run)(&mut setup);
            result.and(beside.join().map_err(|_| anyhow!("a thread panicked")).flatten())
        });
        took.push((name, begun.elapsed()));
        if let Err(error) = result {
            drop(setup);
            print_table(&took, start.elapsed());
            println!("{at} passed, 1 failed");
            let again = format!("rerun it with `cargo xtask test --only {name}`");
            bail!("step {name} failed: {error:#}\n{again}");
        }
    }
    drop(setup);
    print_table(&took, start.elapsed());
    println!("{total} passed, 0 failed");
    Ok(())
}

/// Runs steps in a process of their own, and shows its output at its end.
fn run_in_process(xtask: &Path, steps: &[&str]) -> Result<()> {
    if steps.is_empty() {
        return Ok(());
    }
    let mut arguments = vec!["test"];
    arguments.extend(steps.iter().flat_map(|step| ["--only", step]));
    let mut command = process::command(xtask, &arguments);
    process::run_buffered(command.envs(cargo::build_variables().iter().copied()))
}

fn print_table(took: &[(&str, Duration)], total: Duration) {
    println!();
    for (name, time) in took.iter().copied().chain([("together", total)]) {
        println!("  {name:<12} {:>7.1} s", time.as_secs_f64());
    }
    println!();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(arguments: &[&str]) -> Result<Vec<&'static str>> {
        let arguments = crate::support::arguments(arguments);
        Ok(choose_steps(&arguments)?.into_iter().map(|step| step.name).collect())
    }

    #[test]
    fn flags_choose_steps() {
        assert_eq!(names(&[]).expect("all").len(), STEPS.len());
        assert_eq!(names(&["--only", "tidy"]).expect("one"), ["tidy"]);
        assert_eq!(names(&["--only", "e2e", "--only", "tidy"]).expect("two"), ["tidy", "e2e"]);
        assert!(!names(&["--no-e2e"]).expect("most").contains(&"e2e"));
        for wrong in [&["--only"][..], &["--only", "nothing"], &["--fast"]] {
            assert!(names(wrong).is_err());
        }
    }

    #[test]
    fn a_failing_step_ends_the_run_and_is_named() {
        let fails = Step {
            name: "fails",
            about: "always",
            needs_browser: false,
            beside: None,
            run: |_| bail!("as it must"),
        };
        let never = Step {
            name: "never",
            about: "reached",
            needs_browser: false,
            beside: None,
            run: |_| panic!("ran after a failure"),
        };
        let error = run_steps(vec![&fails, &never]).expect_err("the first fails");
        assert!(error.to_string().contains("step fails failed: as it must"), "{error}");
        assert!(error.to_string().contains("--only fails"), "{error}");
    }
}
