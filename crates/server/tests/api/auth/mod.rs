//! Login links, one-time codes and sessions.

mod binding;
mod clock;
mod codes;
mod devices;
mod ended;
mod groups;
mod joining;
mod links;
mod mails;
mod sessions;
mod watched;
