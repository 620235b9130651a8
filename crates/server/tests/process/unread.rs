//! A log that cannot be written, or that no process reads.

#![cfg(target_os = "linux")]

use crate::program::{Program, kith};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

/// proves: log-unwritten
#[test]
fn an_unwritable_log_stops_nothing() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let (reader, gone) = std::io::pipe().unwrap();
    drop(reader);
    for log in [full.into(), gone.into()] {
        let folder = tempfile::tempdir().unwrap();
        let mut program = Program::start_logging(folder.path(), &[], log);
        let printed = program.read_line();
        program.log_in(&printed);
        assert_eq!(program.request_admin("/healthz").status, 200);
        let metrics = program.request_admin("/metrics").body;
        let dropped =
            metrics.lines().find_map(|line| line.strip_prefix("kith_log_lines_dropped_total "));
        assert!(dropped.unwrap().parse::<u64>().unwrap() > 0, "{dropped:?}");
        program.signal("TERM");
        assert!(program.wait().success());
    }
    let full = File::options().write(true).open("/dev/full").unwrap();
    let nowhere = tempfile::tempdir().unwrap();
    let mut command = kith();
    command.args(["invite", "create", "--data"]);
    let result = command.arg(nowhere.path()).stderr(full).status().unwrap();
    assert_eq!(result.code(), Some(1), "the error message cannot be written");
}

/// proves: log-unread
#[test]
fn an_unread_log_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (mut reader, log) = std::io::pipe().unwrap();
    let mut command = kith();
    command.env("KITH_LOG", "debug");
    let mut program = Program::start_as(command, folder.path(), log.into());
    for _ in 0..3_000 {
        let result = program.request("GET", "/api/auth/me", "", "");
        assert_eq!(result.status, 401, "{}", result.body);
    }
    assert_eq!(program.request_admin("/healthz").status, 200);
    program.signal("TERM");
    assert!(program.wait().success(), "the exit does not block either");
    let mut held = Vec::new();
    reader.read_to_end(&mut held).unwrap();
    assert!(held.len() > 60_000, "{} bytes were logged", held.len());
}

/// Truncates the frame of an AVIF within its head, which the decoder reports on standard error.
fn damaged(avif: &[u8]) -> Vec<u8> {
    let mut file = avif.to_vec();
    let at = file.windows(2).position(|two| two == [0x32, 0x2C]).unwrap();
    // Of 44 bytes one remains in the frame; the others become padding.
    file[at + 1] = 1;
    file[at + 3..at + 5].copy_from_slice(&[0x7A, 41]);
    file
}

/// Returns whether a file is accepted as an image of a post.
fn is_accepted(program: &Program, cookie: &str, file: &[u8]) -> bool {
    let response = program.request("POST", "/api/objects/upload", cookie, "{}");
    let (_, path) = response.body.split_once("/api/").unwrap();
    let path = path.split('"').next().unwrap();
    assert_eq!(program.put_file(&format!("/api/{path}"), file).status, 200);
    let (path, _) = path.split_once('?').unwrap();
    let prepared = program.request("POST", &format!("/api/{path}/prepare"), cookie, "");
    assert!([200, 422].contains(&prepared.status), "{}", prepared.body);
    prepared.status == 200
}

/// proves: image-worker, log-unread
#[test]
fn decoder_messages_do_not_block_an_upload() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../images/tests/corpus");
    let whole = std::fs::read(corpus.join("plain-420.avif")).unwrap();
    for is_full in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let (mut reader, mut log) = std::io::pipe().unwrap();
        if is_full {
            // Fills the pipe's buffer, so that further writes block until it is read.
            log.write_all(&vec![b'\n'; 65_536]).unwrap();
        }
        let mut program = Program::start_logging(folder.path(), &[], log.into());
        let printed = program.read_line();
        let cookie = program.log_in(&printed);
        assert!(!is_accepted(&program, &cookie, &damaged(&whole)));
        assert!(is_accepted(&program, &cookie, &whole));
        program.signal("TERM");
        assert!(program.wait().success());
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        for line in text.lines().filter(|line| !line.is_empty()) {
            serde_json::from_str::<serde_json::Value>(line).unwrap();
        }
    }
}

/// A server without SMTP prints each mail and also writes it to a file.
/// proves: log-unread
#[test]
fn unread_mail_output_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    let mut command = kith();
    command.args(["invite", "create", "--count", "700", "--data"]);
    let codes = command.arg(folder.path()).output().unwrap().stdout;
    for code in String::from_utf8(codes).unwrap().lines() {
        let body = format!("{{\"email\":\"{code}@example.org\",\"inviteCode\":\"{code}\"}}");
        let response = program.request("POST", "/api/auth/request-magic-link", "", &body);
        assert_eq!(response.status, 200, "{}", response.body);
    }
    let begun = Instant::now();
    let written = || std::fs::read_dir(folder.path().join("outbox")).unwrap().count();
    while written() < 700 {
        assert!(begun.elapsed() < Duration::from_mins(1), "{} mails", written());
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(program.request_admin("/healthz").status, 200);
    program.signal("TERM");
    assert!(program.wait().success(), "the exit does not block either");
}

/// proves: log-last
#[test]
fn the_last_log_lines_are_written_before_the_exit() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    let printed = program.read_line();
    program.log_in(&printed);
    let mut command = kith();
    command.args(["member", "sign-out", "founder", "--data"]);
    let output = command.arg(folder.path()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("an operator ended a member's sessions"), "{said}");
}
