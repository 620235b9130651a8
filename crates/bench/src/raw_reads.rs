//! Cost of the rows of a page without HTTP: reads posts and authors by key in this process.

use anyhow::Result;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::time::{Duration, Instant};

const POST: &str = "select author_id, content, reply_to_id, reply_to_author_id, repost_of_id, \
    mentions, images, poll_options, poll_expires_at, like_count, repost_count, reply_count, \
    hashtags from posts where id = ?1";
const AUTHOR: &str = "select username, display_name, profile_image_url from members where id = ?1";

/// Reads `posts` and their authors repeatedly for `time`; returns the average time of one pass.
pub fn measure_page(database: &Path, posts: &[i64], time: Duration) -> Result<Duration> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(database, flags)?;
    let mut post = conn.prepare(POST)?;
    let mut author = conn.prepare(AUTHOR)?;
    let (begun, mut pages, mut bytes) = (Instant::now(), 0_u32, 0);
    while begun.elapsed() < time || pages == 0 {
        for id in posts {
            let (by, content) =
                post.query_row([id], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
            let name = author.query_row([by], |row| row.get::<_, String>(1))?;
            bytes += content.len() + name.len();
        }
        pages += 1;
    }
    // Keeps the compiler from removing the reads.
    std::hint::black_box(bytes);
    Ok(begun.elapsed() / pages)
}
