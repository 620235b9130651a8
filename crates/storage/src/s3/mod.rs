//! S3 backend.

mod client;
mod config;
mod credentials;
mod errors;

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
use crate::key::Key;
use crate::staging::StagingDir;
use crate::{Object, Presigned, StorageError};

pub(crate) use self::config::BucketConfig;
pub use self::credentials::Credentials;

const NO_CREDENTIALS: &str =
    "S3 needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, or a role";

/// Longest lifetime of a presigned URL that S3 accepts, in seconds.
const MAX_PRESIGN_SECONDS: u64 = 7 * 24 * 60 * 60;

/// A bucket and its credentials, which are never printed.
///
/// The credentials need the actions `s3:GetObject`, `s3:PutObject`, `s3:DeleteObject` and
/// `s3:ListBucket`, and no more. For uploads by browsers the bucket's CORS rules must let pages of
/// the public URL send `PUT` with the headers `content-type` and `if-none-match`.
pub struct S3 {
    config: BucketConfig,
    origin: String,
    store: AmazonS3,
    /// Staging of incoming objects: S3 needs the length before the body.
    pub(crate) staging: StagingDir,
}

impl std::fmt::Debug for S3 {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("S3").field("origin", &self.origin).finish_non_exhaustive()
    }
}

impl S3 {
    /// Creates the client without sending a request. The error is one sentence.
    pub(crate) async fn open(
        config: BucketConfig,
        credentials: Credentials,
        folder: &Path,
    ) -> Result<Self, String> {
        // Outside AWS the IP address of its metadata service is unused or another machine's.
        if !credentials.named && !config.is_at_aws() {
            return Err(NO_CREDENTIALS.to_owned());
        }
        let origin = config.origin();
        let folder = folder.join("incoming");
        let sentence =
            format!("the folder of incoming objects {} cannot be used", folder.display());
        let is_encrypted = origin.starts_with("https:");
        let (client, staging) = blocking(move || {
            let staging = StagingDir::open(folder)?;
            Ok((Client::new(is_encrypted), staging))
        })
        .await
        .map_err(|failure| format!("{sentence}: {failure}"))?;
        let bucket = &config.bucket;
        let store = credentials
            .builder
            .with_bucket_name(bucket.name())
            .with_region(bucket.region())
            // The complete URL of the bucket, in path or virtual-host style.
            .with_endpoint(bucket.base_url().as_str().trim_end_matches('/'))
            .with_virtual_hosted_style_request(true)
            // Objects are uploaded without the library, which would sign an empty body.
            .with_unsigned_payload(true)
            // Some servers lack the multi-object delete.
            .with_disable_bulk_delete(true)
            // Short, because a request waits for the result.
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
            .map_err(|_| NO_CREDENTIALS)?;
        Ok(Self { config, origin, store, staging })
    }

    pub(crate) async fn put(&self, key: Key<'_>, bytes: Bytes) -> Result<(), StorageError> {
        let put = self.store.put(&self.path(key)?, bytes.into()).await;
        put.map(drop).map_err(|error| storage_error(&error))
    }

