//! Many large images processed concurrently.

#![cfg(target_os = "linux")]

use crate::operator::sign_up;
use crate::program::Program;
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use std::time::Duration;

/// Additional memory in bytes that server and image workers may use per concurrently processed
/// image.
const MEMORY_PER_IMAGE: u64 = 450_000_000;

/// Encodes a PNG with the maximum of 50 million pixels.
fn encode_largest() -> Vec<u8> {
    let (width, height) = (7_000, 7_142);
    let row = (0..width).flat_map(|x: u32| [x.to_le_bytes()[0], x.to_le_bytes()[1], 90]);
    let row = row.collect::<Vec<_>>();
    let mut file = Vec::new();
    PngEncoder::new(&mut file)
        .write_image(&row.repeat(7_142), width, height, ExtendedColorType::Rgb8)
        .unwrap();
    assert!(file.len() <= 10_485_760, "{}", file.len());
    file
}

/// Returns the resident memory in bytes of a process and its children.
fn memory(id: &str) -> u64 {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let statuses =
        all.filter_map(|entry| std::fs::read_to_string(entry.path().join("status")).ok());
    let of = |status: &str, name: &str| -> Option<String> {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.split_whitespace().next()?.to_owned())
    };
    let own = statuses.filter(|status| {
        ["Pid:", "PPid:"].iter().any(|name| of(status, name).as_deref() == Some(id))
    });
    let kilobytes = own.filter_map(|status| of(&status, "VmRSS:")?.parse::<u64>().ok());
    kilobytes.sum::<u64>() * 1_024
}

/// Uploads and posts the file, repeating the post while the server is busy.
fn post(program: &Program, cookie: &str, file: &[u8]) {
    let response = program.request("POST", "/api/objects/upload", cookie, "{}");
    let (_, url) = response.body.split_once("\"uploadURL\":\"").unwrap();
    let url = url.split('"').next().unwrap();
    let (_, path) = url.split_once("/api/").unwrap();
    let sent = program.put_file(&format!("/api/{path}"), file);
    assert_eq!(sent.status, 200, "{}", sent.body);
    let body = format!("{{\"content\": \"large\", \"imageUrls\": [\"{url}\"]}}");
    loop {
        let posted = program.request("POST", "/api/posts", cookie, &body);
        match posted.status {
            201 => return,
            503 => {}
            other => panic!("{other}: {}", posted.body),
        }
    }
}

/// Sixteen members post the largest image concurrently. At most half as many as there are cores are
/// processed at a time, so memory stays bounded and no post is lost.
#[test]
fn sixteen_large_images_at_once_fit_into_memory() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    program.read_line();
    // Separate members, since one member's images are processed one at a time.
    let members = (0..16).map(|at| sign_up(&program, folder.path(), &format!("member{at}")));
    let members = members.collect::<Vec<_>>();
    let file = encode_largest();
    let id = program.id().to_string();
    let before = memory(&id);
    let most = std::thread::scope(|scope| {
        let posts = members.iter();
        let posts = posts.map(|cookie| scope.spawn(|| post(&program, cookie, &file)));
        let posts = posts.collect::<Vec<_>>();
        let mut most = 0;
        while posts.iter().any(|post| !post.is_finished()) {
            most = most.max(memory(&id));
            std::thread::sleep(Duration::from_millis(10));
        }
        most
    });
    let more = most - before;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let permits = u64::try_from(cores / 2).unwrap().max(1);
    println!("16 images of 50 megapixels at once, {permits} at a time: {} MiB more", more >> 20);
    assert!(more <= permits * MEMORY_PER_IMAGE, "{} MiB more", more >> 20);
}
