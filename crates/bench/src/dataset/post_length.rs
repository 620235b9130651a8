//! Distribution of the length of posts.

use fastrand::Rng;

/// Approximates the standard normal distribution.
fn draw_normal(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.f64()).sum::<f64>() - 6.0
}

/// Draws a length in characters from a log-normal distribution: the median is about 80, few exceed 300.
pub(super) fn draw_length(rng: &mut Rng) -> usize {
    ((4.4 + 0.8 * draw_normal(rng)).exp() as usize).clamp(3, 470)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kith::ops::demo::seeded_rng;

    #[test]
    fn half_of_the_posts_are_short_and_none_is_too_long() {
        let mut rng = seeded_rng(1, 1);
        let lengths = (0..10_000).map(|_| draw_length(&mut rng)).collect::<Vec<_>>();
        let short = lengths.iter().filter(|length| **length < 80).count();
        assert!((4_000..6_000).contains(&short), "{short}");
        assert!(lengths.iter().all(|length| (3..=470).contains(length)));
    }
}
