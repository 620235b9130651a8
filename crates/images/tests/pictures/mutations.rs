//! Files with reproducible random changes.

use std::env;

use kith_images::{Preset, process};

use crate::corpus::{Seen, files};
use crate::damage::is_sound;

/// Pseudo-random numbers: Marsaglia's xorshift.
struct Chance(u64);

impl Chance {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % below
    }

    fn byte(&mut self) -> u8 {
        const SIGNIFICANT: [u8; 8] = [0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF, 0x10, 0x40];
        if self.next(2) == 0 {
            SIGNIFICANT[self.next(SIGNIFICANT.len())]
        } else {
            u8::try_from(self.next(256)).unwrap()
        }
    }

    /// Changes, duplicates, moves or removes a few places.
    fn mutate(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.next(6) {
            let at = self.next(bytes.len());
            let end = (at + 1 + self.next(16)).min(bytes.len());
            match self.next(8) {
                0..=3 => bytes[at] = self.byte(),
                4 => bytes[at] ^= 1 << self.next(8),
                5 => {
                    let piece = bytes[at..end].to_vec();
                    let to = self.next(bytes.len());
                    bytes.splice(to..to, piece);
                }
                6 => bytes[at..end].fill(self.byte()),
                _ if bytes.len() > 64 => drop(bytes.drain(at..end)),
                _ => {}
            }
        }
        bytes
    }
}

/// Processes `rounds` mutations of every file; every result must be consistent.
fn mutate_all(rounds: usize, seed: u64) {
    for (name, bytes) in files() {
        let mut chance = Chance(seed);
        for round in 0..rounds {
            let mutated = chance.mutate(&bytes);
            if let Ok(made) = process(&mutated, Preset::Post, None) {
                assert!(is_sound(&made), "{name}, seed {seed}, round {round}");
                Seen::of(&made.renditions[0]);
            }
        }
    }
}

#[test]
fn no_mutation_does_harm() {
    mutate_all(8, 0x6B69_7468);
}

/// As many rounds as `KITH_IMAGES_ROUNDS` says, or 1000 of each file, with the seed
/// `KITH_IMAGES_SEED`: `cargo test --release -p kith-images -- --ignored mutation`.
#[test]
#[ignore = "takes long; for changes of a decoder"]
fn no_mutation_of_very_many_does_harm() {
    let number = |name: &str| env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let rounds = number("KITH_IMAGES_ROUNDS").unwrap_or(1000);
    let seed = number("KITH_IMAGES_SEED").unwrap_or(1);
    mutate_all(usize::try_from(rounds).unwrap(), seed);
}
