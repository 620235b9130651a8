//! Files that are no valid images, on all three endpoints that accept images.

use super::{file, picture, upload};
use crate::harness::{Server, on_both_engines};
use axum::http::Method;
use image::ImageFormat;
use serde_json::json;

/// A PNG header that claims these dimensions, without data.
fn claim(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = file(&picture(4, 4, 0), ImageFormat::Png);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let sum = crc(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&sum.to_be_bytes());
    bytes
}

/// The checksum of a PNG chunk.
fn crc(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for &byte in bytes {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    !sum
}

/// Uploads the file for each endpoint that accepts images; each rejects it, and nothing is stored.
async fn assert_rejected(server: &Server, what: &str, bytes: &[u8], status: u16, code: &str) {
    let ada = server.member(&format!("ada{}", server.state.id().0 % 1_000_000)).await;
    for path in ["/api/profile-images", "/api/header-images", "/api/posts"] {
        let url = upload(&ada, bytes.to_vec()).await;
        let answer = if path == "/api/posts" {
            ada.post(path, json!({"content": "x", "imageUrls": [url]})).await
        } else {
            ada.json(Method::PUT, path, json!({"imageURL": url})).await
        };
        assert_eq!(answer.error_code(status), code, "{what} at {path}");
    }
    let kept = server.state.storage.list(None, 10).await.unwrap();
    assert!(kept.is_empty(), "{what}: {kept:?}");
    let me = ada.me().await;
    assert!(me["profileImageUrl"].is_null() && me["headerImageUrl"].is_null());
    assert_eq!(me["postCount"], 0);
}

on_both_engines! {
    /// The type is detected from the bytes, not from the declared type or name.
    /// proves: image-types, wire-415
    async fn files_that_are_no_images_are_rejected(server) {
        let svg = b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
        for (what, bytes) in [
            ("SVG", &svg[..]),
            ("HTML", b"<!doctype html><script>alert(1)</script>"),
            ("a PDF", b"%PDF-1.7\n"),
            ("a BMP", b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0"),
            ("a ZIP", b"PK\x03\x04"),
            ("text", b"hello"),
        ] {
            assert_rejected(&server, what, bytes, 415, "not_an_image").await;
        }
    }

    /// Too many pixels, truncated, or empty.
    /// proves: image-pixels, image-types
    async fn invalid_images_are_rejected(server) {
        let jpeg = file(&picture(300, 200, 0), ImageFormat::Jpeg);
        for (what, bytes) in [
            ("60 megapixels", claim(10_000, 6_000)),
            ("a wide one", claim(16_385, 1)),
            ("all that fit in 32 bits", claim(u32::MAX, u32::MAX)),
            ("the first half of a JPEG", jpeg[..jpeg.len() / 2].to_vec()),
            ("the beginning of a PNG", claim(4, 4)[..40].to_vec()),
            ("nothing", Vec::new()),
        ] {
            assert_rejected(&server, what, &bytes, 422, "bad_image").await;
        }
    }
}