    /// Uploads a staged file, and returns `false` when an object exists.
    pub(crate) async fn create(
        &self,
        key: Key<'_>,
        received: &Arc<NamedTempFile>,
        length: u64,
    ) -> Result<bool, StorageError> {
        let options = PutOptions {
            mode: PutMode::Create,
            extensions: with(FileBody(Arc::clone(received), length)),
            ..PutOptions::default()
        };
        let path = self.path(key)?;
        match self.store.put_opts(&path, PutPayload::new(), options).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::AlreadyExists { .. }) => Ok(false),
            Err(error) => Err(storage_error(&error)),
        }
    }

    pub(crate) async fn size(&self, key: Key<'_>) -> Result<Option<u64>, StorageError> {
        match self.store.head(&self.path(key)?).await {
            Ok(found) => Ok(Some(found.size)),
            // A response to HEAD has no body, so a missing bucket looks like a missing object.
            Err(object_store::Error::NotFound { .. }) => self.ready().await.map(|()| None),
            Err(error) => Err(storage_error(&error)),
        }
    }

    pub(crate) async fn read(
        &self,
        key: Key<'_>,
        wanted: Option<Range<u64>>,
    ) -> Result<Option<Object>, StorageError> {
        let options = GetOptions {
            range: wanted.map(GetRange::Bounded),
            extensions: with(Streamed),
            ..GetOptions::default()
        };
        match self.store.get_opts(&self.path(key)?, options).await {
            Ok(found) => Ok(Some(Object {
                size: found.meta.size,
                range: found.range.clone(),
                body: found.into_stream().map_err(|error| storage_error(&error)).boxed(),
            })),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(storage_error(&error)),
        }
    }

    pub(crate) async fn delete(&self, key: Key<'_>) -> Result<(), StorageError> {
        match self.store.delete(&self.path(key)?).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(storage_error(&error)),
        }
    }

    pub(crate) async fn list(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, u64)>, StorageError> {
        let own = &self.config.prefix;
        let folder = Some(Name::from(own.as_str())).filter(|folder| !folder.as_ref().is_empty());
        let folder = folder.as_ref();
        let objects = match after.map(|after| Name::from(format!("{own}{after}"))) {
            Some(after) => self.store.list_with_offset(folder, &after),
            None => self.store.list(folder),
        };
        let objects = objects.try_filter_map(async |object| {
            let key = object.location.as_ref().strip_prefix(own.as_str());
            // Skips foreign objects in the bucket.
            let key = key.filter(|key| Key::new(key).is_ok());
            Ok(key.map(|key| (key.to_owned(), object.size)))
        });
        let page = objects.take(limit).try_collect().await;
        page.map_err(|error| storage_error(&error))
    }

    /// Gets a missing object. A HEAD request would return no error code.
    pub(crate) async fn ready(&self) -> Result<(), StorageError> {
        let nothing = self.path(Key::new("ready/nothing")?)?;
        match self.store.get(&nothing).await {
            Ok(_) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(storage_error(&error)),
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
    ) -> Result<Option<Presigned>, StorageError> {
        let (Ok(now), Ok(_)) =
            (Timestamp::from_millisecond(now), HeaderValue::from_str(content_type))
        else {
            return Ok(None);
        };
        let keys = self.store.credentials().get_credential().await;
        let keys = keys.map_err(|error| storage_error(&error))?;
        let (id, secret) = (&keys.key_id, &keys.secret_key);
        let keys = match &keys.token {
            Some(token) => rusty_s3::Credentials::new_with_token(id, secret, token),
            None => rusty_s3::Credentials::new(id, secret),
        };
        let name = self.name(key);
        let mut action = self.config.bucket.put_object(Some(&keys), &name);
        let signed = action.headers_mut();
        signed.insert("content-type", content_type.to_owned());
        signed.insert("if-none-match", "*");
        let headers = signed.iter();
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        signed.insert("content-length", size.to_string());
        let ttl = Duration::from_secs(ttl.as_secs().clamp(1, MAX_PRESIGN_SECONDS));
        let url = action.sign_with_time(ttl, &now).into();
        Ok(Some(Presigned { url, headers }))
    }

    /// The key with the bucket's prefix.
    fn name(&self, key: Key<'_>) -> String {
        format!("{}{key}", self.config.prefix)
    }

    fn path(&self, key: Key<'_>) -> Result<Name, StorageError> {
        Name::parse(self.name(key))
            .map_err(|_| StorageError::InvalidKey("is none that S3 can hold"))
    }
}

/// Attaches a value to a request, for [`Client`] to find.
fn with<T: Clone + Send + Sync + 'static>(value: T) -> Extensions {
    let mut extensions = Extensions::new();
    extensions.insert(value);
    extensions
}

/// Extracts the client's [`StorageError`] from an error of the library, or wraps that error.
fn storage_error(error: &object_store::Error) -> StorageError {
    let mut next: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = next {
        if let Some(failure) = error.downcast_ref::<StorageError>() {
            return failure.clone();
        }
        next = error.source();
    }
    StorageError::Unavailable(format!("S3's response cannot be used: {error}"))
}
