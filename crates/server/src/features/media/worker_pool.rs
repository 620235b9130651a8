//! Where pictures are worked on: a few at a time, and never two of one member's.

use crate::http::error::{ApiError, Result};
use crate::platform::ids::Id;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{Mutex as Queue, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

/// How long a request waits until its picture can be worked on.
const QUEUE: Duration = Duration::from_secs(10);

/// Bounds how many pictures are worked on at once: each takes a core, and memory for its pixels.
#[derive(Debug)]
pub struct Darkroom {
    places: Arc<Semaphore>,
    // Those who are inside or wait: many pictures of one member's keep nobody else's waiting.
    turns: Mutex<HashMap<Id, Weak<Queue<()>>>>,
}

/// A place in the darkroom, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    _place: OwnedSemaphorePermit,
    turn: Turn,
}

/// A member's turn, without a place: none of their other pictures is worked on until it is dropped.
pub(super) type Turn = OwnedMutexGuard<()>;

impl Place {
    /// Leaves the place to others while what was made is stored.
    pub(super) fn leave(self) -> Turn {
        self.turn
    }
}

impl Default for Darkroom {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            places: Arc::new(Semaphore::new((cores / 2).max(1))),
            turns: Mutex::default(),
        }
    }
}

impl Darkroom {
    /// A place for one picture of this member's. 503 when none is free for long.
    pub(super) async fn enter(&self, member: Id) -> Result<Place> {
        let turn = self.turn(member);
        let enter = async {
            let turn = turn.lock_owned().await;
            let place = self.places.clone().acquire_owned().await.ok()?;
            Some(Place {
                _place: place,
                turn,
            })
        };
        let place = tokio::time::timeout(QUEUE, enter).await;
        place.ok().flatten().ok_or_else(ApiError::unavailable)
    }

    fn turn(&self, member: Id) -> Arc<Queue<()>> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = turns.get(&member).and_then(Weak::upgrade) {
            return turn;
        }
        turns.retain(|_, turn| turn.strong_count() > 0);
        let turn = Arc::new(Queue::default());
        turns.insert(member, Arc::downgrade(&turn));
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;

    #[tokio::test]
    async fn a_member_has_one_place_at_a_time() {
        let darkroom = Darkroom {
            places: Arc::new(Semaphore::new(2)),
            turns: Mutex::default(),
        };
        let enter = |member| darkroom.enter(Id(member)).now_or_never();
        let first = enter(1);
        assert!(matches!(first, Some(Ok(_))));
        assert!(enter(1).is_none(), "their second waits");
        let other = enter(2);
        assert!(matches!(other, Some(Ok(_))), "nobody else does");
        assert!(enter(3).is_none(), "it is full");
        drop(first);
        assert!(matches!(enter(1), Some(Ok(_))));
        drop(other);
        darkroom.turn(Id(4));
        let turns = darkroom
            .turns
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        assert_eq!(turns.len(), 1, "who left is forgotten");
    }
}
