//! Each path that is measured has answers that it takes, and no others.

use anyhow::{Context as _, Result};
use axum::Router;
use axum::body::Bytes;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use kith_bench::calls::{Path, Script, TEXT};
use kith_bench::load::{self, Load, Outcome, Pace};
use kith_bench::network::{Caller, Manifest, Reader, Size};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

const EVERY: [Path; 12] = [
    Path::Friends,
    Path::Older,
    Path::ForYou,
    Path::Profile,
    Path::Thread,
    Path::Notifications,
    Path::Search,
    Path::Suggested,
    Path::Opened,
    Path::Post,
    Path::Like,
    Path::Follow,
];

fn manifest() -> Arc<Manifest> {
    let caller = Caller {
        member: 1,
        cookie: "none".to_owned(),
    };
    Arc::new(Manifest {
        size: Size {
            members: 1,
            posts: 1,
            follows: vec![1],
            cold: 0,
            seed: 1,
        },
        readers: vec![Reader {
            caller: caller.clone(),
            follows: 1,
        }],
        cold: vec![],
        star: caller.clone(),
        author: "ada".to_owned(),
        writers: vec![caller],
        thread: 1,
        posts: vec![1],
        members: vec![2],
    })
}

/// Rows that are alike but for their ids.
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

/// What a path's answer may look like.
fn right(path: Path) -> Value {
    let member = json!({ "username": "ada", "followerCount": 1, "reason": { "message": "new" } });
    match path {
        Path::Friends | Path::Older | Path::ForYou | Path::Profile => rows(20, &post()).into(),
        Path::Thread => thread(49),
        Path::Opened => thread(2),
        Path::Notifications => rows(
            20,
            &json!({ "type": "like", "actor": { "username": "ada" } }),
        )
        .into(),
        Path::Search => rows(20, &member).into(),
        Path::Suggested => rows(10, &member).into(),
        Path::Post => json!({ "id": "1", "content": TEXT }),
        Path::Like => json!({ "id": "1", "isLiked": true }),
        Path::Follow => json!({ "isFollowing": true }),
    }
}

fn thread(replies: usize) -> Value {
    let mut one = rows(1, &post());
    json!({ "ancestors": [], "post": one.remove(0), "replies": rows(replies, &post()) })
}

/// The same with something missing that only a look inside tells, about as long as it was.
fn wrong_inside(path: Path) -> Value {
    let mut answer = right(path);
    match path {
        Path::Friends | Path::Older | Path::ForYou | Path::Profile => {
            let last = answer.as_array_mut().and_then(Vec::pop);
            answer[0]["filler"] = last.unwrap_or_default().to_string().into();
        }
        Path::Thread => {
            let last = answer["replies"].as_array_mut().and_then(Vec::pop);
            answer["post"]["filler"] = last.unwrap_or_default().to_string().into();
        }
        Path::Opened => answer["post"]["likeCount"] = Value::Null,
        Path::Notifications => answer[3]["actor"]["username"] = Value::Null,
        Path::Search | Path::Suggested => answer[3]["username"] = Value::Null,
        Path::Post => answer["content"] = TEXT.replace("rain", "snow").into(),
        Path::Like => answer["isLiked"] = false.into(),
        Path::Follow => answer["isFollowing"] = json!("true"),
    }
    answer
}

/// `id` first, as the server writes it; `serde_json` sorts by name.
fn text(path: Path, answer: &Value) -> String {
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
    match path {
        Path::Thread | Path::Opened => format!(
            "{{\"rootId\":null,\"ancestors\":[],\"post\":{},\"replies\":{}}}",
            id_first(&answer["post"]),
            list(&answer["replies"])
        ),
        _ if answer.is_array() => list(answer),
        _ => id_first(answer),
    }
}

const fn status(path: Path) -> StatusCode {
    match path {
        Path::Post => StatusCode::CREATED,
        _ => StatusCode::OK,
    }
}

