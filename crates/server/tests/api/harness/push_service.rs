//! A push service of our own, which records what it gets.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::SecretKey;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

static SERVICE: LazyLock<PushService> = LazyLock::new(PushService::start);
/// Key and secret of every browser of the tests.
const KEY: [u8; 32] = [7; 32];
const AUTH: [u8; 16] = [9; 16];

/// Received pushes by path.
type Received = Arc<Mutex<HashMap<String, Vec<(HeaderMap, Bytes)>>>>;

struct PushService {
    origin: String,
    received: Received,
}

impl PushService {
    /// Starts the service on a thread of its own, because each test has its own runtime.
    fn start() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let received = Received::default();
        let routes = Router::new().route("/{name}", axum::routing::post(receive));
        let routes = routes.with_state(Arc::clone(&received));
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                axum::serve(listener, routes).await.unwrap();
            });
        });
        Self { origin, received }
    }
}

/// Responds as the name says.
async fn receive(
    State(received): State<Received>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    received.lock().unwrap().entry(name.clone()).or_default().push((headers, body));
    match name.split('-').next() {
        Some("gone") => StatusCode::GONE.into_response(),
        Some("busy") => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Some("moved") => {
            (StatusCode::TEMPORARY_REDIRECT, [("location", "/followed")]).into_response()
        }
        Some("slow") => {
            tokio::time::sleep(std::time::Duration::from_secs(20)).await;
            StatusCode::CREATED.into_response()
        }
        _ => StatusCode::CREATED.into_response(),
    }
}

/// The service's origin, in the syntax of `KITH_PUSH_HOSTS`.
pub(crate) fn origin() -> String {
    SERVICE.origin.clone()
}

/// A subscription at the service; the first part of its name decides how the service responds.
pub(crate) fn subscription(kind: &str, shows_text: bool) -> (String, Value) {
    let name = format!("{kind}-{}", kith::platform::crypto::random_code(12));
    let key = SecretKey::from_slice(&KEY).unwrap().public_key().to_sec1_bytes();
    let body = json!({
        "endpoint": format!("{}/{name}", SERVICE.origin),
        "p256dh": URL_SAFE_NO_PAD.encode(key),
        "auth": URL_SAFE_NO_PAD.encode(AUTH),
        "showsText": shows_text,
    });
    (name, body)
}

/// The decrypted messages that a subscription got.
pub(crate) fn messages(name: &str) -> Vec<Value> {
    let decrypt = |(_, body): &(HeaderMap, Bytes)| {
        let secret = SecretKey::from_slice(&KEY).unwrap();
        let message = web_push_native::decrypt(body.to_vec(), &secret, &AUTH.into()).unwrap();
        serde_json::from_slice(&message).unwrap()
    };
    let received = SERVICE.received.lock().unwrap();
    received.get(name).into_iter().flatten().map(decrypt).collect()
}

/// The headers of the last request for a subscription.
pub(crate) fn headers(name: &str) -> HeaderMap {
    SERVICE.received.lock().unwrap()[name].last().unwrap().0.clone()
}
