//! The body of an answer: bytes that are there, or a file that is read part by part. A file must
//! never be in memory as a whole.

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use std::any::Any;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

/// A part of a file, or nothing behind its last one.
type PendingPart = Pin<Box<dyn Future<Output = std::io::Result<Option<Bytes>>> + Send>>;

/// Reads the part of a number, from 1 on.
type ReadPart = dyn FnMut(u32) -> PendingPart + Send;

struct OpenFile {
    read: Box<ReadPart>,
    /// The part that is being read.
    pending: Option<PendingPart>,
    next: u32,
    left: u64,
}

/// A file that is read as the client takes it. Clones are the same file.
#[derive(Clone)]
pub(crate) struct StreamedFile(Arc<Mutex<OpenFile>>);

impl fmt::Debug for StreamedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamedFile").finish_non_exhaustive()
    }
}

impl StreamedFile {
    /// A file of so many bytes, whose parts are read in order.
    pub(crate) fn new(length: u64, read: impl FnMut(u32) -> PendingPart + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(OpenFile {
            read: Box::new(read),
            pending: None,
            next: 1,
            left: length,
        })))
    }

    /// How many bytes are left of it.
    pub(crate) fn left(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).left
    }
}

impl OpenFile {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<std::io::Result<Bytes>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        let pending = self.pending.get_or_insert_with(|| (self.read)(self.next));
        let part = ready!(pending.as_mut().poll(context));
        self.pending = None;
        self.next = self.next.saturating_add(1);
        Poll::Ready(match part {
            Ok(Some(part)) => {
                let length = u64::try_from(part.len()).unwrap_or(u64::MAX);
                self.left = self.left.saturating_sub(length);
                Some(Ok(part))
            }
            Ok(None) => Some(Err(std::io::Error::other("the file is too short"))),
            Err(error) => Some(Err(error)),
        })
    }
}

/// A value that is dropped with the body, once all of it was taken or the connection is gone.
pub(crate) type BodyEnd = Box<dyn Any + Send>;

/// The body of an answer.
#[derive(Debug)]
pub(crate) enum ReplyBody {
    /// Bytes, until they were taken.
    Whole(Option<Bytes>),
    /// A file, and what is kept until its last part was taken.
    File(StreamedFile, Option<BodyEnd>),
}

impl ReplyBody {
    /// The answer with its body: the file that goes with it, or its bytes.
    pub(crate) fn of(mut response: http::Response<Bytes>) -> http::Response<Self> {
        let file = response.extensions_mut().remove::<StreamedFile>();
        response.map(|bytes| match file {
            Some(file) => Self::File(file, None),
            None => Self::Whole(Some(bytes).filter(|bytes| !bytes.is_empty())),
        })
    }
}

impl Body for ReplyBody {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        let part = match self.get_mut() {
            Self::Whole(bytes) => bytes.take().map(Ok),
            Self::File(file, _) => {
                let mut file = file.0.lock().unwrap_or_else(PoisonError::into_inner);
                ready!(file.poll(context))
            }
        };
        Poll::Ready(part.map(|part| part.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.size_hint().exact() == Some(0)
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(bytes) => {
                let length = bytes.as_ref().map_or(0, Bytes::len);
                SizeHint::with_exact(u64::try_from(length).unwrap_or(u64::MAX))
            }
            Self::File(file, _) => SizeHint::with_exact(file.left()),
        }
    }
}
