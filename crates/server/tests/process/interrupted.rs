//! `kill -9` between queuing and sending pushes and digests.

#![cfg(target_os = "linux")]

use crate::clock::{FakeClock, create_codes, request_link};
use crate::mail_server::{MailServer, Mood};
use crate::program::{Program, kith};
use crate::proof::{open_database, rounds};
use crate::push_service::PushService;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// In seconds.
const MINUTE: i64 = 60;
const DAY: i64 = 86_400;
/// Longest wait for a row or a mail.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Server with two members, whose clock can be advanced.
pub(crate) struct Deployment {
    data: PathBuf,
    clock: FakeClock,
    /// Seconds by which the clock is ahead.
    ahead: i64,
    /// Settings as environment variables.
    settings: Vec<(&'static str, String)>,
    founder: String,
    /// Cookie header of a member who joined, with an email.
    pub(crate) author: String,
    /// Post of the author, to which the founder replies.
    post: String,
}

impl Deployment {
    /// Creates the members and the post; the folder of the clock is another than the data's.
    pub(crate) fn create(data: &Path, clock_folder: &Path) -> Self {
        let mut deployment = Self {
            data: data.to_owned(),
            clock: FakeClock::new(clock_folder),
            ahead: 0,
            settings: Vec::new(),
            founder: String::new(),
            author: String::new(),
            post: String::new(),
        };
        let mut program = deployment.start(Stdio::null());
        let printed = program.read_line();
        deployment.founder = program.log_in(&printed);
        let codes = create_codes(deployment.clock.apply_to(kith()), data, 1);
        let link = request_link(&program, data, "ben", &codes[0], &mut Vec::new());
        deployment.author = program.log_in(&link);
        deployment.post = post(&program, &deployment.author, "{\"content\":\"Hi\"}");
        program.signal("TERM");
        assert!(program.wait().success());
        deployment
    }

    /// Sets an environment variable of the next servers.
    pub(crate) fn set(&mut self, name: &'static str, value: String) {
        self.settings.push((name, value));
    }

    pub(crate) fn start(&self, log: Stdio) -> Program {
        let mut command = self.clock.apply_to(kith());
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
        Program::start_as(command, &self.data, log)
    }

    pub(crate) fn advance(&mut self, seconds: i64) {
        self.ahead += seconds;
        self.clock.set(self.ahead);
    }

    /// Lets the founder reply to the post.
    pub(crate) fn reply(&self, program: &Program) {
        let body = format!("{{\"content\":\"Hello\",\"replyToId\":\"{}\"}}", self.post);
        post(program, &self.founder, &body);
    }

    /// Lets the founder reply, and waits until the push about it is sent and recorded.
    pub(crate) fn push(&mut self, program: &Program, service: &PushService) {
        let count = service.received() + 1;
        self.reply(program);
        self.advance(10 * MINUTE);
        service.wait_for(count);
        self.wait_for_none(WAITING_PUSHES, 0);
    }

    /// Waits until a count of rows is 0.
    pub(crate) fn wait_for_none(&mut self, sql: &str, step: i64) {
        let begun = Instant::now();
        loop {
            let database = Connection::open(self.data.join("kith.db")).unwrap();
            let count = database.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
            if count == 0 {
                return;
            }
            assert!(begun.elapsed() < TIMEOUT, "{sql}: {count}");
            self.advance(step);
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Pushes that were not recorded as sent.
pub(crate) const WAITING_PUSHES: &str =
    "select count(*) from push_queue where oldest_id is not null";

/// Creates a post and returns its id.
fn post(program: &Program, cookie: &str, body: &str) -> String {
    let reply = program.request("POST", "/api/posts", cookie, body);
    assert_eq!(reply.status, 201, "{}", reply.body);
    let (_, rest) = reply.body.split_once("\"id\":\"").unwrap();
    rest.split('"').next().unwrap().to_owned()
}

fn kill(mut program: Program) {
    program.signal("KILL");
    assert!(!program.wait().success());
}

/// A push that waits is sent once after a kill; one that was being sent is sent again, since the server cannot know
/// whether it arrived.
/// proves: durable-kill
#[test]
fn a_queued_push_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let mut deployment = Deployment::create(&folder.path().join("data"), folder.path());
    let service = PushService::start();
    deployment.set("KITH_PUSH_HOSTS", service.origin());
    let mut program = deployment.start(Stdio::null());
    service.subscribe(&program, &deployment.author);
    let rounds = rounds(2);
    for round in 0..rounds {
        deployment.push(&program, &service);
        // The next push is due in a minute.
        deployment.reply(&program);
        kill(program);
        program = deployment.start(Stdio::null());
        deployment.advance(10 * MINUTE);
        service.wait_for(5 * round + 2);
        deployment.wait_for_none(WAITING_PUSHES, 0);

        service.hold(true);
        deployment.reply(&program);
        deployment.advance(10 * MINUTE);
        service.wait_for(5 * round + 3);
        kill(program);
        service.hold(false);
        program = deployment.start(Stdio::null());
        // Longer than the claim of the killed server.
        deployment.advance(10 * MINUTE);
        service.wait_for(5 * round + 4);
        deployment.wait_for_none(WAITING_PUSHES, 0);
        // No other push is left.
        deployment.push(&program, &service);
    }
    println!("{} kills: a push was sent once, or twice if it was being sent", 2 * rounds);
}

/// Each week the server is killed after it has queued the digest and while the mail server does not respond.
/// proves: digest-weekly
#[test]
fn a_queued_digest_is_sent_once_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut deployment = Deployment::create(&data, folder.path());
    let mut mail = MailServer::closed();
    deployment.set("KITH_SMTP_URL", mail.url());
    let rounds = rounds(4);
    for round in 0..rounds {
        let mut program = deployment.start(Stdio::null());
        deployment.reply(&program);
        program.signal("TERM");
        assert!(program.wait().success());
        // A member who was not here for a week gets a digest.
        deployment.advance(8 * DAY);
        mail.set_mood(Mood::Stalling);
        let program = deployment.start(Stdio::null());
        let begun = Instant::now();
        while mail.faults()[0] <= round {
            assert!(begun.elapsed() < TIMEOUT, "no digest is sent");
            std::thread::sleep(Duration::from_millis(20));
        }
        kill(program);
        mail.set_mood(Mood::Accepting);
        let mut program = deployment.start(Stdio::null());
        deployment.wait_for_none("select count(*) from jobs", 3);
        program.signal("TERM");
        assert!(program.wait().success());
        let digests = mail.received().into_iter().filter(|mail| mail.contains("replied to you"));
        assert_eq!(digests.count(), round + 1, "{:#?}", mail.received());
    }
    open_database(&data);
    println!("{rounds} kills while a digest was being sent: each sent once");
}
