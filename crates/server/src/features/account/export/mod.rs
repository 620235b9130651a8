//! A copy of everything that a member has, as a ZIP file.
//!
//! A member asks (`calls`), a worker on any node makes it (`worker`): `contents` reads page by
//! page, `archive` writes on a thread of its own, and the finished file goes to the storage, where
//! it stays for 7 days. `command` makes one for an operator.

pub(crate) mod archive;
pub(crate) mod contents;
pub(crate) mod progress;
mod routes;
pub(crate) mod store;
mod worker;

pub use routes::{
    __path_export, __path_export_file, __path_start_export, Export, ExportState, export,
    export_file, start_export,
};
pub(crate) use store::{has_any, is_at};
pub use worker::{forget, run, work};
