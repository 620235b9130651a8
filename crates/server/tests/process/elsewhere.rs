//! Commands that were not told where the images and exports are.

use crate::backup::Network;
use crate::command::complaint;
use crate::operator::{join, told};
use crate::program::Program;
use std::path::Path;
use std::time::Duration;

/// Runs something while the storage's folder lies elsewhere, as a bucket does.
fn without_media<T>(data: &Path, run: impl FnOnce() -> T) -> T {
    let (media, away) = (data.join("media"), data.join("away"));
    std::fs::rename(&media, &away).unwrap();
    let done = run();
    // The command may have made another one.
    if media.exists() {
        std::fs::remove_dir_all(&media).unwrap();
    }
    std::fs::rename(&away, &media).unwrap();
    done
}

/// Asks for an export, and waits until it is made.
fn export(program: &Program, cookie: &str) {
    let path = "/api/account/export";
    assert_eq!(program.ask("POST", path, cookie, "").status, 202);
    for _ in 0..300 {
        if program
            .ask("GET", path, cookie, "")
            .body
            .contains("\"ready\"")
        {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("the export was not made");
}

/// The row would go, and the file stay for good.
/// proves: leave-export-elsewhere
#[test]
fn who_has_an_export_elsewhere_is_not_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let program = Program::start(data);
    let cookie = join(&program, data, "ada");
    let me = program.ask("GET", "/api/auth/me", &cookie, "");
    let me: serde_json::Value = serde_json::from_str(&me.body).unwrap();
    let name = me["username"].as_str().unwrap();
    export(&program, &cookie);
    let now = ["member", "delete", name, "--now"];
    let in_data = [&now[..], &["--data", data.to_str().unwrap()]].concat();
    let text = without_media(data, || complaint(&in_data));
    assert!(text.contains("give --storage-url"), "{text}");
    let account = program.ask("GET", "/api/account", &cookie, "");
    assert!(account.body.contains("\"deletion\":null"), "{account:?}");
    assert_eq!(told(data, &now), format!("@{name} is deleted.\n"));
}

/// The file is made all the same, and the operator learns what it lacks.
/// proves: export-operator-missing
#[test]
fn an_export_without_images_says_so() {
    let network = Network::start();
    let (data, file) = (network.data(), network.file("founder.zip"));
    let file = file.to_str().unwrap();
    let in_data = ["--data", data.to_str().unwrap()];
    let export = [&["member", "export", "founder", file], &in_data[..]].concat();
    let text = without_media(&data, || complaint(&export));
    let hash = network.image.split('/').nth(2).unwrap();
    assert!(text.contains(hash), "{text}");
    assert!(text.contains("give --storage-url"), "{text}");
    assert!(std::fs::read(file).unwrap().starts_with(b"PK"));
}
