//! Objects in a bucket.

mod address;
mod answer;
mod client;
mod content;
mod credentials;
mod listing;
mod reading;
mod writing;

use std::path::Path;
use std::time::Duration;

use http::{HeaderMap, HeaderValue, Method, Response, StatusCode};
use hyper::body::Incoming as Received;
use jiff::Timestamp;
use rusty_s3::S3Action;

use self::client::{Call, Client};
use self::content::Content;
use crate::blocking::blocking;
use crate::incoming::Incoming;
use crate::key::Key;
use crate::{Failure, Presigned};

pub(crate) use self::address::Address;
pub use self::credentials::Credentials;

/// How long the signature of a request of ours holds: clocks may differ by so much.
const SIGNED_FOR: Duration = Duration::from_mins(10);

/// The longest that S3 lets a signature hold.
const LONGEST: u64 = 7 * 24 * 60 * 60;

/// A bucket, and the keys to it, which are never printed.
///
/// The keys need the actions `s3:GetObject`, `s3:PutObject`, `s3:DeleteObject` and
/// `s3:ListBucket`, and no more. For uploads by browsers the bucket's CORS rules must let pages of
/// the public address send `PUT` with the headers `content-type` and `if-none-match`.
pub struct S3 {
    address: Address,
    origin: String,
    credentials: Credentials,
    client: Client,
    /// Where incoming objects wait: S3 wants to know their length first.
    incoming: Incoming,
}

impl std::fmt::Debug for S3 {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("S3")
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

impl S3 {
    /// Prepares requests to the bucket; makes none. An error is one sentence.
    pub(crate) async fn open(
        address: Address,
        credentials: Credentials,
        folder: &Path,
    ) -> Result<Self, String> {
        let origin = address.origin();
        let encrypted = origin.starts_with("https:");
        let folder = folder.join("incoming");
        let sentence = format!(
            "the folder of incoming objects {} cannot be used",
            folder.display()
        );
        let (client, incoming) = blocking(move || {
            let incoming = Incoming::open(folder)?;
            Ok((Client::new(encrypted), incoming))
        })
        .await
        .map_err(|failure| format!("{sentence}: {failure}"))?;
        Ok(Self {
            address,
            origin,
            credentials,
            client: client?,
            incoming,
        })
    }

    pub(crate) async fn size(&self, key: Key<'_>) -> Result<Option<u64>, Failure> {
        let name = self.name(key);
        let action = self
            .address
            .bucket
            .head_object(Some(&self.credentials.0), &name);
        let response = self
            .call(Method::HEAD, &action, HeaderMap::new(), Content::none())
            .await?;
        match response.status() {
            StatusCode::OK => reading::length(&response).map(Some),
            // An answer to HEAD has no body, so it does not say whether there is a bucket.
            StatusCode::NOT_FOUND => self.bucket_is_there().await.map(|()| None),
            _ => Err(answer::refusal(&Method::HEAD, response).await),
        }
    }

    async fn bucket_is_there(&self) -> Result<(), Failure> {
        let action = self.address.bucket.head_bucket(Some(&self.credentials.0));
        let response = self
            .call(Method::HEAD, &action, HeaderMap::new(), Content::none())
            .await?;
        match response.status() {
            StatusCode::NOT_FOUND => Err(answer::failure(
                &Method::HEAD,
                StatusCode::NOT_FOUND,
                Some("NoSuchBucket"),
            )),
            // Keys that may not look at the bucket were good enough to look at the object.
            _ => Ok(()),
        }
    }

    pub(crate) async fn delete(&self, key: Key<'_>) -> Result<(), Failure> {
        let name = self.name(key);
        let action = self
            .address
            .bucket
            .delete_object(Some(&self.credentials.0), &name);
        let method = Method::DELETE;
        let response = self
            .call(method.clone(), &action, HeaderMap::new(), Content::none())
            .await?;
        match response.status() {
            status if status.is_success() => Ok(()),
            StatusCode::NOT_FOUND => missing(&method, response).await,
            _ => Err(answer::refusal(&method, response).await),
        }
    }

    /// Asks for an object that is not there: the answer to HEAD would not say what is wrong.
    pub(crate) async fn ready(&self) -> Result<(), Failure> {
        let name = format!("{}ready/nothing", self.address.prefix);
        let action = self
            .address
            .bucket
            .get_object(Some(&self.credentials.0), &name);
        let response = self
            .call(Method::GET, &action, HeaderMap::new(), Content::none())
            .await?;
        match response.status() {
            status if status.is_success() => Ok(()),
            StatusCode::NOT_FOUND => missing(&Method::GET, response).await,
            _ => Err(answer::refusal(&Method::GET, response).await),
        }
    }

    pub(crate) fn upload_origin(&self) -> &str {
        &self.origin
    }

    pub(crate) fn presign_put(
        &self,
        key: Key<'_>,
        size: Option<u64>,
        content_type: Option<&str>,
        ttl: Duration,
        now: i64,
    ) -> Option<Presigned> {
        let name = self.name(key);
        let now = Timestamp::from_millisecond(now).ok()?;
        let mut action = self
            .address
            .bucket
            .put_object(Some(&self.credentials.0), &name);
        let mut headers = vec![("if-none-match".to_owned(), "*".to_owned())];
        if let Some(content_type) = content_type {
            HeaderValue::from_str(content_type).ok()?;
            headers.push(("content-type".to_owned(), content_type.to_owned()));
        }
        for (name, value) in &headers {
            action.headers_mut().insert(name.clone(), value.clone());
        }
        if let Some(size) = size {
            action
                .headers_mut()
                .insert("content-length", size.to_string());
        }
        let ttl = Duration::from_secs(ttl.as_secs().clamp(1, LONGEST));
        let url = action.sign_with_time(ttl, &now).into();
        Some(Presigned { url, headers })
    }

    /// The key as the bucket knows it.
    fn name(&self, key: Key<'_>) -> String {
        format!("{}{key}", self.address.prefix)
    }

    async fn call<'a>(
        &self,
        method: Method,
        action: &(impl S3Action<'a> + Sync),
        headers: HeaderMap,
        content: Content,
    ) -> Result<Response<Received>, Failure> {
        let sign = |now: &Timestamp| action.sign_with_time(SIGNED_FOR, now);
        self.client
            .send(&Call {
                method,
                sign: &sign,
                headers,
                content,
            })
            .await
    }
}

/// That there is no such object is fine; that there is no such bucket is not.
async fn missing(method: &Method, response: Response<Received>) -> Result<(), Failure> {
    let code = answer::code(response).await;
    if code.as_deref() == Some("NoSuchBucket") {
        return Err(answer::failure(
            method,
            StatusCode::NOT_FOUND,
            code.as_deref(),
        ));
    }
    Ok(())
}
