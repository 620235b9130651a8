//! Turns of measuring: the product, then the floor; in the next round the floor, then the product.

use super::Pair;
use crate::calls::{Path, Script};
use crate::load::{self, Load, Pace};
use crate::server::Server;
use anyhow::{Context as _, Result};
use std::sync::Arc;
use std::time::Duration;

/// How to measure.
#[derive(Debug, Clone, Copy)]
pub struct Turns {
    /// How often each server has its turn.
    pub rounds: usize,
    /// For how long each of a turn's two loads goes on.
    pub time: Duration,
    /// Connections.
    pub callers: usize,
}

/// One server in one turn.
#[derive(Debug, Clone, Copy)]
pub struct Figures {
    /// Answers a second, as fast as they come.
    pub rate: f64,
    /// Microseconds of the server's processor time for an answer.
    pub processor: f64,
    /// How often the server read a file for an answer.
    pub reads: f64,
    /// How often it wrote to one.
    pub writes: f64,
    /// Microseconds that half of the calls took at most, at half that rate.
    pub half: u64,
    /// And 99 of 100.
    pub most: u64,
    /// And 999 of 1,000.
    pub nearly_all: u64,
    /// Bytes of a body.
    pub bytes: u64,
}

/// Everything that was measured of a path: the product's figures beside the floor's.
#[derive(Debug, Clone)]
pub struct Rounds {
    /// Which.
    pub path: Path,
    /// Connections.
    pub callers: usize,
    /// In the order of the turns.
    pub turns: Vec<[Figures; 2]>,
    /// Microseconds of a durable commit without anything around it, after each turn of one caller's
    /// writes.
    pub bare: Vec<f64>,
}

impl Figures {
    pub(super) fn reads(&self) -> f64 {
        self.reads
    }

    pub(super) fn writes(&self) -> f64 {
        self.writes
    }
}

impl Rounds {
    /// The middle one of what `of` takes from each turn, and the least and the greatest.
    pub fn spread(&self, of: impl Fn(&[Figures; 2]) -> f64) -> [f64; 3] {
        let mut all = self.turns.iter().map(of).collect::<Vec<_>>();
        all.sort_by(f64::total_cmp);
        [all[all.len() / 2], all[0], all[all.len() - 1]]
    }

    /// How many durable commits one answer takes as long as, if that was measured: the middle turn.
    #[must_use]
    pub fn commits(&self) -> Option<f64> {
        let of = |([product, _], bare): (&[Figures; 2], &f64)| 1e6 / product.rate / bare;
        let mut all = self
            .turns
            .iter()
            .zip(&self.bare)
            .map(of)
            .collect::<Vec<_>>();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied()
    }

    /// The middle one of the product's.
    pub fn product(&self, of: impl Fn(&Figures) -> f64) -> f64 {
        self.spread(|turn| of(&turn[0]))[0]
    }

    /// The middle one of the floor's.
    pub fn floor(&self, of: impl Fn(&Figures) -> f64) -> f64 {
        self.spread(|turn| of(&turn[1]))[0]
    }
}

/// Measures one path by turns. Reads come before all writes: they must be answered as they were at the start.
pub async fn path(pair: &Pair, path: Path, turns: &Turns, callers: usize) -> Result<Rounds> {
    let (mut measured, mut bare) = (Vec::new(), Vec::new());
    let alone = callers == 1 && Path::WRITES.contains(&path);
    for round in 0..turns.rounds {
        let product = async {
            let product = one(&pair.product, pair.script(path, false), turns, callers).await;
            product.with_context(|| format!("{} of the product", path.name()))
        };
        let floor = async {
            let floor = one(&pair.floor, pair.script(path, true), turns, callers).await;
            floor.with_context(|| format!("{} of the floor", path.name()))
        };
        measured.push(by_turns(round, product, floor).await?);
        if alone {
            bare.push(pair.bare_commit(turns.time).await?);
        }
    }
    let rounds = Rounds {
        path,
        callers,
        turns: measured,
        bare,
    };
    println!(
        "{}, {callers} callers: {:.0} µs of processor time (floor {:.0}), {:.1} % of the floor's rate",
        path.name(),
        rounds.product(|figures| figures.processor),
        rounds.floor(|figures| figures.processor),
        rounds.spread(|[product, floor]| 100.0 * product.rate / floor.rate)[0],
    );
    Ok(rounds)
}

/// Makes two loads one after the other, in each round the other one first: what one leaves to the machine, such as
/// pages that are still to be written, is not always left to the same one.
async fn by_turns<T>(
    round: usize,
    product: impl Future<Output = Result<T>>,
    floor: impl Future<Output = Result<T>>,
) -> Result<[T; 2]> {
    if round.is_multiple_of(2) {
        return Ok([product.await?, floor.await?]);
    }
    let floor = floor.await?;
    Ok([product.await?, floor])
}

/// A short load to warm up, one at full speed, and one at half of what that gave.
async fn one(
    server: &Server,
    script: Arc<Script>,
    turns: &Turns,
    callers: usize,
) -> Result<Figures> {
    let load = |pace, time| {
        let load = Load {
            address: server.address,
            connections: callers,
            pace,
            time,
        };
        let script = &script;
        async move {
            let asked = script.clone();
            let made = load::run(load, move |number| asked.call_again(number)).await;
            script.check_new()?;
            made
        }
    };
    load(Pace::Full, turns.time / 5).await?;
    let (before, called) = (server.processor()?, server.file_calls()?);
    let full = load(Pace::Full, turns.time).await?;
    let used = server.processor()?.saturating_sub(before);
    let calls = server.file_calls()?;
    let paced = load(Pace::At(full.rate() / 2.0), turns.time).await?;
    let within = |share| paced.latency.value_at_quantile(share);
    Ok(Figures {
        rate: full.rate(),
        processor: used.as_secs_f64() * 1e6 / full.answers as f64,
        reads: (calls.0 - called.0) as f64 / full.answers as f64,
        writes: (calls.1 - called.1) as f64 / full.answers as f64,
        half: within(0.5),
        most: within(0.99),
        nearly_all: within(0.999),
        bytes: full.bytes / full.answers,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[tokio::test]
    async fn in_each_round_the_other_one_is_first() -> Result<()> {
        let order = RefCell::new(Vec::new());
        let load = |name| {
            let order = &order;
            async move {
                order.borrow_mut().push(name);
                Ok(name)
            }
        };
        for round in 0..3 {
            let both = by_turns(round, load("product"), load("floor")).await?;
            assert_eq!(both, ["product", "floor"]);
        }
        let firsts = order
            .borrow()
            .iter()
            .step_by(2)
            .copied()
            .collect::<Vec<_>>();
        assert_eq!(firsts, ["product", "floor", "product"]);
        Ok(())
    }
}
