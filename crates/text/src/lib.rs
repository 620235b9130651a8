//! Pure functions on members' texts: clean, count, fold, and find mentions, hashtags and links.
//!
//! The web app cleans and counts in the same way; the tests of both read the cases in `testdata/`.

mod clean;
mod fold;
mod hashtags;
mod links;
mod mentions;

pub use clean::{clean, clean_line, is_blank, length};
pub use fold::fold;
pub use hashtags::{Hashtag, find_hashtags, normalize_hashtag};
pub use links::{Link, find_links};
pub use mentions::{Mention, find_mentions};
