//! What the figures say of a server that must refuse.

use crate::program::Program;
use rusqlite::Connection;
use std::path::Path;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(30);

fn figure(program: &Program, name: &str) -> f64 {
    let figures = program.ask_admin("/metrics").body;
    let mut lines = figures.lines();
    let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value
        .unwrap_or_else(|| panic!("no {name}"))
        .parse()
        .unwrap()
}

fn open(data: &Path) -> Connection {
    let database = Connection::open(data.join("kith.db")).unwrap();
    database.busy_timeout(PATIENCE).unwrap();
    database
}

#[test]
fn links_that_a_full_outbox_refuses_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(folder.path());
    let ask = || {
        let body = "{\"email\":\"ada@example.org\"}";
        let reply = program.ask("POST", "/api/auth/request-login-link", "", body);
        reply.status
    };
    assert_eq!(ask(), 200);
    assert!(figure(&program, "kith_mails_refused_total") < 0.5);
    let mut database = open(folder.path());
    let filling = database.transaction().unwrap();
    for n in 0..10_000_i64 {
        let job = "insert into jobs (part, id, kind, payload, run_at, attempts)
            values (?1, ?2, 'login_mail', '0', 9000000000000, 0)";
        filling.execute(job, (n % 4, n)).unwrap();
    }
    filling.commit().unwrap();
    assert_eq!((ask(), ask()), (503, 503));
    let refused = figure(&program, "kith_mails_refused_total");
    assert!((1.5..2.5).contains(&refused), "{refused}");
}

/// Another program holds the database's lock, and members go on writing.
#[test]
fn writes_that_wait_and_that_are_refused_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start_with(folder.path(), &["--in-flight", "2000"]);
    let join = |n: usize| {
        let body = format!("{{\"email\":\"e{n}@example.org\"}}");
        let reply = program.try_ask("POST", "/api/waitlist", "", &body);
        reply.map(|reply| reply.status)
    };
    let database = open(folder.path());
    database.execute_batch("begin immediate").unwrap();
    let (mut most, begun) = (0.0_f64, Instant::now());
    std::thread::scope(|scope| {
        let mut wave = 0;
        while figure(&program, "kith_db_writes_refused_total") < 0.5 {
            assert!(begun.elapsed() < PATIENCE, "nothing is refused");
            for n in 0..100 {
                scope.spawn(move || join(wave * 100 + n));
            }
            wave += 1;
            most = most.max(figure(&program, "kith_db_writes_waiting"));
        }
        database.execute_batch("rollback").unwrap();
    });
    assert!((1.0..400.0).contains(&most), "{most} waited");
    assert_eq!(join(1_000_000), Some(200));
    let left = figure(&program, "kith_db_writes_waiting");
    assert!(left.abs() < 0.5, "{left} still wait");
}
