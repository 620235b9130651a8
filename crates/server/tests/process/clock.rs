//! The machine's clock jumps by a day under a running server, and between two.

#![cfg(target_os = "linux")]

use crate::command::complaint;
use crate::program::{Program, kith};
use crate::proof::rounds;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Seconds.
const DAY: i64 = 86_400;

/// Tells a program another time of day, by as many seconds as stand in a file, and nothing else: what
/// passes, it is told as it is. It asks the system itself, and for no memory, so it can be called before
/// a program is itself. (`libfaketime` cannot: the program's allocator asks for the time when it begins.)
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

/// A clock on the wall that a file sets.
pub(crate) struct Wall {
    library: PathBuf,
    file: PathBuf,
}

impl Wall {
    pub(crate) fn new(folder: &Path) -> Self {
        let (source, library) = (folder.join("wall.c"), folder.join("wall.so"));
        std::fs::write(&source, SHIM).unwrap();
        let mut compiler = Command::new("cc");
        compiler
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(&library);
        // Building this program needs one, too.
        assert!(compiler.arg(&source).status().unwrap().success());
        let file = folder.join("wall");
        let wall = Self { library, file };
        wall.set(-DAY);
        let mut date = wall.shown_to(Command::new("date"));
        let told = String::from_utf8(date.arg("+%s").output().unwrap().stdout).unwrap();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let now = i64::try_from(now.as_secs()).unwrap();
        let behind = now - told.trim().parse::<i64>().unwrap();
        assert!((DAY - 60..DAY + 60).contains(&behind), "{behind}");
        wall.set(0);
        wall
    }

    /// So many seconds off, from now on. In place: the programs have the file before them.
    pub(crate) fn set(&self, offset: i64) {
        let mut options = std::fs::OpenOptions::new();
        let file = options
            .write(true)
            .create(true)
            .truncate(false)
            .open(&self.file);
        file.unwrap().write_all(&offset.to_ne_bytes()).unwrap();
    }

    /// A program that looks at this clock.
    pub(crate) fn shown_to(&self, mut command: Command) -> Command {
        command.env("LD_PRELOAD", &self.library);
        command.env("WALL_FILE", &self.file);
        command
    }
}

