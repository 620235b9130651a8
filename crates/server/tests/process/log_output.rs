//! Format and file of the log.

use crate::command::expect_failure;
use crate::program::Program;
use std::process::Stdio;

/// Starts and stops a server; returns the lines of its standard error.
fn run_server(settings: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let log = tempfile::NamedTempFile::new().unwrap();
    let output = Stdio::from(log.reopen().unwrap());
    let mut program = Program::start_logging(folder.path(), settings, output);
    program.signal("TERM");
    assert!(program.wait().success());
    let text = std::fs::read_to_string(log.path()).unwrap();
    text.lines().map(str::to_owned).collect()
}

const STOPPING: &str = "stopping: finishing requests in flight";

/// proves: log-format
#[test]
fn the_format_of_the_log_is_a_setting() {
    for (settings, is_json) in
        [(&[][..], true), (&["--log-format", "json"], true), (&["--log-format", "text"], false)]
    {
        let lines = run_server(settings);
        let line = lines.iter().find(|line| line.contains(STOPPING)).unwrap();
        let parsed = serde_json::from_str::<serde_json::Value>(line);
        assert_eq!(parsed.is_ok(), is_json, "{line}");
        assert!(!line.contains('\u{1b}'), "no colours outside a terminal: {line}");
    }
}

/// proves: log-file
#[test]
fn a_log_file_replaces_standard_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kith.log");
    let path = path.to_str().unwrap();
    for _ in 0..2 {
        let lines = run_server(&["--log-file", path]);
        assert_eq!(lines, [""; 0]);
    }
    let files = std::fs::read_dir(folder.path()).unwrap();
    let files = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    // More than one file only around midnight.
    let text = files.collect::<String>();
    assert_eq!(text.matches(STOPPING).count(), 2, "{text}");
    assert!(text.lines().all(|line| line.starts_with('{')), "{text}");
    let error = expect_failure(&["serve", "--log-file", "/dev/null/kith.log"]);
    assert!(error.contains("KITH_LOG_FILE: /dev/null/kith.log cannot be written: "), "{error}");
}
