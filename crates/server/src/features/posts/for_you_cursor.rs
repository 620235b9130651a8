//! Where in For You a page begins.
//!
//! Likes move ranks, and follows move posts among those that are ordered together. So the cursor holds the
//! best posts as they were when reading began, in their reader's order; the rest follows by id, which never
//! moves. Nothing is kept on the server. No cursor names a post that its reader does not see.

use crate::features::posts::for_you_rank::{Arranged, BLOCK, Ranked};
use crate::http::error::Result;
use crate::http::extract::bad_cursor;
use crate::platform::ids::Id;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::fmt;

/// One of the best posts, as it was when reading began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pick {
    pub(super) id: Id,
    pub(super) is_popular: bool,
}

impl From<&Ranked> for Pick {
    fn from(ranked: &Ranked) -> Self {
        Self {
            id: ranked.id,
            is_popular: ranked.is_popular,
        }
    }
}

/// Where a page goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// After so many of the best posts.
    Best(usize),
    /// Behind them, below this id.
    Rest(i64),
}

/// Where a page begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// Posts from this id on arrived after reading began; 0 when the best posts were all posts.
    pub(super) end: i64,
    pub(super) next: Next,
    /// In order; behind them, those that the rest may still meet.
    pub(super) best: Vec<Pick>,
}

impl Place {
    /// The beginning of what is arranged now; `now` is an id that no post has yet.
    pub(super) fn first(arranged: &Arranged, now: Id) -> Self {
        let best = arranged.posts.iter().map(Pick::from);
        let best = best.collect::<Vec<_>>();
        // Another node's clock may be ahead.
        let newest = best.iter().map(|pick| pick.id.0 + 1).max();
        let end = newest.unwrap_or(0).max(now.0);
        Self {
            end: if arranged.is_full { end } else { 0 },
            next: Next::Best(0),
            best,
        }
    }

    /// Goes on below an id.
    pub(super) fn go_on_below(&mut self, id: i64) {
        self.next = Next::Rest(id);
        self.best.retain(|pick| pick.id.0 < id);
    }

    /// From the cursor of the page before.
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
            Some(Pick {
                id: Id(i64::try_from(bits >> 1).ok()?),
                is_popular: bits & 1 == 1,
            })
        });
        let best = best.collect::<Option<Vec<_>>>()?;
        // An id is larger than any position.
        let next = match usize::try_from(next).ok().filter(|at| *at <= BLOCK) {
            Some(at) => Next::Best(at),
            None => Next::Rest(next),
        };
        (over.is_empty() && best.len() <= BLOCK).then_some(Self { end, next, best })
    }
}

impl fmt::Display for Place {
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
    fn a_place_survives_its_journey() {
        let best = (0..BLOCK).map(|n| Pick {
            id: Id(i64::MAX - i64::try_from(n).unwrap()),
            is_popular: n % 3 == 0,
        });
        let place = Place {
            end: i64::MAX,
            next: Next::Best(199),
            best: best.collect(),
        };
        let cursor = place.to_string();
        assert_eq!(Place::parse(&cursor), Ok(place.clone()));
        let rest = Place {
            next: Next::Rest(247_513_998_712_340_480),
            best: Vec::new(),
            ..place
        };
        assert_eq!(Place::parse(&rest.to_string()), Ok(rest));
        let larger = format!("{cursor}AAAAAAAAAAA");
        for wrong in [
            "", "1", "1-2", "a-1-", "1-b-", "-1-2-", "1--3", "1-2-AAAA", "1-2-!", &larger,
        ] {
            assert!(Place::parse(wrong).is_err(), "{wrong}");
        }
    }
}
