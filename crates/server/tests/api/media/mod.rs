//! Images: sending them, showing them, and deleting them when nothing does.

mod abusing;
mod corpus;
mod pictures;
mod posting;
mod presigned;
mod refusing;
mod sending;
mod serving;
mod sweeping;

pub(crate) use sweeping::pass;

use crate::harness::{Answer, Browser};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde_json::Value;
use std::io::Cursor;

/// A picture of that size whose upper left corner is red and whose other parts differ by `seed`.
pub(crate) fn picture(width: u32, height: u32, seed: u8) -> DynamicImage {
    let part = |at: u32, of: u32| u8::try_from(at * 255 / of).unwrap();
    let pixel = |x: u32, y: u32| {
        if x < width / 4 && y < height / 4 {
            Rgb([255, 0, 0])
        } else {
            Rgb([seed, part(x, width), part(y, height)])
        }
    };
    RgbImage::from_fn(width, height, pixel).into()
}

/// Its file.
pub(crate) fn file(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A small picture's file, another one for each seed.
pub(crate) fn small(seed: u8) -> Vec<u8> {
    file(&picture(60, 40, seed), ImageFormat::Png)
}

/// An address to send a file to.
pub(crate) async fn address(browser: &Browser) -> String {
    let answer = browser.poke("/api/objects/upload").await.expect(200);
    answer["uploadURL"].as_str().unwrap().to_owned()
}

/// Sends a file to such an address, as anybody who has it can.
pub(crate) async fn put(browser: &Browser, address: &str, bytes: Vec<u8>) -> Answer {
    let path = address.strip_prefix("http://localhost:8080").unwrap();
    browser.call("PUT", path, &[], bytes).await
}

/// Uploads a file and answers its address.
pub(crate) async fn upload(browser: &Browser, bytes: Vec<u8>) -> String {
    let address = address(browser).await;
    put(browser, &address, bytes).await.expect(200);
    address
}

/// What a `url` or `srcset` leads to.
async fn fetch(browser: &Browser, url: &Value) -> DynamicImage {
    let answer = browser.get(url.as_str().unwrap()).await;
    assert_eq!(answer.status, 200, "{url}");
    image::load_from_memory_with_format(&answer.bytes, ImageFormat::WebP).unwrap()
}
