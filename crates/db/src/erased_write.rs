//! A write on its way to its engine, whatever its kind: what carries it out is compiled once for all.

use crate::{Error, Result, Tx, Write};
use futures_util::future::BoxFuture;
use tokio::sync::oneshot;

/// A write of any kind, with whom to answer.
pub(crate) trait Job: Send {
    /// Runs the write, and answers whether to keep its changes. It may be run again after it was undone.
    fn run<'a>(&'a mut self, tx: &'a mut Tx) -> BoxFuture<'a, bool>;
    /// Notes that the run came to no answer of its own.
    fn fail(&mut self, error: Error);
    /// Answers the caller: what the last run answered, or why that does not stand.
    fn finish(self: Box<Self>, ended: Result<()>);
}

struct Pending<W: Write> {
    write: W,
    result: Option<Result<W::Out, W::Err>>,
    reply: oneshot::Sender<Result<W::Out, W::Err>>,
}

pub(crate) type Answer<W> = oneshot::Receiver<Result<<W as Write>::Out, <W as Write>::Err>>;

/// A write as a job, and where its answer comes.
pub(crate) fn of<W: Write>(write: W) -> (Box<dyn Job>, Answer<W>) {
    let (reply, answer) = oneshot::channel();
    let result = None;
    let pending = Pending {
        write,
        result,
        reply,
    };
    (Box::new(pending), answer)
}

impl<W: Write> Job for Pending<W> {
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

    fn finish(self: Box<Self>, ended: Result<()>) {
        let answer = match (ended, self.result) {
            (Ok(()), Some(result)) => result,
            // Refusals too: what they were refused for may have been undone.
            (Err(error), _) => Err(error.into()),
            (Ok(()), None) => Err(Error::Statement("a write was not run".into()).into()),
        };
        // The caller may have hung up; the change is made all the same.
        let _ = self.reply.send(answer);
    }
}
