//! Durability across a power loss: a response is sent only after its write is flushed to disk.

#![cfg(target_os = "linux")]

use crate::program::Program;
use crate::proof::{is_allowed, rounds};
use rusqlite::Connection;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

/// Set in the child process that is traced as a control: SQLite's `synchronous` setting.
const CONTROL: &str = "KITH_POWER_CONTROL";

/// Runs a program under `strace`, which writes its system calls to `trace`.
fn strace(trace: &Path) -> Command {
    let mut command = Command::new("strace");
    command
        .args(["-f", "-y", "-s", "24", "-o"])
        .arg(trace)
        .args(["-e", "trace=fsync,fdatasync,pwrite64,write,writev,sendto,sendmsg"]);
    command
}

/// Counts the 201 responses in a trace, and those that were not preceded by a write and a flush of
/// the WAL since the previous response.
fn count_responses(trace: &str) -> (usize, usize) {
    let (mut responses, mut early) = (0, 0);
    let (mut is_written, mut is_flushed) = (false, false);
    let mut flushing = Vec::new();
    for line in trace.lines() {
        let (thread, syscall) = line.trim_start().split_once(' ').unwrap_or_default();
        let syscall = syscall.trim_start();
        let is_of_wal = syscall.contains("kith.db-wal>");
        let begins_flush = syscall.starts_with("fdatasync(") || syscall.starts_with("fsync(");
        if begins_flush && is_of_wal && syscall.contains("<unfinished") {
            flushing.push(thread);
        }
        let ends_flush = syscall.starts_with("<... fdatasync") || syscall.starts_with("<... fsync");
        let was_flushing = ends_flush && flushing.contains(&thread);
        if was_flushing {
            flushing.retain(|one| *one != thread);
        }
        if syscall.ends_with("= 0") && (was_flushing || begins_flush && is_of_wal) {
            is_flushed |= is_written;
        } else if syscall.starts_with("pwrite64(") && is_of_wal {
            is_written = true;
        } else if syscall.contains("\"HTTP/1.1 201") {
            responses += 1;
            early += usize::from(!is_flushed);
            (is_written, is_flushed) = (false, false);
        }
    }
    (responses, early)
}

/// Commits five times and writes a response after each, leaving the flush to SQLite.
fn commit(synchronous: &str) {
    let folder = tempfile::tempdir().unwrap();
    let database = Connection::open(folder.path().join("kith.db")).unwrap();
    let set = format!(
        "pragma journal_mode = wal; pragma synchronous = {synchronous}; create table posts (id integer)"
    );
    database.execute_batch(&set).unwrap();
    let mut client = std::fs::OpenOptions::new().write(true).open("/dev/null").unwrap();
    for n in 0..5 {
        database.execute("insert into posts values (?1)", [n]).unwrap();
        client.write_all(b"HTTP/1.1 201 Created\r\n").unwrap();
    }
}

/// Returns the counts for plain SQLite with a `synchronous` setting.
fn run_control(folder: &Path, synchronous: &str) -> (usize, usize) {
    let trace = folder.join(synchronous);
    let ended = strace(&trace)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "power::a_response_is_sent_after_the_flush"])
        .env(CONTROL, synchronous)
        .output();
    let ended = ended.expect("this test needs `strace`");
    assert!(ended.status.success(), "{ended:?}");
    count_responses(&std::fs::read_to_string(trace).unwrap())
}

/// The control detects `synchronous = normal`, with which a power loss costs the last responses.
/// proves: durable-power
#[test]
fn a_response_is_sent_after_the_flush() {
    if let Ok(synchronous) = std::env::var(CONTROL) {
        return commit(&synchronous);
    }
    if !is_allowed("strace", &["-f", "-o", "/dev/null", "true"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run_control(folder.path(), "full"), (5, 0));
    let (responses, early) = run_control(folder.path(), "normal");
    assert!(responses == 5 && early >= 4, "{early} of {responses}");

    let (data, trace) = (folder.path().join("data"), folder.path().join("trace"));
    let rounds = rounds(20);
    let mut program = Program::start_under(strace(&trace), &data);
    let printed = program.read_line();
    let cookie = program.log_in(&printed);
    for n in 0..rounds {
        let body = format!("{{\"content\":\"post {n}\"}}");
        assert_eq!(program.request("POST", "/api/posts", &cookie, &body).status, 201);
    }
    // Signals the server, not `strace`, which would leave the server running.
    let text = std::fs::read_to_string(&trace).unwrap();
    let server = text.split_whitespace().next().unwrap();
    let killed = Command::new("kill").args(["-s", "TERM", server]).status();
    assert!(killed.unwrap().success() && program.wait().success());
    let found = count_responses(&std::fs::read_to_string(trace).unwrap());
    assert_eq!(found, (rounds, 0));
    println!("{rounds} posts acknowledged, each after its flush");
}
