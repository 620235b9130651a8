//! Headers of every response, for pages and the API.

use crate::harness::{Options, Server, TestResponse};
use kith::platform::config::Hsts;
use serde_json::json;

/// A page, an API response, and an error of each layer.
async fn responses(server: &Server) -> Vec<(&'static str, TestResponse)> {
    let (visitor, ada) = (server.visitor(), server.member("ada").await);
    let cross = [("sec-fetch-site", "cross-site")];
    vec![
        ("page", visitor.get("/").await),
        ("deep page", visitor.get("/profile/ada").await),
        ("missing file", visitor.get("/assets/nope.js").await),
        ("page with a wrong method", visitor.post_empty("/").await),
        ("login", visitor.get("/api/login").await),
        ("description", visitor.get("/api/openapi.json").await),
        ("endpoint", ada.get("/api/auth/me").await),
        ("write", ada.post("/api/posts", json!({"content": "x"})).await),
        ("logged out", visitor.get("/api/auth/me").await),
        ("malformed", ada.post("/api/posts", json!([])).await),
        ("unknown", visitor.get("/api/nope").await),
        ("wrong method", visitor.delete("/api/auth/me").await),
        ("cross site", ada.request("POST", "/api/posts", &cross, "").await),
    ]
}

/// proves: safe-headers
#[tokio::test]
async fn every_response_has_security_headers() {
    let server = Server::sqlite().await;
    for (what, answer) in responses(&server).await {
        let csp = answer.header("content-security-policy");
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        ] {
            assert!(csp.split("; ").any(|rule| rule == part), "{what}: {csp}");
        }
        assert!(!csp.contains("unsafe") && !csp.contains('*'), "{csp}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), value, "{what}: {name}");
        }
        assert!(answer.header("permissions-policy").contains("camera=()"));
        for name in
            ["server", "x-powered-by", "strict-transport-security", "access-control-allow-origin"]
        {
            assert_eq!(answer.header(name), "", "{what}: {name}");
        }
    }
}

/// proves: safe-https, safe-https-setting
#[tokio::test]
async fn hsts_lasts_one_year() {
    for (hsts, expected) in [
        (Hsts::On, "max-age=31536000"),
        (Hsts::Subdomains, "max-age=31536000; includeSubDomains"),
        (Hsts::Off, ""),
    ] {
        let server = Server::start(Options {
            public_url: "https://kith.example",
            hsts,
            ..Options::on(String::new())
        });
        let server = server.await;
        for path in ["/", "/api/auth/me"] {
            let answer = server.visitor().get(path).await;
            assert_eq!(answer.header("strict-transport-security"), expected, "{hsts:?}");
        }
    }
}

/// proves: safe-no-store, call-login
#[tokio::test]
async fn api_responses_are_not_cached() {
    let server = Server::sqlite().await;
    for (what, answer) in responses(&server).await {
        let page =
            ["page", "deep page", "missing file", "page with a wrong method"].contains(&what);
        if !page {
            assert_eq!(answer.header("cache-control"), "no-store", "{what}");
        }
        if !page && what != "login" {
            assert_eq!(answer.header("content-type"), "application/json", "{what}");
        }
    }
    let login = server.visitor().get("/api/login").await;
    assert_eq!((login.status.as_u16(), login.header("location")), (303, "/?login=1"));
}

/// proves: first-screen-session
#[tokio::test]
async fn a_page_shows_its_scripts_that_a_session_exists() {
    let server = Server::sqlite().await;
    let (visitor, ada) = (server.visitor(), server.member("ada").await);
    for path in ["/", "/profile/ada"] {
        let answer = ada.get(path).await;
        assert_eq!(answer.header("server-timing"), "session", "{path}");
        assert_eq!(visitor.get(path).await.header("server-timing"), "", "{path}");
    }
}

