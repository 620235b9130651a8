//! The description, as the server publishes it.

use crate::harness::Server;
use crate::routes;

/// proves: wire-openapi
#[tokio::test]
async fn the_description_is_published() {
    let server = Server::sqlite().await;
    let answer = server.visitor().get("/api/openapi.json").await;
    let published = answer.expect(200);
    assert!(published["openapi"].as_str().unwrap().starts_with("3.1."));
    assert_eq!(answer.bytes, kith::router::openapi().into_bytes());
    let ada = server.admin("ada").await;
    for call in routes::all() {
        let method = call.method.to_lowercase();
        assert!(published["paths"][&call.path][&method].is_object());
        // It describes what there is.
        let answer = ada.tab().call(&call.method, &call.nowhere(), &[], "").await;
        assert_ne!(answer.status.as_u16(), 405, "{call:?}");
        assert!(
            !String::from_utf8_lossy(&answer.bytes).contains("no_such_call"),
            "{call:?}"
        );
    }
}
