//! Reading objects.

use std::ops::Range;

use bytes::Bytes;
use futures_util::stream::{self, StreamExt as _};
use http::header::{CONTENT_LENGTH, CONTENT_RANGE, RANGE};
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode};
use hyper::body::Incoming;

use super::client::collect;
use super::content::{Content, incoming};
use super::{S3, answer, missing};
use crate::key::Key;
use crate::object::clip;
use crate::{Failure, Object};

impl S3 {
    pub(crate) async fn get(&self, key: Key<'_>, limit: u64) -> Result<Option<Bytes>, Failure> {
        match self.get_once(key, limit).await {
            // Broken off after its beginning, which no repeated request has seen.
            Err(Failure::Unavailable(_)) => self.get_once(key, limit).await,
            result => result,
        }
    }

    async fn get_once(&self, key: Key<'_>, limit: u64) -> Result<Option<Bytes>, Failure> {
        let response = self.request(key, HeaderMap::new()).await?;
        match response.status() {
            StatusCode::OK if length(&response)? > limit => Err(Failure::TooLarge),
            StatusCode::OK => collect(response.into_body(), limit).await.map(Some),
            StatusCode::NOT_FOUND => missing(&Method::GET, response).await.map(|()| None),
            _ => Err(answer::refusal(&Method::GET, response).await),
        }
    }

    pub(crate) async fn read(
        &self,
        key: Key<'_>,
        wanted: Option<Range<u64>>,
    ) -> Result<Option<Object>, Failure> {
        // HTTP has no words for a range of nothing.
        if wanted.as_ref().is_some_and(Range::is_empty) {
            let size = self.size(key).await?;
            return Ok(size.map(|size| nothing(size, clip(wanted, size))));
        }
        let headers = wanted.as_ref().map(range_header).unwrap_or_default();
        let response = self.request(key, headers).await?;
        match response.status() {
            StatusCode::OK => {
                let size = length(&response)?;
                whole(response, size, wanted).map(Some)
            }
            StatusCode::PARTIAL_CONTENT => part(response, wanted).map(Some),
            StatusCode::RANGE_NOT_SATISFIABLE => {
                let size = self.size(key).await?;
                Ok(size.map(|size| nothing(size, clip(wanted, size))))
            }
            StatusCode::NOT_FOUND => missing(&Method::GET, response).await.map(|()| None),
            _ => Err(answer::refusal(&Method::GET, response).await),
        }
    }

    async fn request(
        &self,
        key: Key<'_>,
        headers: HeaderMap,
    ) -> Result<Response<Incoming>, Failure> {
        let name = self.name(key);
        let action = self
            .address
            .bucket
            .get_object(Some(&self.credentials.0), &name);
        self.call(Method::GET, &action, headers, Content::none())
            .await
    }
}

/// The object's length in an answer about all of it.
pub(super) fn length(response: &Response<Incoming>) -> Result<u64, Failure> {
    let text = response
        .headers()
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok());
    text.and_then(|text| text.parse().ok())
        .ok_or_else(|| Failure::Unavailable("S3 did not say how long an object is".to_owned()))
}

fn range_header(range: &Range<u64>) -> HeaderMap {
    let text = format!("bytes={}-{}", range.start, range.end - 1);
    let value = HeaderValue::from_str(&text);
    value
        .map(|value| HeaderMap::from_iter([(RANGE, value)]))
        .unwrap_or_default()
}

fn nothing(size: u64, range: Range<u64>) -> Object {
    Object {
        size,
        range,
        body: stream::empty().boxed(),
    }
}

fn whole(
    response: Response<Incoming>,
    size: u64,
    wanted: Option<Range<u64>>,
) -> Result<Object, Failure> {
    let range = clip(wanted, size);
    if range != (0..size) {
        return Err(Failure::Unavailable(
            "S3 sent more than was asked for".to_owned(),
        ));
    }
    Ok(Object {
        size,
        range,
        body: incoming(response.into_body()).boxed(),
    })
}

fn part(response: Response<Incoming>, wanted: Option<Range<u64>>) -> Result<Object, Failure> {
    let value = response.headers().get(CONTENT_RANGE);
    let said = value
        .and_then(|value| value.to_str().ok())
        .and_then(read_range);
    match said {
        Some((range, size)) if range == clip(wanted, size) => Ok(Object {
            size,
            range,
            body: incoming(response.into_body()).boxed(),
        }),
        _ => Err(Failure::Unavailable(
            "S3 sent another part than was asked for".to_owned(),
        )),
    }
}

/// `bytes 2-4/10` is `2..5` of 10.
fn read_range(text: &str) -> Option<(Range<u64>, u64)> {
    let (range, size) = text.strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let end = last.parse::<u64>().ok()?.checked_add(1)?;
    Some((first.parse().ok()?..end, size.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_that_was_sent_is_read() {
        assert_eq!(read_range("bytes 2-4/10"), Some((2..5, 10)));
        for wrong in ["", "bytes */10", "bytes 2-/10", "bytes 2-4/*", "2-4/10"] {
            assert_eq!(read_range(wrong), None, "{wrong}");
        }
    }
}
