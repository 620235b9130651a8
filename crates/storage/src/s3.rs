//! Objects in a bucket.

mod address;
mod answer;
mod client;
mod credentials;

use std::error::Error;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _};
use http::{Extensions, HeaderValue};
use jiff::Timestamp;
use object_store::aws::AmazonS3;
use object_store::path::Path as Name;
use object_store::{
    BackoffConfig, GetOptions, GetRange, ObjectStore as _, ObjectStoreExt as _, PutMode,
    PutOptions, PutPayload, RetryConfig,
};
use rusty_s3::S3Action as _;
use tempfile::NamedTempFile;

use self::client::{Client, FileBody, Streamed};
use crate::blocking::blocking;
use crate::incoming::Incoming;
use crate::key::Key;
use crate::{Failure, Object, Presigned};

pub(crate) use self::address::Address;
pub use self::credentials::Credentials;

const NO_KEYS: &str =
    "S3 needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, or a role";

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
    store: AmazonS3,
    /// Where incoming objects wait: S3 wants to know their length first.
    pub(crate) incoming: Incoming,
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
        // Elsewhere the address of AWS's metadata service means nobody, or another machine.
        if !credentials.named && !address.is_at_aws() {
            return Err(NO_KEYS.to_owned());
        }
        let origin = address.origin();
        let folder = folder.join("incoming");
        let sentence = format!(
            "the folder of incoming objects {} cannot be used",
            folder.display()
        );
        let is_encrypted = origin.starts_with("https:");
        let (client, incoming) = blocking(move || {
            let incoming = Incoming::open(folder)?;
            Ok((Client::new(is_encrypted), incoming))
        })
        .await
        .map_err(|failure| format!("{sentence}: {failure}"))?;
        let bucket = &address.bucket;
        let store = credentials
            .builder
            .with_bucket_name(bucket.name())
            .with_region(bucket.region())
            // The whole URL of the bucket, in whichever style.
            .with_endpoint(bucket.base_url().as_str().trim_end_matches('/'))
            .with_virtual_hosted_style_request(true)
            // Files are sent past the library, which would sign that they are empty.
            .with_unsigned_payload(true)
            // Not every server has requests that delete many.
            .with_disable_bulk_delete(true)
            // A caller waits.
            .with_retry(RetryConfig {
                max_retries: 3,
                retry_timeout: Duration::from_secs(3),
                backoff: BackoffConfig {
                    init_backoff: Duration::from_millis(150),
                    ..BackoffConfig::default()
                },
            })
            .with_http_connector(client?)
            .build()
            .map_err(|_| NO_KEYS)?;
        Ok(Self {
            address,
            origin,
            store,
            incoming,
        })
    }

    pub(crate) async fn put(&self, key: Key<'_>, bytes: Bytes) -> Result<(), Failure> {
        let put = self.store.put(&self.path(key)?, bytes.into()).await;
        put.map(drop).map_err(|error| failure(&error))
    }

    /// Stores a received file unless there is an object, and returns whether there was none.
    pub(crate) async fn create(
        &self,
        key: Key<'_>,
        received: &Arc<NamedTempFile>,
        length: u64,
    ) -> Result<bool, Failure> {
        let options = PutOptions {
            mode: PutMode::Create,
            extensions: with(FileBody(Arc::clone(received), length)),
            ..PutOptions::default()
        };
        let path = self.path(key)?;
        match self.store.put_opts(&path, PutPayload::new(), options).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::AlreadyExists { .. }) => Ok(false),
            Err(error) => Err(failure(&error)),
        }
    }

    pub(crate) async fn size(&self, key: Key<'_>) -> Result<Option<u64>, Failure> {
        match self.store.head(&self.path(key)?).await {
            Ok(found) => Ok(Some(found.size)),
            // An answer to HEAD has no body, so it does not say whether there is a bucket.
            Err(object_store::Error::NotFound { .. }) => self.ready().await.map(|()| None),
            Err(error) => Err(failure(&error)),
        }
    }

    pub(crate) async fn read(
        &self,
        key: Key<'_>,
        wanted: Option<Range<u64>>,
    ) -> Result<Option<Object>, Failure> {
        let options = GetOptions {
            range: wanted.map(GetRange::Bounded),
            extensions: with(Streamed),
            ..GetOptions::default()
        };
        match self.store.get_opts(&self.path(key)?, options).await {
            Ok(found) => Ok(Some(Object {
                size: found.meta.size,
                range: found.range.clone(),
                body: found.into_stream().map_err(|error| failure(&error)).boxed(),
            })),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failure(&error)),
        }
    }

    pub(crate) async fn delete(&self, key: Key<'_>) -> Result<(), Failure> {
        match self.store.delete(&self.path(key)?).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failure(&error)),
        }
    }

    pub(crate) async fn list(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, u64)>, Failure> {
        let own = &self.address.prefix;
        let folder = Some(Name::from(own.as_str())).filter(|folder| !folder.as_ref().is_empty());
        let folder = folder.as_ref();
        let objects = match after.map(|after| Name::from(format!("{own}{after}"))) {
            Some(after) => self.store.list_with_offset(folder, &after),
            None => self.store.list(folder),
        };
        let objects = objects.try_filter_map(async |object| {
            let key = object.location.as_ref().strip_prefix(own.as_str());
            // What others put into the bucket is not ours to see.
            let key = key.filter(|key| Key::new(key).is_ok());
            Ok(key.map(|key| (key.to_owned(), object.size)))
        });
        let page = objects.take(limit).try_collect().await;
        page.map_err(|error| failure(&error))
    }

    /// Asks for an object that is not there: the answer to HEAD would not say what is wrong.
    pub(crate) async fn ready(&self) -> Result<(), Failure> {
        let nothing = self.path(Key::new("ready/nothing")?)?;
        match self.store.get(&nothing).await {
            Ok(_) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failure(&error)),
        }
    }

    pub(crate) fn upload_origin(&self) -> &str {
        &self.origin
    }

    pub(crate) async fn presign_put(
        &self,
        key: Key<'_>,
        size: u64,
        content_type: &str,
        ttl: Duration,
        now: i64,
    ) -> Result<Option<Presigned>, Failure> {
        let (Ok(now), Ok(_)) = (
            Timestamp::from_millisecond(now),
            HeaderValue::from_str(content_type),
        ) else {
            return Ok(None);
        };
        let keys = self.store.credentials().get_credential().await;
        let keys = keys.map_err(|error| failure(&error))?;
        let (id, secret) = (&keys.key_id, &keys.secret_key);
        let keys = match &keys.token {
            Some(token) => rusty_s3::Credentials::new_with_token(id, secret, token),
            None => rusty_s3::Credentials::new(id, secret),
        };
        let name = self.name(key);
        let mut action = self.address.bucket.put_object(Some(&keys), &name);
        let signed = action.headers_mut();
        signed.insert("content-type", content_type.to_owned());
        signed.insert("if-none-match", "*");
        let headers = signed.iter();
        let headers = headers
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        signed.insert("content-length", size.to_string());
        let ttl = Duration::from_secs(ttl.as_secs().clamp(1, LONGEST));
        let url = action.sign_with_time(ttl, &now).into();
        Ok(Some(Presigned { url, headers }))
    }

    /// The key as the bucket knows it.
    fn name(&self, key: Key<'_>) -> String {
        format!("{}{key}", self.address.prefix)
    }

    fn path(&self, key: Key<'_>) -> Result<Name, Failure> {
        Name::parse(self.name(key)).map_err(|_| Failure::WrongKey("is none that S3 can hold"))
    }
}

/// Attaches a value to a request, for [`Client`] to find.
fn with<T: Clone + Send + Sync + 'static>(value: T) -> Extensions {
    let mut extensions = Extensions::new();
    extensions.insert(value);
    extensions
}

/// The client's failure, or else an error of the library.
fn failure(error: &object_store::Error) -> Failure {
    let mut next: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = next {
        if let Some(failure) = error.downcast_ref::<Failure>() {
            return failure.clone();
        }
        next = error.source();
    }
    Failure::Unavailable(format!("S3's answer cannot be used: {error}"))
}
