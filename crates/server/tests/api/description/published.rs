//! Checks the document that the server publishes.

use crate::harness::Server;
use crate::routes;

/// proves: wire-openapi
#[tokio::test]
async fn the_openapi_document_is_published() {
    let server = Server::sqlite().await;
    let response = server.visitor().get("/api/openapi.json").await;
    let published = response.expect(200);
    assert!(published["openapi"].as_str().unwrap().starts_with("3.1."));
    assert_eq!(response.bytes, kith::router::openapi().into_bytes());
    let ada = server.admin("ada").await;
    for operation in routes::all() {
        let method = operation.method.to_lowercase();
        assert!(published["paths"][&operation.path][&method].is_object());
        // The described operation exists on the router.
        let response = ada.tab().request(&operation.method, &operation.nowhere(), &[], "").await;
        assert_ne!(response.status.as_u16(), 405, "{operation:?}");
        assert!(
            !String::from_utf8_lossy(&response.bytes).contains("no_such_call"),
            "{operation:?}"
        );
    }
}
