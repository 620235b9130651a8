//! Texts of members: cleaned, counted, folded, and searched for names, tags and links.
//!
//! Pure functions. The web app counts and cleans alike; `testdata/` has the cases that both are tested with.

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
