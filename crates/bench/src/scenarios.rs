//! The calls that are measured: what is sent, and what must come back.

use crate::dataset::{Caller, Fixtures, SEARCHES};
use crate::load::{CheckedRequest, ExpectedResponse};
use anyhow::{Result, anyhow, ensure};
use bytes::Bytes;
use http_body_util::Full;
use hyper::{Method, Request, StatusCode, header};
use kith::session;
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The text of every post that is written in a run.
pub const TEXT: &str =
    "The rain has stopped, the street is quiet, and there is still some light over the river.";

/// Posts that are opened to see what one costs in memory, at most.
pub(crate) const MAX_OPENED_POSTS: usize = 5_000;

/// A path that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scenario {
    /// The Friends feed, first page.
    Friends,
    /// The Friends feed, page 50.
    FriendsPage50,
    /// For You, first page.
    ForYou,
    /// The best known member's posts.
    Profile,
    /// A thread of fifty posts.
    Thread,
    /// A reader's notifications.
    Notifications,
    /// The beginnings of names, one after the other.
    Search,
    /// Whom to follow.
    Suggested,
    /// One post after the other, each with its thread.
    OpenPost,
    /// A new post.
    CreatePost,
    /// A like of another post each time.
    Like,
    /// A follow of another member each time.
    Follow,
}

impl Scenario {
    /// Those that only read.
    pub const READS: [Self; 8] = [
        Self::Friends,
        Self::FriendsPage50,
        Self::ForYou,
        Self::Profile,
        Self::Thread,
        Self::Notifications,
        Self::Search,
        Self::Suggested,
    ];
    /// Those that write.
    pub const WRITES: [Self; 3] = [Self::CreatePost, Self::Like, Self::Follow];

    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Friends => "Friends",
            Self::FriendsPage50 => "Friends, page 50",
            Self::ForYou => "For You",
            Self::Profile => "Profile",
            Self::Thread => "Thread of 50",
            Self::Notifications => "Notifications",
            Self::Search => "Search",
            Self::Suggested => "Suggested",
            Self::OpenPost => "Post",
            Self::CreatePost => "Create post",
            Self::Like => "Like",
            Self::Follow => "Follow",
        }
    }

    /// The path of a name in tables, however that is capitalized.
    pub fn parse_name(name: &str) -> Result<Self> {
        let mut all = Self::READS.into_iter().chain(Self::WRITES);
        let found = all.find(|scenario| scenario.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| anyhow!("no scenario is called \"{name}\""))
    }

    /// What a read asks for, one after the other.
    fn targets(self, fixtures: &Fixtures) -> Vec<String> {
        let one = |target: String| vec![target];
        match self {
            Self::Friends => one("/api/posts/feed".into()),
            Self::ForYou => one("/api/posts/for-you".into()),
            Self::Profile => one(format!("/api/users/{}/posts", fixtures.author)),
            Self::Thread => one(format!("/api/posts/{}/thread", fixtures.thread)),
            Self::Notifications => one("/api/notifications".into()),
            Self::Suggested => one("/api/users/suggested".into()),
            Self::Search => SEARCHES
                .iter()
                .map(|term| format!("/api/users/search?q={term}"))
                .collect(),
            Self::OpenPost => {
                let posts = fixtures.posts.iter().take(MAX_OPENED_POSTS);
                posts.map(|id| format!("/api/posts/{id}/thread")).collect()
            }
            // Page 50 is another one for each reader.
            Self::FriendsPage50 | Self::CreatePost | Self::Like | Self::Follow => Vec::new(),
        }
    }

    fn expected(self, size: RangeInclusive<usize>) -> ExpectedResponse {
        let (status, prefix, suffix, check_json): (_, _, _, fn(&Value) -> Result<()>) = match self {
            Self::Friends | Self::FriendsPage50 | Self::ForYou | Self::Profile => {
                (StatusCode::OK, "[{\"id\":\"", "}]", twenty_posts)
            }
            Self::Thread => (
                StatusCode::OK,
                "{\"rootId\":null,\"ancestors\":[",
                "]}",
                fifty_posts,
            ),
            Self::Notifications => (StatusCode::OK, "[{\"id\":\"", "}]", notifications),
            Self::Search => (StatusCode::OK, "[{\"id\":\"", "}]", members),
            Self::Suggested => (StatusCode::OK, "[{\"id\":\"", "}]", suggestions),
            Self::OpenPost => (
                StatusCode::OK,
                "{\"rootId\":null,\"ancestors\":[",
                "]}",
                opened,
            ),
            Self::CreatePost => (StatusCode::CREATED, "{\"id\":\"", "}", my_post),
            Self::Like => (StatusCode::OK, "{\"id\":\"", "}", liked),
            Self::Follow => (StatusCode::OK, "{\"isFollowing\":true", "}", followed),
        };
        ExpectedResponse {
            status,
            prefix,
            suffix,
            size,
            check_json,
        }
    }
}

