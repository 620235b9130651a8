//! The system clock jumps by a day under a running server, and between two starts.

#![cfg(target_os = "linux")]

use crate::command::expect_failure;
use crate::program::{Program, kith};
use crate::proof::rounds;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// In seconds.
const DAY: i64 = 86_400;

/// Shifts the wall clock of a program by the seconds in a mapped file; the monotonic clock stays as
/// it is. Uses raw system calls and no allocation, so it works before `main`; `libfaketime` does
/// not, because the allocator reads the clock at startup.
const SHIM: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static volatile int64_t *offset;
__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("WALL_FILE");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  void *map = file < 0 ? MAP_FAILED : mmap(0, 8, PROT_READ, MAP_SHARED, file, 0);
  if (map != MAP_FAILED) offset = map;
  if (file >= 0) close(file);
}
int clock_gettime(clockid_t which, struct timespec *now) {
  int result = syscall(SYS_clock_gettime, which, now);
  if (!result && offset && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE)) now->tv_sec += *offset;
  return result;
}
int gettimeofday(struct timeval *now, void *zone) {
  struct timespec exact;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return 0;
}
time_t time(time_t *to) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (to) *to = exact.tv_sec;
  return exact.tv_sec;
}
"#;

/// A wall clock whose offset is stored in a file.
pub(crate) struct FakeClock {
    library: PathBuf,
    file: PathBuf,
}

impl FakeClock {
    pub(crate) fn new(folder: &Path) -> Self {
        let (source, library) = (folder.join("wall.c"), folder.join("wall.so"));
        std::fs::write(&source, SHIM).unwrap();
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library);
        // Building this program requires a C compiler as well.
        assert!(compiler.arg(&source).status().unwrap().success());
        let file = folder.join("wall");
        let wall = Self { library, file };
        wall.set(-DAY);
        let mut date = wall.apply_to(Command::new("date"));
        let shown = String::from_utf8(date.arg("+%s").output().unwrap().stdout).unwrap();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let now = i64::try_from(now.as_secs()).unwrap();
        let behind = now - shown.trim().parse::<i64>().unwrap();
        assert!((DAY - 60..DAY + 60).contains(&behind), "{behind}");
        wall.set(0);
        wall
    }

    /// Sets the offset in seconds. Writes in place, because running programs have the file mapped.
    pub(crate) fn set(&self, offset: i64) {
        let mut options = std::fs::OpenOptions::new();
        let file = options.write(true).create(true).truncate(false).open(&self.file);
        file.unwrap().write_all(&offset.to_ne_bytes()).unwrap();
    }

    /// Makes a command use this clock.
    pub(crate) fn apply_to(&self, mut command: Command) -> Command {
        command.env("LD_PRELOAD", &self.library);
        command.env("WALL_FILE", &self.file);
        command
    }
}

