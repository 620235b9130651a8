//! The curl examples of the book, run as written against a server.

use crate::operator::{run_command, wait_for_mails};
use crate::program::Program;
use std::path::Path;
use std::process::{Command, Stdio};

/// Shell blocks of the page, in order.
fn blocks() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/api/examples.md")).unwrap();
    let blocks = page.split("```sh\n").skip(1);
    blocks.map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// The block that contains a text.
fn block<'a>(blocks: &'a [String], part: &str) -> &'a str {
    blocks.iter().find(|block| block.contains(part)).unwrap_or_else(|| panic!("no {part}"))
}

/// Runs a script that must succeed, after the definitions of the first block, and returns what it prints.
fn run_script(folder: &Path, definitions: &str, script: &str) -> String {
    let mut bash = Command::new("bash");
    bash.arg("-c").arg(format!("set -euo pipefail\n{definitions}\n{script}"));
    let output = bash.current_dir(folder).stdin(Stdio::null()).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script}\n{error}");
    String::from_utf8(output.stdout).unwrap()
}

/// Code to log in of a mail.
fn code_in(mail: &str) -> &str {
    let is_code = |line: &&str| {
        let is_sign = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
        line.len() == 8 && line.bytes().all(is_sign)
    };
    mail.lines().find(is_code).unwrap()
}

fn has_program(name: &str) -> bool {
    let found = Command::new(name).arg("--version").stdout(Stdio::null()).status().is_ok();
    if !found {
        eprintln!("SKIPPED, since `{name}` is missing");
    }
    found
}

/// proves: wire-examples
#[test]
fn the_curl_examples_of_the_book_work() {
    if !["bash", "curl", "jq"].into_iter().all(has_program) {
        return;
    }
    let (folder, work) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (data, work) = (folder.path(), work.path());
    let program = Program::start(data);
    let blocks = blocks();
    let site = format!("http://{}", program.address);
    let definitions = blocks[0].replace("https://kith.example", &site);
    let run = |script: &str| run_script(work, &definitions, script);
    let part = |text: &str| block(&blocks, text);

    // An unknown email gets no mail, so the only one is that of the sign-up.
    assert!(run(part("request-login-link")).contains("nextMailInSeconds"));
    let invite = run_command(data, &["invite", "create"]);
    run(&part("request-magic-link").replace("H7KD93MQZ2QP", invite.trim()));
    let mails = wait_for_mails(data, 1);
    let me = run(&part("verify-code").replace("K7MP2QXR", code_in(&mails[0])));
    assert!(me.contains("\"role\": \"member\""), "{me}");

    run(&part("/api/users/ada").replace("/ada", "/founder"));
    // The stream would end after 15 minutes.
    let stream = part("/api/events").replace("--no-buffer", "--no-buffer --max-time 2");
    let events = run(&format!("{} || [ $? = 28 ]", stream.trim()));
    assert!(events.contains("event: notifications"), "{events}");
    let liked = run(part("Idempotency-Key"));
    assert!(liked.contains("\"isLiked\":true"), "{liked}");
    let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/screenshots/settings.png");
    std::fs::copy(picture, work.join("picture.jpg")).unwrap();
    let posted = run(part("--upload-file"));
    assert!(posted.contains("/images/"), "{posted}");
    let rejected = run(&format!("{} || [ $? = 22 ]", part("\"content\": \"\"").trim()));
    assert!(rejected.contains("Write something before you post."), "{rejected}");
    run(part("/api/auth/logout"));
    assert!(!work.join("jar").exists());
    assert_eq!(blocks.len(), 10, "a new example needs its line here");
}
