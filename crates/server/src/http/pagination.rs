//! Pages of lists, their cursors and `Link` headers.

use crate::http::error::Result;
use crate::http::extract::{MAX_OFFSET, Page, offset_too_large};
use crate::platform::clock::HOUR;
use crate::platform::ids::Id;
use axum::Json;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use kith_db::{Param, Reader, Row, Sql, params};
use serde::Serialize;

/// Response with a JSON array, and a `Link` header if there may be a next page.
#[derive(Debug)]
pub struct ListResponse<T> {
    rows: Rows<T>,
    next: Option<String>,
}

#[derive(Debug)]
enum Rows<T> {
    Typed(Vec<T>),
    /// Serialized JSON array.
    Serialized(Vec<u8>),
}

impl<T> ListResponse<T> {
    /// Builds a page of the list at `path`, which ends with `?` or `&`. The next page begins at `cursor`.
    pub(crate) fn new(
        rows: Vec<T>,
        path: &str,
        limit: usize,
        cursor: Option<impl std::fmt::Display>,
    ) -> Self {
        Self::build(Rows::Typed(rows), path, limit, cursor)
    }

    /// Builds a page from a serialized array of `T`.
    pub(crate) fn from_json(
        rows: Vec<u8>,
        path: &str,
        limit: usize,
        cursor: Option<impl std::fmt::Display>,
    ) -> Self {
        Self::build(Rows::Serialized(rows), path, limit, cursor)
    }

    fn build(
        rows: Rows<T>,
        path: &str,
        limit: usize,
        cursor: Option<impl std::fmt::Display>,
    ) -> Self {
        Self { rows, next: cursor.map(|cursor| format_link(path, limit, cursor)) }
    }

    /// Replaces the cursor of the next page.
    pub(crate) fn with_cursor(
        mut self,
        path: &str,
        limit: usize,
        cursor: Option<impl std::fmt::Display>,
    ) -> Self {
        self.next = cursor.map(|cursor| format_link(path, limit, cursor));
        self
    }
}

fn format_link(path: &str, limit: usize, cursor: impl std::fmt::Display) -> String {
    format!("<{path}limit={limit}&cursor={cursor}>; rel=\"next\"")
}

impl<T: Serialize> IntoResponse for ListResponse<T> {
    fn into_response(self) -> Response {
        let mut response = match self.rows {
            Rows::Typed(rows) => Json(rows).into_response(),
            Rows::Serialized(rows) => json_response(rows),
        };
        if let Some(link) = self.next.and_then(|next| HeaderValue::try_from(next).ok()) {
            response.headers_mut().insert(header::LINK, link);
        }
        response
    }
}

/// Returns the cursor of the next page, which `cursor` reads from the last row; `None` if the page is not full, because
/// no row follows.
pub fn next_cursor<T, C>(rows: &[T], limit: usize, cursor: impl FnOnce(&T) -> C) -> Option<C> {
    rows.last().filter(|_| rows.len() == limit).map(cursor)
}

/// Rejects a page whose offset exceeds the maximum if there are rows at the capped offset.
pub(crate) fn check_offset<T>(page: Page, rows: &[T]) -> Result<()> {
    if page.offset > MAX_OFFSET && !rows.is_empty() {
        return Err(offset_too_large());
    }
    Ok(())
}

pub(crate) fn json_response(body: Vec<u8>) -> Response {
    let content_type = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, content_type)], body).into_response()
}

/// Maximum rows per query of a filtered list.
const MAX_READ: usize = 500;
/// Maximum rows that one page of a filtered list scans before it ends short: all may be hidden.
pub(crate) const MAX_SCAN: usize = 5_000;

/// Query sizes of one page of a filtered list: small while few rows are filtered out, growing otherwise.
#[derive(Debug, Default)]
pub(crate) struct ScanSteps {
    reads: u32,
    scanned: usize,
}

impl ScanSteps {
    /// Returns the size of the next read if `needed` rows are missing.
    pub(crate) fn next_size(&mut self, needed: usize) -> usize {
        let step = needed.saturating_mul(1 << self.reads.min(9)).min(MAX_READ);
        self.reads += 1;
        self.scanned += step;
        step
    }

    /// Returns whether the scan limit is reached; an error if rows are still to be skipped.
    pub(crate) fn is_exhausted(&self, skip: usize) -> Result<bool> {
        if skip > 0 && self.scanned > MAX_OFFSET {
            return Err(offset_too_large());
        }
        Ok(skip == 0 && self.scanned >= MAX_SCAN)
    }
}

/// Returns the cursor of a page that ended after the scan limit: `scanned` rounded up to the hour, so that it
/// does not reveal a hidden row's id. If that is not below `shown`, the list would loop, so `scanned` itself.
pub(crate) const fn cursor_after_scan(scanned: i64, shown: i64) -> i64 {
    let hour = Id::first_at((Id(scanned).time() / HOUR + 1) * HOUR);
    if hour < shown { hour } else { scanned }
}

/// Loads a page of a filtered list, and the cursor of the next page if this one is full or reached the scan
/// limit.
///
/// `list` selects rows below an id, newest first, by `owner`, the id, and a count. `read` returns a row's id
/// and value. Offsets beyond the maximum are an error.
pub async fn load_filtered<T: Send>(
    db: &Reader<'_>,
    list: &Sql,
    owner: Param<'_>,
    page: Page,
    read: impl Fn(&Row<'_>) -> kith_db::Result<(i64, T)> + Copy + Send + Sync,
    keep: impl Fn(&T) -> bool,
) -> Result<(Vec<T>, Option<i64>)> {
    let mut skip = page.offset;
    let mut before = page.before;
    let mut shown = before;
    let mut found = Vec::new();
    let mut steps = ScanSteps::default();
    loop {
        let step = steps.next_size(skip + page.limit - found.len());
        let parameters = &[owner, params![before][0], params![step][0]];
        let rows = db.all(list, parameters, read).await?;
        let is_last = rows.len() < step;
        for (id, row) in rows {
            before = id;
            if !keep(&row) {
                continue;
            }
            shown = id;
            if skip > 0 {
                skip -= 1;
                continue;
            }
            found.push(row);
            if found.len() == page.limit {
                return Ok((found, Some(id)));
            }
        }
        if is_last {
            return Ok((found, None));
        }
        if steps.is_exhausted(skip)? {
            return Ok((found, Some(cursor_after_scan(before, shown))));
        }
        // On SQLite a deep page is many reads without an await that yields.
        tokio::task::yield_now().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cursor of a page without visible rows reveals no hidden row, and the list continues.
    /// proves: block-cursors
    #[test]
    fn cursors_reveal_no_hidden_row() {
        let at = |time: i64| Id::first_at(1_795_253_400_000 + time) + 4_711;
        for shown in [i64::MAX, at(HOUR)] {
            let cursor = cursor_after_scan(at(0), shown);
            assert!(at(0) < cursor && cursor < shown);
            assert_eq!(Id(cursor).time() % HOUR, 0);
        }
        assert_eq!(cursor_after_scan(at(0), at(1)), at(0), "otherwise the list would loop");
    }
}
