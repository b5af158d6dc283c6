//! The limits of an HTTP/2 connection, which bound its memory whatever its client sends. They must
//! be no wider than those of HTTP/1.1 where both have one.

use super::stream_tasks::StreamExecutor;
use crate::settings::HEAD_BYTES_MAX;
use hyper::server::conn::http2;
use hyper_util::rt::TokioTimer;
use std::time::Duration;

/// How many requests of a connection are under way at a time; further ones are refused
/// (`REFUSED_STREAM`), and nothing was done then. As many as RFC 9113 §6.5.2 advises at least; the
/// memory for them is bounded by the connection slots, of which each request takes one.
const STREAMS_MAX: u32 = 100;

/// How many bytes of a request's body may arrive before they are read: what HTTP/2 begins with
/// (RFC 9113 §6.9.2). A body of a megabyte takes sixteen round trips.
const STREAM_WINDOW: u32 = 65_535;

/// The same for all requests of a connection: two bodies at full speed. Anonymous clients can fill
/// it on each connection until their requests are refused.
const CONNECTION_WINDOW: u32 = 128 * 1024;

/// How large a frame may be: the least a server must accept (RFC 9113 §4.2). A larger one would be
/// in memory as a whole and save nothing.
const FRAME_BYTES_MAX: u32 = 16 * 1024;

/// How many bytes of an answer are handed to the library before the client has taken any: a client
/// that reads slowly on every stream keeps 6 MiB busy, beside the answers themselves.
const ANSWER_BUFFER: usize = 64 * 1024;

/// How many requests may be reset by the client before the gateway has seen them (CVE-2023-44487);
/// with one more the connection is ended. Only a client that opens and resets in one breath comes
/// here, and browsers cancel a handful.
const RESET_UNSEEN_MAX: usize = 20;

/// How many streams the library may reset for errors of the client, those beyond [`STREAMS_MAX`]
/// among them; with one more the connection is ended. A client may send some hundred requests
/// before it has read that limit.
const RESET_BY_ERROR_MAX: usize = 1024;

/// How many requests more than it lets be answered a client may cancel, once the gateway works on
/// them; with one more the connection is ended. Cancelling costs the client nothing, and each
/// request costs the gateway a login; an answer that is awaited gives one back.
pub(super) const CANCELLED_MAX: u32 = 100;

/// How often a client is asked whether it is there (PING), and how long it may take to answer: one
/// that is gone without a word gives its slot up within a minute, and not only after the idle
/// timeout.
const PING_INTERVAL: Duration = Duration::from_secs(30);
const PING_TIMEOUT: Duration = Duration::from_secs(20);

/// How long a connection without requests stays open after GOAWAY, for requests that were on their
/// way and for the client to acknowledge it.
pub(super) const GOODBYE: Duration = Duration::from_secs(1);

/// How many bytes of an answer are handed over at a time: a frame of the smallest maximum.
pub(super) const PIECE_BYTES: usize = 16 * 1024;

/// A server with these limits. Two more are the library's own: it ends a connection whose header
/// block takes more frames (CONTINUATION, CVE-2024-27316) than a head of the largest size needs,
/// and one that sends bodies in thousands of tiny frames.
pub(super) fn builder(executor: StreamExecutor) -> http2::Builder<StreamExecutor> {
    let mut builder = http2::Builder::new(executor);
    builder
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS_MAX)
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_frame_size(FRAME_BYTES_MAX)
        .max_header_list_size(u32::try_from(HEAD_BYTES_MAX).unwrap_or(u32::MAX))
        .max_send_buf_size(ANSWER_BUFFER)
        .max_pending_accept_reset_streams(RESET_UNSEEN_MAX)
        .max_local_error_reset_streams(RESET_BY_ERROR_MAX)
        .keep_alive_interval(PING_INTERVAL)
        .keep_alive_timeout(PING_TIMEOUT);
    builder
}
