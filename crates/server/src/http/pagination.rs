//! A page of a list and the address of the next one.

use crate::http::error::Result;
use crate::http::extract::{DEEPEST, Page, too_deep};
use crate::platform::clock::HOUR;
use crate::platform::ids::Id;
use axum::Json;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use kith_db::{Param, Reader, Row, Sql, params};
use serde::Serialize;

/// A bare array, with a `Link` header while more may follow.
#[derive(Debug)]
pub struct Listing<T> {
    rows: Rows<T>,
    next: Option<String>,
}

#[derive(Debug)]
enum Rows<T> {
    Typed(Vec<T>),
    /// As they are sent.
    Written(Vec<u8>),
}

impl<T> Listing<T> {
    /// A page of the list at `path`, which ends with `?` or `&`. The next page begins at `cursor`.
    pub(crate) fn new(
        rows: Vec<T>,
        path: &str,
        limit: usize,
        cursor: Option<impl std::fmt::Display>,
    ) -> Self {
        Self::of(Rows::Typed(rows), path, limit, cursor)
    }

    /// The same of rows that are JSON already: the array, in the shape of `T`.
    pub(crate) fn written(
        rows: Vec<u8>,
        path: &str,
        limit: usize,
        cursor: Option<impl std::fmt::Display>,
    ) -> Self {
        Self::of(Rows::Written(rows), path, limit, cursor)
    }

    fn of(rows: Rows<T>, path: &str, limit: usize, cursor: Option<impl std::fmt::Display>) -> Self {
        Self {
            rows,
            next: cursor.map(|cursor| link(path, limit, cursor)),
        }
    }

    /// The same page, when its list's cursor is not what a page of its rows would say.
    pub(crate) fn leading_on(
        mut self,
        path: &str,
        limit: usize,
        cursor: Option<impl std::fmt::Display>,
    ) -> Self {
        self.next = cursor.map(|cursor| link(path, limit, cursor));
        self
    }
}

fn link(path: &str, limit: usize, cursor: impl std::fmt::Display) -> String {
    format!("<{path}limit={limit}&cursor={cursor}>; rel=\"next\"")
}

impl<T: Serialize> IntoResponse for Listing<T> {
    fn into_response(self) -> Response {
        let mut response = match self.rows {
            Rows::Typed(rows) => Json(rows).into_response(),
            Rows::Written(rows) => json(rows),
        };
        if let Some(link) = self.next.and_then(|next| HeaderValue::try_from(next).ok()) {
            response.headers_mut().insert(header::LINK, link);
        }
        response
    }
}

/// Rejects a page with rows at [`Page::depth`] whose offset is deeper than a request may go.
pub(crate) fn reached<T>(page: Page, rows: &[T]) -> Result<()> {
    if page.offset > DEEPEST && !rows.is_empty() {
        return Err(too_deep());
    }
    Ok(())
}

pub(crate) fn json(body: Vec<u8>) -> Response {
    let is_json = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, is_json)], body).into_response()
}

/// Rows that one step through a list of which some rows are left out reads at most.
const STEP: usize = 500;
/// Rows that one page passes at most before it ends short: all may be of members who are not shown.
pub(crate) const FARTHEST: usize = 5_000;

/// The steps of one page through a filtered list: small while few rows are left out, large while all are.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    taken: u32,
    passed: usize,
}

impl Steps {
    /// How many rows the next step reads of which so many are needed.
    pub(crate) fn next(&mut self, needed: usize) -> usize {
        let step = needed.saturating_mul(1 << self.taken.min(9)).min(STEP);
        self.taken += 1;
        self.passed += step;
        step
    }

    /// Whether the page ends here although `skip` rows are still to be skipped; an error far down a long list.
    pub(crate) fn are_enough(&self, skip: usize) -> Result<bool> {
        if skip > 0 && self.passed > DEEPEST {
            return Err(too_deep());
        }
        Ok(skip == 0 && self.passed >= FARTHEST)
    }
}

/// Where a list goes on below the place `passed`: the full hour above it, so that the cursor names no hidden row. If
/// that were above `shown`, the next page would pass the same rows, so then `passed` itself.
pub(crate) const fn beyond(passed: i64, shown: i64) -> i64 {
    let hour = Id::first_at((Id(passed).time() / HOUR + 1) * HOUR);
    if hour < shown { hour } else { passed }
}

/// Edges that are read at once for a copy of them.
const EDGES: u32 = 50;

/// The members at the other ends of a member's edges below a place, newest first, each with its place; and
/// where the next ones begin. `sql` answers member and place, of a member, a place and a count.
pub async fn edges_below(
    db: &Reader<'_>,
    sql: &Sql,
    member: Id,
    before: i64,
) -> kith_db::Result<(Vec<(i64, Id)>, Option<i64>)> {
    let bound = params![member.0, before, EDGES];
    let rows = db.all(sql, bound, |row| Ok((row.int(0)?, Id(row.int(1)?))));
    let rows = rows.await?;
    let next = rows.last().filter(|_| rows.len() == EDGES as usize);
    let next = next.map(|(_, place)| place.0);
    Ok((rows, next))
}

/// A page of a list, whole although some of its rows are left out, and where the next page
/// begins when this one is full, or ended after [`FARTHEST`] rows.
///
/// `list` answers rows below a place, newest first; its parameters are `owner`, the place, and
/// how many rows. `read` answers a row's place and what is listed. Refused when the page is far down a
/// long list.
pub async fn sifted<T: Send>(
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
    let mut steps = Steps::default();
    loop {
        let step = steps.next(skip + page.limit - found.len());
        let bound = &[owner, params![before][0], params![step][0]];
        let rows = db.all(list, bound, read).await?;
        let is_last = rows.len() < step;
        for (place, row) in rows {
            before = place;
            if !keep(&row) {
                continue;
            }
            shown = place;
            if skip > 0 {
                skip -= 1;
                continue;
            }
            found.push(row);
            if found.len() == page.limit {
                return Ok((found, Some(place)));
            }
        }
        if is_last {
            return Ok((found, None));
        }
        if steps.are_enough(skip)? {
            return Ok((found, Some(beyond(before, shown))));
        }
        // A deep page takes many steps, none of which waits for anything.
        tokio::task::yield_now().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where a page ends that showed nothing, its cursor names none of what it passed, and the list goes on.
    /// proves: block-cursors
    #[test]
    fn what_leads_on_names_no_hidden_row() {
        let at = |time: i64| Id::first_at(1_795_253_400_000 + time) + 4_711;
        for shown in [i64::MAX, at(HOUR)] {
            let place = beyond(at(0), shown);
            assert!(at(0) < place && place < shown);
            assert_eq!(Id(place).time() % HOUR, 0);
        }
        assert_eq!(
            beyond(at(0), at(1)),
            at(0),
            "else it would go round in a circle"
        );
    }
}
