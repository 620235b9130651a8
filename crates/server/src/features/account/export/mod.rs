//! Export of a member's data as a ZIP file.
//!
//! `routes` enqueues a job; `worker` runs it on any node: `contents` reads page by page, `archive` writes on its own
//! thread, and the file is stored for 7 days.

pub(crate) mod archive;
pub(crate) mod contents;
pub(crate) mod progress;
mod routes;
pub(crate) mod store;
mod worker;

pub use routes::{
    __path_get_export, __path_get_export_file, __path_start_export, Export, ExportState,
    get_export, get_export_file, start_export,
};
pub(crate) use store::{has_any, is_export_key};
pub use worker::{erase_exports, process_exports, run_worker};
