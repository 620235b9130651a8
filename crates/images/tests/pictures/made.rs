//! Guarantees of every processed image.

use kith_images::{Crop, Preset, process};

use crate::corpus::{file, files, post};

#[test]
fn processing_is_deterministic() {
    for (name, bytes) in files() {
        assert!(post(&bytes) == post(&bytes), "{name}");
    }
}

#[test]
fn processing_is_deterministic_on_every_thread() {
    let bytes = file("busy.jpg");
    let alone = post(&bytes);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| post(&bytes))).collect();
        for thread in threads {
            assert!(thread.join().unwrap() == alone);
        }
    });
}

#[test]
fn different_pictures_have_different_hashes() {
    let bytes = file("busy.jpg");
    let crop = Crop::new(0.0, 0.0, 0.9, 0.9);
    let mut addresses = vec![
        post(&bytes).hash,
        post(&file("plain-420.jpg")).hash,
        process(&bytes, Preset::Post, crop).unwrap().hash,
        process(&bytes, Preset::Avatar, None).unwrap().hash,
        process(&bytes, Preset::Header, None).unwrap().hash,
    ];
    addresses.sort_unstable();
    addresses.dedup();
    assert_eq!(addresses.len(), 5);
}

/// Files that differ in discarded data only are one image.
#[test]
fn the_hash_covers_visible_data_only() {
    let bytes = file("plain-444.jpg");
    let mut with_comment = bytes.clone();
    with_comment.splice(2..2, *b"\xFF\xFE\x00\x05abc");
    assert_eq!(post(&bytes).hash, post(&with_comment).hash);
}

#[test]
fn a_thumbhash_is_short_and_similar_to_the_picture() {
    for (name, bytes) in files() {
        let made = post(&bytes);
        assert!((5..=25).contains(&made.thumbhash.len()), "{name}");
        let landscape = made.width > made.height;
        let ratio = thumbhash::thumb_hash_to_approximate_aspect_ratio(&made.thumbhash).unwrap();
        assert!(landscape == (ratio > 1.0), "{name}: {ratio}");
    }
    let average = |name: &str| {
        let made = post(&file(name));
        thumbhash::thumb_hash_to_average_rgba(&made.thumbhash).unwrap()
    };
    let (r, g, b, a) = average("linear.png");
    for part in [r, g, b] {
        assert!((part - 188.0 / 255.0).abs() < 0.05, "{part}");
    }
    assert!((a - 1.0).abs() < 0.01);
}
