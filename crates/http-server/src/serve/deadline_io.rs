//! The input and output of a connection with a deadline on every wait. It must not parse requests:
//! all it knows of HTTP is where a request begins and the form of the library's own refusal.

use super::phase::{ConnectionPhase, Phase};
use super::write_deadline::{WriteDeadline, end_of_wait};
use std::fmt;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// The limit of each kind of wait.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadlines {
    pub(super) head: Duration,
    pub(super) idle: Duration,
    /// For an answer of which nothing is read; what the client reads of it extends the limit.
    pub(super) write: Duration,
}

/// The status with which a late head is refused.
const REQUEST_TIMEOUT: u16 = 408;

/// A stream whose peer cannot keep it open by doing nothing.
pub(super) struct DeadlineIo<S, F> {
    stream: WriteDeadline<S>,
    phase: ConnectionPhase,
    deadlines: Deadlines,
    /// The wait for input, with the phase in which it began.
    reading: Option<(Phase, Pin<Box<Sleep>>)>,
    refuse: F,
    refusal: Option<Refusal>,
    /// Whether the time for a head is over: nothing more is read, and the refusal is written.
    late: bool,
}

/// The gateway's answer, written in place of the library's own.
struct Refusal {
    bytes: Vec<u8>,
    written: usize,
    /// The number of bytes the library believes it writes.
    stands_for: usize,
}

impl<S, F> fmt::Debug for DeadlineIo<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guarded")
            .field("phase", &self.phase.get())
            .finish_non_exhaustive()
    }
}

impl<S, F> DeadlineIo<S, F> {
    /// Wraps a stream. `refuse` makes the whole answer to a request whose head is refused with a
    /// status before the edge has seen it.
    pub(super) fn new(stream: S, phase: ConnectionPhase, deadlines: Deadlines, refuse: F) -> Self {
        Self {
            stream: WriteDeadline::new(stream, deadlines.write),
            phase,
            deadlines,
            reading: None,
            refuse,
            refusal: None,
            late: false,
        }
    }

    /// Pending, until the wait for a request's head has lasted too long. While a request is
    /// processed there is no deadline here: reading its body has its own.
    fn wait_for_input(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let phase = self.phase.get();
        if !phase.awaits_head() {
            self.reading = None;
            return Poll::Pending;
        }
        let begun_in = self.reading.as_ref().map(|(begun_in, _)| *begun_in);
        if begun_in != Some(phase) {
            let limit = match phase {
                Phase::Idle => self.deadlines.idle,
                Phase::Fresh | Phase::Head | Phase::Busy | Phase::Answering => self.deadlines.head,
            };
            rearm(&mut self.reading, phase, limit);
        }
        match &mut self.reading {
            Some((_, timer)) => end_of_wait(timer.as_mut(), cx, "no request came in time").map(Err),
            None => Poll::Pending,
        }
    }
}

/// Starts a new wait, in the memory of the previous one where there is one.
fn rearm(slot: &mut Option<(Phase, Pin<Box<Sleep>>)>, phase: Phase, limit: Duration) {
    let sleep = tokio::time::sleep(limit);
    match slot {
        Some((begun_in, timer)) => {
            *begun_in = phase;
            timer.set(sleep);
        }
        None => *slot = Some((phase, Box::pin(sleep))),
    }
}

impl<S, F> AsyncRead for DeadlineIo<S, F>
where
    S: AsyncRead + AsyncWrite + Unpin,
    F: Fn(u16) -> Vec<u8> + Unpin,
{
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.late {
            return this.end_late(cx);
        }
        let before = buf.filled().len();
        match Pin::new(&mut this.stream).poll_read(cx, buf) {
            Poll::Ready(Ok(())) => {
                if buf.filled().len() > before && this.phase.get().awaits_first_byte() {
                    this.phase.set(Phase::Head);
                }
                Poll::Ready(Ok(()))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => {
                let ended = ready!(this.wait_for_input(cx));
                if this.phase.get() != Phase::Head {
                    return Poll::Ready(ended);
                }
                this.late = true;
                this.refusal = Some(Refusal {
                    bytes: (this.refuse)(REQUEST_TIMEOUT),
                    written: 0,
                    stands_for: 0,
                });
                this.end_late(cx)
            }
        }
    }
}

