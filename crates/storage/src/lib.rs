//! Objects with a name: images as they came and as they are shown.
//!
//! A [`Storage`] keeps them as files in a folder or on S3; callers never ask which. Objects are
//! written whole and never changed in place: who reads one sees all of it or nothing. This crate
//! knows nothing of HTTP handlers, databases or images.

mod blocking;
mod error;
mod key;
mod local;
mod object;
mod private_dir;
mod s3;
mod staging;
mod storage;

pub use error::StorageError;
pub use local::LocalStore;
pub use object::{Body, CreateOutcome, Object, Presigned};
pub use private_dir::{chown_to_parent, create_all as create_private_dir};
pub use s3::{Credentials, S3};
pub use storage::Storage;
