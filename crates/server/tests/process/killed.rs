//! `kill -9` while members write, and during a schema migration.

use crate::program::{Program, kith};
use crate::proof::{count_posts, open_database, rounds};
use kith::platform::migrations::MIGRATIONS;
use kith_db::{Config, Db};
use rusqlite::Connection;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Concurrent writers.
const WRITERS: usize = 3;

/// Posts until the server dies; returns the acknowledged posts.
fn post_until_it_dies(program: &Program, cookie: &str, name: &str) -> Vec<String> {
    let mut acknowledged = Vec::new();
    for n in 0.. {
        let content = format!("{name} post {n}");
        let body = format!("{{\"content\":\"{content}\"}}");
        match program.try_request("POST", "/api/posts", cookie, &body) {
            Some(reply) if reply.status == 201 => acknowledged.push(content),
            Some(reply) => panic!("{reply:?}"),
            None => break,
        }
    }
    acknowledged
}

/// Every acknowledged post is stored exactly once.
/// proves: durable-kill
#[test]
fn an_acknowledged_post_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let rounds = rounds(5);
    let mut cookie = String::new();
    let mut acknowledged = Vec::new();
    for round in 0..rounds {
        let mut program = Program::start(folder.path());
        if round == 0 {
            let printed = program.read_line();
            cookie = program.log_in(&printed);
        }
        let (server, cookie) = (&program, cookie.as_str());
        let written = std::thread::scope(|scope| {
            let writers = (0..WRITERS).map(|writer| {
                let name = format!("round {round} writer {writer}");
                scope.spawn(move || post_until_it_dies(server, cookie, &name))
            });
            let writers = writers.collect::<Vec<_>>();
            // At a different point of the work in each round.
            std::thread::sleep(Duration::from_millis(60 + 7 * (round % 40) as u64));
            server.signal("KILL");
            let written = writers.into_iter().map(|writer| writer.join().unwrap());
            written.collect::<Vec<_>>()
        });
        acknowledged.extend(written.into_iter().flatten());
        assert!(!program.wait().success());
    }
    let stored = count_posts(&open_database(folder.path()));
    assert!(!acknowledged.is_empty());
    for content in &acknowledged {
        assert_eq!(stored.get(content), Some(&1), "{content} was acknowledged");
    }
    assert!(stored.values().all(|times| *times == 1));
    println!("{rounds} kills: {} posts acknowledged, none lost or doubled", acknowledged.len());
}

/// Waitlist rows in a schema before the migration that adds their ids.
const WAITLIST_ROWS: i64 = 40_000;

/// Creates a database with an old schema and enough rows for the migrations to take a while.
async fn create_old_database(data: &Path) {
    std::fs::create_dir(data).unwrap();
    let path = data.join("kith.db");
    let old = &MIGRATIONS[..10];
    Db::open(&Config::sqlite(&path), old).await.unwrap().close().await;
    let database = Connection::open(&path).unwrap();
    let fill = "with recursive n (i) as (select 1 union all select i + 1 from n where i < ?1)
        insert into waitlist (email, joined_at) select 'w' || i || '@example.org', i from n";
    assert_eq!(database.execute(fill, [WAITLIST_ROWS]).unwrap(), 40_000);
}

/// Returns the schema version, asserting that each migration is applied completely or not at all.
fn schema_version(data: &Path) -> i64 {
    let database = open_database(data);
    let request = |sql: &str| database.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(request("select count(*) from waitlist"), WAITLIST_ROWS);
    let has_ids =
        request("select count(*) from pragma_table_info('waitlist') where name = 'id'") == 1;
    let schema_version = request("select max(version) from schema_migrations");
    assert_eq!(has_ids, schema_version > 10);
    if has_ids {
        assert_eq!(request("select count(distinct id) from waitlist"), WAITLIST_ROWS);
    }
    schema_version
}

/// Starts a server without waiting for it.
fn start(data: &Path) -> std::process::Child {
    let mut command = kith();
    command.args(["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]);
    command.arg("--data").arg(data).stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// All pending migrations run in one transaction: after a kill at any point the schema is either
/// old or new, and the next start completes the upgrade.
/// proves: upgrade-kill
#[tokio::test]
async fn a_killed_upgrade_is_complete_or_not_begun() {
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("old");
    create_old_database(&old).await;
    let (rounds, newest) = (rounds(4), MIGRATIONS.last().unwrap().version);
    let copy = |name: &str| {
        let data = folder.path().join(name);
        std::fs::create_dir(&data).unwrap();
        std::fs::copy(old.join("kith.db"), data.join("kith.db")).unwrap();
        data
    };
    let whole = copy("whole");
    let (began, mut child) = (Instant::now(), start(&whole));
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    lines.read_line(&mut String::new()).unwrap();
    let start_takes = began.elapsed();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(schema_version(&whole), newest);
    let mut before = 0;
    for round in 0..rounds {
        let data = copy(&format!("round {round}"));
        let mut child = start(&data);
        let share = u32::try_from(round).unwrap();
        std::thread::sleep(start_takes * share / u32::try_from(rounds).unwrap());
        child.kill().unwrap();
        child.wait().unwrap();
        let found = schema_version(&data);
        assert!(found == 10 || found == newest, "half way: {found}");
        before += usize::from(found == 10);
        drop(Program::start(&data));
        assert_eq!(schema_version(&data), newest);
        std::fs::remove_dir_all(data).unwrap();
    }
    // The first round kills it before it can have committed.
    assert!(before > 0);
    println!("{rounds} kills of an upgrade: {before} before its commit, none half way");
}