impl<S, F> DeadlineIo<S, F>
where
    S: AsyncWrite + Unpin,
    F: Fn(u16) -> Vec<u8> + Unpin,
{
    /// Writes the rest of the refusal of a late head, and ends the connection.
    fn end_late(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if let Some(refusal) = self.refusal.take() {
            ready!(self.write_refusal(cx, refusal))?;
        }
        ready!(Pin::new(&mut *self).poll_flush(cx))?;
        ready!(Pin::new(self).poll_shutdown(cx))?;
        let why = "the head of a request came too slowly";
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, why)))
    }

    /// Writes the rest of the replacing refusal; then reports to the library that its own is
    /// written.
    fn write_refusal(
        &mut self,
        cx: &mut Context<'_>,
        mut refusal: Refusal,
    ) -> Poll<io::Result<usize>> {
        while let Some(left) = refusal
            .bytes
            .get(refusal.written..)
            .filter(|left| !left.is_empty())
        {
            match Pin::new(&mut self.stream).poll_write(cx, left) {
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Ok(count)) => refusal.written = refusal.written.saturating_add(count),
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => {
                    self.refusal = Some(refusal);
                    return Poll::Pending;
                }
            }
        }
        Poll::Ready(Ok(refusal.stands_for))
    }
}

impl<S, F> AsyncWrite for DeadlineIo<S, F>
where
    S: AsyncWrite + Unpin,
    F: Fn(u16) -> Vec<u8> + Unpin,
{
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if let Some(refusal) = this.refusal.take() {
            return this.write_refusal(cx, refusal);
        }
        match own_refusal(buf).filter(|_| this.phase.get().awaits_head()) {
            Some(status) => {
                let refusal = Refusal {
                    bytes: (this.refuse)(status),
                    written: 0,
                    stands_for: buf.len(),
                };
                this.write_refusal(cx, refusal)
            }
            None => Pin::new(&mut this.stream).poll_write(cx, buf),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let flushed = ready!(Pin::new(&mut this.stream).poll_flush(cx));
        if this.phase.get() == Phase::Answering {
            this.phase.set(Phase::Idle);
            // The library may have begun to read before it wrote, and does so only once: the wait
            // for the next request begins here.
            let _begun: Poll<_> = this.wait_for_input(cx);
        }
        Poll::Ready(flushed)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

/// The status of an answer without a body, in the form the HTTP library writes by itself when it
/// cannot read a request's head. No answer of the gateway ends in an empty line: bodies never
/// contain a line break.
fn own_refusal(buf: &[u8]) -> Option<u16> {
    let rest = buf
        .strip_prefix(b"HTTP/1.1 ")
        .or_else(|| buf.strip_prefix(b"HTTP/1.0 "))?;
    let status = std::str::from_utf8(rest.get(..3)?).ok()?.parse().ok()?;
    (buf.ends_with(b"\r\n\r\n") && (400..600).contains(&status)).then_some(status)
}

#[cfg(test)]
mod tests {
    use super::super::phase::ServeCommand;
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

    const OWN: &[u8] = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\n\r\n";
    const DEADLINES: Deadlines = Deadlines {
        head: Duration::from_secs(10),
        idle: Duration::from_mins(2),
        write: Duration::from_secs(30),
    };

    type Refuse = fn(u16) -> Vec<u8>;

    fn guarded(
        capacity: usize,
    ) -> (
        DeadlineIo<DuplexStream, Refuse>,
        DuplexStream,
        ConnectionPhase,
    ) {
        let (near, far) = duplex(capacity);
        let phase = ConnectionPhase::new(&ServeCommand::default());
        let refuse: Refuse = |status| format!("ours {status}").into_bytes();
        let guarded = DeadlineIo::new(near, phase.clone(), DEADLINES, refuse);
        (guarded, far, phase)
    }

    /// Reads until data arrives or the stream ends the wait, and returns how long that took.
    async fn give_up(guarded: &mut DeadlineIo<DuplexStream, Refuse>) -> (io::ErrorKind, Duration) {
        let begun = stopwatch();
        let error = guarded.read_u8().await.unwrap_err();
        (error.kind(), begun.elapsed())
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the paused clock of a test is what is measured here"
    )]
    fn stopwatch() -> tokio::time::Instant {
        tokio::time::Instant::now()
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_sends_nothing_is_cut_after_the_head_timeout() {
        let (mut guarded, _far, _) = guarded(64);
        let (kind, after) = give_up(&mut guarded).await;
        assert_eq!((kind, after.as_secs()), (io::ErrorKind::TimedOut, 10));
    }

    #[tokio::test(start_paused = true)]
    async fn bytes_that_drip_do_not_extend_the_time_for_a_head() {
        let (mut guarded, mut far, phase) = guarded(64);
        far.write_all(b"G").await.unwrap();
        guarded.read_u8().await.unwrap();
        assert_eq!(phase.get(), Phase::Head);
        let drip = async {
            loop {
                tokio::time::sleep(Duration::from_secs(3)).await;
                far.write_all(b"x").await.unwrap();
            }
        };
        let begun = stopwatch();
        let read = async { while guarded.read_u8().await.is_ok() {} };
        tokio::select! { () = drip => {}, () = read => {} }
        assert_eq!(begun.elapsed().as_secs(), 10);
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_that_stalls_is_refused_and_one_that_never_began_is_not() {
        for (sent, answered) in [(&b"GET"[..], "ours 408"), (b"", "")] {
            // With a buffer of four bytes the refusal is written in pieces.
            let (mut guarded, mut far, _) = guarded(4);
            far.write_all(sent).await.unwrap();
            let mut seen = String::new();
            let read = async {
                let mut head = Vec::new();
                let ended = guarded.read_to_end(&mut head).await;
                assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::TimedOut);
                drop(guarded);
            };
            let ((), received) = tokio::join!(read, far.read_to_string(&mut seen));
            received.unwrap();
            assert_eq!(seen, answered);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_take_the_refusal_of_its_head_is_cut() {
        let (mut guarded, mut far, _) = guarded(4);
        far.write_all(b"GET").await.unwrap();
        let begun = stopwatch();
        let ended = guarded.read_to_end(&mut Vec::new()).await;
        assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert_eq!(begun.elapsed().as_secs(), 40);
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_connection_may_wait_longer_than_a_head() {
        let (mut guarded, _far, phase) = guarded(64);
        phase.set(Phase::Idle);
        let (kind, after) = give_up(&mut guarded).await;
        assert_eq!((kind, after.as_secs()), (io::ErrorKind::TimedOut, 120));
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_under_way_has_no_deadline_here() {
        let (mut guarded, _far, phase) = guarded(64);
        phase.set(Phase::Busy);
        let hour = Duration::from_hours(1);
        assert!(tokio::time::timeout(hour, guarded.read_u8()).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_takes_no_answer_is_cut() {
        let (mut guarded, _far, phase) = guarded(4);
        phase.set(Phase::Answering);
        let begun = stopwatch();
        let error = guarded.write_all(b"more than four").await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(begun.elapsed().as_secs(), 30);
    }

    /// How long an answer lasts that is read at so many bytes a second; `None` where it was read
    /// whole.
    async fn taken_at(rate: usize, length: usize) -> (Option<io::ErrorKind>, Duration) {
        let (mut guarded, mut far, phase) = guarded(1024);
        phase.set(Phase::Answering);
        let begun = stopwatch();
        let take = async {
            let mut some = vec![0; rate];
            loop {
                tokio::time::sleep(Duration::from_secs(1)).await;
                if far.read_exact(&mut some).await.is_err() {
                    break;
                }
            }
        };
        let answer = vec![0; length];
        let write = async {
            let written = guarded.write_all(&answer).await;
            written.err().map(|error| error.kind())
        };
        let error = tokio::select! { error = write => error, () = take => None };
        (error, begun.elapsed())
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_takes_an_answer_slowly_is_cut_though_it_takes_some_each_second() {
        let slow = 8 * 1024;
        let (error, after) = taken_at(slow, 100 * slow).await;
        assert_eq!(error, Some(io::ErrorKind::TimedOut));
        assert!((55..65).contains(&after.as_secs()), "{after:?}");
        let (error, after) = taken_at(2 * slow, 100 * slow).await;
        assert_eq!(error, None);
        assert!((49..51).contains(&after.as_secs()), "{after:?}");
    }

    #[tokio::test]
    async fn a_written_answer_leaves_the_connection_idle() {
        let (mut guarded, _far, phase) = guarded(64);
        phase.set(Phase::Answering);
        guarded.write_all(b"answer").await.unwrap();
        guarded.flush().await.unwrap();
        assert_eq!(phase.get(), Phase::Idle);
    }

    #[tokio::test]
    async fn the_librarys_own_refusal_is_replaced_by_ours() {
        // With a buffer of four bytes the replacement is written in pieces.
        let (mut guarded, mut far, phase) = guarded(4);
        phase.set(Phase::Head);
        let write = async {
            guarded.write_all(OWN).await.unwrap();
            guarded.shutdown().await.unwrap();
        };
        let mut seen = String::new();
        let ((), read) = tokio::join!(write, far.read_to_string(&mut seen));
        read.unwrap();
        assert_eq!(seen, "ours 431");
    }

    #[tokio::test]
    async fn an_answer_of_ours_passes_unchanged() {
        let (mut guarded, mut far, phase) = guarded(4096);
        phase.set(Phase::Answering);
        guarded.write_all(OWN).await.unwrap();
        drop(guarded);
        let mut seen = Vec::new();
        far.read_to_end(&mut seen).await.unwrap();
        assert_eq!(seen, OWN);
    }

    #[test]
    fn only_a_whole_refusal_without_a_body_is_taken_for_the_librarys_own() {
        assert_eq!(own_refusal(OWN), Some(431));
        for other in [
            &b"HTTP/1.1 100 Continue\r\n\r\n"[..],
            b"HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}",
            b"{\"message\":\"HTTP/1.1 400 \"}",
            b"HTTP/1.1 4",
            b"",
        ] {
            assert_eq!(own_refusal(other), None);
        }
    }
}
