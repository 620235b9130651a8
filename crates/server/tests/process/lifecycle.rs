//! First start, orderly stop and idle connections.

use crate::program::{Program, kith};
use std::fs::Permissions;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// proves: join-founder
#[test]
fn the_first_start_prints_the_founder_link_until_it_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    let (address, code) = (program.read_line(), program.read_line());
    assert!(
        address
            .starts_with("Founder's login URL (valid until used, for 24 hours): http://127.0.0.1:")
    );
    let (_, code) = code.split_once("friend: ").unwrap();
    assert!(
        code.len() == 12
            && code.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    );
    program.signal("TERM");
    assert!(program.wait().success());

    let mut again = Program::start(folder.path());
    let printed = again.read_line();
    let token = |line: &str| line.split_once("token=").unwrap().1.to_owned();
    assert_eq!(token(&printed), token(&address), "the same link until it is used");
    let cookie = again.log_in(&printed);
    assert!(again.request("GET", "/api/auth/me", &cookie, "").body.contains("\"role\":\"admin\""));
    again.signal("TERM");
    assert!(again.wait().success());

    let mut third = Program::start(folder.path());
    assert!(
        third.request("GET", "/api/auth/me", &cookie, "").body.contains("founder"),
        "a session outlives a restart"
    );
    third.signal("TERM");
    assert_eq!(third.read_line(), "", "nothing more is printed");
}

#[test]
fn the_key_and_the_data_folder_are_private() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("made/by/kith");
    let _program = Program::start(&data);
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&data), 0o700);
    assert_eq!(mode(&data.join("secret.key")), 0o600);
}

/// A folder created by the operator keeps its mode; the files in it are private.
/// proves: operate-private-files
#[test]
fn all_created_files_are_private() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let mut program = Program::start(folder.path());
    program.read_line();
    let code = program.read_line().split_once("friend: ").unwrap().1.to_owned();
    let body = format!("{{\"email\":\"ada@example.org\",\"inviteCode\":\"{code}\"}}");
    let response = program.request("POST", "/api/auth/request-magic-link", "", &body);
    assert_eq!(response.status, 200);
    let mailed = program.read_line();
    assert!(mailed.starts_with("Mail to ada@example.org: "), "{mailed}");
    let mut seen = Vec::new();
    let mut folders = vec![folder.path().to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let entry = entry.unwrap();
            let mode = entry.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{} has mode {mode:o}", entry.path().display());
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            }
            seen.push(entry.file_name().into_string().unwrap());
        }
    }
    for name in ["kith.db", "kith.db-wal", "secret.key", "outbox", ".eml"] {
        assert!(seen.iter().any(|one| one.contains(name)), "{name}: {seen:?}");
    }
}

#[test]
fn a_stopped_server_leaves_one_database_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    program.signal("TERM");
    assert!(program.wait().success());
    let log = std::fs::metadata(folder.path().join("kith.db-wal"));
    assert!(log.is_err() || log.unwrap().len() == 0);
}

#[test]
fn metrics_are_on_the_admin_address_only() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(folder.path());
    program.request("GET", "/api/auth/me", "", "");
    assert_eq!(program.request_admin("/healthz").body.trim_end_matches(['\r', '\n']), "ok");
    let metrics = program.request_admin("/metrics").body;
    assert!(
        metrics.contains(
            "kith_http_requests_total{method=\"GET\",route=\"/api/auth/me\",status=\"401\"} 1"
        ),
        "{metrics}"
    );
    program.request("INVENTED", "/api/auth/me", "", "");
    let metrics = program.request_admin("/metrics").body;
    assert!(metrics.contains("method=\"other\"") && !metrics.contains("INVENTED"), "{metrics}");
    assert!(!program.request("GET", "/metrics", "", "").body.contains("kith_http_requests_total"));
}

/// systemd is notified as soon as the server accepts requests, and not before.
/// proves: operate-notify
#[cfg(target_os = "linux")]
#[test]
fn systemd_is_notified_when_the_server_is_ready() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("notify");
    let systemd = UnixDatagram::bind(&socket).unwrap();
    let mut command = kith();
    command.env("NOTIFY_SOCKET", &socket);
    let program = Program::start_as(command, &folder.path().join("data"), Stdio::null());
    let mut notified = [0; 64];
    let length = systemd.recv(&mut notified).unwrap();
    assert_eq!(String::from_utf8_lossy(&notified[..length]).trim_end(), "READY=1");
    assert_eq!(program.request_admin("/readyz").status, 200);
}

/// With a soft limit as shells set it, and with a hard limit.
/// proves: limit-files
#[cfg(target_os = "linux")]
#[test]
fn connections_do_not_exhaust_file_descriptors() {
    for (bound, connections) in [("ulimit -Sn 256", 400), ("ulimit -n 600", 150)] {
        let folder = tempfile::tempdir().unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{bound}; exec \"$@\""), "sh"]);
        let program = Program::start_under(shell, folder.path());
        let idle = (0..400).map(|_| program.connect("")).collect::<Vec<_>>();
        let (mut last, mut files) = (0, program.open_files());
        while files < connections || files != last {
            std::thread::sleep(Duration::from_millis(200));
            (last, files) = (files, program.open_files());
        }
        // Further connections wait, while other files can be opened: a first start writes many.
        assert!(files < connections + 100, "{files}");
        assert_eq!(program.request_admin("/readyz").status, 200);
        drop(idle);
    }
}

/// Silent, trickling and idle connections are closed soon, so they do not block the admin address,
/// which other accounts on the machine can reach.
/// proves: limit-admin
#[test]
fn silent_connections_do_not_block_the_admin_address() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(folder.path());
    let silent = (0..80).map(|_| program.connect_admin(""));
    let silent = silent.collect::<Vec<_>>();
    assert_eq!(program.request("GET", "/", "", "").status, 200);
    // The first 64 are closed after 2 seconds, and then the next are accepted.
    assert_eq!(program.request_admin("/readyz").status, 200);
    for mut connection in silent.into_iter().take(64) {
        assert_eq!(connection.read(&mut [0]).unwrap(), 0);
    }
}

/// proves: limit-head
#[test]
fn an_incomplete_request_times_out() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(folder.path());
    let silent = program.connect("");
    let half = program.connect("GET / HTTP/1.1\r\nHost: x\r\n");
    let idle = program.connect("GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n");
    let trickle = program.connect("GET / HTTP/1.1\r\nX: ");
    let mut writer = trickle.try_clone().unwrap();
    // Ends when the server has disconnected: the second write after that fails.
    let writing = std::thread::spawn(move || {
        while writer.write_all(b"x").is_ok() {
            std::thread::sleep(Duration::from_millis(100));
        }
    });
    for (name, mut connection) in
        [("silent", silent), ("half", half), ("idle", idle), ("trickle", trickle)]
    {
        let mut received = Vec::new();
        // A reset is an end as well: the server did not read everything that was sent.
        match connection.read_to_end(&mut received) {
            Ok(_) => {}
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "{name}"),
        }
        let received = String::from_utf8_lossy(&received);
        let expected = match name {
            "idle" => received.starts_with("HTTP/1.1 "),
            _ => received.is_empty() || received.starts_with("HTTP/1.1 408"),
        };
        assert!(expected, "{name}: {received}");
    }
    writing.join().unwrap();
    let metrics = program.request_admin("/metrics").body;
    let late = "kith_connections_cut_total{why=\"late_head\"} ";
    let late = metrics.lines().find_map(|line| line.strip_prefix(late));
    assert_eq!(late, Some("4"));
}
