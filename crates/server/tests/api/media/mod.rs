//! Images: upload, display and deletion.

mod abusing;
mod corpus;
mod pictures;
mod posting;
mod presigned;
mod rejected_files;
mod sending;
mod serving;
mod sweeping;

pub(crate) use sweeping::pass;

use crate::harness::{Browser, TestResponse};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde_json::Value;
use std::io::Cursor;

/// A picture with a red upper left quarter and other parts that depend on `seed`.
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

/// Encodes the picture.
pub(crate) fn file(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// An encoded small picture, different for each seed.
pub(crate) fn small(seed: u8) -> Vec<u8> {
    file(&picture(60, 40, seed), ImageFormat::Png)
}

/// A PNG that is large enough for an icon of the network, different for each seed.
pub(crate) fn icon(seed: u8) -> Vec<u8> {
    file(&picture(300, 240, seed), ImageFormat::Png)
}

/// Creates an upload and returns its URL.
pub(crate) async fn create_upload(browser: &Browser) -> String {
    let answer = browser.post_empty("/api/objects/upload").await.expect(200);
    answer["uploadURL"].as_str().unwrap().to_owned()
}

/// Sends a file to an upload URL, which needs no session.
pub(crate) async fn put(browser: &Browser, upload_url: &str, bytes: Vec<u8>) -> TestResponse {
    let path = upload_url.strip_prefix("http://localhost:8080").unwrap();
    browser.request("PUT", path, &[], bytes).await
}

/// Uploads a file and returns its URL.
pub(crate) async fn upload(browser: &Browser, bytes: Vec<u8>) -> String {
    let upload_url = create_upload(browser).await;
    put(browser, &upload_url, bytes).await.expect(200);
    upload_url
}

/// Fetches and decodes the image of a `url` or `srcset`.
async fn fetch(browser: &Browser, url: &Value) -> DynamicImage {
    let answer = browser.get(url.as_str().unwrap()).await;
    assert_eq!(answer.status, 200, "{url}");
    image::load_from_memory_with_format(&answer.bytes, ImageFormat::WebP).unwrap()
}