/// proves: wire-request-id
#[tokio::test]
async fn every_response_has_a_request_id() {
    let server = Server::sqlite().await;
    let mut ids = Vec::new();
    for (what, answer) in responses(&server).await {
        let id = answer.header("x-request-id").to_owned();
        assert!(!id.is_empty(), "{what}");
        ids.push(id);
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "no id twice");
    let answer =
        server.visitor().request("GET", "/api/auth/me", &[("x-request-id", "mine")], "").await;
    assert_ne!(answer.header("x-request-id"), "mine");
}

/// The client's cached copy is another version, so a range of the current one would not fit it.
#[tokio::test]
async fn a_range_needs_get_and_the_same_version() {
    let server = Server::sqlite().await;
    let ask = |method: &'static str, range: &'static str, only_if: &'static str| {
        let request = axum::http::Request::builder()
            .method(method)
            .uri("/favicon.svg")
            .header("range", range)
            .header("if-range", only_if)
            .body(axum::body::Body::empty())
            .unwrap();
        let visitor = server.visitor();
        async move { visitor.send(request).await }
    };
    let whole = ask("GET", "bytes=0-9", "\"another\"").await;
    assert_eq!(whole.status, 200, "the web app is part of this build: run `cargo xtask test`");
    assert_eq!(whole.header("content-type"), "image/svg+xml; charset=utf-8");
    let tag: &'static str = whole.header("etag").to_owned().leak();
    let part = ask("GET", "bytes=0-9", tag).await;
    assert_eq!((part.status.as_u16(), part.bytes.len()), (206, 10));
    assert_eq!(ask("HEAD", "bytes=0-9", tag).await.status, 200);
    let beyond = ask("GET", "bytes=9999999-", tag).await;
    assert_eq!((beyond.status.as_u16(), beyond.header("cache-control")), (416, "no-store"));
}

/// Paths of static files never serve the page: the images' policy would block its scripts.
/// proves: no-such-file
#[tokio::test]
async fn paths_of_static_files_serve_no_page() {
    let server = Server::sqlite().await;
    let visitor = server.visitor();
    for path in ["/images/x", "/images/", "/images/a/b.webp", "/assets/x", "/media/x.mp4"] {
        let answer = visitor.get(path).await;
        assert_eq!(answer.status.as_u16(), 404, "{path}");
        assert!(!answer.header("content-type").starts_with("text/html"), "{path}");
    }
    let page = visitor.get("/imagesque").await;
    assert!(page.header("content-type").starts_with("text/html"));
}

/// A cached worker would keep an old version of the app on devices, and its scope is its folder.
/// proves: worker-headers
#[tokio::test]
async fn the_service_worker_is_revalidated_and_serves_every_path() {
    let server = Server::sqlite().await;
    let worker = server.visitor().get("/service-worker.js").await;
    assert_eq!(worker.status, 200, "the web app is part of this build: run `cargo xtask test`");
    assert_eq!(worker.header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!(worker.header("cache-control"), "no-cache");
    let manifest = server.visitor().get("/manifest.webmanifest").await;
    assert_eq!(manifest.header("content-type"), "application/manifest+json");
    assert_eq!(manifest.header("cache-control"), "no-cache");
    for answer in [worker, manifest] {
        let csp = answer.header("content-security-policy");
        for part in ["worker-src 'self'", "manifest-src 'self'", "connect-src 'self'"] {
            assert!(csp.split("; ").any(|rule| rule == part), "{csp}");
        }
    }
}

/// proves: share-without-worker
#[tokio::test]
async fn a_share_without_a_service_worker_leads_to_a_page() {
    let server = Server::sqlite().await;
    let (visitor, ada) = (server.visitor(), server.member("ada").await);
    let form = [
        ("content-type", "multipart/form-data; boundary=x"),
        // Sent by the browser itself, not by a page.
        ("sec-fetch-site", "none"),
    ];
    for client in [visitor, ada] {
        let answer = client.request("POST", "/share", &form, "--x--").await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (303, "/?share=failed"));
    }
    let page = server.visitor().get("/share").await;
    assert!(page.header("content-type").starts_with("text/html"));
}