fn rows<'a>(value: &'a Value, fields: &[&str]) -> Result<&'a [Value]> {
    let rows = value.as_array().map_or(&[][..], Vec::as_slice);
    for row in rows {
        for field in fields {
            let found = row.pointer(field).is_some_and(|found| !found.is_null());
            ensure!(found, "a row has no {field}");
        }
    }
    ensure!(!rows.is_empty(), "there are no rows");
    Ok(rows)
}

const POST: [&str; 4] = ["/id", "/content", "/author/username", "/likeCount"];

fn twenty_posts(value: &Value) -> Result<()> {
    let count = rows(value, &POST)?.len();
    ensure!(count == 20, "there are {count} posts, not 20");
    let ids = value.as_array().into_iter().flatten();
    let ids = ids.filter_map(|row| row["id"].as_str());
    let ids = ids.collect::<std::collections::HashSet<_>>();
    ensure!(ids.len() == 20, "a post is there twice");
    Ok(())
}

fn fifty_posts(value: &Value) -> Result<()> {
    let count = rows(&value["replies"], &POST)?.len() + 1;
    ensure!(count == 50, "there are {count} posts, not 50");
    Ok(())
}

fn notifications(value: &Value) -> Result<()> {
    rows(value, &["/id", "/type", "/actor/username"]).map(drop)
}

fn members(value: &Value) -> Result<()> {
    rows(value, &["/id", "/username", "/followerCount"]).map(drop)
}

fn suggestions(value: &Value) -> Result<()> {
    rows(value, &["/id", "/username", "/reason"]).map(drop)
}

fn opened(value: &Value) -> Result<()> {
    rows(&json!([value["post"]]), &POST).map(drop)
}

fn my_post(value: &Value) -> Result<()> {
    ensure!(value["content"] == TEXT, "it is another post");
    Ok(())
}

fn liked(value: &Value) -> Result<()> {
    ensure!(value["isLiked"] == true, "it is not liked");
    Ok(())
}

fn followed(value: &Value) -> Result<()> {
    ensure!(value["isFollowing"] == true, "nobody is followed");
    Ok(())
}

/// The calls of one path to one server.
#[derive(Debug)]
pub struct ScenarioRun {
    /// Which.
    pub scenario: Scenario,
    fixtures: Arc<Fixtures>,
    /// Of a read: everything that is asked for, with whose cookie.
    reads: Vec<(String, Caller)>,
    /// What was answered to each of them, if that was kept.
    recorded_bodies: Vec<Bytes>,
    expected: Arc<ExpectedResponse>,
    /// Writes so far: none is made twice.
    writes_sent: AtomicU64,
}

impl ScenarioRun {
    /// The calls of `readers`, or of the network's writers, with answers of about these sizes.
    #[must_use]
    pub fn new(
        scenario: Scenario,
        fixtures: &Arc<Fixtures>,
        readers: &[Caller],
        size: RangeInclusive<usize>,
    ) -> Self {
        let targets = scenario.targets(fixtures);
        let each = |reader: &Caller| {
            let reader = reader.clone();
            let targets = targets.clone().into_iter();
            targets.map(move |target| (target, reader.clone()))
        };
        let reads = readers.iter().flat_map(each).collect();
        Self::with_reads(scenario, fixtures, reads, size)
    }

    /// The same, each asked for by a certain reader.
    #[must_use]
    pub fn with_reads(
        scenario: Scenario,
        fixtures: &Arc<Fixtures>,
        reads: Vec<(String, Caller)>,
        size: RangeInclusive<usize>,
    ) -> Self {
        Self {
            scenario,
            fixtures: fixtures.clone(),
            reads,
            recorded_bodies: Vec::new(),
            expected: Arc::new(scenario.expected(size)),
            writes_sent: AtomicU64::new(0),
        }
    }

