//! Cursor of the For You feed.
//!
//! Likes and follows reorder the personalised block between pages. So the cursor contains the block as it was
//! on the first page; the posts after it follow by id, which never changes. The server stores nothing, and
//! the cursor contains no post that is hidden from the viewer.

use crate::features::posts::cached::{PersonalizedBlock, RankedPost};
use crate::features::posts::for_you_rank::BLOCK;
use crate::http::error::Result;
use crate::http::extract::bad_cursor;
use crate::platform::ids::Id;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::fmt;

/// A post of the block, as it was on the first page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pick {
    pub(super) id: Id,
    pub(super) is_popular: bool,
}

impl From<&RankedPost> for Pick {
    fn from(ranked: &RankedPost) -> Self {
        Self { id: ranked.id, is_popular: ranked.is_popular }
    }
}

/// Position of the next page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// In the block, at this index.
    Best(usize),
    /// After the block, below this id.
    Rest(i64),
}

/// Cursor of the For You feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ForYouCursor {
    /// Posts from this id on are newer than the first page; 0 when the block contained all posts.
    pub(super) end: i64,
    pub(super) next: Next,
    /// The block in display order; after it, only posts that the rest can still reach.
    pub(super) best: Vec<Pick>,
}

impl ForYouCursor {
    /// Creates the cursor of the first page; `now` is a fresh id, larger than those of existing posts.
    pub(super) fn first(block: &PersonalizedBlock, now: Id) -> Self {
        let best = block.posts.iter().map(Pick::from);
        let best = best.collect::<Vec<_>>();
        // Another node's clock may be ahead.
        let newest = best.iter().map(|pick| pick.id.0 + 1).max();
        let end = newest.unwrap_or(0).max(now.0);
        Self { end: if block.is_full { end } else { 0 }, next: Next::Best(0), best }
    }

    /// Continues after the block, below an id.
    pub(super) fn go_on_below(&mut self, id: i64) {
        self.next = Next::Rest(id);
        self.best.retain(|pick| pick.id.0 < id);
    }

    /// Parses a cursor from a request.
    pub(super) fn parse(cursor: &str) -> Result<Self> {
        Self::read(cursor).ok_or_else(bad_cursor)
    }

    fn read(cursor: &str) -> Option<Self> {
        let mut parts = cursor.splitn(3, '-');
        let mut number = || {
            let text = parts.next()?;
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<i64>().ok().filter(|_| digits)
        };
        let (end, next) = (number()?, number()?);
        let best = URL_SAFE_NO_PAD.decode(parts.next()?).ok()?;
        let (best, over) = best.as_chunks::<8>();
        let best = best.iter().map(|bytes| {
            let bits = u64::from_be_bytes(*bytes);
            Some(Pick { id: Id(i64::try_from(bits >> 1).ok()?), is_popular: bits & 1 == 1 })
        });
        let best = best.collect::<Option<Vec<_>>>()?;
        // Every id is larger than any index in the block.
        let next = match usize::try_from(next).ok().filter(|at| *at <= BLOCK) {
            Some(at) => Next::Best(at),
            None => Next::Rest(next),
        };
        (over.is_empty() && best.len() <= BLOCK).then_some(Self { end, next, best })
    }
}

impl fmt::Display for ForYouCursor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let best = self.best.iter().flat_map(|pick| {
            let bits = pick.id.0.cast_unsigned() << 1 | u64::from(pick.is_popular);
            bits.to_be_bytes()
        });
        let best = URL_SAFE_NO_PAD.encode(best.collect::<Vec<_>>());
        match self.next {
            Next::Best(at) => write!(out, "{}-{at}-{best}", self.end),
            Next::Rest(id) => write!(out, "{}-{id}-{best}", self.end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_parses_back_from_its_text() {
        let best = (0..BLOCK)
            .map(|n| Pick { id: Id(i64::MAX - i64::try_from(n).unwrap()), is_popular: n % 3 == 0 });
        let place = ForYouCursor { end: i64::MAX, next: Next::Best(199), best: best.collect() };
        let cursor = place.to_string();
        assert_eq!(ForYouCursor::parse(&cursor), Ok(place.clone()));
        let rest =
            ForYouCursor { next: Next::Rest(247_513_998_712_340_480), best: Vec::new(), ..place };
        assert_eq!(ForYouCursor::parse(&rest.to_string()), Ok(rest));
        let larger = format!("{cursor}AAAAAAAAAAA");
        for wrong in ["", "1", "1-2", "a-1-", "1-b-", "-1-2-", "1--3", "1-2-AAAA", "1-2-!", &larger]
        {
            assert!(ForYouCursor::parse(wrong).is_err(), "{wrong}");
        }
    }
}
