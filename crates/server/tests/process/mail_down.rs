//! The mail server is down for an hour while strangers and members request links.

#![cfg(target_os = "linux")]

use crate::clock::{FakeClock, create_codes, request_link};
use crate::mail_server::{MailServer, Mood};
use crate::program::{Program, kith};
use crate::proof::{open_database, rounds};
use std::hash::{BuildHasher as _, RandomState};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// In milliseconds.
const MINUTE: i64 = 60_000;
/// Lifetime of a mailed link.
const LIFETIME: i64 = 15 * MINUTE;
/// A member requests again only after their last link has expired: with one mail a minute per
/// email, only one of two valid requests would be mailed.
const MEMBERS: usize = 20;
const REQUEST_INTERVAL: i64 = 20 * MINUTE;
/// Longest wait: a mail is retried every two minutes, plus a minute if it was being sent when the
/// server was killed.
const TIMEOUT: Duration = Duration::from_mins(6);

/// A request for a link.
struct LinkRequest {
    email: String,
    /// The link was created between these times, in milliseconds since 1970.
    from: i64,
    until: i64,
    /// Whether a response arrived; otherwise the link may not exist.
    is_certain: bool,
}

/// The deployment and its simulated time.
struct Simulation {
    data: PathBuf,
    /// The short form advances this clock; the long form waits.
    fake_clock: Option<FakeClock>,
    /// Seconds by which the fake clock is ahead.
    ahead: i64,
    codes: Vec<String>,
    requests: Vec<LinkRequest>,
}

/// Returns a random number below `below`.
fn random_below(below: u64) -> u64 {
    RandomState::new().hash_one(()) % below
}

impl Simulation {
    /// Creates members, while mail goes to files, and invite codes for a number of minutes.
    fn settled(data: PathBuf, fake_clock: Option<FakeClock>, minutes: i64) -> Self {
        let mut simulation =
            Self { data, fake_clock, ahead: 0, codes: Vec::new(), requests: Vec::new() };
        let count = MEMBERS + 3 * usize::try_from(minutes + 2).unwrap();
        let mut program = Program::start_as(simulation.command(), &simulation.data, Stdio::null());
        simulation.codes = create_codes(simulation.command(), &simulation.data, count);
        let printed = program.read_line();
        program.log_in(&printed);
        let mut old = Vec::new();
        for number in 0..MEMBERS {
            let code = simulation.codes.pop().unwrap();
            let link =
                request_link(&program, &simulation.data, &format!("m{number}"), &code, &mut old);
            program.log_in(&link);
        }
        program.signal("TERM");
        assert!(program.wait().success());
        simulation
    }

    fn command(&self) -> Command {
        match &self.fake_clock {
            Some(fake_clock) => fake_clock.apply_to(kith()),
            None => kith(),
        }
    }

    /// Starts a server that sends its mail through `mail`.
    fn start(&self, mail: &MailServer) -> Program {
        let mut command = self.command();
        command.env("KITH_SMTP_URL", mail.url());
        Program::start_as(command, &self.data, Stdio::null())
    }

    fn now(&self) -> i64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        i64::try_from(now.as_millis()).unwrap() + self.ahead * 1_000
    }

    fn advance_to(&mut self, time: i64) {
        let left = time - self.now();
        if let Some(fake_clock) = &self.fake_clock {
            self.ahead += (left / 1_000).max(0);
            fake_clock.set(self.ahead);
        } else {
            std::thread::sleep(Duration::from_millis(left.try_into().unwrap_or(0)));
        }
    }

    /// Chooses email, path and body of the next request.
    fn next(&mut self) -> (String, &'static str, String) {
        let last_request = |name: &str| {
            let requests = self.requests.iter().rev();
            requests
                .map(|request| (&request.email, request.until))
                .find(|request| request.0 == name)
        };
        let members = (0..MEMBERS).map(|number| format!("m{number}@example.org"));
        let mut rested = members.filter(|name| {
            last_request(name).is_none_or(|request| self.now() - request.1 > REQUEST_INTERVAL)
        });
        if let Some(email) = rested.next().filter(|_| random_below(2) == 0) {
            let body = format!("{{\"email\":\"{email}\"}}");
            return (email, "/api/auth/request-login-link", body);
        }
        drop(rested);
        let code = self.codes.pop().unwrap();
        let email = format!("s{}@example.org", self.requests.len());
        let body = format!("{{\"email\":\"{email}\",\"inviteCode\":\"{code}\"}}");
        (email, "/api/auth/request-magic-link", body)
    }

    /// Sends the next request; `meanwhile` may interfere with the server.
    fn send_next(&mut self, program: &Program, meanwhile: impl FnOnce()) {
        let (email, path, body) = self.next();
        let from = self.now();
        let reply = std::thread::scope(|scope| {
            let sending = scope.spawn(|| program.try_request("POST", path, "", &body));
            meanwhile();
            sending.join().unwrap()
        });
        if let Some(reply) = &reply {
            assert_eq!(reply.status, 200, "{}", reply.body);
        }
        let (until, is_certain) = (self.now(), reply.is_some());
        self.requests.push(LinkRequest { email, from, until, is_certain });
    }

    /// Sends a few requests within a minute.
    fn run_minute(&mut self, program: &Program, end: i64) {
        let begun = self.now();
        let length = u64::try_from(end - begun).unwrap_or(0).max(1);
        let mut moments = (0..=random_below(3)).map(|_| random_below(length)).collect::<Vec<_>>();
        moments.sort_unstable();
        for moment in moments {
            self.advance_to(begun + i64::try_from(moment).unwrap());
            self.send_next(program, || ());
        }
        self.advance_to(end);
    }

    /// Counts the mails in the database queue.
    fn count_waiting(&self) -> i64 {
        let database = rusqlite::Connection::open(self.data.join("kith.db")).unwrap();
        let count = database.query_row("select count(*) from jobs", [], |row| row.get(0));
        count.unwrap()
    }
}

