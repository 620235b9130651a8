//! How long invented posts are.

use fastrand::Rng;

/// A number around 0 whose square is 1 on average.
fn draw_normal(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.f64()).sum::<f64>() - 6.0
}

/// How many characters a post has: half have fewer than 80, few have more than 300.
pub(super) fn draw_length(rng: &mut Rng) -> usize {
    ((4.4 + 0.8 * draw_normal(rng)).exp() as usize).clamp(3, 470)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kith::demo::source;

    #[test]
    fn half_of_the_texts_are_short_and_none_is_too_long() {
        let mut rng = source(1, 1);
        let lengths = (0..10_000)
            .map(|_| draw_length(&mut rng))
            .collect::<Vec<_>>();
        let short = lengths.iter().filter(|length| **length < 80).count();
        assert!((4_000..6_000).contains(&short), "{short}");
        assert!(lengths.iter().all(|length| (3..=470).contains(length)));
    }
}
