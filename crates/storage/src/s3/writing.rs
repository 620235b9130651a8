//! Writing objects.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{Stream, TryStreamExt as _};
use http::header::IF_NONE_MATCH;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use rusty_s3::S3Action as _;

use super::content::Content;
use super::{S3, answer};
use crate::blocking::blocking;
use crate::key::Key;
use crate::{Created, Failure};

/// How often an object may appear and vanish again while it is looked at.
const PATIENCE: u32 = 8;

impl S3 {
    pub(crate) async fn put(&self, key: Key<'_>, bytes: Bytes) -> Result<(), Failure> {
        self.store(key, Content::Bytes(bytes), false)
            .await
            .map(|_| ())
    }

    pub(crate) async fn create<E>(
        &self,
        key: Key<'_>,
        body: impl Stream<Item = Result<Bytes, E>>,
        limit: u64,
    ) -> Result<Created, Failure> {
        let (temporary, length) = self.incoming.receive(body, limit).await?;
        for _ in 0..PATIENCE {
            let content = Content::File(Arc::clone(&temporary.file), length);
            if self.store(key, content, true).await? {
                return Ok(Created::New(length));
            }
            match self.is_same(key, &temporary.file, length).await? {
                Some(true) => return Ok(Created::Same),
                Some(false) => return Ok(Created::Different),
                // Deleted since.
                None => {}
            }
        }
        let sentence = "an object is made and deleted again and again";
        Err(Failure::Unavailable(sentence.to_owned()))
    }

    /// Whether the object was stored; `once`, it is not where there is one.
    async fn store(&self, key: Key<'_>, content: Content, once: bool) -> Result<bool, Failure> {
        let name = self.name(key);
        let mut action = self
            .address
            .bucket
            .put_object(Some(&self.credentials.0), &name);
        action
            .headers_mut()
            .insert("content-length", content.length().to_string());
        let mut headers = HeaderMap::new();
        if once {
            action.headers_mut().insert("if-none-match", "*");
            headers.insert(IF_NONE_MATCH, HeaderValue::from_static("*"));
        }
        let response = self.call(Method::PUT, &action, headers, content).await?;
        match response.status() {
            status if status.is_success() => Ok(true),
            StatusCode::PRECONDITION_FAILED if once => Ok(false),
            _ => Err(answer::refusal(&Method::PUT, response).await),
        }
    }

    /// Whether the stored object is what the file holds; `None` when there is none.
    async fn is_same(
        &self,
        key: Key<'_>,
        file: &Arc<File>,
        length: u64,
    ) -> Result<Option<bool>, Failure> {
        let Some(mut object) = self.read(key, None).await? else {
            return Ok(None);
        };
        if object.size != length {
            return Ok(Some(false));
        }
        let mut at = 0;
        while let Some(piece) = object.body.try_next().await? {
            let next = at + piece.len() as u64;
            let file = Arc::clone(file);
            let same = blocking(move || {
                let mut own = vec![0; piece.len()];
                file.read_exact_at(&mut own, at)?;
                Ok(own == piece)
            });
            if !same.await? {
                return Ok(Some(false));
            }
            at = next;
        }
        Ok(Some(true))
    }
}
