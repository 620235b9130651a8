//! `cargo xtask dev`: runs the server and Vite, and restarts the server when its sources change.

use std::io::{BufRead as _, BufReader, Read};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::after_dashes;
use crate::support::child::ChildGuard;
use crate::support::watch::Snapshot;
use crate::support::{cargo, paths, process, web_app};

/// Interval for checking modification times.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// URL of Vite. Fixed, since the server rejects writes from other origins and emails link to it.
const VITE_URL: &str = "http://localhost:5173";

/// Fails if the port is taken.
const VITE_ARGUMENTS: &[&str] = &["run", "--silent", "dev", "--", "--port", "5173", "--strictPort"];

/// Runs until Ctrl+C or until Vite exits.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    web_app::install()?;
    web_app::ensure_dist_folder()?;
    let mut vite = start_labelled("web", process::command("npm", VITE_ARGUMENTS))?;
    let mut seen = Snapshot::of_server();
    let mut server = rebuild_and_restart(None, arguments)?;
    loop {
        thread::sleep(POLL_INTERVAL);
        if let Some(status) = vite.exit_status()? {
            bail!("Vite exited with {status}");
        }
        if let Some(running) = &mut server
            && let Some(status) = running.exit_status()?
        {
            print_line("dev", &format!("the server exited with {status}; waiting for a change"));
            server = None;
        }
        let now = Snapshot::of_server();
        if now != seen {
            seen = now;
            print_line("dev", "the server's files changed");
            server = rebuild_and_restart(server, arguments)?;
        }
    }
}

/// Builds the server and replaces the running one; keeps it if the build fails.
fn rebuild_and_restart(
    running: Option<ChildGuard>,
    arguments: &[String],
) -> Result<Option<ChildGuard>> {
    let mut build =
        start_labelled("build", cargo::command(&["build", "-p", "kith", "--bin", "kith"]))?;
    let status = loop {
        if let Some(status) = build.exit_status()? {
            break status;
        }
        thread::sleep(Duration::from_millis(50));
    };
    if !status.success() {
        print_line("dev", "the build failed; waiting for a change");
        return Ok(running);
    }
    drop(running);
    let mut serve = process::command(cargo::binary(cargo::Profile::Debug)?, &["serve"]);
    serve.args(after_dashes(arguments));
    if std::env::var_os("KITH_PUBLIC_URL").is_none() {
        serve.env("KITH_PUBLIC_URL", VITE_URL);
    }
    Ok(Some(start_labelled("server", serve)?))
}

/// Starts a program and prefixes each line of its output with the label.
fn start_labelled(label: &'static str, mut command: Command) -> Result<ChildGuard> {
    if label == "web" {
        command.current_dir(paths::web());
    }
    command.env("NO_COLOR", "1").stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child_guard = ChildGuard::start(&mut command, "TERM", None)?;
    if let Some(pipe) = child_guard.child().stdout.take() {
        forward_output(label, pipe);
    }
    if let Some(pipe) = child_guard.child().stderr.take() {
        forward_output(label, pipe);
    }
    Ok(child_guard)
}

fn forward_output(label: &'static str, pipe: impl Read + Send + 'static) {
    thread::spawn(move || {
        for line in BufReader::new(pipe).lines() {
            let Ok(line) = line else { return };
            print_line(label, &line);
            if label == "web" && line.contains("Local:") {
                print_line("dev", &format!("open {VITE_URL} (Ctrl+C stops everything)"));
            }
        }
    });
}

fn print_line(label: &str, line: &str) {
    println!("{label:<6} | {line}");
}
