//! Links, codes and sessions.

mod binding;
mod codes;
mod joining;
mod links;
mod mails;
mod sessions;
