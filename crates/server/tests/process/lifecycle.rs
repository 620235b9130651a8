//! The first start, an orderly stop, and connections that say nothing.

use crate::program::Program;
use std::fs::Permissions;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

/// proves: join-founder
#[test]
fn the_first_start_prints_a_way_in_until_it_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    let (address, code) = (program.line(), program.line());
    assert!(address.starts_with(
        "Founder's sign-in address (valid until used, for 24 hours): http://127.0.0.1:"
    ));
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

/// A folder that somebody else made keeps its mode; what is put into it is still nobody else's.
/// proves: operate-private-files
#[test]
fn what_the_server_makes_is_for_its_owner_only() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let mut program = Program::start(folder.path());
    program.line();
    let code = program.line().split_once("friend: ").unwrap().1.to_owned();
    let body = format!("{{\"email\":\"ada@example.org\",\"inviteCode\":\"{code}\"}}");
    let asked = program.ask("POST", "/api/auth/request-magic-link", "", &body);
    assert_eq!(asked.status, 200);
    let mailed = program.line();
    assert!(mailed.starts_with("Mail to ada@example.org: "), "{mailed}");
    let mut seen = Vec::new();
    let mut folders = vec![folder.path().to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let entry = entry.unwrap();
            let mode = entry.metadata().unwrap().permissions().mode();
            assert_eq!(
                mode & 0o077,
                0,
                "{} has mode {mode:o}",
                entry.path().display()
            );
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            }
            seen.push(entry.file_name().into_string().unwrap());
        }
    }
    for name in ["kith.db", "kith.db-wal", "secret.key", "outbox", ".eml"] {
        assert!(
            seen.iter().any(|one| one.contains(name)),
            "{name}: {seen:?}"
        );
    }
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

/// Neither silence nor one byte after the other keeps a connection for long; nor does an idle one.
/// proves: limit-head
#[test]
fn a_request_that_does_not_come_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(folder.path());
    let silent = program.connect("");
    let half = program.connect("GET / HTTP/1.1\r\nHost: x\r\n");
    let idle = program.connect("GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n");
    let trickle = program.connect("GET / HTTP/1.1\r\nX: ");
    let mut writer = trickle.try_clone().unwrap();
    // Ends when the server has hung up: the second write after that fails.
    let writing = std::thread::spawn(move || {
        while writer.write_all(b"x").is_ok() {
            std::thread::sleep(Duration::from_millis(100));
        }
    });
    for (what, mut connection) in [
        ("silent", silent),
        ("half", half),
        ("idle", idle),
        ("trickle", trickle),
    ] {
        let mut answered = Vec::new();
        // A reset is an end as well: the server did not read all that was sent.
        match connection.read_to_end(&mut answered) {
            Ok(_) => {}
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "{what}"),
        }
        let answered = String::from_utf8_lossy(&answered);
        let expected = match what {
            "idle" => answered.starts_with("HTTP/1.1 "),
            _ => answered.is_empty() || answered.starts_with("HTTP/1.1 408"),
        };
        assert!(expected, "{what}: {answered}");
    }
    writing.join().unwrap();
}

/// The figures that the source counts.
fn counted(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            names.extend(counted(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            let source = std::fs::read_to_string(&path).unwrap();
            for macro_name in ["counter!(", "gauge!(", "histogram!("] {
                let calls = source.split(macro_name).skip(1);
                let first = calls.filter_map(|call| call.trim_start().strip_prefix('"'));
                names.extend(first.map(|text| text.split('"').next().unwrap().to_owned()));
            }
        }
    }
    names
}

/// What is documented is there, what is counted is documented, and the dashboard shows nothing else.
#[test]
fn every_documented_figure_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let documented: Vec<String> = text("docs/operations.md")
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(name, _)| name.to_owned())
        .filter(|name| name.starts_with("kith_") || name.starts_with("process_"))
        .collect();
    assert!(documented.len() > 12, "{documented:?}");
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start_with(folder.path(), &["--rate-limits", "on"]);
    let body = r#"{"email":"eve@example.org"}"#;
    for _ in 0..6 {
        program.ask(
            "POST",
            "/api/waitlist",
            "content-type: application/json\r\n",
            body,
        );
    }
    let link = program.line();
    program.log_in(&link);
    let shown = program.ask_admin("/metrics").body;
    // What happens only to a server under siege, with a mail, or on PostgreSQL, has no line before that.
    let rare = [
        "kith_http_shed_total",
        "kith_mails_total",
        "kith_db_pool_wait_seconds",
    ];
    for name in documented
        .iter()
        .filter(|name| !rare.contains(&name.as_str()))
    {
        assert!(
            shown.contains(&format!("# TYPE {name} ")),
            "{name} is missing: {shown}"
        );
    }
    let sources = ["crates/server/src", "crates/db/src", "crates/storage/src"];
    let counted = sources
        .iter()
        .flat_map(|folder| counted(&root.join(folder)));
    let counted = counted.collect::<Vec<_>>();
    assert!(counted.len() > 30, "{counted:?}");
    for name in counted {
        assert!(documented.contains(&name), "{name} is not documented");
    }
    let dashboard = text("deploy/grafana-dashboard.json");
    let used = dashboard.split(|at: char| !(at.is_ascii_alphanumeric() || at == '_'));
    let mut panels = 0;
    for name in used.filter(|name| name.starts_with("kith_") || name.starts_with("process_")) {
        let stem = name.trim_end_matches("_bucket").trim_end_matches("_count");
        assert!(
            documented.iter().any(|known| known == stem),
            "{name} is not documented"
        );
        panels += 1;
    }
    assert!(panels > 12);
    for name in &documented {
        assert!(dashboard.contains(name), "{name} has no panel");
    }
}
