//! Each scenario accepts its correct response and rejects wrong ones.

use anyhow::{Context as _, Result};
use axum::Router;
use axum::body::Bytes;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use kith_bench::dataset::{Caller, Fixtures, Reader, Size};
use kith_bench::load::{self, Load, Outcome, Pace};
use kith_bench::scenarios::{Scenario, ScenarioRun, TEXT};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

const ALL: [Scenario; 12] = [
    Scenario::Friends,
    Scenario::FriendsPage50,
    Scenario::ForYou,
    Scenario::Profile,
    Scenario::Thread,
    Scenario::Notifications,
    Scenario::Search,
    Scenario::Suggested,
    Scenario::OpenPost,
    Scenario::CreatePost,
    Scenario::Like,
    Scenario::Follow,
];

fn fixtures() -> Arc<Fixtures> {
    let caller = Caller { member: 1, cookie: "none".to_owned() };
    Arc::new(Fixtures {
        size: Size { members: 1, posts: 1, follows: vec![1], cold: 0, seed: 1 },
        readers: vec![Reader { caller: caller.clone(), follows: 1 }],
        cold: vec![],
        star: caller.clone(),
        author: "ada".to_owned(),
        writers: vec![caller],
        thread: 1,
        posts: vec![1],
        members: vec![2],
    })
}

/// Rows with ascending ids and otherwise equal fields.
fn rows(count: usize, row: &Value) -> Vec<Value> {
    let rows = (0..count).map(|number| {
        let mut new = json!({ "id": (1000 + number).to_string() });
        let fields = row.as_object().into_iter().flatten();
        for (name, value) in fields {
            new[name] = value.clone();
        }
        new
    });
    rows.collect()
}

fn post() -> Value {
    json!({ "content": TEXT, "author": { "username": "ada" }, "likeCount": 0 })
}

/// A correct response of a scenario.
fn correct_response(scenario: Scenario) -> Value {
    let member = json!({ "username": "ada", "followerCount": 1, "reason": { "message": "new" } });
    match scenario {
        Scenario::Friends | Scenario::FriendsPage50 | Scenario::ForYou | Scenario::Profile => {
            rows(20, &post()).into()
        }
        Scenario::Thread => thread(49),
        Scenario::OpenPost => thread(2),
        Scenario::Notifications => {
            rows(20, &json!({ "type": "like", "actor": { "username": "ada" } })).into()
        }
        Scenario::Search => rows(20, &member).into(),
        Scenario::Suggested => rows(10, &member).into(),
        Scenario::CreatePost => json!({ "id": "1", "content": TEXT }),
        Scenario::Like => json!({ "id": "1", "isLiked": true }),
        Scenario::Follow => json!({ "isFollowing": true }),
    }
}

fn thread(replies: usize) -> Value {
    let mut one = rows(1, &post());
    json!({ "ancestors": [], "post": one.remove(0), "replies": rows(replies, &post()) })
}

/// A response of similar length with an error that only the check of samples finds.
fn response_with_wrong_field(scenario: Scenario) -> Value {
    let mut answer = correct_response(scenario);
    match scenario {
        Scenario::Friends | Scenario::FriendsPage50 | Scenario::ForYou | Scenario::Profile => {
            let last = answer.as_array_mut().and_then(Vec::pop);
            answer[0]["filler"] = last.unwrap_or_default().to_string().into();
        }
        Scenario::Thread => {
            let last = answer["replies"].as_array_mut().and_then(Vec::pop);
            answer["post"]["filler"] = last.unwrap_or_default().to_string().into();
        }
        Scenario::OpenPost => answer["post"]["likeCount"] = Value::Null,
        Scenario::Notifications => answer[3]["actor"]["username"] = Value::Null,
        Scenario::Search | Scenario::Suggested => answer[3]["username"] = Value::Null,
        Scenario::CreatePost => answer["content"] = TEXT.replace("rain", "snow").into(),
        Scenario::Like => answer["isLiked"] = false.into(),
        Scenario::Follow => answer["isFollowing"] = json!("true"),
    }
    answer
}

/// Serializes `id` first, as the server does; `serde_json` sorts fields by name.
fn text(scenario: Scenario, answer: &Value) -> String {
    let id_first = |row: &Value| {
        let Some(fields) = row.as_object().filter(|fields| fields.contains_key("id")) else {
            return row.to_string();
        };
        let mut rest = fields.clone();
        let id = rest.remove("id").unwrap_or_default();
        let rest = Value::Object(rest).to_string();
        format!("{{\"id\":{id},{}", &rest[1..])
    };
    let list = |rows: &Value| {
        let rows = rows.as_array().into_iter().flatten().map(id_first);
        format!("[{}]", rows.collect::<Vec<_>>().join(","))
    };
    match scenario {
        Scenario::Thread | Scenario::OpenPost => format!(
            "{{\"rootId\":null,\"ancestors\":[],\"post\":{},\"replies\":{}}}",
            id_first(&answer["post"]),
            list(&answer["replies"])
        ),
        _ if answer.is_array() => list(answer),
        _ => id_first(answer),
    }
}

const fn status(scenario: Scenario) -> StatusCode {
    match scenario {
        Scenario::CreatePost => StatusCode::CREATED,
        _ => StatusCode::OK,
    }
}