/// Loads a server that answers `usual`, and `odd` from the hundredth call on.
async fn outcome(
    path: Path,
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
    let manifest = manifest();
    let script = if path == Path::Older {
        let read = ("/older".to_owned(), manifest.star.clone());
        Script::of_reads(path, &manifest, vec![read], size)
    } else {
        Script::new(path, &manifest, &manifest.writers, size)
    };
    let load = Load {
        address,
        connections: 2,
        pace: Pace::Full,
        time: Duration::from_millis(400),
    };
    load::run(load, move |number| script.call(number)).await
}

async fn listen(router: Router) -> Result<SocketAddr> {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

#[tokio::test]
async fn each_path_takes_its_right_answer() -> Result<()> {
    for path in EVERY {
        let usual = (status(path), text(path, &right(path)));
        let outcome = outcome(path, usual.clone(), usual).await;
        let outcome = outcome.with_context(|| path.name())?;
        assert!(outcome.answers > 0, "{}", path.name());
    }
    Ok(())
}

#[tokio::test]
async fn each_path_refuses_what_is_wrong() -> Result<()> {
    for path in EVERY {
        let good = text(path, &right(path));
        let wrong = [
            (
                "the status is 500",
                StatusCode::INTERNAL_SERVER_ERROR,
                good.clone(),
            ),
            ("does not begin with", status(path), "[]".to_owned()),
            (
                "does not begin with",
                status(path),
                good[..good.len() - 1].to_owned(),
            ),
            // Something went missing that the ends do not show: half of the answer, or one row of it.
            ("bytes, not", status(path), grown(&good)),
            (
                "an answer is",
                status(path),
                text(path, &wrong_inside(path)),
            ),
        ];
        for (said, code, body) in wrong {
            let what = format!("{}: {said}", path.name());
            let usual = (status(path), good.clone());
            let outcome = outcome(path, usual, (code, body)).await;
            let error = outcome.map(|outcome| outcome.answers).expect_err(&what);
            let error = format!("{error:#}");
            // The ends are looked at before the size, and of a short answer they hold a fault inside.
            let is_seen = error.contains(said) || path == Path::Follow && error.contains("begin");
            assert!(is_seen, "{what}: {error}");
        }
    }
    Ok(())
}

/// Reader after reader asks, and one of them is shown another's page, of the same shape and size.
#[tokio::test]
async fn a_read_is_answered_as_it_was_kept() -> Result<()> {
    const READERS: usize = 8;
    let path = Path::Friends;
    let pages = (0..READERS).map(|reader| {
        let page = text(path, &right(path));
        Bytes::from(page.replace("\"ada\"", &format!("\"ad{reader}\"")))
    });
    let pages = pages.collect::<Vec<_>>();
    let manifest = manifest();
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
        let reads = (0..READERS).map(|reader| (format!("/{reader}"), manifest.star.clone()));
        let script = Script::of_reads(path, &manifest, reads.collect(), 2..=usize::MAX);
        let script = script.keeping(pages.clone());
        let load = Load {
            address,
            connections: 2,
            pace: Pace::At(2_000.0),
            time: Duration::from_millis(500),
        };
        let outcome = load::run(load, move |number| script.call_again(number)).await;
        match (wrong, outcome) {
            (None, outcome) => assert_eq!(outcome?.answers, 1_000),
            (Some(reader), outcome) => {
                let error = outcome.map(|outcome| outcome.answers);
                let error = error.expect_err("another's page was taken");
                let error = format!("{error:#}");
                assert!(error.contains("not the one that was kept"), "{error}");
                assert!(error.contains(&format!("ad{reader}")), "{error}");
            }
        }
    }
    Ok(())
}

/// The same answer with more than twice its bytes inside.
fn grown(good: &str) -> String {
    let at = good.rfind('"').unwrap_or(1);
    let (before, after) = good.split_at(at);
    format!("{before}{}{after}", "x".repeat(good.len() * 2))
}