fn until(mut is_reached: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_reached() {
        assert!(begun.elapsed() < TIMEOUT, "the condition is not reached");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Returns the number of mails that the worker has postponed.
fn count_postponed(program: &Program) -> u64 {
    let metrics = program.request_admin("/metrics").body;
    let name = "kith_mails_total{result=\"delayed\"} ";
    let count = metrics.lines().find_map(|line| line.strip_prefix(name));
    count.map_or(0, |count| count.parse().unwrap())
}

/// Links are requested every minute. For a quarter of the time each, the mail server is down,
/// stalls, rejects for now, and rejects the password; half way the server is killed while sending.
/// Afterwards each valid link is mailed once and works, and no expired one is mailed.
/// proves: mail-kept, mail-expired
#[test]
fn each_valid_link_is_mailed_once() {
    let folder = tempfile::tempdir().unwrap();
    let is_long = std::env::var_os("KITH_PROOF_ROUNDS").is_some();
    let rounds = i64::try_from(rounds(24)).unwrap();
    assert!(rounds > 16, "too few rounds for a link to expire");
    let fake_clock = (!is_long).then(|| FakeClock::new(folder.path()));
    let mut simulation = Simulation::settled(folder.path().join("data"), fake_clock, rounds);
    let mut mail = MailServer::closed();
    let mut program = simulation.start(&mail);
    let begun = simulation.now();
    for round in 0..rounds {
        let quarter = round * 4 / rounds;
        let is_last = (round + 1) * 4 / rounds > quarter;
        let mood = [None, Some(Mood::Stalling), Some(Mood::Busy), Some(Mood::WrongPassword)];
        if let Some(mood) = mood[usize::try_from(quarter).unwrap()] {
            mail.set_mood(mood);
        }
        simulation.run_minute(&program, begun + (round + 1) * MINUTE);
        if is_last {
            // Each fault occurred.
            match quarter {
                0 => until(|| count_postponed(&program) > 0),
                other => until(|| mail.faults()[usize::try_from(other).unwrap() - 1] > 0),
            }
        }
        if is_last && quarter == 1 {
            let wait = Duration::from_micros(random_below(20_000));
            simulation.send_next(&program, || {
                std::thread::sleep(wait);
                program.signal("KILL");
            });
            program.wait();
            program = simulation.start(&mail);
        }
        if round % 5 == 4 {
            println!(
                "{} min: {} requests, {} mails wait",
                round + 1,
                simulation.requests.len(),
                simulation.count_waiting()
            );
        }
    }
    let faults = mail.faults();
    assert_eq!(mail.received(), [""; 0]);
    let recovered_at = simulation.now();
    mail.set_mood(Mood::Accepting);
    until(|| {
        // A few seconds per check: a link valid when its mail is rendered must be valid when it is
        // sent.
        if simulation.fake_clock.is_some() {
            simulation.advance_to(simulation.now() + 3_000);
            std::thread::sleep(Duration::from_millis(100));
        }
        simulation.count_waiting() == 0
    });
    let found = check_mails(&simulation, &mail, &program, recovered_at);
    program.signal("TERM");
    assert!(program.wait().success());
    let mailed =
        "select count(*) from login_links where mailed_at is not null and email is not null";
    let counted: i64 =
        open_database(&simulation.data).query_row(mailed, [], |row| row.get(0)).unwrap();
    assert_eq!(counted, i64::try_from(MEMBERS + mail.received().len()).unwrap());
    println!(
        "{rounds} minutes: the port closed, {} stalls, {} temporary rejections, {} wrong passwords, a kill: {found}",
        faults[0], faults[1], faults[2]
    );
}

/// Compares the mails with the requests and returns a summary.
fn check_mails(
    simulation: &Simulation,
    mail: &MailServer,
    program: &Program,
    recovered_at: i64,
) -> String {
    let (end, mails) = (simulation.now(), mail.received());
    let (mut due, mut expired, mut border, mut used) = (0, 0, 0, 0);
    let mut emails = simulation.requests.iter().map(|request| &request.email).collect::<Vec<_>>();
    emails.sort_unstable();
    emails.dedup();
    let mut known = 0;
    for email in emails {
        let requests = simulation.requests.iter().filter(|request| &request.email == email);
        let (mut least, mut most) = (0, 0);
        for request in requests {
            if request.until + LIFETIME < recovered_at {
                expired += 1;
            } else if request.is_certain && request.from + LIFETIME > end + MINUTE {
                // Enough time is left to use it below.
                (least, most, due) = (least + 1, most + 1, due + 1);
            } else {
                // It expired around the time of sending, or may not have been created.
                (most, border) = (most + 1, border + 1);
            }
        }
        let to = format!("To: {email}\n");
        let got = mails.iter().filter(|mail| mail.contains(&to)).collect::<Vec<_>>();
        assert!(
            (least..=most).contains(&got.len()),
            "{email}: {} mails, not {least} to {most}",
            got.len()
        );
        known += got.len();
        if least == 1 {
            let link = got[0].lines().find(|line| line.contains("/auth/verify?"));
            program.log_in(link.unwrap());
            used += 1;
        }
    }
    assert_eq!(known, mails.len(), "no other mail is sent");
    assert!(due > 0 && expired > 0 && used == due);
    let seconds = (end - recovered_at) / 1_000;
    format!(
        "{} requests, {due} mailed once within {seconds} s and used, {expired} expired and never mailed, {border} in between",
        simulation.requests.len()
    )
}
