//! Random numbers of the shapes that networks have; the same seed gives the same ones.

use fastrand::Rng;

/// How uneven attention is: the member of rank n gets a share like n to the power of minus this.
const UNEVEN: f64 = 0.8;

/// A source for one purpose, so that more of one kind of rows changes no other kind.
#[must_use]
pub fn seeded_rng(seed: u64, purpose: u64) -> Rng {
    Rng::with_seed(
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ purpose.wrapping_mul(0xd1b5_4a32_d192_ed03),
    )
}

/// A place among `count`, the first ones most often: a power law.
pub fn power_law_index(rng: &mut Rng, count: usize) -> usize {
    let rest = 1.0 - UNEVEN;
    let top = (count as f64 + 1.0).powf(rest);
    let at = ((top - 1.0) * rng.f64() + 1.0).powf(1.0 / rest);
    (at as usize).clamp(1, count) - 1
}

/// A count with a long tail: at least `least`, of a mean of `steep / (steep - 1)` times that.
pub fn long_tail_count(rng: &mut Rng, least: f64, steep: f64) -> usize {
    // Not 0, which has no finite power.
    let share = 1.0 - rng.f64();
    (least * share.powf(-1.0 / steep)).min(1e9) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_are_drawn_most_and_the_last_are_drawn_too() {
        let mut rng = seeded_rng(1, 1);
        let mut drawn = [0; 100];
        for _ in 0..100_000 {
            drawn[power_law_index(&mut rng, 100)] += 1;
        }
        assert!(drawn[0] > 10 * drawn[99], "{drawn:?}");
        assert!(drawn.iter().all(|count| *count > 0), "{drawn:?}");
    }

    #[test]
    fn a_seed_and_a_purpose_give_the_same_numbers() {
        let draw = |seed, purpose| {
            let mut rng = seeded_rng(seed, purpose);
            (0..50)
                .map(|_| long_tail_count(&mut rng, 1.0, 1.1))
                .collect::<Vec<_>>()
        };
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(2, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
    }
}
