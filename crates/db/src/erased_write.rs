//! Type-erased write, so that the code that runs writes is compiled once.

use crate::{Error, Result, Tx, Write};
use futures_util::future::BoxFuture;
use tokio::sync::oneshot;

/// A write of any type, with the channel for its result.
pub(crate) trait ErasedWrite: Send {
    /// Runs the write and returns whether to keep its changes. May run again after a rollback.
    fn run<'a>(&'a mut self, tx: &'a mut Tx) -> BoxFuture<'a, bool>;
    /// Sets the result of a run that returned none.
    fn fail(&mut self, error: Error);
    /// Sends the result of the last run to the caller, or the error that replaces it.
    fn finish(self: Box<Self>, outcome: Result<()>);
}

struct PendingWrite<W: Write> {
    write: W,
    result: Option<Result<W::Out, W::Err>>,
    reply: oneshot::Sender<Result<W::Out, W::Err>>,
}

pub(crate) type ResultReceiver<W> = oneshot::Receiver<Result<<W as Write>::Out, <W as Write>::Err>>;

/// Erases the type of a write and returns the receiver of its result.
pub(crate) fn erase<W: Write>(write: W) -> (Box<dyn ErasedWrite>, ResultReceiver<W>) {
    let (reply, receiver) = oneshot::channel();
    let result = None;
    let write = PendingWrite { write, result, reply };
    (Box::new(write), receiver)
}

impl<W: Write> ErasedWrite for PendingWrite<W> {
    fn run<'a>(&'a mut self, tx: &'a mut Tx) -> BoxFuture<'a, bool> {
        Box::pin(async move {
            let result = self.write.run(tx).await;
            let keep = result.is_ok();
            self.result = Some(result);
            keep
        })
    }

    fn fail(&mut self, error: Error) {
        self.result = Some(Err(error.into()));
    }

    fn finish(self: Box<Self>, outcome: Result<()>) {
        let result = match (outcome, self.result) {
            (Ok(()), Some(result)) => result,
            // Replaces the write's own error, too: its cause may have been rolled back.
            (Err(error), _) => Err(error.into()),
            (Ok(()), None) => Err(Error::Statement("a write was not run".into()).into()),
        };
        // The caller may be gone; the change stays.
        let _ = self.reply.send(result);
    }
}
