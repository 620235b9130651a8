//! Whose calls are counted together, with real connections from this machine.

use crate::program::Program;

/// Joins the waitlist; the sender, or a proxy, names whom it speaks for.
fn wait(program: &Program, forwarded: &str) -> u16 {
    let head = format!("x-forwarded-for: {forwarded}\r\n");
    let body = "{\"email\":\"eve@example.org\"}";
    program.ask("POST", "/api/waitlist", &head, body).status
}

fn start(data: &std::path::Path, trusted: &str) -> Program {
    let settings = ["--rate-limits", "on", "--trusted-proxies", trusted];
    Program::start_with(data, &settings)
}

/// proves: limit-proxies, limit-networks
#[test]
fn a_trusted_proxy_is_believed_as_far_as_it_says_itself() {
    let folder = tempfile::tempdir().unwrap();
    // As a system writes it that listens on both kinds of address at once.
    let program = start(folder.path(), "::ffff:127.0.0.1");
    for n in 0..5 {
        assert_eq!(wait(&program, "192.0.2.1"), 200, "call {n}");
    }
    for forged in [
        "192.0.2.1",
        "203.0.113.9, 192.0.2.1",
        "203.0.113.10\r\nx-forwarded-for: 192.0.2.1",
    ] {
        assert_eq!(wait(&program, forged), 429, "{forged}");
    }
    assert_eq!(wait(&program, "192.0.2.2"), 200, "another client");
}

/// proves: limit-proxies, limit-networks
#[test]
fn who_is_no_trusted_proxy_is_believed_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let program = start(folder.path(), "192.0.2.77");
    let claimed = |n| wait(&program, &format!("192.0.2.{n}, 192.0.2.77"));
    let statuses = (0..7).map(claimed).collect::<Vec<_>>();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 429, 429]);
}
