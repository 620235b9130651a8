//! The `kith demo` command.

use crate::program::{Program, kith};
use serde_json::Value;
use std::path::Path;

/// Runs the command; returns its standard output, or its standard error on failure.
fn run_demo(data: &Path, flags: &[&str]) -> Result<String, String> {
    let output = kith()
        .args(["demo", "--members", "12", "--posts", "60", "--data"])
        .arg(data)
        .args(flags)
        .output()
        .unwrap();
    if output.status.success() {
        Ok(String::from_utf8(output.stdout).unwrap())
    } else {
        Err(String::from_utf8(output.stderr).unwrap())
    }
}

/// proves: demo-login, demo-not-empty
#[test]
fn a_demo_is_served_and_its_founder_can_log_in() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("demo");
    let printed = run_demo(&data, &[]).unwrap();
    assert!(printed.starts_with("12 members and 60 posts in "), "{printed}");
    let link = printed.lines().find(|line| line.contains("token="));

    let error = run_demo(&data, &[]).unwrap_err();
    assert!(error.starts_with("kith: There is a network in "), "{error}");
    let output = run_demo(&data, &["--if-empty"]).unwrap();
    assert!(output.contains("nothing was changed"), "{output}");

    let program = Program::start(&data);
    let cookie = program.log_in(link.unwrap());
    let me = program.request("GET", "/api/auth/me", &cookie, "");
    let me: Value = serde_json::from_str(&me.body).unwrap();
    assert_eq!(me["username"], "mara", "{me}");
    let feed = program.request("GET", "/api/posts/feed", &cookie, "");
    let feed: Value = serde_json::from_str(&feed.body).unwrap();
    let posts = feed.as_array().unwrap();
    assert!(posts.len() > 5, "{feed}");
    let picture = me["profileImageUrl"].as_str().unwrap();
    let picture = picture.find("/images/").map(|at| &picture[at..]).unwrap();
    assert_eq!(program.request("GET", picture, "", "").status, 200, "{picture}");
}

#[test]
fn a_demo_cannot_end_in_the_future() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("demo");
    let error = run_demo(&data, &["--until", "2093-01-01T00:00:00Z"]).unwrap_err();
    assert!(error.starts_with("kith: --until is in the future"), "{error}");
    assert!(!data.exists());
}
