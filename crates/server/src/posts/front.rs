//! What For You asks of its first block before it is known who is near the reader: where waits are dear.

use crate::app::App;
use crate::follows;
use crate::ids::Id;
use crate::memory::Stamp;
use crate::posts::blocks::{Ranked, block, slots};
use crate::posts::place::Place;
use kith_db::Reader;
use std::collections::HashSet;

/// A block and who of its authors follows the reader, asked before it is known who is near them.
#[derive(Debug)]
pub(super) struct Front {
    /// Taken before the block was asked for.
    pub(super) stamp: Stamp,
    block: Vec<Ranked>,
    fans: HashSet<i64>,
}

impl Front {
    /// The block at a place, unless one may be remembered.
    pub(super) async fn read(
        app: &App,
        db: &Reader<'_>,
        reader: Id,
        place: &Place,
    ) -> kith_db::Result<Option<Self>> {
        if place.is_top() && app.arranged.get(&reader.0).is_some() {
            return Ok(None);
        }
        let stamp = app.memory.stamp(&slots(reader));
        let block = block(db, place).await?;
        let authors = block.iter().map(|ranked| ranked.author);
        let authors = authors.collect::<HashSet<_>>();
        let authors = authors.into_iter().collect::<Vec<_>>();
        let fans = follows::followers_among(db, reader, &authors).await?;
        Ok(Some(Self { stamp, block, fans }))
    }

    /// The block, asked for now if it was not before, and who follows the reader if that was asked.
    pub(super) async fn or_block(
        front: Option<Self>,
        db: &Reader<'_>,
        place: &Place,
    ) -> kith_db::Result<(Vec<Ranked>, Option<HashSet<i64>>)> {
        Ok(match front {
            Some(front) => (front.block, Some(front.fans)),
            None => (block(db, place).await?, None),
        })
    }
}
