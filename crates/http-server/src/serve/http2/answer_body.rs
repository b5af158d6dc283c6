//! The body of an answer over HTTP/2, in pieces. The library must not have the last piece before
//! the client lets it be sent: what it has, no deadline is on.

use super::limits::PIECE_BYTES;
use super::requests::UnderWay;
use super::stream_tasks::answer_goes_on;
use crate::streamed_file::ReplyBody;
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// The body of an answer, and the request that is under way until all of it was taken.
#[derive(Debug)]
pub(super) struct AnswerBody {
    body: Option<ReplyBody>,
    /// What was taken of the body and not yet handed over.
    rest: Bytes,
    under_way: UnderWay,
}

impl AnswerBody {
    pub(super) fn new(body: Option<ReplyBody>, under_way: UnderWay) -> Self {
        let mut made = Self {
            body,
            rest: Bytes::new(),
            under_way,
        };
        made.note_end();
        made
    }

    fn note_end(&mut self) {
        if self.is_end_stream() {
            self.under_way.answered();
        }
    }

    /// Whether nothing follows the rest.
    fn is_last(&self) -> bool {
        self.body.as_ref().is_none_or(ReplyBody::is_end_stream)
    }
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let this = self.get_mut();
        while this.rest.is_empty() {
            let Some(body) = &mut this.body else {
                return Poll::Ready(None);
            };
            match ready!(Pin::new(body).poll_frame(context)) {
                Some(Ok(frame)) => this.rest = frame.into_data().unwrap_or_default(),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
        let length = this.rest.len();
        // The library hands a piece on as soon as a byte of it may be sent, and keeps what may not.
        // The last byte alone is sent when it has it.
        let piece = match length {
            1 => 1,
            2..=PIECE_BYTES if this.is_last() => length.saturating_sub(1),
            _ => length.min(PIECE_BYTES),
        };
        let piece = this.rest.split_to(piece);
        this.under_way.requests.send(piece.len());
        answer_goes_on(piece.len());
        this.note_end();
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.is_last()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = u64::try_from(self.rest.len()).unwrap_or(u64::MAX);
        let body = self.body.as_ref().map(Body::size_hint);
        let body = body.and_then(|hint| hint.exact()).unwrap_or(0);
        SizeHint::with_exact(body.saturating_add(rest))
    }
}

#[cfg(test)]
mod tests {
    use super::super::requests::Requests;
    use super::*;
    use crate::serve::phase::{ConnectionPhase, ServeCommand};
    use crate::streamed_file::StreamedFile;
    use http_body_util::BodyExt;

    /// The sizes of the pieces of a body, and all of it.
    async fn pieces(body: Option<ReplyBody>) -> (Vec<usize>, Vec<u8>) {
        let requests = Requests::new(ConnectionPhase::new(&ServeCommand::default()));
        let mut body = AnswerBody::new(body, requests.begin());
        let announced = body.size_hint().exact().unwrap();
        let (mut sizes, mut whole) = (Vec::new(), Vec::new());
        while !body.is_end_stream() {
            let piece = body.frame().await.unwrap().unwrap().into_data().unwrap();
            sizes.push(piece.len());
            whole.extend_from_slice(&piece);
        }
        assert!(body.frame().await.is_none());
        assert_eq!(whole.len() as u64, announced);
        assert!(!requests.activity().is_at_rest);
        drop(body);
        assert!(requests.activity().is_at_rest);
        (sizes, whole)
    }

    fn bytes(length: usize) -> Bytes {
        (0..=255).cycle().take(length).collect()
    }

    #[tokio::test]
    async fn the_last_byte_is_handed_over_alone() {
        for (length, sizes) in [
            (0, &[][..]),
            (1, &[1]),
            (2, &[1, 1]),
            (PIECE_BYTES, &[PIECE_BYTES - 1, 1]),
            (PIECE_BYTES + 1, &[PIECE_BYTES, 1]),
            (2 * PIECE_BYTES, &[PIECE_BYTES, PIECE_BYTES - 1, 1]),
        ] {
            let body = Some(bytes(length)).filter(|bytes| !bytes.is_empty());
            let (found, whole) = pieces(Some(ReplyBody::Whole(body))).await;
            assert_eq!((&found[..], whole), (sizes, bytes(length).to_vec()));
        }
        assert_eq!(pieces(None).await.0, [0; 0]);
    }

    #[tokio::test]
    async fn a_file_is_handed_over_as_it_is_read() {
        let part = |number: u32| bytes(usize::try_from(number).unwrap() * 10_000);
        let file = StreamedFile::new(30_000, move |number| {
            Box::pin(std::future::ready(Ok(Some(part(number)))))
        });
        let (found, whole) = pieces(Some(ReplyBody::File(file, None))).await;
        assert_eq!(found, [10_000, PIECE_BYTES, 20_000 - PIECE_BYTES - 1, 1]);
        assert_eq!(whole, [part(1), part(2)].concat());
    }
}
