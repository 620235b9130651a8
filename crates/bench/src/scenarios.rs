//! Benchmark scenarios: the requests to send and the responses to expect.

use crate::dataset::{Caller, Fixtures, SEARCHES};
use crate::load::{CheckedRequest, ExpectedResponse};
use anyhow::{Result, anyhow, ensure};
use bytes::Bytes;
use http_body_util::Full;
use hyper::{Method, Request, StatusCode, header};
use kith::http::cookies;
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Text of every post created during a run.
pub const TEXT: &str =
    "The rain has stopped, the street is quiet, and there is still some light over the river.";

/// Maximum number of posts opened to measure memory per post.
pub(crate) const MAX_OPENED_POSTS: usize = 5_000;

/// A measured scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scenario {
    /// First page of the Friends feed.
    Friends,
    /// Page 50 of the Friends feed.
    FriendsPage50,
    /// First page of For You.
    ForYou,
    /// Posts of the most followed member.
    Profile,
    /// A thread of 50 posts.
    Thread,
    /// Notifications of a reader.
    Notifications,
    /// User search by prefixes, in a cycle.
    Search,
    /// Suggested members.
    Suggested,
    /// Threads of many posts, in a cycle.
    OpenPost,
    /// Creates a post.
    CreatePost,
    /// Likes another post each time.
    Like,
    /// Follows another member each time.
    Follow,
}

impl Scenario {
    /// Scenarios that read.
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
    /// Scenarios that write.
    pub const WRITES: [Self; 3] = [Self::CreatePost, Self::Like, Self::Follow];

    /// Name in tables and on the command line.
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

    /// Finds a scenario by name, ignoring case.
    pub fn parse_name(name: &str) -> Result<Self> {
        let mut all = Self::READS.into_iter().chain(Self::WRITES);
        let found = all.find(|scenario| scenario.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| anyhow!("no scenario is called \"{name}\""))
    }

    /// Request targets of a read scenario.
    fn targets(self, fixtures: &Fixtures) -> Vec<String> {
        let one = |target: String| vec![target];
        match self {
            Self::Friends => one("/api/posts/feed".into()),
            Self::ForYou => one("/api/posts/for-you".into()),
            Self::Profile => one(format!("/api/users/{}/posts", fixtures.author)),
            Self::Thread => one(format!("/api/posts/{}/thread", fixtures.thread)),
            Self::Notifications => one("/api/notifications".into()),
            Self::Suggested => one("/api/users/suggested".into()),
            Self::Search => {
                SEARCHES.iter().map(|term| format!("/api/users/search?q={term}")).collect()
            }
            Self::OpenPost => {
                let posts = fixtures.posts.iter().take(MAX_OPENED_POSTS);
                posts.map(|id| format!("/api/posts/{id}/thread")).collect()
            }
            // The target of page 50 differs per reader.
            Self::FriendsPage50 | Self::CreatePost | Self::Like | Self::Follow => Vec::new(),
        }
    }

    fn expected(self, size: RangeInclusive<usize>) -> ExpectedResponse {
        let (status, prefix, suffix, check_json): (_, _, _, fn(&Value) -> Result<()>) = match self {
            Self::Friends | Self::FriendsPage50 | Self::ForYou | Self::Profile => {
                (StatusCode::OK, "[{\"id\":\"", "}]", check_twenty_posts)
            }
            Self::Thread => {
                (StatusCode::OK, "{\"rootId\":null,\"ancestors\":[", "]}", check_thread_of_50)
            }
            Self::Notifications => (StatusCode::OK, "[{\"id\":\"", "}]", check_notifications),
            Self::Search => (StatusCode::OK, "[{\"id\":\"", "}]", check_members),
            Self::Suggested => (StatusCode::OK, "[{\"id\":\"", "}]", check_suggestions),
            Self::OpenPost => {
                (StatusCode::OK, "{\"rootId\":null,\"ancestors\":[", "]}", check_opened_post)
            }
            Self::CreatePost => (StatusCode::CREATED, "{\"id\":\"", "}", check_created_post),
            Self::Like => (StatusCode::OK, "{\"id\":\"", "}", check_like),
            Self::Follow => (StatusCode::OK, "{\"isFollowing\":true", "}", check_follow),
        };
        ExpectedResponse { status, prefix, suffix, size, check_json }
    }
}

fn check_rows<'a>(value: &'a Value, fields: &[&str]) -> Result<&'a [Value]> {
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

fn check_twenty_posts(value: &Value) -> Result<()> {
    let count = check_rows(value, &POST)?.len();
    ensure!(count == 20, "there are {count} posts, not 20");
    let ids = value.as_array().into_iter().flatten();
    let ids = ids.filter_map(|row| row["id"].as_str());
    let ids = ids.collect::<std::collections::HashSet<_>>();
    ensure!(ids.len() == 20, "a post appears twice");
    Ok(())
}

fn check_thread_of_50(value: &Value) -> Result<()> {
    let count = check_rows(&value["replies"], &POST)?.len() + 1;
    ensure!(count == 50, "there are {count} posts, not 50");
    Ok(())
}

