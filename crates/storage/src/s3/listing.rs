//! Which objects there are.

use http::{HeaderMap, Method, StatusCode};
use rusty_s3::actions::ListObjectsV2;

use super::client::collect;
use super::content::Content;
use super::{S3, answer};
use crate::Failure;
use crate::key::Key;

/// As many keys as S3 names at a time.
const MOST: usize = 1000;

/// Bytes of such an answer, at a few hundred a key.
const LONGEST: u64 = 4 * 1024 * 1024;

impl S3 {
    pub(crate) async fn list(
        &self,
        prefix: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, u64)>, Failure> {
        let own = &self.address.prefix;
        let begin = after.map(|after| format!("{own}{after}"));
        let prefix = format!("{own}{prefix}");
        let mut page = Vec::new();
        let mut token: Option<String> = None;
        while page.len() < limit {
            let mut action = self
                .address
                .bucket
                .list_objects_v2(Some(&self.credentials.0));
            action.with_prefix(&prefix);
            action.with_max_keys(MOST.min(limit - page.len()));
            match (&token, &begin) {
                // Servers continue more reliably where they stopped than behind a name.
                (Some(token), _) => action.with_continuation_token(token),
                (None, Some(begin)) => action.with_start_after(begin),
                (None, None) => {}
            }
            let (found, next) = self.names(&action).await?;
            page.extend(found.into_iter().filter_map(|(name, size)| {
                let key = name.strip_prefix(own.as_str())?;
                // What others put into the bucket is not ours to see.
                Key::new(key)
                    .ok()
                    .map(|key| (key.as_str().to_owned(), size))
            }));
            token = next;
            if token.is_none() {
                break;
            }
        }
        Ok(page)
    }

    /// Names and sizes, and where to go on if there are more.
    async fn names(
        &self,
        action: &ListObjectsV2<'_>,
    ) -> Result<(Vec<(String, u64)>, Option<String>), Failure> {
        let response = self
            .call(Method::GET, action, HeaderMap::new(), Content::none())
            .await?;
        if response.status() != StatusCode::OK {
            return Err(answer::refusal(&Method::GET, response).await);
        }
        let unread = || Failure::Unavailable("S3's list of objects cannot be read".to_owned());
        let body = collect(response.into_body(), LONGEST).await?;
        let text = std::str::from_utf8(&body).map_err(|_| unread())?;
        let list = ListObjectsV2::parse_response(text).map_err(|_| unread())?;
        let sized = |object: rusty_s3::actions::list_objects_v2::ListObjectsContent| {
            object
                .size
                .map(|size| (object.key, size))
                .ok_or_else(unread)
        };
        let names = list
            .contents
            .into_iter()
            .map(sized)
            .collect::<Result<_, _>>()?;
        Ok((names, list.next_continuation_token))
    }
}