/// Loads a server that responds with `usual`, and with `odd` after 100 requests.
async fn outcome(
    scenario: Scenario,
    usual: (StatusCode, String),
    odd: (StatusCode, String),
) -> Result<Outcome> {
    let size = usual.1.len() / 2..=usual.1.len() * 2;
    let next = Arc::new(AtomicU64::new(0));
    let handler = move |_: Request| {
        let number = next.fetch_add(1, Relaxed);
        let (status, body) = if number < 100 { &usual } else { &odd };
        let answer = (*status, Bytes::from(body.clone())).into_response();
        async move { answer }
    };
    let address = listen(Router::new().fallback(handler)).await?;
    let fixtures = fixtures();
    let scenario_run = if scenario == Scenario::FriendsPage50 {
        let read = ("/older".to_owned(), fixtures.star.clone());
        ScenarioRun::with_reads(scenario, &fixtures, vec![read], size)
    } else {
        ScenarioRun::new(scenario, &fixtures, &fixtures.writers, size)
    };
    let load = Load { address, connections: 2, pace: Pace::Full, time: Duration::from_millis(400) };
    load::run_load(load, move |number| scenario_run.next_request(number)).await
}

async fn listen(router: Router) -> Result<SocketAddr> {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

#[tokio::test]
async fn each_scenario_accepts_its_correct_response() -> Result<()> {
    for scenario in ALL {
        let usual = (status(scenario), text(scenario, &correct_response(scenario)));
        let outcome = outcome(scenario, usual.clone(), usual).await;
        let outcome = outcome.with_context(|| scenario.name())?;
        assert!(outcome.responses > 0, "{}", scenario.name());
    }
    Ok(())
}

#[tokio::test]
async fn each_scenario_rejects_wrong_responses() -> Result<()> {
    for scenario in ALL {
        let good = text(scenario, &correct_response(scenario));
        let wrong = [
            ("the status is 500", StatusCode::INTERNAL_SERVER_ERROR, good.clone()),
            ("does not begin with", status(scenario), "[]".to_owned()),
            ("does not begin with", status(scenario), good[..good.len() - 1].to_owned()),
            // The suffix is right, but half of the body or one row is missing.
            ("bytes, not", status(scenario), with_filler(&good)),
            (
                "a response is",
                status(scenario),
                text(scenario, &response_with_wrong_field(scenario)),
            ),
        ];
        for (expected, code, body) in wrong {
            let what = format!("{}: {expected}", scenario.name());
            let usual = (status(scenario), good.clone());
            let outcome = outcome(scenario, usual, (code, body)).await;
            let error = outcome.map(|outcome| outcome.responses).expect_err(&what);
            let error = format!("{error:#}");
            // Prefix and suffix are checked before the size; a short response shows the error there.
            let is_seen =
                error.contains(expected) || scenario == Scenario::Follow && error.contains("begin");
            assert!(is_seen, "{what}: {error}");
        }
    }
    Ok(())
}

/// One of the readers gets another reader's page, of the same shape and size.
#[tokio::test]
async fn a_read_must_match_its_recorded_body() -> Result<()> {
    const READERS: usize = 8;
    let scenario = Scenario::Friends;
    let pages = (0..READERS).map(|reader| {
        let page = text(scenario, &correct_response(scenario));
        Bytes::from(page.replace("\"ada\"", &format!("\"ad{reader}\"")))
    });
    let pages = pages.collect::<Vec<_>>();
    let fixtures = fixtures();
    for wrong in [None, Some(1), Some(READERS - 1)] {
        let mut shown = pages.clone();
        if let Some(reader) = wrong {
            shown[reader] = pages[0].clone();
        }
        let handler = move |request: Request| {
            let reader = request.uri().path()[1..].parse::<usize>();
            let body = reader.map(|reader| shown[reader].clone());
            async move { body.map_err(|_| StatusCode::NOT_FOUND) }
        };
        let address = listen(Router::new().fallback(handler)).await?;
        let reads = (0..READERS).map(|reader| (format!("/{reader}"), fixtures.star.clone()));
        let scenario_run =
            ScenarioRun::with_reads(scenario, &fixtures, reads.collect(), 2..=usize::MAX);
        let scenario_run = scenario_run.with_recorded_bodies(pages.clone());
        let load = Load {
            address,
            connections: 2,
            pace: Pace::At(2_000.0),
            time: Duration::from_millis(500),
        };
        let outcome =
            load::run_load(load, move |number| scenario_run.next_read_as_recorded(number)).await;
        match (wrong, outcome) {
            (None, outcome) => assert_eq!(outcome?.responses, 1_000),
            (Some(reader), outcome) => {
                let error = outcome.map(|outcome| outcome.responses);
                let error = error.expect_err("the page of another reader was accepted");
                let error = format!("{error:#}");
                assert!(error.contains("differs from the recorded one"), "{error}");
                assert!(error.contains(&format!("ad{reader}")), "{error}");
            }
        }
    }
    Ok(())
}

/// The response with more than twice its bytes.
fn with_filler(good: &str) -> String {
    let at = good.rfind('"').unwrap_or(1);
    let (before, after) = good.split_at(at);
    format!("{before}{}{after}", "x".repeat(good.len() * 2))
}
