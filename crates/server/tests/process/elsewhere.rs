//! Commands that are not given the storage URL of images and exports.

use crate::backup::Deployment;
use crate::command::expect_failure;
use crate::operator::{run_command, sign_up};
use crate::program::Program;
use std::path::Path;
use std::time::Duration;

/// Runs a closure while the media folder is moved away, as if it were in a bucket.
fn without_media<T>(data: &Path, run: impl FnOnce() -> T) -> T {
    let (media, away) = (data.join("media"), data.join("away"));
    std::fs::rename(&media, &away).unwrap();
    let done = run();
    // The command may have created another one.
    if media.exists() {
        std::fs::remove_dir_all(&media).unwrap();
    }
    std::fs::rename(&away, &media).unwrap();
    done
}

/// Starts an export and waits until it is ready.
fn export(program: &Program, cookie: &str) {
    let path = "/api/account/export";
    assert_eq!(program.request("POST", path, cookie, "").status, 202);
    for _ in 0..300 {
        if program.request("GET", path, cookie, "").body.contains("\"ready\"") {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("the export did not become ready");
}

/// Without this check the row would be deleted, and the file would stay forever.
/// proves: leave-export-elsewhere
#[test]
fn a_member_with_an_unreachable_export_is_not_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let program = Program::start(data);
    let cookie = sign_up(&program, data, "ada");
    let me = program.request("GET", "/api/auth/me", &cookie, "");
    let me: serde_json::Value = serde_json::from_str(&me.body).unwrap();
    let name = me["username"].as_str().unwrap();
    export(&program, &cookie);
    let now = ["member", "delete", name, "--now"];
    let in_data = [&now[..], &["--data", data.to_str().unwrap()]].concat();
    let text = without_media(data, || expect_failure(&in_data));
    assert!(text.contains("give --storage-url"), "{text}");
    let account = program.request("GET", "/api/account", &cookie, "");
    assert!(account.body.contains("\"deletion\":null"), "{account:?}");
    assert_eq!(run_command(data, &now), format!("@{name} is deleted.\n"));
}

/// The archive is written without the images, and the missing ones are reported.
/// proves: export-operator-missing
#[test]
fn an_export_reports_missing_images() {
    let deployment = Deployment::start();
    let (data, file) = (deployment.data(), deployment.file("founder.zip"));
    let file = file.to_str().unwrap();
    let in_data = ["--data", data.to_str().unwrap()];
    let export = [&["member", "export", "founder", file], &in_data[..]].concat();
    let text = without_media(&data, || expect_failure(&export));
    let hash = deployment.image.split('/').nth(2).unwrap();
    assert!(text.contains(hash), "{text}");
    assert!(text.contains("give --storage-url"), "{text}");
    assert!(std::fs::read(file).unwrap().starts_with(b"PK"));
}
