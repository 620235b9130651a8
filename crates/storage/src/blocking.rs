//! Blocking file operations, off the threads of async tasks.

use crate::StorageError;

/// Runs `work` on the blocking thread pool. It runs to its end even when the caller is cancelled.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StorageError> + Send + 'static,
) -> Result<T, StorageError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => Err(StorageError::Unavailable("the program is stopping".to_owned())),
    }
}
