//! The first start, an orderly stop, and a disorderly one.

use crate::program::Program;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// proves: join-founder
#[test]
fn the_first_start_prints_a_way_in_until_it_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    let (address, code) = (program.line(), program.line());
    assert!(address.starts_with("Founder's sign-in address (valid until used): http://127.0.0.1:"));
    let (_, code) = code.split_once("friend: ").unwrap();
    assert!(
        code.len() == 12
            && code
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    );
    program.signal("TERM");
    assert!(program.wait().success());

    let mut again = Program::start(folder.path());
    let printed = again.line();
    let token = |line: &str| line.split_once("token=").unwrap().1.to_owned();
    assert_eq!(
        token(&printed),
        token(&address),
        "the same address until it is used"
    );
    let cookie = again.log_in(&printed);
    assert!(
        again
            .ask("GET", "/api/auth/me", &cookie, "")
            .body
            .contains("\"role\":\"admin\"")
    );
    again.signal("TERM");
    assert!(again.wait().success());

    let mut third = Program::start(folder.path());
    assert!(
        third
            .ask("GET", "/api/auth/me", &cookie, "")
            .body
            .contains("founder"),
        "a session outlives a restart"
    );
    third.signal("TERM");
    assert_eq!(third.line(), "", "nothing more is printed");
}

#[test]
fn the_key_and_the_data_are_for_their_owner_only() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("made/by/kith");
    let _program = Program::start(&data);
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&data), 0o700);
    assert_eq!(mode(&data.join("secret.key")), 0o600);
}

#[test]
fn a_stopped_server_leaves_one_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    program.signal("TERM");
    assert!(program.wait().success());
    let log = std::fs::metadata(folder.path().join("kith.db-wal"));
    assert!(log.is_err() || log.unwrap().len() == 0);
}

#[test]
fn figures_are_on_the_admin_address_only() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(folder.path());
    program.ask("GET", "/api/auth/me", "", "");
    assert_eq!(
        program
            .ask_admin("/healthz")
            .body
            .trim_end_matches(['\r', '\n']),
        "ok"
    );
    let metrics = program.ask_admin("/metrics").body;
    assert!(
        metrics.contains(
            "kith_http_requests_total{method=\"GET\",route=\"/api/auth/me\",status=\"401\"} 1"
        ),
        "{metrics}"
    );
    program.ask("INVENTED", "/api/auth/me", "", "");
    let metrics = program.ask_admin("/metrics").body;
    assert!(
        metrics.contains("method=\"other\"") && !metrics.contains("INVENTED"),
        "{metrics}"
    );
    assert!(
        !program
            .ask("GET", "/metrics", "", "")
            .body
            .contains("kith_http_requests_total")
    );
}

/// Posts until the server dies; answers what it acknowledged.
fn post_until_it_dies(program: &Program, cookie: &str, round: usize) -> Vec<String> {
    let mut acknowledged = Vec::new();
    for n in 0.. {
        let content = format!("round {round} post {n}");
        let body = format!("{{\"content\":\"{content}\"}}");
        match program.try_ask("POST", "/api/posts", cookie, &body) {
            Some(reply) if reply.status == 201 => acknowledged.push(content),
            Some(reply) => panic!("{reply:?}"),
            None => break,
        }
    }
    acknowledged
}

fn posts_of(program: &Program, cookie: &str) -> Vec<String> {
    let (mut path, mut found) = ("/api/users/founder/posts?limit=50".to_owned(), Vec::new());
    loop {
        let reply = program.ask("GET", &path, cookie, "");
        let posts: serde_json::Value = serde_json::from_str(&reply.body).unwrap();
        found.extend(
            posts
                .as_array()
                .unwrap()
                .iter()
                .map(|post| post["content"].as_str().unwrap().to_owned()),
        );
        let next = reply
            .head
            .lines()
            .find_map(|line| line.strip_prefix("link: <"));
        let Some(next) = next else { return found };
        next.split('>').next().unwrap().clone_into(&mut path);
    }
}

/// Kills the server in the middle of writes, again and again.
fn survive(folder: &Path, rounds: usize) {
    let mut cookie = String::new();
    let mut acknowledged = Vec::new();
    for round in 0..rounds {
        let mut program = Program::start(folder);
        if round == 0 {
            let printed = program.line();
            cookie = program.log_in(&printed);
        }
        let killer = std::thread::scope(|scope| {
            let writer = scope.spawn(|| post_until_it_dies(&program, &cookie, round));
            std::thread::sleep(std::time::Duration::from_millis(60 + 7 * round as u64));
            program.signal("KILL");
            writer.join().unwrap()
        });
        acknowledged.extend(killer);
        assert!(!program.wait().success());
    }
    let program = Program::start(folder);
    let stored = posts_of(&program, &cookie);
    assert!(!acknowledged.is_empty());
    for content in &acknowledged {
        let times = stored.iter().filter(|post| *post == content).count();
        assert_eq!(times, 1, "{content} was acknowledged");
    }
}

#[test]
fn an_acknowledged_post_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    survive(folder.path(), 5);
}
