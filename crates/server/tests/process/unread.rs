//! A log that cannot be written, or that nobody reads.

#![cfg(target_os = "linux")]

use crate::program::{Program, kith};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

/// proves: log-unwritten
#[test]
fn a_log_that_cannot_be_written_stops_nothing() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let (reader, gone) = std::io::pipe().unwrap();
    drop(reader);
    for log in [full.into(), gone.into()] {
        let folder = tempfile::tempdir().unwrap();
        let mut program = Program::start_logging(folder.path(), &[], log);
        let printed = program.line();
        program.log_in(&printed);
        assert_eq!(program.ask_admin("/healthz").status, 200);
        let figures = program.ask_admin("/metrics").body;
        let dropped = figures
            .lines()
            .find_map(|line| line.strip_prefix("kith_log_lines_dropped_total "));
        assert!(dropped.unwrap().parse::<u64>().unwrap() > 0, "{dropped:?}");
        program.signal("TERM");
        assert!(program.wait().success());
    }
    let full = File::options().write(true).open("/dev/full").unwrap();
    let nowhere = tempfile::tempdir().unwrap();
    let mut command = kith();
    command.args(["invite", "create", "--data"]);
    let refused = command.arg(nowhere.path()).stderr(full).status().unwrap();
    assert_eq!(refused.code(), Some(1), "a sentence that cannot be written");
}

/// proves: log-unread
#[test]
fn a_log_that_nobody_reads_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (mut reader, log) = std::io::pipe().unwrap();
    let mut command = kith();
    command.env("KITH_LOG", "debug");
    let mut program = Program::start_as(command, folder.path(), log.into());
    for _ in 0..3_000 {
        let refused = program.ask("GET", "/api/auth/me", "", "");
        assert_eq!(refused.status, 401, "{}", refused.body);
    }
    assert_eq!(program.ask_admin("/healthz").status, 200);
    program.signal("TERM");
    assert!(program.wait().success(), "its end does not wait either");
    let mut held = Vec::new();
    reader.read_to_end(&mut held).unwrap();
    assert!(held.len() > 60_000, "{} bytes were logged", held.len());
}

/// An AVIF whose frame ends within its head, of which the decoder complains on standard error.
fn damaged(avif: &[u8]) -> Vec<u8> {
    let mut file = avif.to_vec();
    let at = file.windows(2).position(|two| two == [0x32, 0x2C]).unwrap();
    // Of 44 bytes one is left to the frame, the others are padding.
    file[at + 1] = 1;
    file[at + 3..at + 5].copy_from_slice(&[0x7A, 41]);
    file
}

/// Whether a file is taken for an image of a post.
fn is_taken(program: &Program, cookie: &str, file: &[u8]) -> bool {
    let asked = program.ask("POST", "/api/objects/upload", cookie, "{}");
    let (_, path) = asked.body.split_once("/api/").unwrap();
    let path = path.split('"').next().unwrap();
    assert_eq!(program.send(&format!("/api/{path}"), file).status, 200);
    let (path, _) = path.split_once('?').unwrap();
    let prepared = program.ask("POST", &format!("/api/{path}/prepare"), cookie, "");
    assert!([200, 422].contains(&prepared.status), "{}", prepared.body);
    prepared.status == 200
}

/// proves: image-worker, log-unread
#[test]
fn what_a_decoder_complains_of_keeps_no_picture_out() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../images/tests/corpus");
    let whole = std::fs::read(corpus.join("plain-420.avif")).unwrap();
    for is_full in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let (mut reader, mut log) = std::io::pipe().unwrap();
        if is_full {
            // All that a pipe takes: whoever writes more waits for a reader.
            log.write_all(&vec![b'\n'; 65_536]).unwrap();
        }
        let mut program = Program::start_logging(folder.path(), &[], log.into());
        let printed = program.line();
        let cookie = program.log_in(&printed);
        assert!(!is_taken(&program, &cookie, &damaged(&whole)));
        assert!(is_taken(&program, &cookie, &whole));
        program.signal("TERM");
        assert!(program.wait().success());
        let mut told = String::new();
        reader.read_to_string(&mut told).unwrap();
        for line in told.lines().filter(|line| !line.is_empty()) {
            serde_json::from_str::<serde_json::Value>(line).unwrap();
        }
    }
}

/// What a server without a mail server prints of each mail stands in a file as well.
/// proves: log-unread
#[test]
fn mails_that_nobody_sees_printed_stop_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    let mut command = kith();
    command.args(["invite", "create", "--count", "700", "--data"]);
    let codes = command.arg(folder.path()).output().unwrap().stdout;
    for code in String::from_utf8(codes).unwrap().lines() {
        let body = format!("{{\"email\":\"{code}@example.org\",\"inviteCode\":\"{code}\"}}");
        let asked = program.ask("POST", "/api/auth/request-magic-link", "", &body);
        assert_eq!(asked.status, 200, "{}", asked.body);
    }
    let begun = Instant::now();
    let written = || {
        std::fs::read_dir(folder.path().join("outbox"))
            .unwrap()
            .count()
    };
    while written() < 700 {
        assert!(
            begun.elapsed() < Duration::from_mins(1),
            "{} mails",
            written()
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(program.ask_admin("/healthz").status, 200);
    program.signal("TERM");
    assert!(program.wait().success(), "its end does not wait either");
}

/// proves: log-last
#[test]
fn the_last_lines_are_written_before_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    let printed = program.line();
    program.log_in(&printed);
    let mut command = kith();
    command.args(["member", "sign-out", "founder", "--data"]);
    let output = command.arg(folder.path()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("an operator ended a member's sessions"),
        "{said}"
    );
}
