//! The mail server is away for an hour, while strangers and members ask for links.

#![cfg(target_os = "linux")]

use crate::clock::{Wall, asked, codes};
use crate::mail_server::{MailServer, Mood};
use crate::program::{Program, kith};
use crate::proof::{open, rounds};
use std::hash::{BuildHasher as _, RandomState};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Milliseconds.
const MINUTE: i64 = 60_000;
/// How long a mailed link works.
const LIFETIME: i64 = 15 * MINUTE;
/// Members, each of whom asks again only when their last link has long expired: an address gets one
/// mail a minute, so of two wishes that both still count only one would be mailed.
const MEMBERS: usize = 20;
const AGAIN: i64 = 20 * MINUTE;
/// How long anything may take that is only waited for: a mail is tried every two minutes, and
/// one that was in hand when the server was killed a minute after that.
const PATIENCE: Duration = Duration::from_mins(6);

/// Somebody asked for a link.
struct Wish {
    email: String,
    /// Milliseconds since 1970: the link was made between these.
    from: i64,
    until: i64,
    /// It was answered; else it may have been made or not.
    is_certain: bool,
}

/// The network, and the time in it.
struct World {
    data: PathBuf,
    /// In the short form minutes pass by setting the clock; the long form waits.
    wall: Option<Wall>,
    /// Seconds by which that clock is ahead.
    ahead: i64,
    codes: Vec<String>,
    wishes: Vec<Wish>,
}

/// Anything below a number.
fn chance(below: u64) -> u64 {
    RandomState::new().hash_one(()) % below
}

impl World {
    /// With members, who were made while mails became files, and codes for so many minutes.
    fn settled(data: PathBuf, wall: Option<Wall>, minutes: i64) -> Self {
        let mut world = Self {
            data,
            wall,
            ahead: 0,
            codes: Vec::new(),
            wishes: Vec::new(),
        };
        let count = MEMBERS + 3 * usize::try_from(minutes + 2).unwrap();
        let mut program = Program::start_as(world.command(), &world.data, Stdio::null());
        world.codes = codes(world.command(), &world.data, count);
        let printed = program.line();
        program.log_in(&printed);
        let mut old = Vec::new();
        for number in 0..MEMBERS {
            let code = world.codes.pop().unwrap();
            let link = asked(
                &program,
                &world.data,
                &format!("m{number}"),
                &code,
                &mut old,
            );
            program.log_in(&link);
        }
        program.signal("TERM");
        assert!(program.wait().success());
        world
    }

    fn command(&self) -> Command {
        match &self.wall {
            Some(wall) => wall.shown_to(kith()),
            None => kith(),
        }
    }

    /// A server that sends its mail there.
    fn start(&self, mail: &MailServer) -> Program {
        let mut command = self.command();
        command.env("KITH_SMTP_URL", mail.url());
        Program::start_as(command, &self.data, Stdio::null())
    }

    fn now(&self) -> i64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        i64::try_from(now.as_millis()).unwrap() + self.ahead * 1_000
    }

    fn pass_until(&mut self, time: i64) {
        let left = time - self.now();
        if let Some(wall) = &self.wall {
            self.ahead += (left / 1_000).max(0);
            wall.set(self.ahead);
        } else {
            std::thread::sleep(Duration::from_millis(left.try_into().unwrap_or(0)));
        }
    }

    /// Who asks next, and what.
    fn next(&mut self) -> (String, &'static str, String) {
        let asked = |name: &str| {
            let wishes = self.wishes.iter().rev();
            wishes
                .map(|wish| (&wish.email, wish.until))
                .find(|wish| wish.0 == name)
        };
        let members = (0..MEMBERS).map(|number| format!("m{number}@example.org"));
        let mut rested =
            members.filter(|name| asked(name).is_none_or(|wish| self.now() - wish.1 > AGAIN));
        if let Some(email) = rested.next().filter(|_| chance(2) == 0) {
            let body = format!("{{\"email\":\"{email}\"}}");
            return (email, "/api/auth/request-login-link", body);
        }
        drop(rested);
        let code = self.codes.pop().unwrap();
        let email = format!("s{}@example.org", self.wishes.len());
        let body = format!("{{\"email\":\"{email}\",\"inviteCode\":\"{code}\"}}");
        (email, "/api/auth/request-magic-link", body)
    }

    /// Somebody asks; `meanwhile` something else may happen to the server.
    fn ask(&mut self, program: &Program, meanwhile: impl FnOnce()) {
        let (email, path, body) = self.next();
        let from = self.now();
        let reply = std::thread::scope(|scope| {
            let asking = scope.spawn(|| program.try_ask("POST", path, "", &body));
            meanwhile();
            asking.join().unwrap()
        });
        if let Some(reply) = &reply {
            assert_eq!(reply.status, 200, "{}", reply.body);
        }
        let (until, is_certain) = (self.now(), reply.is_some());
        self.wishes.push(Wish {
            email,
            from,
            until,
            is_certain,
        });
    }

    /// A minute in which some ask.
    fn minute(&mut self, program: &Program, end: i64) {
        let begun = self.now();
        let length = u64::try_from(end - begun).unwrap_or(0).max(1);
        let mut moments = (0..=chance(3)).map(|_| chance(length)).collect::<Vec<_>>();
        moments.sort_unstable();
        for moment in moments {
            self.pass_until(begun + i64::try_from(moment).unwrap());
            self.ask(program, || ());
        }
        self.pass_until(end);
    }

    /// Mails that wait in the database.
    fn waiting(&self) -> i64 {
        let database = rusqlite::Connection::open(self.data.join("kith.db")).unwrap();
        let count = database.query_row("select count(*) from jobs", [], |row| row.get(0));
        count.unwrap()
    }
}

