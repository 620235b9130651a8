//! Links, codes and sessions.

mod binding;
mod codes;
mod devices;
mod joining;
mod links;
mod mails;
mod sessions;
