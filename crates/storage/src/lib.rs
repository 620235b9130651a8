//! Object storage: files in a local folder, or an S3 bucket.
//!
//! [`Storage`] has one interface for both. Objects are written atomically and never changed in
//! place, so a reader gets a complete object or none. This crate has no dependency on HTTP
//! handlers, databases or images.

mod blocking;
mod error;
mod key;
mod local;
mod object;
mod private_dir;
mod s3;
mod secret_file;
mod staging;
mod storage;

pub use error::StorageError;
pub use local::LocalStore;
pub use object::{Body, CreateOutcome, Object, Presigned};
pub use private_dir::{chown_to_parent, create_all as create_private_dir};
pub use s3::{Credentials, S3};
pub use secret_file::read_secret_file;
pub use storage::Storage;
