//! Objects with a name: images as they came and as they are shown.
//!
//! A [`Storage`] keeps them as files in a folder or on S3; callers never ask which. Objects are
//! written whole and never changed in place: who reads one sees all of it or nothing. This crate
//! knows nothing of HTTP handlers, databases or images.

mod blocking;
mod failure;
mod files;
mod folder;
mod incoming;
mod key;
mod object;
mod s3;
mod storage;

pub use failure::Failure;
pub use files::Files;
pub use folder::{hand_over, make as make_folder};
pub use object::{Body, Created, Object, Presigned};
pub use s3::{Credentials, S3};
pub use storage::Storage;
