//! Writes that another site makes a member's browser send change nothing.

use crate::deeds::every_write;
use crate::harness::Server;
use crate::routes;
use std::time::SystemTime;

const OWN: &str = "http://localhost:8080";

/// What a browser (or a page that tries to look like one) may say of a foreign request.
const FOREIGN: [&[(&str, &str)]; 7] = [
    &[("sec-fetch-site", "cross-site")],
    &[("sec-fetch-site", "same-site")],
    &[("sec-fetch-site", "Same-Origin ")],
    &[("origin", "https://evil.example")],
    &[("origin", "null")],
    &[("origin", "http://localhost:8080.evil.example")],
    &[("origin", "https://localhost:8080")],
];

/// The database and its log: how long they are, and when they were last written to.
fn files(server: &Server) -> [(u64, SystemTime); 2] {
    ["kith.db", "kith.db-wal"].map(|name| {
        let file = std::fs::metadata(server.data.path().join(name)).unwrap();
        (file.len(), file.modified().unwrap())
    })
}

/// proves: safe-cross-site, wire-403
#[tokio::test]
async fn another_site_writes_nothing() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    let all = every_write(&server, &ada).await;
    let before = files(&server);
    for write in &all {
        for headers in FOREIGN {
            let answer = write.send(&ada, headers).await;
            assert_eq!(
                answer.refusal(403),
                "cross_site",
                "{} {headers:?}",
                write.route
            );
            assert_eq!(files(&server), before, "{} {headers:?}", write.route);
        }
    }
    // The same requests from our own pages work: the table above is not refused for another reason.
    let own = [("sec-fetch-site", "same-origin"), ("origin", OWN)];
    for write in &all {
        write.assert_done(&write.send(&ada.tab(), &own).await);
    }
    assert_ne!(files(&server), before);
}

/// proves: wire-415
#[tokio::test]
async fn a_form_of_another_site_is_no_json() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    for write in every_write(&server, &ada).await {
        if let Some(body) = &write.body {
            let headers = [("content-type", "text/plain")];
            let answer = ada
                .call(write.method, &write.path, &headers, body.to_string())
                .await;
            assert_eq!(answer.refusal(415), "not_json", "{}", write.route);
        }
    }
}

/// proves: safe-cross-site
#[tokio::test]
async fn no_writing_call_is_without_the_guard() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    for call in routes::all().iter().filter(|call| call.writes()) {
        for headers in FOREIGN {
            let answer = ada.call(&call.method, &call.nowhere(), headers, "").await;
            assert_eq!(answer.refusal(403), "cross_site", "{call:?}");
        }
        let own = [("sec-fetch-site", "none")];
        let answer = ada
            .tab()
            .call(&call.method, &call.nowhere(), &own, "")
            .await;
        assert_ne!(answer.status.as_u16(), 403, "{call:?}");
    }
}
