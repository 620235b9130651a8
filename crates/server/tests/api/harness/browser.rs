//! HTTP client with a cookie jar, like a browser.

use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, Response, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Mutex;
use tower::ServiceExt;

/// Sends requests to a router and stores the cookies of its responses.
pub(crate) struct Browser {
    router: axum::Router,
    cookies: Mutex<BTreeMap<String, String>>,
}

/// Response with its body read in full.
#[derive(Debug)]
pub(crate) struct TestResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

impl Browser {
    pub(crate) fn new(router: axum::Router) -> Self {
        Self { router, cookies: Mutex::new(BTreeMap::new()) }
    }

    /// Opens another tab: copies the cookies; later cookies are not shared.
    pub(crate) fn tab(&self) -> Self {
        self.tab_at(self.router.clone())
    }

    /// Copies the cookies into a browser that talks to another node.
    pub(crate) fn tab_at(&self, router: axum::Router) -> Self {
        let cookies = self.cookies.lock().unwrap().clone();
        Self { router, cookies: Mutex::new(cookies) }
    }

    pub(crate) async fn get(&self, path: &str) -> TestResponse {
        self.send(Request::builder().uri(path).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> TestResponse {
        self.json(Method::POST, path, body).await
    }

    /// Sends a POST without a body.
    pub(crate) async fn post_empty(&self, path: &str) -> TestResponse {
        self.send(Request::post(path).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn delete(&self, path: &str) -> TestResponse {
        self.send(Request::delete(path).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn json(&self, method: Method, path: &str, body: Value) -> TestResponse {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_string()))
            .unwrap();
        self.send(request).await
    }

    /// Sends a request with arbitrary headers and body.
    pub(crate) async fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> TestResponse {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(body.into()).unwrap()).await
    }

    /// Sends a request with this browser's cookies and reads the whole body, but none of a stream of events, which does
    /// not end.
    pub(crate) async fn send(&self, request: Request<Body>) -> TestResponse {
        let (parts, body) = self.start_request(request).await.into_parts();
        let content_type = parts.headers.get(header::CONTENT_TYPE);
        let is_endless = content_type.is_some_and(|value| value == "text/event-stream");
        let body = if is_endless { Body::empty() } else { body };
        let bytes = body.collect().await.unwrap().to_bytes().to_vec();
        TestResponse { status: parts.status, headers: parts.headers, bytes }
    }

    /// Sends a request with this browser's cookies and returns the response with its body unread.
    pub(crate) async fn start_request(&self, mut request: Request<Body>) -> Response<Body> {
        let line = self
            .cookies
            .lock()
            .unwrap()
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect::<Vec<_>>()
            .join("; ");
        if !line.is_empty() {
            request.headers_mut().insert(header::COOKIE, line.parse().unwrap());
        }
        let response = self.router.clone().oneshot(request).await.unwrap();
        for cookie in response.headers().get_all(header::SET_COOKIE) {
            let pair = cookie.to_str().unwrap().split(';').next().unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            let mut cookies = self.cookies.lock().unwrap();
            if value.is_empty() {
                cookies.remove(name);
            } else {
                cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        response
    }

    /// Returns the value of a cookie, if this browser holds it.
    pub(crate) fn cookie(&self, name: &str) -> Option<String> {
        self.cookies.lock().unwrap().get(name).cloned()
    }

    /// Sets a cookie by hand.
    pub(crate) fn set_cookie(&self, name: &str, value: &str) {
        self.cookies.lock().unwrap().insert(name.to_owned(), value.to_owned());
    }

    /// Returns the logged-in member.
    pub(crate) async fn me(&self) -> Value {
        self.get("/api/auth/me").await.expect(200)
    }

    /// Returns the logged-in member's id.
    pub(crate) async fn id(&self) -> String {
        self.me().await["id"].as_str().unwrap().to_owned()
    }

    /// Returns the logged-in member's username.
    pub(crate) async fn name(&self) -> String {
        self.me().await["username"].as_str().unwrap().to_owned()
    }

    /// Creates a post from `body` and returns it.
    pub(crate) async fn create(&self, body: Value) -> Value {
        self.post("/api/posts", body).await.expect(201)
    }

    /// Creates a post and returns its id.
    pub(crate) async fn write(&self, content: &str) -> String {
        id_of(&self.create(json!({"content": content})).await)
    }

    /// Replies to a post and returns the reply's id.
    pub(crate) async fn reply(&self, post: &str, content: &str) -> String {
        id_of(&self.create(json!({"content": content, "replyToId": post})).await)
    }

    /// Reposts a post and returns the repost's id.
    pub(crate) async fn repost(&self, post: &str) -> String {
        id_of(&self.create(json!({"content": "♻️", "repostOfId": post})).await)
    }

    /// Returns a post as this member sees it.
    pub(crate) async fn get_post(&self, post: &str) -> Value {
        let thread = self.get(&format!("/api/posts/{post}/thread")).await;
        thread.expect(200)["post"].clone()
    }

    /// Follows another member.
    pub(crate) async fn follow(&self, other: &Self) {
        let id = other.id().await;
        self.post("/api/follows", json!({"followingId": id})).await.expect(200);
    }

    /// Returns the texts of a list of posts.
    pub(crate) async fn contents(&self, path: &str) -> Vec<String> {
        let posts = self.get(path).await.expect(200);
        posts
            .as_array()
            .unwrap()
            .iter()
            .map(|post| post["content"].as_str().unwrap().to_owned())
            .collect()
    }
}

/// Returns the `id` field of a JSON object.
pub(crate) fn id_of(thing: &Value) -> String {
    thing["id"].as_str().unwrap().to_owned()
}

impl TestResponse {
    /// Returns the JSON body after asserting the status.
    #[track_caller]
    pub(crate) fn expect(&self, status: u16) -> Value {
        let text = String::from_utf8_lossy(&self.bytes);
        assert_eq!(self.status.as_u16(), status, "responded {text}");
        serde_json::from_slice(&self.bytes).unwrap_or(Value::Null)
    }

    /// Returns the error code after asserting the status and that the message is a sentence.
    #[track_caller]
    pub(crate) fn error_code(&self, status: u16) -> String {
        let body = self.expect(status);
        let message = body["message"].as_str().unwrap_or_default();
        assert!(
            message.ends_with(['.', '?', '!']) || message.ends_with("found"),
            "not a sentence: {body}"
        );
        body["code"].as_str().unwrap().to_owned()
    }

    /// Returns the URL in the `Link` header, or `None` on the last page.
    pub(crate) fn next(&self) -> Option<String> {
        let url = self.header("link").strip_prefix('<')?;
        Some(url.strip_suffix(">; rel=\"next\"").unwrap().to_owned())
    }

    /// Returns a header's text, or an empty string.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}
