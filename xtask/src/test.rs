//! `cargo xtask test`: runs every test, quick ones first.

pub(crate) mod steps;

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use steps::{STEPS, SharedServers, Step};

/// Runs the whole suite, or the steps selected by flags.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    run_steps(choose_steps(arguments)?)
}

/// Selects the steps by `--only STEP` and `--no-e2e`.
fn choose_steps(arguments: &[String]) -> Result<Vec<&'static Step>> {
    let mut chosen: Vec<&Step> = STEPS.iter().collect();
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        match word {
            "--no-e2e" => chosen.retain(|step| !step.needs_browser),
            "--only" => {
                let name = words.next().unwrap_or_default();
                chosen.retain(|step| step.name == name);
                if chosen.is_empty() {
                    let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
                    bail!("`--only` takes one of: {}", names.join(", "));
                }
            }
            other => bail!("unknown flag `{other}`; known: --no-e2e and --only STEP"),
        }
    }
    Ok(chosen)
}

/// Runs the steps in order, stops at the first failure, and prints the time of each.
pub(crate) fn run_steps(steps: Vec<&Step>) -> Result<()> {
    let start = Instant::now();
    let mut setup = SharedServers::default();
    let mut took: Vec<(&str, Duration)> = Vec::new();
    let total = steps.len();
    for (at, step) in steps.into_iter().enumerate() {
        let Step { name, about, .. } = step;
        let elapsed = start.elapsed().as_secs();
        println!("\n== {}/{total} {name}: {about} ({elapsed} s so far)", at + 1);
        let begun = Instant::now();
        let result = (step.run)(&mut setup);
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
            run: |_| bail!("as it must"),
        };
        let never = Step {
            name: "never",
            about: "reached",
            needs_browser: false,
            run: |_| panic!("ran after a failure"),
        };
        let error = run_steps(vec![&fails, &never]).expect_err("the first fails");
        assert!(error.to_string().contains("step fails failed: as it must"), "{error}");
        assert!(error.to_string().contains("--only fails"), "{error}");
    }
}
