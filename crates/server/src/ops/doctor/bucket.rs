//! Checks that browsers can upload to the bucket.

use crate::ops::doctor::Check;
use crate::platform::clock::Clock;
use crate::platform::config::Settings;
use crate::platform::tls;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN,
};
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use kith_storage::{Presigned, Storage};
use std::time::Duration;

const NAME: &str = "uploads";
/// How long a request may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How long the URL is valid.
const TTL: Duration = Duration::from_mins(1);
const BODY: &[u8] = b"Can a browser upload this?";

/// Uploads an object as a browser does; `None` if images are files.
pub(super) async fn uploads(settings: &Settings, clock: &Clock) -> Option<Check> {
    if settings.storage_url.is_empty() {
        return None;
    }
    let opened = Storage::open(&settings.storage_url, &settings.store.data.join("media")).await;
    // The check of the storage reports the error.
    let storage = opened.ok()?;
    let key = format!("ready/upload-{}", std::process::id());
    let size = BODY.len() as u64;
    let presigned = storage.presign_put(&key, size, "image/png", TTL, clock.system_now()).await;
    let presigned = presigned.ok().flatten()?;
    let check = check_uploads(&presigned, &settings.origin()).await;
    // If it fails, so did the upload or the check of the storage.
    let _ = storage.delete(&key).await;
    Some(check)
}

/// Sends the preflight request of a page at `origin`, the upload, and the upload again.
async fn check_uploads(presigned: &Presigned, origin: &str) -> Check {
    let unreachable = |error: String| {
        Check::fail(
            NAME,
            format!("an upload by its presigned URL failed: {error}"),
            "Make the endpoint in KITH_STORAGE_URL reachable for browsers, by the same URL.",
        )
    };
    let names = presigned.headers.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>();
    let preflight = [
        (ORIGIN.as_str(), origin),
        (ACCESS_CONTROL_REQUEST_METHOD.as_str(), "PUT"),
        (ACCESS_CONTROL_REQUEST_HEADERS.as_str(), &names.join(",")),
    ];
    let preflight = match send(Method::OPTIONS, presigned, &preflight, &[]).await {
        Ok(response) => response,
        Err(error) => return unreachable(error),
    };
    let own = presigned.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let headers = own.chain([(ORIGIN.as_str(), origin)]).collect::<Vec<_>>();
    let mut statuses = [StatusCode::OK; 2];
    for status in &mut statuses {
        match send(Method::PUT, presigned, &headers, BODY).await {
            Ok(response) => *status = response.status(),
            Err(error) => return unreachable(error),
        }
    }
    if !statuses[0].is_success() {
        return Check::fail(
            NAME,
            format!("the bucket rejected a presigned upload with status {}", statuses[0]),
            "Allow the keys PutObject, and set this machine's clock. A proxy in front of the bucket must not change \
             the host, the path or signed headers.",
        );
    }
    if statuses[1].is_success() {
        return Check::fail(
            NAME,
            "the bucket ignores If-None-Match: a presigned URL can replace an image",
            "Use a server that supports conditional PUT, or a newer version of it.",
        );
    }
    if !preflight.status().is_success() || !allows(preflight.headers(), origin, &names) {
        return Check::fail(
            NAME,
            format!("the bucket's CORS rules do not let pages of {origin} upload"),
            "Set the CORS rules in docs/configuration/s3.md, with your public URL as origin.",
        );
    }
    Check::ok(NAME, "presigned, once for each key, and from pages of the public URL")
}

