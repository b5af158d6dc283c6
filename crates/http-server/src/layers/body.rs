//! Reads the body of a request within its limits of size and time, and discards a body that is not
//! needed. It must never hold more of a body in memory than may be read.

use super::signature::has_signed_body;
use crate::settings::BODY_BYTES_MAX;
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, EXPECT, HeaderMap};
use http_body::Body as _;
use http_body_util::BodyExt;
use http_body_util::combinators::UnsyncBoxBody;
use std::error::Error;
use std::time::Duration;

/// The body of a request while it arrives.
pub(crate) type Body = UnsyncBoxBody<Bytes, Box<dyn Error + Send + Sync>>;

/// How many bytes of an unneeded body are still read, so that its sender is reading when the answer
/// arrives: a connection that is closed with unread bytes loses its answer on the way.
const DISCARD_BYTES_MAX: usize = 2 * BODY_BYTES_MAX;

/// How long discarding may take.
const DISCARD_TIMEOUT: Duration = Duration::from_secs(2);

/// How much memory is allocated for a body before any of it has arrived: the largest order takes a
/// tenth.
const FIRST_ALLOCATION_MAX: usize = 4 * 1024;

/// Why a body was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unread {
    /// It has, or announces, too many bytes.
    #[error("the body must not be larger than {BODY_BYTES_MAX} bytes")]
    TooLarge,
    /// It did not arrive in time.
    #[error("the body did not arrive in time; send it without pauses")]
    TooSlow,
    /// The connection broke, or the body is not framed as HTTP has it.
    #[error("the body could not be read to its end")]
    Broken,
    /// It is not the one that was signed.
    #[error("`Content-Digest` is not the SHA-256 of the body; nothing was done")]
    Altered,
}

/// Reads the whole body of a request of an account; where it was signed, it is the one that was.
pub(crate) async fn read(
    headers: &HeaderMap,
    body: &mut Body,
    limit: Duration,
) -> Result<Bytes, Unread> {
    let bytes = read_up_to(BODY_BYTES_MAX, headers, (body, limit)).await?;
    if has_signed_body(headers, &bytes) {
        Ok(bytes)
    } else {
        Err(Unread::Altered)
    }
}

/// Reads the whole body of a request that has less to say than others.
pub(crate) async fn read_up_to(
    most: usize,
    headers: &HeaderMap,
    (body, limit): (&mut Body, Duration),
) -> Result<Bytes, Unread> {
    if announced(headers).is_some_and(|length| length > most as u64) {
        return Err(Unread::TooLarge);
    }
    tokio::time::timeout(limit, collect(body, most))
        .await
        .unwrap_or(Err(Unread::TooSlow))
}

async fn collect(body: &mut Body, most: usize) -> Result<Bytes, Unread> {
    let mut whole = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| Unread::Broken)?.into_data() else {
            // Trailers carry nothing that is needed.
            continue;
        };
        if whole.is_empty() && data.len() <= most && body.is_end_stream() {
            return Ok(data);
        }
        if data.len() > most.saturating_sub(whole.len()) {
            return Err(Unread::TooLarge);
        }
        if whole.is_empty() {
            whole.reserve(FIRST_ALLOCATION_MAX.min(most));
        }
        whole.extend_from_slice(&data);
    }
    Ok(whole.into())
}

/// Discards an unneeded body, within the limits above. A client that expects `100 Continue` sends
/// none (RFC 9110 §10.1.1).
pub(crate) async fn discard(headers: &HeaderMap, body: Body) {
    let too_large = announced(headers).is_some_and(|length| length > DISCARD_BYTES_MAX as u64);
    if body.is_end_stream() || too_large || headers.contains_key(EXPECT) {
        return;
    }
    let take_in = async {
        let (mut body, mut taken) = (body, 0_usize);
        while let Some(Ok(frame)) = body.frame().await {
            taken = taken.saturating_add(frame.data_ref().map_or(0, Bytes::len));
            if taken > DISCARD_BYTES_MAX {
                return;
            }
        }
    };
    // Whether the body or the time ended makes no difference: the answer is sent now.
    drop(tokio::time::timeout(DISCARD_TIMEOUT, take_in).await);
}

/// The announced length of the body.
fn announced(headers: &HeaderMap) -> Option<u64> {
    let value = headers.get(CONTENT_LENGTH)?;
    value.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::body;
    use http::HeaderValue;
    use http_body::Frame;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    const LIMIT: Duration = Duration::from_secs(30);

    /// A body that arrives in parts, the last of which may never end.
    struct Parts {
        left: Vec<Bytes>,
        hangs: bool,
    }

    impl http_body::Body for Parts {
        type Data = Bytes;
        type Error = Box<dyn Error + Send + Sync>;

        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
            let this = self.get_mut();
            match this.left.pop() {
                Some(part) => Poll::Ready(Some(Ok(Frame::data(part)))),
                None if this.hangs => Poll::Pending,
                None => Poll::Ready(None),
            }
        }
    }

    fn parts(sizes: &[usize], hangs: bool) -> Body {
        let left = sizes.iter().map(|size| vec![b'x'; *size].into()).collect();
        Body::new(Parts { left, hangs })
    }

    async fn length(headers: &HeaderMap, mut body: Body) -> Result<usize, Unread> {
        read(headers, &mut body, LIMIT)
            .await
            .map(|bytes| bytes.len())
    }

    #[tokio::test]
    async fn the_largest_body_is_read_and_one_byte_more_is_not() {
        let none = HeaderMap::new();
        let whole = body(vec![b'x'; BODY_BYTES_MAX]);
        assert_eq!(length(&none, whole).await, Ok(BODY_BYTES_MAX));
        let more = body(vec![b'x'; BODY_BYTES_MAX + 1]);
        assert_eq!(length(&none, more).await, Err(Unread::TooLarge));
        let in_parts = parts(&[1, BODY_BYTES_MAX - 1], false);
        assert_eq!(length(&none, in_parts).await, Ok(BODY_BYTES_MAX));
        let more_in_parts = parts(&[1, BODY_BYTES_MAX - 1, 1], false);
        assert_eq!(length(&none, more_in_parts).await, Err(Unread::TooLarge));
    }

    #[tokio::test]
    async fn a_body_announced_too_large_is_refused_before_a_byte_of_it_is_read() {
        let announced = HeaderMap::from_iter([(CONTENT_LENGTH, HeaderValue::from(1_048_577))]);
        let never = parts(&[], true);
        assert_eq!(length(&announced, never).await, Err(Unread::TooLarge));
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_stops_coming_is_given_up() {
        let stops = parts(&[10], true);
        assert_eq!(length(&HeaderMap::new(), stops).await, Err(Unread::TooSlow));
    }

    #[tokio::test(start_paused = true)]
    async fn an_unwanted_body_that_never_ends_is_not_waited_for() {
        discard(&HeaderMap::new(), parts(&[10], true)).await;
        discard(&HeaderMap::new(), parts(&[DISCARD_BYTES_MAX, 1], true)).await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_will_not_be_taken_in_is_not_begun() {
        let waits = HeaderMap::from_iter([(EXPECT, HeaderValue::from_static("100-continue"))]);
        let large = HeaderMap::from_iter([(CONTENT_LENGTH, HeaderValue::from(1_000_000_000))]);
        for headers in [waits, large] {
            let discarded = discard(&headers, parts(&[], true));
            let soon = tokio::time::timeout(Duration::from_millis(1), discarded).await;
            assert!(soon.is_ok(), "{headers:?}");
        }
    }
}
