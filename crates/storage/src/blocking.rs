//! Work on files, off the threads that serve requests.

use crate::Failure;

/// Runs `work` on a thread that may wait for the disk. It runs to its end even when the caller
/// no longer waits for it.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => Err(Failure::Unavailable("the program is stopping".to_owned())),
    }
}
