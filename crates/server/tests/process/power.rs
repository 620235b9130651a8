//! What would be left after a power loss: an answer leaves only after what it says is on the disk.

#![cfg(target_os = "linux")]

use crate::program::Program;
use crate::proof::{is_allowed, rounds};
use rusqlite::Connection;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

/// Makes the test the program that is looked at: it commits with this setting of SQLite.
const CONTROL: &str = "KITH_POWER_CONTROL";

/// A program under `strace`, which writes what it asks of the system into `trace`.
fn traced(trace: &Path) -> Command {
    let mut command = Command::new("strace");
    command
        .args(["-f", "-y", "-s", "24", "-o"])
        .arg(trace)
        .args([
            "-e",
            "trace=fsync,fdatasync,pwrite64,write,writev,sendto,sendmsg",
        ]);
    command
}

/// How many answers that something was made are in a trace, and before how many of them, since the
/// answer before, the write-ahead log was not written and then flushed.
fn answers(trace: &str) -> (usize, usize) {
    let (mut made, mut early) = (0, 0);
    let (mut is_written, mut is_flushed) = (false, false);
    let mut flushing = Vec::new();
    for line in trace.lines() {
        let (thread, call) = line.trim_start().split_once(' ').unwrap_or_default();
        let call = call.trim_start();
        let is_of_log = call.contains("kith.db-wal>");
        let begins_flush = call.starts_with("fdatasync(") || call.starts_with("fsync(");
        if begins_flush && is_of_log && call.contains("<unfinished") {
            flushing.push(thread);
        }
        let ends_flush = call.starts_with("<... fdatasync") || call.starts_with("<... fsync");
        let was_flushing = ends_flush && flushing.contains(&thread);
        if was_flushing {
            flushing.retain(|one| *one != thread);
        }
        if call.ends_with("= 0") && (was_flushing || begins_flush && is_of_log) {
            is_flushed |= is_written;
        } else if call.starts_with("pwrite64(") && is_of_log {
            is_written = true;
        } else if call.contains("\"HTTP/1.1 201") {
            made += 1;
            early += usize::from(!is_flushed);
            (is_written, is_flushed) = (false, false);
        }
    }
    (made, early)
}

/// Commits as often, says so each time, and leaves flushing to SQLite as it is set.
fn commit(synchronous: &str) {
    let folder = tempfile::tempdir().unwrap();
    let database = Connection::open(folder.path().join("kith.db")).unwrap();
    let set = format!(
        "pragma journal_mode = wal; pragma synchronous = {synchronous}; create table posts (id integer)"
    );
    database.execute_batch(&set).unwrap();
    let mut client = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/null")
        .unwrap();
    for n in 0..5 {
        database
            .execute("insert into posts values (?1)", [n])
            .unwrap();
        client.write_all(b"HTTP/1.1 201 Created\r\n").unwrap();
    }
}

/// What the look at a trace says of SQLite with a setting.
fn control(folder: &Path, synchronous: &str) -> (usize, usize) {
    let trace = folder.join(synchronous);
    let ended = traced(&trace)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "power::an_answer_leaves_after_the_flush"])
        .env(CONTROL, synchronous)
        .output();
    let ended = ended.expect("this test needs `strace`");
    assert!(ended.status.success(), "{ended:?}");
    answers(&std::fs::read_to_string(trace).unwrap())
}

/// `synchronous = normal`, which a power loss costs the last answers, is found out.
/// proves: durable-power
#[test]
fn an_answer_leaves_after_the_flush() {
    if let Ok(synchronous) = std::env::var(CONTROL) {
        return commit(&synchronous);
    }
    if !is_allowed("strace", &["-f", "-o", "/dev/null", "true"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(control(folder.path(), "full"), (5, 0));
    let (made, early) = control(folder.path(), "normal");
    assert!(made == 5 && early >= 4, "{early} of {made}");

    let (data, trace) = (folder.path().join("data"), folder.path().join("trace"));
    let rounds = rounds(20);
    let mut program = Program::start_under(traced(&trace), &data);
    let printed = program.line();
    let cookie = program.log_in(&printed);
    for n in 0..rounds {
        let body = format!("{{\"content\":\"post {n}\"}}");
        assert_eq!(
            program.ask("POST", "/api/posts", &cookie, &body).status,
            201
        );
    }
    // Not `strace` is told to stop, or it would leave the server alone.
    let text = std::fs::read_to_string(&trace).unwrap();
    let server = text.split_whitespace().next().unwrap();
    let told = Command::new("kill").args(["-s", "TERM", server]).status();
    assert!(told.unwrap().success() && program.wait().success());
    let found = answers(&std::fs::read_to_string(trace).unwrap());
    assert_eq!(found, (rounds, 0));
    println!("{rounds} posts answered, each after its flush");
}
