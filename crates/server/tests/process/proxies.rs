//! Client IP addresses for rate limits, with real connections from this machine.

use crate::program::Program;

/// Joins the waitlist with an `X-Forwarded-For` header and returns the status.
fn join_waitlist(program: &Program, forwarded: &str) -> u16 {
    let head = format!("x-forwarded-for: {forwarded}\r\n");
    let body = "{\"email\":\"eve@example.org\"}";
    program.request("POST", "/api/waitlist", &head, body).status
}

fn start(data: &std::path::Path, trusted: &str) -> Program {
    let settings = ["--rate-limits", "on", "--trusted-proxies", trusted];
    Program::start_with(data, &settings)
}

/// proves: limit-proxies, limit-proxy-ranges, limit-networks
#[test]
fn only_the_address_added_by_a_trusted_proxy_counts() {
    // IPv4-mapped, as a dual-stack listener reports it; and a range.
    for trusted in ["::ffff:127.0.0.1", "10.0.0.0/8,127.0.0.0/8"] {
        check_only_its_address_counts(trusted);
    }
}

fn check_only_its_address_counts(trusted: &str) {
    let folder = tempfile::tempdir().unwrap();
    let program = start(folder.path(), trusted);
    for n in 0..5 {
        assert_eq!(join_waitlist(&program, "192.0.2.1"), 200, "request {n}");
    }
    for forged in
        ["192.0.2.1", "203.0.113.9, 192.0.2.1", "203.0.113.10\r\nx-forwarded-for: 192.0.2.1"]
    {
        assert_eq!(join_waitlist(&program, forged), 429, "{forged}");
    }
    assert_eq!(join_waitlist(&program, "192.0.2.2"), 200, "another client");
}

/// proves: limit-proxies, limit-networks
#[test]
fn an_untrusted_proxy_is_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let program = start(folder.path(), "192.0.2.77");
    let claimed = |n| join_waitlist(&program, &format!("192.0.2.{n}, 192.0.2.77"));
    let statuses = (0..7).map(claimed).collect::<Vec<_>>();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 429, 429]);
}
