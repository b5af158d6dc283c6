//! The lines of the log on their way to standard error. Who logs must never wait for who reads: a
//! line that finds no room is dropped and counted. (`tracing-appender` does most of this. At its
//! end it prints to standard error, which waits for a reader that stalls, and panics without one.)

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::time::Duration;

use tracing_subscriber::fmt::MakeWriter;

/// Most bytes that wait to be written: minutes of a busy gateway's lines, and little memory.
const WAITING_MAX: usize = 4 * 1024 * 1024;

/// For how long lines that still wait are written at the end.
const CLOSING_MAX: Duration = Duration::from_secs(1);

/// What the writing thread is asked for.
enum Request {
    Write(Vec<u8>),
    /// Say when everything before this is written.
    Close(SyncSender<()>),
}

/// How full the queue is.
#[derive(Debug, Default)]
struct Filling {
    bytes: AtomicUsize,
    dropped: AtomicU64,
}

/// Where lines are put. Clones share one queue.
#[derive(Debug, Clone)]
pub(super) struct LineQueue {
    requests: Sender<Request>,
    filling: Arc<Filling>,
}

/// Keeps the log being written; dropping it waits for the lines that are queued.
#[derive(Debug)]
pub(crate) struct Logging {
    requests: Sender<Request>,
}

/// A handle of standard error of our own: the one of the standard library is locked while a write
/// waits for the reader.
pub(super) fn standard_error() -> Box<dyn Write + Send> {
    match io::stderr().as_fd().try_clone_to_owned() {
        Ok(handle) => Box::new(File::from(handle)),
        Err(_) => Box::new(io::sink()),
    }
}

impl LineQueue {
    /// Lines that were dropped since the start.
    pub(super) fn dropped(&self) -> u64 {
        self.filling.dropped.load(Ordering::Relaxed)
    }

    /// Starts a thread that writes what is queued.
    pub(super) fn start(output: Box<dyn Write + Send>) -> (Self, Logging) {
        let (requests, asked) = mpsc::channel();
        let filling = Arc::new(Filling::default());
        let of_thread = Arc::clone(&filling);
        let write = move || write_all(output, &asked, &of_thread);
        // Without the thread every line is dropped, and the work goes on.
        let _ = std::thread::Builder::new()
            .name("log".to_owned())
            .spawn(write);
        let logging = Logging {
            requests: requests.clone(),
        };
        (Self { requests, filling }, logging)
    }
}

/// Writes until nothing more can be queued. A line that cannot be written is dropped as well.
fn write_all(mut output: Box<dyn Write + Send>, asked: &Receiver<Request>, filling: &Filling) {
    let (mut reported, mut works) = (0, true);
    while let Ok(request) = asked.recv() {
        match request {
            Request::Write(line) => {
                works = output.write_all(&line).is_ok();
                if !works {
                    filling.dropped.fetch_add(1, Ordering::Relaxed);
                }
                filling.bytes.fetch_sub(line.len(), Ordering::Relaxed);
            }
            Request::Close(closed) => {
                let _ = closed.send(());
            }
        }
        let dropped = filling.dropped.load(Ordering::Relaxed);
        // Where nothing can be written, a report would be dropped too, and reported, and so on.
        if works && dropped > reported && filling.bytes.load(Ordering::Relaxed) == 0 {
            let lines = dropped - reported;
            reported = dropped;
            tracing::warn!(
                lines,
                "lines of the log were dropped: they were not read in time"
            );
        }
    }
}

impl<'a> MakeWriter<'a> for LineQueue {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

impl Write for LineQueue {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let waiting = self.filling.bytes.fetch_add(line.len(), Ordering::Relaxed);
        let fits = waiting.saturating_add(line.len()) <= WAITING_MAX;
        if !fits || self.requests.send(Request::Write(line.to_vec())).is_err() {
            self.filling.bytes.fetch_sub(line.len(), Ordering::Relaxed);
            self.filling.dropped.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Logging {
    fn drop(&mut self) {
        let (closed, done) = mpsc::sync_channel(1);
        if self.requests.send(Request::Close(closed)).is_ok() {
            let _ = done.recv_timeout(CLOSING_MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// An output that can be made to stall or to fail.
    #[derive(Debug, Clone, Default)]
    struct Output {
        stalled: Arc<Mutex<()>>,
        written: Arc<Mutex<Vec<u8>>>,
        broken: bool,
    }

    impl Write for Output {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _turn = self.stalled.lock().unwrap();
            if self.broken {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            self.written.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_are_written_in_order_before_the_end() {
        let output = Output::default();
        let (mut queue, logging) = LineQueue::start(Box::new(output.clone()));
        for line in ["one\n", "two\n", "three\n"] {
            queue.write_all(line.as_bytes()).unwrap();
        }
        drop(logging);
        let written = output.written.lock().unwrap().clone();
        assert_eq!(written, b"one\ntwo\nthree\n");
    }

    #[test]
    fn a_reader_that_stalls_costs_lines_and_no_more_memory_than_there_is_room_for() {
        let output = Output::default();
        let stall = output.stalled.lock().unwrap();
        let (mut queue, logging) = LineQueue::start(Box::new(output.clone()));
        let line = [b'x'; 1024];
        let room = WAITING_MAX / line.len();
        for _ in 0..room + 10 {
            queue.write_all(&line).unwrap();
        }
        assert_eq!(queue.filling.dropped.load(Ordering::Relaxed), 10);
        drop(stall);
        drop(logging);
        assert_eq!(output.written.lock().unwrap().len(), WAITING_MAX);
    }

    #[test]
    fn the_end_does_not_wait_for_a_reader_that_stalls() {
        let output = Output::default();
        let _stall = output.stalled.lock().unwrap();
        let (mut queue, logging) = LineQueue::start(Box::new(output.clone()));
        queue.write_all(b"lost\n").unwrap();
        drop(logging);
        assert_eq!(*output.written.lock().unwrap(), b"");
    }

    #[test]
    fn a_reader_that_is_gone_costs_lines_alone() {
        let output = Output {
            broken: true,
            ..Output::default()
        };
        let (mut queue, logging) = LineQueue::start(Box::new(output));
        queue.write_all(b"lost\n").unwrap();
        drop(logging);
        assert_eq!(queue.filling.dropped.load(Ordering::Relaxed), 1);
        assert_eq!(queue.filling.bytes.load(Ordering::Relaxed), 0);
    }
}
