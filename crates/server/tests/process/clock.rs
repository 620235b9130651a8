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

/// proves: clock-end
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
    assert!(
        said.contains("FAIL  clock: the network has come to 2095"),
        "{said}"
    );
    for args in [&["serve"][..], &["invite", "create"]] {
        let text = complaint(&[args, &["--data", data]].concat());
        assert!(text.contains("`delete from clock_marks`"), "{text}");
    }
}

/// An account that is to be deleted in 7 days, and a clock that leaps by 8: neither the start after that nor
/// the one after it deletes it, nor does a command that deletes somebody else.
/// proves: clock-doubt, leave-named
#[test]
fn a_leap_deletes_no_account_at_the_second_start() {
    let folder = tempfile::tempdir().unwrap();
    let wall = Wall::new(folder.path());
    let data = folder.path().join("data");
    let start = || Program::start_as(wall.shown_to(kith()), &data, Stdio::null());
    let mut program = start();
    let codes = codes(wall.shown_to(kith()), &data, 2);
    let mut old = Vec::new();
    let [ada, bob] = [("ada", &codes[0]), ("bob", &codes[1])].map(|(name, code)| {
        let cookie = program.log_in(&asked(&program, &data, name, code, &mut old));
        let me = program.ask("GET", "/api/auth/me", &cookie, "").body;
        let me: serde_json::Value = serde_json::from_str(&me).unwrap();
        me["username"].as_str().unwrap().to_owned()
    });
    let delete = |args: &[&str]| {
        let mut command = wall.shown_to(kith());
        command.args(["member", "delete"]).args(args);
        command.arg("--data").arg(&data).output().unwrap()
    };
    assert!(delete(&[&ada]).status.success());
    let waiting = || {
        // The worker looks at once.
        std::thread::sleep(Duration::from_millis(500));
        let database = rusqlite::Connection::open(data.join("kith.db")).unwrap();
        let sql = "select count(*) from deletions where started_at is null";
        let count = database.query_row(sql, [], |row| row.get::<_, i64>(0));
        count.unwrap()
    };
    for _ in 0..2 {
        program.signal("TERM");
        assert!(program.wait().success());
        wall.set(8 * DAY);
        program = start();
        assert_eq!(waiting(), 1);
    }
    let output = delete(&[&bob, "--now"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("is not deleted yet"), "{said}");
    assert_eq!(waiting(), 1);
}

fn post(program: &Program, cookie: &str, content: &str) -> i64 {
    let body = format!("{{\"content\":\"{content}\"}}");
    let reply = program.ask("POST", "/api/posts", cookie, &body);
    assert_eq!(reply.status, 201, "{}", reply.body);
    let (_, rest) = reply.body.split_once("\"id\":\"").unwrap();
    rest.split('"').next().unwrap().parse().unwrap()
}

/// Waits until the server has noted a time that is so many seconds ahead.
fn until_marked(data: &Path, ahead: i64) {
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
            "no mark is written"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// By how many seconds the server says that its time is ahead, once it has told.
fn told_ahead(program: &Program) -> f64 {
    let begun = Instant::now();
    loop {
        let figures = program.ask_admin("/metrics").body;
        let mut lines = figures.lines();
        let told = lines.find_map(|line| line.strip_prefix("kith_clock_ahead_seconds "));
        if let Some(seconds) = told {
            return seconds.parse().unwrap();
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "{figures}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Of each round: a link that a jump forward made expire does not work after any jump back, nor in a
/// server that starts on the clock that was set back; a link from before such a start does not work
/// either; new links always do, mail goes on, and ids rise.
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
        let codes = codes(wall.shown_to(kith()), &data, 4);
        let mut late = Vec::new();
        let mut check = |program: &Program, late: &[String]| {
            for link in late {
                let reply = program.ask("GET", link, "", "");
                assert_eq!(reply.status, 410, "round {round}: {}", reply.body);
                refused += 1;
            }
        };
        let name = |letter: char| format!("{letter}{round}");
        late.push(asked(&program, &data, &name('a'), &codes[0], &mut old));
        ids.push(post(&program, &cookie, "before"));
        for (offset, code, letter) in [(ahead, &codes[1], 'b'), (ahead - 2 * DAY, &codes[2], 'c')] {
            wall.set(offset);
            check(&program, &late);
            // A session lives for a month, which is soon over here.
            cookie = program.log_in(&asked(&program, &data, &name(letter), code, &mut old));
            accepted += 1;
            ids.push(post(&program, &cookie, "jumped"));
        }
        wall.set(ahead - DAY);
        check(&program, &late);
        late.push(asked(&program, &data, &name('d'), &codes[3], &mut old));
        if round % 10 == 1 {
            // What a killed server leaves is its last mark, of which it writes one in 15 seconds.
            until_marked(&data, ahead);
            program.signal("KILL");
        } else {
            program.signal("TERM");
        }
        program.wait();
        wall.set(ahead - 2 * DAY);
        program = Program::start_as(wall.shown_to(kith()), &data, Stdio::null());
        check(&program, &late);
        ids.push(post(&program, &cookie, "after"));
        assert!(told_ahead(&program) > 80_000.0);
        wall.set(ahead - DAY);
        // Back in the right time: what was late stays so.
        check(&program, &late);
    }
    assert!(ids.is_sorted_by(|one, next| one < next), "{ids:?}");
    program.signal("TERM");
    assert!(program.wait().success());
    println!(
        "{} jumps by a day and {rounds} starts on a clock set back: {refused} late links refused, none let in; \
         {accepted} of {accepted} new ones let in; {} ids in order",
        rounds * 5,
        ids.len()
    );
}