/// The newest link that was mailed to an address, as a call; waits for a mail that is not among `old`.
fn mailed(data: &Path, address: &str, old: &mut Vec<PathBuf>) -> String {
    let begun = Instant::now();
    loop {
        assert!(begun.elapsed() < Duration::from_secs(30), "no mail comes");
        let folder = std::fs::read_dir(data.join("outbox"));
        let paths = folder
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().path());
        let fresh = paths.filter(|path| path.extension().is_some_and(|end| end == "eml"));
        for path in fresh.filter(|path| !old.contains(path)).collect::<Vec<_>>() {
            let text = std::fs::read_to_string(&path).unwrap();
            let text = text.replace("=\r\n", "").replace("=3D", "=");
            if !text.contains(address) {
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

/// Asks for a link for somebody who has a code, and answers the call behind it.
pub(crate) fn asked(
    program: &Program,
    data: &Path,
    name: &str,
    code: &str,
    old: &mut Vec<PathBuf>,
) -> String {
    let email = format!("{name}@example.org");
    let body = format!("{{\"email\":\"{email}\",\"inviteCode\":\"{code}\"}}");
    let reply = program.ask("POST", "/api/auth/request-magic-link", "", &body);
    assert_eq!(reply.status, 200, "{}", reply.body);
    mailed(data, &email, old)
}

/// As many new invite codes; `command` is the program.
pub(crate) fn codes(mut command: Command, data: &Path, count: usize) -> Vec<String> {
    command.args(["invite", "create", "--count", &count.to_string(), "--data"]);
    let output = command.arg(data).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// proves: clock-end, clock-restart
#[test]
fn nothing_starts_where_ids_end() {
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
    let said = String::from_utf8(doctor.stdout).unwrap();
    let failure = said
        .lines()
        .find(|line| line.contains("FAIL  clock: it says"));
    let failure = failure.unwrap_or_else(|| panic!("{said}"));
    assert!(
        failure.contains("but the network has come to 2095"),
        "{said}"
    );
    for args in [&["serve"][..], &["invite", "create"]] {
        let text = complaint(&[args, &["--data", data]].concat());
        assert!(text.contains("`delete from clock_marks`"), "{text}");
    }
}

fn post(program: &Program, cookie: &str, content: &str) -> i64 {
    let body = format!("{{\"content\":\"{content}\"}}");
    let reply = program.ask("POST", "/api/posts", cookie, &body);
    assert_eq!(reply.status, 201, "{}", reply.body);
    let (_, rest) = reply.body.split_once("\"id\":\"").unwrap();
    rest.split('"').next().unwrap().parse().unwrap()
}

/// Waits until the server has saved a watermark that is so many seconds ahead.
fn until_saved(data: &Path, ahead: i64) {
    let database = rusqlite::Connection::open(data.join("kith.db")).unwrap();
    let begun = Instant::now();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let wanted = i64::try_from(now.as_millis()).unwrap() + (ahead - 60) * 1_000;
    let seen = || {
        let sql = "select max(seen_at) from clock_marks";
        database
            .query_row(sql, [], |row| row.get::<_, i64>(0))
            .unwrap()
    };
    while seen() < wanted {
        assert!(
            begun.elapsed() < Duration::from_mins(1),
            "no watermark is written"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Waits until the server says that its time is about a day ahead.
fn until_told_ahead(program: &Program) {
    let begun = Instant::now();
    loop {
        let figures = program.ask_admin("/metrics").body;
        let mut lines = figures.lines();
        let told = lines.find_map(|line| line.strip_prefix("kith_clock_ahead_seconds "));
        if told.is_some_and(|seconds| seconds.parse::<f64>().unwrap() > 80_000.0) {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "{figures}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// In each round the clock jumps a day ahead and back under a running server, and is behind before a start. A
/// link that the jump made expire never works again, new links always do, and ids rise. On a clock that is
/// behind no server starts, but a command runs beside one.
/// proves: clock-back, clock-restart
#[test]
fn no_late_link_gets_in_when_the_clock_jumps() {
    let folder = tempfile::tempdir().unwrap();
    let wall = Wall::new(folder.path());
    let data = folder.path().join("data");
    let (rounds, mut old, mut ids) = (rounds(2), Vec::new(), Vec::new());
    let (mut cookie, mut refused, mut accepted) = (String::new(), 0, 0);
    let mut program = Program::start_as(wall.shown_to(kith()), &data, Stdio::null());
    for round in 0..rounds {
        if round == 0 {
            let printed = program.line();
            cookie = program.log_in(&printed);
        }
        // The time is where the last round left it, so each jump forward goes a day further.
        let ahead = DAY * i64::try_from(round + 1).unwrap();
        let codes = codes(wall.shown_to(kith()), &data, 3);
        let name = |letter: char| format!("{letter}{round}");
        let late = asked(&program, &data, &name('a'), &codes[0], &mut old);
        let mut check = |program: &Program| {
            let reply = program.ask("GET", &late, "", "");
            assert_eq!(reply.status, 410, "round {round}: {}", reply.body);
            refused += 1;
        };
        ids.push(post(&program, &cookie, "before"));
        for (offset, code, letter) in [(ahead, &codes[1], 'b'), (ahead - 2 * DAY, &codes[2], 'c')] {
            wall.set(offset);
            check(&program);
            // A session lives for a month, which is soon over here.
            cookie = program.log_in(&asked(&program, &data, &name(letter), code, &mut old));
            accepted += 1;
            ids.push(post(&program, &cookie, "jumped"));
        }
        self::codes(wall.shown_to(kith()), &data, 1);
        if round == 0 {
            until_told_ahead(&program);
        }
        // A killed server leaves the watermark that it wrote last, at most 15 seconds before.
        let is_killed = round % 10 == 1;
        if is_killed {
            until_saved(&data, ahead);
        }
        program.signal(if is_killed { "KILL" } else { "TERM" });
        program.wait();
        let mut serve = wall.shown_to(kith());
        serve.args([
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--admin-listen",
            "127.0.0.1:0",
        ]);
        let start = serve.arg("--data").arg(&data).output().unwrap();
        let text = String::from_utf8(start.stderr).unwrap();
        assert!(!start.status.success(), "round {round}");
        assert!(text.contains("but the network has come to"), "{text}");
        wall.set(ahead);
        program = Program::start_as(wall.shown_to(kith()), &data, Stdio::null());
        check(&program);
        ids.push(post(&program, &cookie, "after"));
    }
    assert!(ids.is_sorted_by(|one, next| one < next), "{ids:?}");
    program.signal("TERM");
    assert!(program.wait().success());
    println!(
        "{} jumps by a day and {rounds} starts on a clock that is behind: {refused} tries with late links refused, \
         none let in; {accepted} of {accepted} new links let in; {} ids in order",
        rounds * 3,
        ids.len()
    );
}