/// Checks whether a response to a preflight request permits a `PUT` with the headers.
fn allows(response: &HeaderMap, origin: &str, names: &[&str]) -> bool {
    let list = |name| {
        let lines = response.get_all(name).iter().filter_map(|line| line.to_str().ok());
        let entries = lines.flat_map(|line| line.split(',')).map(str::trim);
        entries.map(str::to_ascii_lowercase).collect::<Vec<_>>()
    };
    let permits = |listed: &[String], wanted: &str| {
        listed.iter().any(|entry| entry == "*" || *entry == wanted.to_ascii_lowercase())
    };
    let headers = list(ACCESS_CONTROL_ALLOW_HEADERS);
    permits(&list(ACCESS_CONTROL_ALLOW_ORIGIN), origin)
        && permits(&list(ACCESS_CONTROL_ALLOW_METHODS), "put")
        && names.iter().all(|name| permits(&headers, name))
}

/// Sends a request to the presigned URL. The error does not contain the URL, which is a secret.
async fn send(
    method: Method,
    presigned: &Presigned,
    headers: &[(&str, &str)],
    body: &'static [u8],
) -> Result<Response<Incoming>, String> {
    let connector = HttpsConnectorBuilder::new()
        .with_tls_config(tls::client_config()?)
        .https_or_http()
        .enable_http1()
        .build();
    let client = Client::builder(TokioExecutor::new()).build(connector);
    let request = Request::builder().method(method).uri(&presigned.url);
    let request =
        headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let request = request.body(Full::new(Bytes::from_static(body)));
    let request = request.map_err(|error| error.to_string())?;
    let response = tokio::time::timeout(TIMEOUT, client.request(request)).await;
    let response = response.map_err(|_| "no response in 5 seconds".to_owned())?;
    response.map_err(|error| {
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        cause.unwrap_or_else(|| error.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::doctor::Verdict;
    use axum::Router;
    use axum::routing::put;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    const PAGE: &str = "https://kith.example";

    /// Behaviour of an invented bucket.
    #[derive(Clone, Copy)]
    struct Bucket {
        first: StatusCode,
        second: StatusCode,
        origin: &'static str,
    }

    /// Serves a bucket and returns a URL in it.
    async fn serve(bucket: Bucket) -> Presigned {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/bucket/key", listener.local_addr().unwrap());
        let exists = Arc::new(AtomicBool::new(false));
        let upload = move || async move {
            if exists.swap(true, Ordering::SeqCst) { bucket.second } else { bucket.first }
        };
        let preflight = move || async move {
            [
                (ACCESS_CONTROL_ALLOW_ORIGIN, bucket.origin),
                (ACCESS_CONTROL_ALLOW_METHODS, "GET, PUT"),
                (ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type,If-None-Match"),
            ]
        };
        let router = Router::new().route("/bucket/key", put(upload).options(preflight));
        tokio::spawn(async move { axum::serve(listener, router).await });
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let headers = vec![header("content-type", "image/png"), header("if-none-match", "*")];
        Presigned { url, headers }
    }

    /// proves: operate-doctor-bucket
    #[tokio::test]
    async fn a_bucket_that_browsers_cannot_use_is_reported() {
        const REJECTED: StatusCode = StatusCode::PRECONDITION_FAILED;
        for (first, second, origin, found) in [
            (StatusCode::OK, REJECTED, PAGE, "presigned, once"),
            (StatusCode::OK, StatusCode::CONFLICT, "*", "presigned, once"),
            (StatusCode::OK, REJECTED, "https://other.example", "CORS rules"),
            (StatusCode::OK, StatusCode::OK, PAGE, "ignores If-None-Match"),
            (StatusCode::FORBIDDEN, REJECTED, PAGE, "status 403"),
        ] {
            let presigned = serve(Bucket { first, second, origin }).await;
            let check = check_uploads(&presigned, PAGE).await;
            assert!(check.found.contains(found), "{check:?}");
            assert_eq!(check.verdict == Verdict::Ok, found == "presigned, once", "{check:?}");
        }
        let nowhere =
            Presigned { url: "http://127.0.0.1:1/secret".to_owned(), headers: Vec::new() };
        let check = check_uploads(&nowhere, PAGE).await;
        assert_eq!(check.verdict, Verdict::Fail);
        assert!(!check.found.contains("secret"), "{check:?}");
    }
}
