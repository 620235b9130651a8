//! Processing of valid, damaged and hostile pictures.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod bombs;
mod built;
mod codes;
mod colours;
mod corpus;
mod damage;
mod disguises;
mod expected;
mod formats;
mod frames;
mod made;
mod mutations;
mod orientations;
mod sizes;
mod words;
#[cfg(target_os = "linux")]
mod worker;
