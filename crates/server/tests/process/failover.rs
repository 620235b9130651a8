//! A PostgreSQL primary dies while members write, and its synchronous standby is promoted.

#![cfg(target_os = "linux")]

use crate::program::{Program, kith};
use crate::proof::rounds;
use crate::replicas::{Pair, find_programs};
use crate::writers::{WRITERS, Writers};
use std::collections::HashMap;
use std::process::Stdio;
use std::time::Duration;

/// Every acknowledged post is stored exactly once after each promotion. Uncertain ones are, too,
/// since they are repeated with their idempotency key.
/// proves: durable-failover
#[test]
fn nothing_acknowledged_is_lost_when_a_standby_takes_over() {
    let programs = find_programs();
    let folder = tempfile::tempdir().unwrap();
    let mut pair = Pair::start(&programs);
    let mut command = kith();
    command.env("KITH_DATABASE_URL", pair.url());
    let mut program = Program::start_as(command, folder.path(), Stdio::null());
    let printed = program.read_line();
    let cookie = program.log_in(&printed);
    let rounds = rounds(1);
    let writers =
        Writers::new(&cookie, |head, body| program.try_request("POST", "/api/posts", head, body));
    let mut gaps = Vec::new();
    std::thread::scope(|scope| {
        let _over = writers.spawn(scope);
        for round in 0..rounds {
            writers.wait_for(10);
            std::thread::sleep(Duration::from_millis(7 * (round % 40) as u64));
            pair.kill_primary();
            // One post per writer may have been acknowledged before and be counted after.
            pair.promote();
            writers.wait_for(WRITERS as u64 + 1);
            gaps.push(pair.since_kill());
            pair.rebuild_standby();
        }
    });
    let stored: HashMap<String, usize> = pair.posts();
    let acknowledged = writers.acknowledged.into_inner().unwrap();
    for content in &acknowledged {
        assert_eq!(stored.get(content), Some(&1), "{content} was acknowledged");
    }
    assert!(stored.values().all(|times| *times == 1));
    let longest = gaps.iter().max().unwrap().as_millis();
    gaps.sort_unstable();
    println!(
        "{rounds} promotions: {} posts acknowledged, none lost or doubled, {} answers in doubt asked again; \
         without writes {} ms in the middle, {longest} ms at most",
        acknowledged.len(),
        writers.uncertain.into_inner(),
        gaps[gaps.len() / 2].as_millis(),
    );
}

/// A hung primary keeps its connections and accepts bytes. Once the standby is promoted, no request
/// waits for the old primary, and nothing is written to it when it resumes, since that would be
/// lost.
/// proves: db-hung-primary
#[test]
fn a_hung_primary_is_abandoned() {
    let programs = find_programs();
    let folder = tempfile::tempdir().unwrap();
    let mut pair = Pair::start(&programs);
    let mut command = kith();
    command.env("KITH_DATABASE_URL", pair.url());
    let mut program = Program::start_as(command, folder.path(), Stdio::null());
    let printed = program.read_line();
    let cookie = program.log_in(&printed);
    let writers =
        Writers::new(&cookie, |head, body| program.try_request("POST", "/api/posts", head, body));
    std::thread::scope(|scope| {
        let _over = writers.spawn(scope);
        writers.wait_for(10);
        pair.hang_primary();
        pair.promote();
        writers.wait_for(WRITERS as u64 + 1);
        println!("without writes {} ms", pair.since_kill().as_millis());
        pair.thaw_old_primary();
        writers.wait_for(20);
        pair.wait_for_old_primary_disconnects();
        // Long enough for every connection to break and for the other server to be tried.
        pair.pause_primary(Duration::from_secs(14));
        writers.wait_for(20);
        pair.wait_for_old_primary_disconnects();
    });
    // A new process tries both servers; the old primary, listed first, accepts writes, too.
    let output = kith()
        .args(["invite", "create", "--data"])
        .arg(folder.path())
        .env("KITH_DATABASE_URL", pair.url())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let code = String::from_utf8(output.stdout).unwrap();
    assert!(pair.has_code(code.trim()), "{code}");
    let stored = pair.posts();
    for content in writers.acknowledged.into_inner().unwrap() {
        assert_eq!(stored.get(&content), Some(&1), "{content} was acknowledged");
    }
}
