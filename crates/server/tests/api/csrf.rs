//! Cross-site writes from a member's browser are rejected and change nothing.

use crate::harness::Server;
use crate::routes;
use crate::write_requests::every_write;
use std::time::SystemTime;

const OWN: &str = "http://localhost:8080";

/// Header sets that mark a cross-site request, sent by a browser or forged by a page.
const FOREIGN: [&[(&str, &str)]; 7] = [
    &[("sec-fetch-site", "cross-site")],
    &[("sec-fetch-site", "same-site")],
    &[("sec-fetch-site", "Same-Origin ")],
    &[("origin", "https://evil.example")],
    &[("origin", "null")],
    &[("origin", "http://localhost:8080.evil.example")],
    &[("origin", "https://localhost:8080")],
];

/// Size and modification time of the database file and its WAL.
fn files(server: &Server) -> [(u64, SystemTime); 2] {
    ["kith.db", "kith.db-wal"].map(|name| {
        let file = std::fs::metadata(server.data.path().join(name)).unwrap();
        (file.len(), file.modified().unwrap())
    })
}

/// proves: safe-cross-site, wire-403
#[tokio::test]
async fn cross_site_requests_write_nothing() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    let all = every_write(&server, &ada).await;
    let before = files(&server);
    for write in &all {
        for headers in FOREIGN {
            let answer = write.send(&ada, headers).await;
            assert_eq!(answer.error_code(403), "cross_site", "{} {headers:?}", write.route);
            assert_eq!(files(&server), before, "{} {headers:?}", write.route);
        }
    }
    // These requests succeed with the app's own origin, so the rejections above have no other cause.
    let own = [("sec-fetch-site", "same-origin"), ("origin", OWN)];
    for write in &all {
        write.assert_done(&write.send(&ada.tab(), &own).await);
    }
    assert_ne!(files(&server), before);
}

/// proves: wire-415
#[tokio::test]
async fn a_cross_site_form_is_not_accepted_as_json() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    for write in every_write(&server, &ada).await {
        if let Some(body) = &write.body {
            let headers = [("content-type", "text/plain")];
            let answer = ada.request(write.method, &write.path, &headers, body.to_string()).await;
            assert_eq!(answer.error_code(415), "not_json", "{}", write.route);
        }
    }
}

/// proves: safe-cross-site
#[tokio::test]
async fn every_write_endpoint_has_the_csrf_check() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    for call in routes::all().iter().filter(|call| call.writes()) {
        for headers in FOREIGN {
            let answer = ada.request(&call.method, &call.nowhere(), headers, "").await;
            assert_eq!(answer.error_code(403), "cross_site", "{call:?}");
        }
        let own = [("sec-fetch-site", "none")];
        let answer = ada.tab().request(&call.method, &call.nowhere(), &own, "").await;
        assert_ne!(answer.status.as_u16(), 403, "{call:?}");
    }
}
