//! `kith demo`.

use crate::program::{Program, kith};
use serde_json::Value;
use std::path::Path;

/// Runs the command; answers what it printed, or why it failed.
fn demo(data: &Path, flags: &[&str]) -> Result<String, String> {
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

/// proves: demo-login, demo-refused
#[test]
fn a_demo_is_served_and_its_founder_logs_in() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("demo");
    let printed = demo(&data, &[]).unwrap();
    assert!(
        printed.starts_with("12 members and 60 posts in "),
        "{printed}"
    );
    let link = printed.lines().find(|line| line.contains("token="));

    let refused = demo(&data, &[]).unwrap_err();
    assert!(
        refused.starts_with("kith: There is a network in "),
        "{refused}"
    );
    let left = demo(&data, &["--if-empty"]).unwrap();
    assert!(left.contains("nothing was changed"), "{left}");

    let program = Program::start(&data);
    let cookie = program.log_in(link.unwrap());
    let me = program.ask("GET", "/api/auth/me", &cookie, "");
    let me: Value = serde_json::from_str(&me.body).unwrap();
    assert_eq!(me["username"], "mara", "{me}");
    let feed = program.ask("GET", "/api/posts/feed", &cookie, "");
    let feed: Value = serde_json::from_str(&feed.body).unwrap();
    let posts = feed.as_array().unwrap();
    assert!(posts.len() > 5, "{feed}");
    let picture = me["profileImageUrl"].as_str().unwrap();
    let picture = picture.find("/images/").map(|at| &picture[at..]).unwrap();
    assert_eq!(program.ask("GET", picture, "", "").status, 200, "{picture}");
}

#[test]
fn nobody_has_written_in_the_future() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("demo");
    let refused = demo(&data, &["--until", "2093-01-01T00:00:00Z"]).unwrap_err();
    assert!(
        refused.starts_with("kith: --until is in the future"),
        "{refused}"
    );
    assert!(!data.exists());
}