fn until(mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "it does not come to it");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// How many mails the worker has put off.
fn delayed(program: &Program) -> u64 {
    let figures = program.ask_admin("/metrics").body;
    let name = "kith_mails_total{result=\"delayed\"} ";
    let count = figures.lines().find_map(|line| line.strip_prefix(name));
    count.map_or(0, |count| count.parse().unwrap())
}

/// Of each minute: some ask for links. A quarter of the time the mail server's port is closed, then it
/// stalls, then it says "later", then it takes no password; half way the program is killed with a mail in
/// hand. Once it takes mails again, each link that still works is mailed once and lets in, and none that has expired is mailed.
/// proves: mail-kept, mail-expired
#[test]
fn each_link_that_still_works_is_mailed_once() {
    let folder = tempfile::tempdir().unwrap();
    let is_long = std::env::var_os("KITH_PROOF_ROUNDS").is_some();
    let rounds = i64::try_from(rounds(24)).unwrap();
    assert!(rounds > 16, "no link would expire");
    let wall = (!is_long).then(|| Wall::new(folder.path()));
    let mut world = World::settled(folder.path().join("data"), wall, rounds);
    let mut mail = MailServer::away();
    let mut program = world.start(&mail);
    let begun = world.now();
    for round in 0..rounds {
        let quarter = round * 4 / rounds;
        let is_last = (round + 1) * 4 / rounds > quarter;
        let mood = [
            None,
            Some(Mood::Stalls),
            Some(Mood::Busy),
            Some(Mood::Locked),
        ];
        if let Some(mood) = mood[usize::try_from(quarter).unwrap()] {
            mail.turn(mood);
        }
        world.minute(&program, begun + (round + 1) * MINUTE);
        if is_last {
            // Each fault was met.
            match quarter {
                0 => until(|| delayed(&program) > 0),
                other => until(|| mail.faults()[usize::try_from(other).unwrap() - 1] > 0),
            }
        }
        if is_last && quarter == 1 {
            let wait = Duration::from_micros(chance(20_000));
            world.ask(&program, || {
                std::thread::sleep(wait);
                program.signal("KILL");
            });
            program.wait();
            program = world.start(&mail);
        }
        if round % 5 == 4 {
            println!(
                "{} min: {} wishes, {} mails wait",
                round + 1,
                world.wishes.len(),
                world.waiting()
            );
        }
    }
    let tried = mail.faults();
    assert_eq!(mail.taken(), [""; 0]);
    let back = world.now();
    mail.turn(Mood::Kind);
    until(|| {
        // A few seconds a look: a link that works when its mail is written must work when it leaves.
        if world.wall.is_some() {
            world.pass_until(world.now() + 3_000);
            std::thread::sleep(Duration::from_millis(100));
        }
        world.waiting() == 0
    });
    let found = judge(&world, &mail, &program, back);
    program.signal("TERM");
    assert!(program.wait().success());
    let mailed =
        "select count(*) from login_links where mailed_at is not null and email is not null";
    let counted: i64 = open(&world.data)
        .query_row(mailed, [], |row| row.get(0))
        .unwrap();
    assert_eq!(
        counted,
        i64::try_from(MEMBERS + mail.taken().len()).unwrap()
    );
    println!(
        "{rounds} minutes: the port closed, {} stalls, {} refusals for now, {} wrong passwords, a kill: {found}",
        tried[0], tried[1], tried[2]
    );
}

/// Compares what was mailed with what was asked for, and answers what was found in words.
fn judge(world: &World, mail: &MailServer, program: &Program, back: i64) -> String {
    let (end, mails) = (world.now(), mail.taken());
    let (mut due, mut expired, mut border, mut let_in) = (0, 0, 0, 0);
    let mut emails = world
        .wishes
        .iter()
        .map(|wish| &wish.email)
        .collect::<Vec<_>>();
    emails.sort_unstable();
    emails.dedup();
    let mut known = 0;
    for email in emails {
        let wishes = world.wishes.iter().filter(|wish| &wish.email == email);
        let (mut least, mut most) = (0, 0);
        for wish in wishes {
            if wish.until + LIFETIME < back {
                expired += 1;
            } else if wish.is_certain && wish.from + LIFETIME > end + MINUTE {
                // Time enough is left to use it below.
                (least, most, due) = (least + 1, most + 1, due + 1);
            } else {
                // It expired while the mails were leaving or soon after, or nobody knows whether it was made.
                (most, border) = (most + 1, border + 1);
            }
        }
        let to = format!("To: {email}\n");
        let got = mails
            .iter()
            .filter(|mail| mail.contains(&to))
            .collect::<Vec<_>>();
        assert!(
            (least..=most).contains(&got.len()),
            "{email}: {} mails, not {least} to {most}",
            got.len()
        );
        known += got.len();
        if least == 1 {
            let link = got[0].lines().find(|line| line.contains("/auth/verify?"));
            program.log_in(link.unwrap());
            let_in += 1;
        }
    }
    assert_eq!(known, mails.len(), "nobody else is mailed");
    assert!(due > 0 && expired > 0 && let_in == due);
    let seconds = (end - back) / 1_000;
    format!(
        "{} wishes, {due} mailed once within {seconds} s and let in, {expired} expired and never mailed, {border} in between",
        world.wishes.len()
    )
}
