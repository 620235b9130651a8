//! Several nodes on one PostgreSQL database, which answer requests in turn.

use axum::Router;
use axum::extract::Request;
use kith::features::events;
use kith::state::AppState;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;
use tower::ServiceExt as _;

/// Variable with the number of nodes of every server on PostgreSQL; one if unset.
const NODES: &str = "KITH_TEST_NODES";

/// Opens another node on the same database, with the same secret key and its own data folder.
pub(super) async fn open(first: &AppState) -> (AppState, TempDir) {
    let data = tempfile::tempdir().unwrap();
    let key = "secret.key";
    std::fs::copy(first.settings.store.data.join(key), data.path().join(key)).unwrap();
    let mut settings = first.settings.clone();
    settings.store.data = data.path().to_path_buf();
    (AppState::open_beside(first, settings).await.unwrap(), data)
}

/// A node that answers requests.
struct Node {
    state: AppState,
    router: Router,
    /// Data folder of a further node.
    _data: Option<TempDir>,
}

/// Builds the router of a server: on PostgreSQL with [`NODES`], its requests go to the nodes in turn. Each node first
/// catches up with the others, because tests look at one member's write as another member.
pub(super) async fn router(first: &AppState) -> Router {
    let router = kith::router::router(first.clone());
    let count = std::env::var(NODES).map_or(1, |count| count.parse::<usize>().unwrap());
    if first.settings.store.database_url.is_empty() || count == 1 {
        return router;
    }
    let mut nodes = vec![Node { state: first.clone(), router, _data: None }];
    while nodes.len() < count {
        let (state, data) = open(first).await;
        tokio::spawn(events::run_dispatcher(Arc::clone(&state.events)));
        let router = kith::router::router(state.clone());
        nodes.push(Node { state, router, _data: Some(data) });
    }
    let turns = Arc::new((nodes, AtomicUsize::new(0)));
    Router::new().fallback(move |request: Request| {
        let turns = Arc::clone(&turns);
        async move {
            let (nodes, next) = &*turns;
            let node = &nodes[next.fetch_add(1, Ordering::Relaxed) % nodes.len()];
            node.state.db.catch_up().await;
            node.router.clone().oneshot(request).await
        }
    })
}
