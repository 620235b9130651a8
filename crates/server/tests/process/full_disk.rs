//! A 64 MB disk fills while the server runs and has space again later.

#![cfg(target_os = "linux")]

use crate::interrupted::{Deployment, WAITING_PUSHES};
use crate::program::{Program, kith};
use crate::proof::{count_posts, is_allowed, open_database, rounds};
use crate::push_service::PushService;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Names the mount point; set only in the child process that runs on the small disk.
const FOLDER: &str = "KITH_SMALL_DISK";

/// Runs the remaining arguments with a small disk mounted.
const SMALL_DISK: &str = r#"mount -t tmpfs -o size=64m kith "$KITH_SMALL_DISK" && exec "$@""#;

/// Upper bound of posts that fit into the reused WAL while the disk is full.
const MAX_POSTS: usize = 20_000;

/// Runs a test of this file with a small disk, which it mounts in a child process that runs only this test.
fn run_on_small_disk(test: &str, run: fn(&Path)) {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return run(Path::new(&folder));
    }
    let own = ["--user", "--map-root-user", "--mount"];
    let mount = "mount -t tmpfs kith /mnt";
    if !is_allowed("unshare", &[&own[..], &["sh", "-c", mount]].concat()) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let status = Command::new("unshare")
        .args(own)
        .args(["sh", "-c", SMALL_DISK, "sh"])
        .arg(std::env::current_exe().unwrap())
        .args(["--nocapture", "--exact"])
        .arg(format!("full_disk::{test}"))
        .env(FOLDER, folder.path())
        .status();
    assert!(status.unwrap().success());
}

/// Fills the disk with a file.
fn write_ballast(ballast: &Path) {
    let mut file = std::fs::File::create(ballast).unwrap();
    while file.write_all(&[7; 4096]).is_ok() {}
}

/// Writes return 503 while reads work; once there is space, the same process accepts writes again.
/// proves: durable-full, operate-disk-space
#[test]
fn a_full_disk_stops_writes_only_and_for_as_long_as_it_is_full() {
    run_on_small_disk("a_full_disk_stops_writes_only_and_for_as_long_as_it_is_full", fill);
}

/// A push that cannot be claimed is not sent; it is sent once there is space, once.
/// proves: durable-full
#[test]
fn a_push_waits_while_the_disk_is_full() {
    run_on_small_disk("a_push_waits_while_the_disk_is_full", fill_before_push);
}

fn fill_before_push(disk: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let mut deployment = Deployment::create(&disk.join("data"), folder.path());
    let service = PushService::start();
    deployment.set("KITH_PUSH_HOSTS", service.origin());
    let log = folder.path().join("log");
    let mut program = deployment.start(std::fs::File::create(&log).unwrap().into());
    service.subscribe(&program, &deployment.author);
    deployment.push(&program, &service);
    // The next push is due in a minute.
    deployment.reply(&program);
    let ballast = disk.join("ballast");
    write_ballast(&ballast);
    let words = format!("{{\"content\":\"{}\"}}", "word ".repeat(90));
    let write = |method: &str, path: &str, body: &str| {
        program.request(method, path, &deployment.author, body).status
    };
    assert!((0..MAX_POSTS).any(|_| write("POST", "/api/posts", &words) == 503));
    // A smaller write may still fit.
    assert!((0..MAX_POSTS).any(|_| write("DELETE", "/api/push/subscription", "") == 503));
    deployment.advance(120);
    let begun = Instant::now();
    while !std::fs::read_to_string(&log).unwrap().contains("some pushes could not be sent") {
        assert!(begun.elapsed() < Duration::from_secs(30), "no push fails");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(service.received(), 1);
    assert_eq!(program.request("GET", "/api/auth/me", &deployment.author, "").status, 200);
    std::fs::remove_file(ballast).unwrap();
    service.wait_for(2);
    deployment.wait_for_none(WAITING_PUSHES, 0);
    deployment.push(&program, &service);
    program.signal("TERM");
    assert!(program.wait().success());
}

fn fill(disk: &Path) {
    let data = disk.join("data");
    let mut program = Program::start(&data);
    let printed = program.read_line();
    let cookie = program.log_in(&printed);
    let examined = kith().args(["doctor", "--data"]).arg(&data).output().unwrap();
    let examined = String::from_utf8(examined.stdout).unwrap();
    assert!(examined.contains("FAIL  disk space: "), "{examined}");
    let (rounds, mut rejections) = (rounds(2), 0);
    let mut acknowledged = Vec::new();
    let mut post = |content: String| {
        let body = format!("{{\"content\":\"{content}\"}}");
        let reply = program.request("POST", "/api/posts", &cookie, &body);
        if reply.status == 201 {
            acknowledged.push(content);
        }
        reply
    };
    for round in 0..rounds {
        assert_eq!(post(format!("before {round}")).status, 201);
        let ballast = disk.join("ballast");
        write_ballast(&ballast);
        let words = "word ".repeat(90);
        let rejected = (0..MAX_POSTS)
            .map(|n| post(format!("full {round} {n} {words}")))
            .find(|reply| reply.status != 201)
            .unwrap();
        assert_eq!(rejected.status, 503, "{}", rejected.body);
        assert!(rejected.head.contains("retry-after: "), "{}", rejected.head);
        rejections += 1;
        for path in ["/api/auth/me", "/api/posts/feed", "/api/users/founder/posts"] {
            assert_eq!(program.request("GET", path, &cookie, "").status, 200, "{path}");
        }
        assert_eq!(program.request_admin("/readyz").status, 200);
        std::fs::remove_file(ballast).unwrap();
        assert_eq!(post(format!("after {round}")).status, 201);
    }
    program.signal("TERM");
    assert!(program.wait().success());
    let stored = count_posts(&open_database(&data));
    for content in &acknowledged {
        assert_eq!(stored.get(content.trim_end()), Some(&1), "{content}");
    }
    println!("{rejections} times full: every acknowledged write is stored once");
}
