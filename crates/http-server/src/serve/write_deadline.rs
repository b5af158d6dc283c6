//! A connection whose output must be read. It must not know what is written, nor limit input.

use crate::settings::WRITE_BYTES_PER_SECOND_MIN;
use std::io::{self, IoSlice};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::task::unconstrained;
use tokio::time::Sleep;

/// How long a client may take for so many bytes of an answer: at 16 KiB a second, 128 kbit/s.
pub(super) fn time_for(bytes: u64) -> Duration {
    Duration::from_micros(bytes.saturating_mul(1_000_000) / WRITE_BYTES_PER_SECOND_MIN)
}

/// The error with which a wait ends. It ends also in a task that has used up its turn: a client
/// that never stops sending uses up each.
pub(super) fn end_of_wait(
    timer: Pin<&mut Sleep>,
    cx: &mut Context<'_>,
    why: &str,
) -> Poll<io::Error> {
    ready!(pin!(unconstrained(timer)).poll(cx));
    Poll::Ready(io::Error::new(io::ErrorKind::TimedOut, why))
}

/// A stream whose peer cannot keep it open by reading nothing.
#[derive(Debug)]
pub(super) struct WriteDeadline<S> {
    stream: S,
    /// For output of which nothing is read; what the client reads of it extends the limit.
    limit: Duration,
    /// The wait for output to be read, from the first byte that was not accepted at once to the
    /// moment at which all of it was.
    writing: Option<Pin<Box<Sleep>>>,
    /// Whether there is output that was not accepted.
    unread: Arc<AtomicBool>,
}

impl<S> WriteDeadline<S> {
    pub(super) fn new(stream: S, limit: Duration) -> Self {
        Self {
            stream,
            limit,
            writing: None,
            unread: Arc::default(),
        }
    }

    /// Whether there is output now that the peer does not read.
    pub(super) fn unread(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.unread)
    }

    /// Extends the limit by what was written, or waits.
    fn count(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        let Poll::Ready(result) = written else {
            return self.wait(cx);
        };
        if let (Ok(count), Some(timer)) = (&result, &mut self.writing) {
            let count = u64::try_from(*count).unwrap_or(u64::MAX);
            let until = timer.deadline() + time_for(count);
            timer.as_mut().reset(until);
        }
        Poll::Ready(result)
    }

    /// Pending, until the peer reads too slowly.
    fn wait<T>(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        let limit = self.limit;
        self.unread.store(true, Ordering::Relaxed);
        let timer = self
            .writing
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(limit)));
        end_of_wait(timer.as_mut(), cx, "the client takes the answer too slowly").map(Err)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteDeadline<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteDeadline<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(cx, buf);
        this.count(cx, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(cx, bufs);
        this.count(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        match Pin::new(&mut this.stream).poll_flush(cx) {
            Poll::Ready(result) => {
                this.writing = None;
                this.unread.store(false, Ordering::Relaxed);
                Poll::Ready(result)
            }
            Poll::Pending => this.wait(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        match Pin::new(&mut this.stream).poll_shutdown(cx) {
            Poll::Ready(result) => Poll::Ready(result),
            Poll::Pending => this.wait(cx),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    #[tokio::test]
    async fn output_is_unread_until_all_of_it_was_accepted() {
        let (near, mut far) = duplex(4);
        let mut stream = WriteDeadline::new(near, Duration::from_secs(30));
        let unread = stream.unread();
        stream.write_all(b"four").await.unwrap();
        stream.flush().await.unwrap();
        assert!(!unread.load(Ordering::Relaxed));
        let mut seen = [0; 8];
        let write = async {
            stream.write_all(b"more").await.unwrap();
            stream.flush().await.unwrap();
        };
        let read = async {
            tokio::task::yield_now().await;
            assert!(unread.load(Ordering::Relaxed));
            far.read_exact(&mut seen).await.unwrap();
        };
        tokio::join!(write, read);
        assert!(!unread.load(Ordering::Relaxed));
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_has_used_up_its_turn_is_cut_all_the_same() {
        let (near, _far) = duplex(4);
        let mut stream = WriteDeadline::new(near, Duration::from_secs(30));
        let mut write = pin!(stream.write_all(b"more than four"));
        let mut turn = 0;
        let ended = std::future::poll_fn(|context| {
            turn += 1;
            assert!(turn < 100, "it is not cut");
            // What a client sends without end is read first in each turn.
            let mut reads = pin!(async {
                if turn > 1 {
                    loop {
                        tokio::task::consume_budget().await;
                    }
                }
            });
            assert!(reads.as_mut().poll(context).is_pending() || turn == 1);
            write.as_mut().poll(context)
        });
        assert!(ended.await.is_err());
    }
}