/// Waits for a mail to `email` that is not in `old`, and returns the API path behind its link.
fn wait_for_link(data: &Path, email: &str, old: &mut Vec<PathBuf>) -> String {
    let begun = Instant::now();
    loop {
        assert!(begun.elapsed() < Duration::from_secs(30), "no mail arrives");
        let folder = std::fs::read_dir(data.join("outbox"));
        let paths = folder.into_iter().flatten().map(|entry| entry.unwrap().path());
        let fresh = paths.filter(|path| path.extension().is_some_and(|end| end == "eml"));
        for path in fresh.filter(|path| !old.contains(path)).collect::<Vec<_>>() {
            let text = std::fs::read_to_string(&path).unwrap();
            let text = text.replace("=\r\n", "").replace("=3D", "=");
            if !text.contains(email) {
                continue;
            }
            if let Some((_, rest)) = text.split_once("/auth/verify?") {
                old.push(path);
                let query = rest.split_whitespace().next().unwrap();
                return format!("/api/auth/verify?{query}");
            }
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Requests a sign-up link with an invite code and returns the API path behind it.
pub(crate) fn request_link(
    program: &Program,
    data: &Path,
    name: &str,
    code: &str,
    old: &mut Vec<PathBuf>,
) -> String {
    let email = format!("{name}@example.org");
    let body = format!("{{\"email\":\"{email}\",\"inviteCode\":\"{code}\"}}");
    let reply = program.request("POST", "/api/auth/request-magic-link", "", &body);
    assert_eq!(reply.status, 200, "{}", reply.body);
    wait_for_link(data, &email, old)
}

/// Creates `count` invite codes with the given `kith` command.
pub(crate) fn create_codes(mut command: Command, data: &Path, count: usize) -> Vec<String> {
    command.args(["invite", "create", "--count", &count.to_string(), "--data"]);
    let output = command.arg(data).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// proves: clock-end, clock-restart
#[test]
fn nothing_starts_past_the_last_id() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    program.signal("TERM");
    assert!(program.wait().success());
    let data = folder.path().to_str().unwrap();
    {
        let database = rusqlite::Connection::open(folder.path().join("kith.db")).unwrap();
        let far = "update clock_marks set seen_at = 3944678400000";
        assert_eq!(database.execute(far, []).unwrap(), 1);
    }
    let doctor = kith().args(["doctor", "--data", data]).output().unwrap();
    let output = String::from_utf8(doctor.stdout).unwrap();
    let failure = output.lines().find(|line| line.contains("FAIL  clock: it says"));
    let failure = failure.unwrap_or_else(|| panic!("{output}"));
    assert!(failure.contains("but the clock watermark is 2095"), "{output}");
    for args in [&["serve"][..], &["invite", "create"]] {
        let text = expect_failure(&[args, &["--data", data]].concat());
        assert!(text.contains("`delete from clock_marks`"), "{text}");
    }
}

fn post(program: &Program, cookie: &str, content: &str) -> i64 {
    let body = format!("{{\"content\":\"{content}\"}}");
    let reply = program.request("POST", "/api/posts", cookie, &body);
    assert_eq!(reply.status, 201, "{}", reply.body);
    let (_, rest) = reply.body.split_once("\"id\":\"").unwrap();
    rest.split('"').next().unwrap().parse().unwrap()
}

/// Waits until the server has saved a watermark `ahead` seconds in the future.
fn wait_for_watermark(data: &Path, ahead: i64) {
    let database = rusqlite::Connection::open(data.join("kith.db")).unwrap();
    let begun = Instant::now();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let wanted = i64::try_from(now.as_millis()).unwrap() + (ahead - 60) * 1_000;
    let seen = || {
        let sql = "select max(seen_at) from clock_marks";
        database.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap()
    };
    while seen() < wanted {
        assert!(begun.elapsed() < Duration::from_mins(1), "no watermark is written");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Waits until the metrics show a clock about a day ahead.
fn wait_for_metric_ahead(program: &Program) {
    let begun = Instant::now();
    loop {
        let metrics = program.request_admin("/metrics").body;
        let mut lines = metrics.lines();
        let shown = lines.find_map(|line| line.strip_prefix("kith_clock_ahead_seconds "));
        if shown.is_some_and(|seconds| seconds.parse::<f64>().unwrap() > 80_000.0) {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "{metrics}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Each round, the clock jumps a day ahead and back under a running server and is behind at a
/// start. Links that a jump expired stay expired, new links work, and ids increase. With a clock
/// that is behind no server starts, but commands run beside one.
/// proves: clock-back, clock-restart
#[test]
fn no_expired_link_works_when_the_clock_jumps() {
    let folder = tempfile::tempdir().unwrap();
    let wall = FakeClock::new(folder.path());
    let data = folder.path().join("data");
    let (rounds, mut old, mut ids) = (rounds(2), Vec::new(), Vec::new());
    let (mut cookie, mut rejected, mut accepted) = (String::new(), 0, 0);
    let mut program = Program::start_as(wall.apply_to(kith()), &data, Stdio::null());
    for round in 0..rounds {
        if round == 0 {
            let printed = program.read_line();
            cookie = program.log_in(&printed);
        }
        // The time continues from the last round, so each jump goes a day further.
        let ahead = DAY * i64::try_from(round + 1).unwrap();
        let codes = create_codes(wall.apply_to(kith()), &data, 3);
        let name = |letter: char| format!("{letter}{round}");
        let expired = request_link(&program, &data, &name('a'), &codes[0], &mut old);
        let mut check = |program: &Program| {
            let reply = program.request("GET", &expired, "", "");
            assert_eq!(reply.status, 410, "round {round}: {}", reply.body);
            rejected += 1;
        };
        ids.push(post(&program, &cookie, "before"));
        for (offset, code, letter) in [(ahead, &codes[1], 'b'), (ahead - 2 * DAY, &codes[2], 'c')] {
            wall.set(offset);
            check(&program);
            // Sessions live for a month, which soon passes here.
            cookie = program.log_in(&request_link(&program, &data, &name(letter), code, &mut old));
            accepted += 1;
            ids.push(post(&program, &cookie, "jumped"));
        }
        self::create_codes(wall.apply_to(kith()), &data, 1);
        if round == 0 {
            wait_for_metric_ahead(&program);
        }
        // A killed server leaves the watermark that it last saved, up to 15 seconds earlier.
        let is_killed = round % 10 == 1;
        if is_killed {
            wait_for_watermark(&data, ahead);
        }
        program.signal(if is_killed { "KILL" } else { "TERM" });
        program.wait();
        let mut serve = wall.apply_to(kith());
        serve.args(["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]);
        let start = serve.arg("--data").arg(&data).output().unwrap();
        let text = String::from_utf8(start.stderr).unwrap();
        assert!(!start.status.success(), "round {round}");
        assert!(text.contains("but the clock watermark is"), "{text}");
        wall.set(ahead);
        program = Program::start_as(wall.apply_to(kith()), &data, Stdio::null());
        check(&program);
        ids.push(post(&program, &cookie, "after"));
    }
    assert!(ids.is_sorted_by(|one, next| one < next), "{ids:?}");
    program.signal("TERM");
    assert!(program.wait().success());
    println!(
        "{} jumps by a day and {rounds} starts on a clock that is behind: {rejected} attempts with expired links rejected, \
         none accepted; {accepted} of {accepted} new links accepted; {} ids in order",
        rounds * 3,
        ids.len()
    );
}