fn check_notifications(value: &Value) -> Result<()> {
    check_rows(value, &["/id", "/type", "/actor/username"]).map(drop)
}

fn check_members(value: &Value) -> Result<()> {
    check_rows(value, &["/id", "/username", "/followerCount"]).map(drop)
}

fn check_suggestions(value: &Value) -> Result<()> {
    check_rows(value, &["/id", "/username", "/reason"]).map(drop)
}

fn check_opened_post(value: &Value) -> Result<()> {
    check_rows(&json!([value["post"]]), &POST).map(drop)
}

fn check_created_post(value: &Value) -> Result<()> {
    ensure!(value["content"] == TEXT, "the content differs");
    Ok(())
}

fn check_like(value: &Value) -> Result<()> {
    ensure!(value["isLiked"] == true, "the post is not liked");
    Ok(())
}

fn check_follow(value: &Value) -> Result<()> {
    ensure!(value["isFollowing"] == true, "no member is followed");
    Ok(())
}

/// A scenario bound to callers and expected responses, for one server.
#[derive(Debug)]
pub struct ScenarioRun {
    /// Scenario of the requests.
    pub scenario: Scenario,
    fixtures: Arc<Fixtures>,
    /// Targets of a read scenario, each with its caller; empty for writes.
    reads: Vec<(String, Caller)>,
    /// Recorded body for each of `reads`; empty if none were recorded.
    recorded_bodies: Vec<Bytes>,
    expected: Arc<ExpectedResponse>,
    /// Number of writes sent so far; each number is sent once.
    writes_sent: AtomicU64,
}

impl ScenarioRun {
    /// Requests by `readers`, or by the writers of `fixtures`; response sizes must be within `size`.
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

    /// Requests for given pairs of target and caller.
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

    /// Copies the run with another response size; writes continue after those already sent.
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

    /// Adds the recorded body of each read.
    #[must_use]
    pub fn with_recorded_bodies(mut self, recorded_bodies: Vec<Bytes>) -> Self {
        self.recorded_bodies = recorded_bodies;
        self
    }

    /// Pairs of target and cookie of all reads.
    pub fn targets(&self) -> impl Iterator<Item = (&str, &str)> {
        let reads = self.reads.iter();
        reads.map(|(target, reader)| (target.as_str(), reader.cookie.as_str()))
    }

    /// Number of writes sent so far.
    #[must_use]
    pub fn writes_sent(&self) -> u64 {
        self.writes_sent.load(Relaxed)
    }

    /// Fails if more writes were sent than distinct ones exist, since the surplus would repeat.
    pub fn check_not_exhausted(&self) -> Result<()> {
        let distinct_writes = match self.scenario {
            Scenario::Like | Scenario::Follow => {
                self.fixtures.writers.len() * self.write_targets().len()
            }
            _ => usize::MAX,
        };
        ensure!(
            self.writes_sent() <= distinct_writes as u64,
            "the data set has only {distinct_writes} of these writes: generate a larger one or shorten the rounds"
        );
        Ok(())
    }

    /// Ids of the posts to like or members to follow.
    fn write_targets(&self) -> &[i64] {
        match self.scenario {
            Scenario::Follow => &self.fixtures.members,
            _ => &self.fixtures.posts,
        }
    }

    /// Builds the read with this number, or the next unsent write.
    #[must_use]
    pub fn next_request(&self, number: u64) -> CheckedRequest {
        let request = if self.reads.is_empty() {
            self.write(self.writes_sent.fetch_add(1, Relaxed) as usize)
        } else {
            let (target, reader) = &self.reads[number as usize % self.reads.len()];
            request(Method::GET, target, &reader.cookie, Bytes::new())
        };
        CheckedRequest { request, expected: self.expected.clone(), exact_body: None }
    }

    /// Builds a read that must return its recorded body, while no write has changed it.
    #[must_use]
    pub fn next_read_as_recorded(&self, number: u64) -> CheckedRequest {
        let at = number as usize % self.reads.len().max(1);
        CheckedRequest {
            exact_body: self.recorded_bodies.get(at).cloned(),
            ..self.next_request(number)
        }
    }

    /// Likes or follows sent so far, as pairs of writer and post or member.
    pub fn edges(&self) -> impl Iterator<Item = (i64, i64)> {
        (0..self.writes_sent() as usize).map(|number| {
            let (writer, target) = self.edge(number);
            (writer.member, target)
        })
    }

    /// Ids of the posts or members of the next writes.
    pub fn upcoming_targets(&self) -> impl Iterator<Item = i64> {
        (self.writes_sent() as usize..).map(|number| self.edge(number).1)
    }

    /// Caller and target of a write: each writer starts at another offset in the list.
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
        .header(header::COOKIE, format!("{}={cookie}", cookies::SESSION));
    if !body.is_empty() {
        request = request.header(header::CONTENT_TYPE, "application/json");
    }
    request.body(Full::new(body)).unwrap_or_else(|_| unreachable!("a request of plain text"))
}
