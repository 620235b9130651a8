//! Random distributions of social networks, reproducible by seed.

use fastrand::Rng;

/// Exponent of the power law of attention: the weight of rank n is n^-SKEW.
const SKEW: f64 = 0.8;

/// Builds a generator for one purpose, so that more rows of one kind do not change the rows of another.
#[must_use]
pub fn seeded_rng(seed: u64, purpose: u64) -> Rng {
    Rng::with_seed(
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ purpose.wrapping_mul(0xd1b5_4a32_d192_ed03),
    )
}

/// Draws an index below `count` by a power law, the first ones most often.
pub fn power_law_index(rng: &mut Rng, count: usize) -> usize {
    let rest = 1.0 - SKEW;
    let top = (count as f64 + 1.0).powf(rest);
    let rank = ((top - 1.0) * rng.f64() + 1.0).powf(1.0 / rest);
    (rank as usize).clamp(1, count) - 1
}

/// Draws a Pareto-distributed count: at least `min`, with a mean of `exponent / (exponent - 1)` times that.
pub fn long_tail_count(rng: &mut Rng, min: f64, exponent: f64) -> usize {
    // Never 0, which has no finite negative power.
    let uniform = 1.0 - rng.f64();
    (min * uniform.powf(-1.0 / exponent)).min(1e9) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_is_drawn_and_the_first_most_often() {
        let mut rng = seeded_rng(1, 1);
        let mut drawn = [0; 100];
        for _ in 0..100_000 {
            drawn[power_law_index(&mut rng, 100)] += 1;
        }
        assert!(drawn[0] > 10 * drawn[99], "{drawn:?}");
        assert!(drawn.iter().all(|count| *count > 0), "{drawn:?}");
    }

    #[test]
    fn numbers_depend_on_the_seed_and_the_purpose() {
        let draw = |seed, purpose| {
            let mut rng = seeded_rng(seed, purpose);
            (0..50).map(|_| long_tail_count(&mut rng, 1.0, 1.1)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(2, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
    }
}
