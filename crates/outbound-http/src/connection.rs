//! One connection, driven by the task that uses it. It has no task of its own: what is handed over
//! is written in the same poll, and nothing is written while the connection is idle.

use crate::failure::{ExchangeError, NotSentCause};
use crate::message::OutboundAnswer;
use bytes::{Bytes, BytesMut};
use http::Request;
use http::header::{CONTENT_ENCODING, HeaderMap};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Body as _, Incoming};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use std::fmt;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite};

/// Most header lines of an answer; adapters look at one or two.
const HEADERS_MAX: usize = 64;

/// Most bytes of the head of an answer, as common servers limit requests.
const HEAD_BYTES_MAX: usize = 16 * 1024;

/// Bytes that are read before they are looked at: the head and a part of the body.
const BUFFER_MAX: usize = 64 * 1024;

/// A byte stream, encrypted or not.
pub(crate) trait ByteStream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> ByteStream for T {}

type Outgoing = Full<Bytes>;

/// An established connection.
pub(crate) struct LiveConnection {
    sender: http1::SendRequest<Outgoing>,
    /// None once the connection has ended.
    driver: Option<http1::Connection<TokioIo<Box<dyn ByteStream>>, Outgoing>>,
}

impl LiveConnection {
    pub(crate) async fn over(stream: Box<dyn ByteStream>) -> Result<Self, NotSentCause> {
        let made = http1::Builder::new()
            .max_headers(HEADERS_MAX)
            .max_header_size(HEAD_BYTES_MAX)
            .max_buf_size(BUFFER_MAX)
            .handshake(TokioIo::new(stream))
            .await;
        let (sender, driver) = made.map_err(NotSentCause::Handshake)?;
        Ok(Self {
            sender,
            driver: Some(driver),
        })
    }

    fn poll_driver(&mut self, cx: &mut Context<'_>) {
        if let Some(driver) = &mut self.driver
            && Pin::new(driver).poll(cx).is_ready()
        {
            self.driver = None;
        }
    }

    /// Runs a future while what happens on the connection is noticed.
    pub(crate) async fn drive<T>(&mut self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        poll_fn(|cx| {
            self.poll_driver(cx);
            future.as_mut().poll(cx)
        })
        .await
    }

    /// Whether a request may be handed over now, by all that has arrived. Bytes that were not asked
    /// for end a connection: they would be taken for the next answer.
    pub(crate) async fn is_usable(&mut self) -> bool {
        poll_fn(|cx| {
            self.poll_driver(cx);
            Poll::Ready(())
        })
        .await;
        self.driver.is_some() && self.sender.is_ready()
    }

    /// Writes a request and reads the answer, which may have so many bytes. The first poll writes.
    pub(crate) async fn exchange(
        &mut self,
        request: Request<Outgoing>,
        body_max: usize,
    ) -> Result<OutboundAnswer, ExchangeError> {
        let sent = self.sender.try_send_request(request);
        let (head, body) = match self.drive(sent).await {
            Ok(response) => response.into_parts(),
            Err(mut refused) => {
                // Only a request that comes back whole was not begun.
                return Err(match refused.take_message() {
                    Some(_) => NotSentCause::Closed.into(),
                    None => broken(refused.into_error()),
                });
            }
        };
        if !(200..=599).contains(&head.status.as_u16()) {
            return Err(ExchangeError::Malformed("its status is none of 200 to 599"));
        }
        if is_compressed(&head.headers) {
            return Err(ExchangeError::Malformed("it is compressed"));
        }
        Ok(OutboundAnswer {
            status: head.status.as_u16(),
            headers: head.headers,
            body: self.drive(read(body, body_max)).await?,
        })
    }
}

async fn read(mut body: Incoming, body_max: usize) -> Result<Bytes, ExchangeError> {
    let announced = body.size_hint().lower();
    if announced > u64::try_from(body_max).unwrap_or(u64::MAX) {
        return Err(ExchangeError::TooLarge(body_max));
    }
    let mut whole = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(broken)?.into_data() else {
            // Trailers say nothing that an adapter reads.
            continue;
        };
        if data.len() > body_max.saturating_sub(whole.len()) {
            return Err(ExchangeError::TooLarge(body_max));
        }
        whole.extend_from_slice(&data);
    }
    Ok(whole.freeze())
}

fn broken(error: hyper::Error) -> ExchangeError {
    if error.is_parse() {
        ExchangeError::Malformed("its head cannot be read")
    } else {
        ExchangeError::Lost(error)
    }
}

/// Compression was not asked for, and what it hides may be of any size.
fn is_compressed(headers: &HeaderMap) -> bool {
    let mut encodings = headers.get_all(CONTENT_ENCODING).iter();
    encodings.any(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity"))
}

impl fmt::Debug for LiveConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveConnection")
            .field("is_open", &self.driver.is_some())
            .finish_non_exhaustive()
    }
}
