//! Where in For You a page begins. What stands in a cursor names no post that its reader does not see.

use crate::clock::{HOUR, Millis};
use crate::error::Result;
use crate::extract::bad_cursor;
use crate::posts::blocks::{BLOCK, Ranked};
use std::fmt;

/// Where a page begins: in the block below (`rank`, `id`), after skipping whole rows
/// of the index and then `position` rows of the ordered block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) rank: Millis,
    pub(super) id: i64,
    pub(super) skip: usize,
    pub(super) position: usize,
}

impl Place {
    /// From the cursor of the page before, or from the top.
    pub(super) fn of(cursor: Option<&str>) -> Result<Self> {
        match cursor {
            None => Ok(Self::top()),
            Some(text) => Self::parse(text).ok_or_else(bad_cursor),
        }
    }

    /// The same, after so many more posts, when the reader sees everybody's.
    pub(super) const fn skip(mut self, offset: usize) -> Self {
        let offset = self.position + offset;
        self.skip = offset / BLOCK * BLOCK;
        self.position = offset % BLOCK;
        self
    }

    /// Whether it is the first post of all.
    pub(super) fn is_top(&self) -> bool {
        *self == Self::top()
    }

    pub(super) const fn top() -> Self {
        Self {
            rank: Millis::MAX,
            id: i64::MAX,
            skip: 0,
            position: 0,
        }
    }

    pub(super) const fn after(last: &Ranked) -> Self {
        Self {
            rank: last.rank,
            id: last.id.0,
            ..Self::top()
        }
    }

    /// Below a row, with so many posts less to skip.
    pub(super) const fn behind(self, last: &Ranked, skipped: usize) -> Self {
        Self {
            position: self.position - skipped,
            ..Self::after(last)
        }
    }

    /// For a place below a row that the reader does not see: the full hour above it, so that it names no row.
    /// Unless that were above `shown`, where those begin of which no page showed any.
    pub(super) fn blurred(self, shown: Self) -> Self {
        let hour = Self {
            rank: self.rank.saturating_add(HOUR) / HOUR * HOUR,
            id: 0,
            ..Self::top()
        };
        if (hour.rank, hour.id) < (shown.rank, shown.id) {
            hour
        } else {
            self
        }
    }

    /// Holds the block at its first post, wherever that will be found later.
    pub(super) const fn fix(&mut self, first: &Ranked) {
        self.rank = first.rank;
        self.id = first.id.0.saturating_add(1);
        self.skip = 0;
    }

    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-').map(|part| {
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            // Beyond 2⁶³ is above every row.
            digits.then(|| part.parse::<i64>().unwrap_or(i64::MAX))
        });
        let (rank, id, position) = (parts.next()??, parts.next()??, parts.next()??);
        let position = usize::try_from(position).ok().filter(|at| *at < BLOCK)?;
        parts.next().is_none().then_some(Self {
            rank,
            id,
            skip: 0,
            position,
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}-{}-{}", self.rank, self.id, self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_survives_its_journey() {
        let place = Place {
            rank: 1_795_253_400_000,
            id: 42,
            skip: 0,
            position: 199,
        };
        assert_eq!(Place::of(Some(&place.to_string())), Ok(place));
        for wrong in [
            "", "1", "1-2", "1-2-3-4", "1-2-200", "a-b-c", "-1-2-3", "1--3",
        ] {
            assert!(Place::of(Some(wrong)).is_err(), "{wrong}");
        }
        let deep = Place::of(None).unwrap().skip(450);
        assert_eq!((deep.skip, deep.position), (400, 50));
    }

    /// Where a page ends that showed nothing, its cursor names none of what it passed, and the feed goes on.
    /// proves: block-cursors
    #[test]
    fn what_leads_on_names_no_hidden_post() {
        let at = |rank, id| Place {
            rank,
            id,
            ..Place::top()
        };
        let now = 1_795_253_412_345;
        for shown in [Place::top(), at(now + HOUR, 9)] {
            let place = at(now, 7).blurred(shown);
            assert_eq!((place.rank % HOUR, place.id, place.position), (0, 0, 0));
            assert!(now < place.rank && place.rank <= shown.rank);
        }
        let near = at(now, 8);
        assert_eq!(
            at(now, 7).blurred(near),
            at(now, 7),
            "else it would go round in a circle"
        );
    }
}