    /// The same calls with answers of another size; writes go on where these have come to.
    #[must_use]
    pub fn with_response_size(&self, size: RangeInclusive<usize>) -> Self {
        Self {
            scenario: self.scenario,
            fixtures: self.fixtures.clone(),
            reads: self.reads.clone(),
            recorded_bodies: self.recorded_bodies.clone(),
            expected: Arc::new(self.scenario.expected(size)),
            writes_sent: AtomicU64::new(self.writes_sent()),
        }
    }

    /// The same, and what was answered to each read.
    #[must_use]
    pub fn with_recorded_bodies(mut self, recorded_bodies: Vec<Bytes>) -> Self {
        self.recorded_bodies = recorded_bodies;
        self
    }

    /// What reads ask for, each with the cookie.
    pub fn targets(&self) -> impl Iterator<Item = (&str, &str)> {
        let reads = self.reads.iter();
        reads.map(|(target, reader)| (target.as_str(), reader.cookie.as_str()))
    }

    /// How many writes were called for so far.
    #[must_use]
    pub fn writes_sent(&self) -> u64 {
        self.writes_sent.load(Relaxed)
    }

    /// Fails once more writes were called for than there are new ones: the next would be of the first again.
    pub fn check_not_exhausted(&self) -> Result<()> {
        let most = match self.scenario {
            Scenario::Like | Scenario::Follow => {
                self.fixtures.writers.len() * self.write_targets().len()
            }
            _ => usize::MAX,
        };
        ensure!(
            self.writes_sent() <= most as u64,
            "there are {most} of these writes on this network: make it larger, or the rounds shorter"
        );
        Ok(())
    }

    /// What writers like, or whom they follow.
    fn write_targets(&self) -> &[i64] {
        match self.scenario {
            Scenario::Follow => &self.fixtures.members,
            _ => &self.fixtures.posts,
        }
    }

    /// The call of a number; of writes the next one that was not made yet.
    #[must_use]
    pub fn next_request(&self, number: u64) -> CheckedRequest {
        let request = if self.reads.is_empty() {
            self.write(self.writes_sent.fetch_add(1, Relaxed) as usize)
        } else {
            let (target, reader) = &self.reads[number as usize % self.reads.len()];
            request(Method::GET, target, &reader.cookie, Bytes::new())
        };
        CheckedRequest {
            request,
            expected: self.expected.clone(),
            exact_body: None,
        }
    }

    /// The same while nothing changes: a read must be answered as it was before, if that was kept.
    #[must_use]
    pub fn next_read_as_recorded(&self, number: u64) -> CheckedRequest {
        let at = number as usize % self.reads.len().max(1);
        CheckedRequest {
            exact_body: self.recorded_bodies.get(at).cloned(),
            ..self.next_request(number)
        }
    }

    /// Of likes and follows so far: by whom, and of which post or member.
    pub fn edges(&self) -> impl Iterator<Item = (i64, i64)> {
        (0..self.writes_sent() as usize).map(|number| {
            let (writer, target) = self.edge(number);
            (writer.member, target)
        })
    }

    /// Writer after writer; each goes through posts or members from a place of their own.
    fn edge(&self, number: usize) -> (&Caller, i64) {
        let writers = &self.fixtures.writers;
        let (round, nth) = (number / writers.len(), number % writers.len());
        let all = self.write_targets();
        let target = all[(round + nth * all.len() / writers.len()) % all.len()];
        (&writers[nth], target)
    }

    fn write(&self, number: usize) -> Request<Full<Bytes>> {
        let (Caller { cookie, .. }, target) = self.edge(number);
        match self.scenario {
            Scenario::Like => {
                let target = format!("/api/posts/{target}/like");
                request(Method::POST, &target, cookie, Bytes::new())
            }
            Scenario::Follow => {
                let body = json!({ "followingId": target.to_string() }).to_string();
                request(Method::POST, "/api/follows", cookie, body.into())
            }
            _ => {
                let body = json!({ "content": TEXT }).to_string();
                request(Method::POST, "/api/posts", cookie, body.into())
            }
        }
    }
}

fn request(method: Method, target: &str, cookie: &str, body: Bytes) -> Request<Full<Bytes>> {
    let mut request = Request::builder()
        .method(method)
        .uri(target)
        .header(header::HOST, "localhost")
        .header(header::COOKIE, format!("{}={cookie}", session::COOKIE));
    if !body.is_empty() {
        request = request.header(header::CONTENT_TYPE, "application/json");
    }
    request
        .body(Full::new(body))
        .unwrap_or_else(|_| unreachable!("a request of plain text"))
}
