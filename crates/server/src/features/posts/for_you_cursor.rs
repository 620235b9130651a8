//! Cursor of the For You feed.
//!
//! Likes and follows reorder the personalised block between pages. So the cursor contains the block as it was
//! on the first page. The posts after the block are ordered by id, which never changes. The server stores nothing, and
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
pub(super) struct CursorPost {
    pub(super) id: Id,
    pub(super) is_popular: bool,
}

impl From<&RankedPost> for CursorPost {
    fn from(ranked: &RankedPost) -> Self {
        Self { id: ranked.id, is_popular: ranked.is_popular }
    }
}

/// Start of the next page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NextPage {
    /// In the block, at this index.
    Block(usize),
    /// After the block, below this id.
    Recent(i64),
}

/// Cursor of the For You feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ForYouCursor {
    /// Posts from this id on are newer than the first page; 0 when the block contained all posts.
    pub(super) end: i64,
    pub(super) next: NextPage,
    /// Posts of the block in display order. Once a page is below the block, only those that may still follow
    /// by id, which the pages omit.
    pub(super) block: Vec<CursorPost>,
}

impl ForYouCursor {
    /// Creates the cursor of the first page; `now` is a fresh id, larger than those of existing posts.
    pub(super) fn first(block: &PersonalizedBlock, now: Id) -> Self {
        let posts = block.posts.iter().map(CursorPost::from);
        let posts = posts.collect::<Vec<_>>();
        // Another node's clock may be ahead.
        let end = posts.iter().map(|post| post.id.0 + 1).max();
        let end = end.unwrap_or(0).max(now.0);
        Self { end: if block.is_full { end } else { 0 }, next: NextPage::Block(0), block: posts }
    }

    /// Continues after the block, below an id.
    pub(super) fn continue_below(&mut self, id: i64) {
        self.next = NextPage::Recent(id);
        self.block.retain(|post| post.id.0 < id);
    }

    /// Parses a cursor from a request.
    pub(super) fn parse(cursor: &str) -> Result<Self> {
        Self::decode(cursor).ok_or_else(bad_cursor)
    }

    fn decode(cursor: &str) -> Option<Self> {
        let mut parts = cursor.splitn(3, '-');
        let mut number = || {
            let text = parts.next()?;
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<i64>().ok().filter(|_| digits)
        };
        let (end, next) = (number()?, number()?);
        let block = URL_SAFE_NO_PAD.decode(parts.next()?).ok()?;
        let (block, remainder) = block.as_chunks::<8>();
        let block = block.iter().map(|bytes| {
            let bits = u64::from_be_bytes(*bytes);
            Some(CursorPost { id: Id(i64::try_from(bits >> 1).ok()?), is_popular: bits & 1 == 1 })
        });
        let block = block.collect::<Option<Vec<_>>>()?;
        // Every post id is larger than any index in the block.
        let next = match usize::try_from(next).ok().filter(|index| *index <= BLOCK) {
            Some(index) => NextPage::Block(index),
            None => NextPage::Recent(next),
        };
        (remainder.is_empty() && block.len() <= BLOCK).then_some(Self { end, next, block })
    }
}

impl fmt::Display for ForYouCursor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let block = self.block.iter().map(|post| {
            let bits = post.id.0.cast_unsigned() << 1 | u64::from(post.is_popular);
            bits.to_be_bytes()
        });
        let block = URL_SAFE_NO_PAD.encode(block.collect::<Vec<_>>().as_flattened());
        match self.next {
            NextPage::Block(index) => write!(out, "{}-{index}-{block}", self.end),
            NextPage::Recent(id) => write!(out, "{}-{id}-{block}", self.end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_parses_back_from_its_text() {
        let block = (0..BLOCK).map(|n| CursorPost {
            id: Id(i64::MAX - i64::try_from(n).unwrap()),
            is_popular: n % 3 == 0,
        });
        let cursor =
            ForYouCursor { end: i64::MAX, next: NextPage::Block(199), block: block.collect() };
        let text = cursor.to_string();
        assert_eq!(ForYouCursor::parse(&text), Ok(cursor.clone()));
        let recent = ForYouCursor {
            next: NextPage::Recent(247_513_998_712_340_480),
            block: Vec::new(),
            ..cursor
        };
        assert_eq!(ForYouCursor::parse(&recent.to_string()), Ok(recent));
        let larger = format!("{text}AAAAAAAAAAA");
        for malformed in
            ["", "1", "1-2", "a-1-", "1-b-", "-1-2-", "1--3", "1-2-AAAA", "1-2-!", &larger]
        {
            assert!(ForYouCursor::parse(malformed).is_err(), "{malformed}");
        }
    }
}
