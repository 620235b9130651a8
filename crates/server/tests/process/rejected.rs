//! Metrics of a server that rejects work.

use crate::program::Program;
use rusqlite::Connection;
use std::path::Path;
use std::time::{Duration, Instant};

const TIMEOUT: Duration = Duration::from_secs(30);

fn metric(program: &Program, name: &str) -> f64 {
    let metrics = program.request_admin("/metrics").body;
    let mut lines = metrics.lines();
    let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.unwrap_or_else(|| panic!("no {name}")).parse().unwrap()
}

fn open_database(data: &Path) -> Connection {
    let database = Connection::open(data.join("kith.db")).unwrap();
    database.busy_timeout(TIMEOUT).unwrap();
    database
}

#[test]
fn links_rejected_by_a_full_mail_queue_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(folder.path());
    let request = || {
        let body = "{\"email\":\"ada@example.org\"}";
        let reply = program.request("POST", "/api/auth/request-login-link", "", body);
        reply.status
    };
    assert_eq!(request(), 200);
    assert!(metric(&program, "kith_mails_refused_total") < 0.5);
    let mut database = open_database(folder.path());
    let filling = database.transaction().unwrap();
    for n in 0..10_000_i64 {
        let job = "insert into jobs (part, id, kind, payload, run_at, attempts)
            values (?1, ?2, 'login_mail', '0', 9000000000000, 0)";
        filling.execute(job, (n % 4, n)).unwrap();
    }
    filling.commit().unwrap();
    assert_eq!((request(), request()), (503, 503));
    let rejected = metric(&program, "kith_mails_refused_total");
    assert!((1.5..2.5).contains(&rejected), "{rejected}");
}

/// While another process holds the database lock, members keep writing.
#[test]
fn waiting_and_rejected_writes_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start_with(folder.path(), &["--in-flight", "2000"]);
    let join = |n: usize| {
        let body = format!("{{\"email\":\"e{n}@example.org\"}}");
        let reply = program.try_request("POST", "/api/waitlist", "", &body);
        reply.map(|reply| reply.status)
    };
    let database = open_database(folder.path());
    database.execute_batch("begin immediate").unwrap();
    let (mut most, begun) = (0.0_f64, Instant::now());
    std::thread::scope(|scope| {
        let mut wave = 0;
        while metric(&program, "kith_db_writes_refused_total") < 0.5 {
            assert!(begun.elapsed() < TIMEOUT, "no write is rejected");
            for n in 0..100 {
                scope.spawn(move || join(wave * 100 + n));
            }
            wave += 1;
            most = most.max(metric(&program, "kith_db_writes_waiting"));
        }
        database.execute_batch("rollback").unwrap();
    });
    assert!((1.0..400.0).contains(&most), "{most} waited");
    assert_eq!(join(1_000_000), Some(200));
    let left = metric(&program, "kith_db_writes_waiting");
    assert!(left.abs() < 0.5, "{left} still wait");
}
