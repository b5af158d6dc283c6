//! One connection from its first byte to its end: TLS or a refusal, then its requests, which follow
//! one another over HTTP/1.1. It must end by itself: every wait in it has a deadline or the
//! shutdown.

use super::connection_limits::ConnectionSlot;
use super::deadline_io::{DeadlineIo, Deadlines};
use super::handshakes::Handshakes;
use super::phase::{ConnectionPhase, Phase, PhaseHandle, ServeCommand};
use super::tls::ALPN_HTTP2;
use crate::edge::{Edge, EdgeResponse};
use crate::layers::client_address::Peer;
use crate::layers::connection_owner::ConnectionOwner;
use crate::layers::security_headers::TransportSecurity;
use crate::settings::{EdgeSettings, HEAD_BYTES_MAX, REFUSED_WITHIN};
use crate::streamed_file::ReplyBody;
use http::header::CONNECTION;
use http::{HeaderValue, Request, Response};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::fmt;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The first byte of a TLS connection: a handshake record (RFC 8446 §5.1).
const TLS_HANDSHAKE: u8 = 0x16;

/// The state that all connections share.
pub(super) struct Host {
    pub(super) edge: Edge,
    handshakes: Handshakes,
    tls_timeout: Duration,
    pub(super) deadlines: Deadlines,
    /// The tasks of streams of HTTP/2, which end soon after their connections.
    pub(super) streams: TaskTracker,
    /// From now on, every answer is the last one on its connection.
    pub(super) last: CancellationToken,
    /// Read no further request.
    pub(super) stop: CancellationToken,
    /// End now.
    pub(super) cut: CancellationToken,
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host").finish_non_exhaustive()
    }
}

impl Host {
    pub(super) fn new(edge: Edge, acceptor: TlsAcceptor, settings: &EdgeSettings) -> Self {
        Self {
            edge,
            handshakes: Handshakes::new(acceptor),
            tls_timeout: settings.tls_timeout,
            deadlines: Deadlines {
                head: settings.head_timeout,
                idle: settings.idle_timeout,
                write: settings.write_timeout,
            },
            streams: TaskTracker::new(),
            last: CancellationToken::new(),
            stop: CancellationToken::new(),
            cut: CancellationToken::new(),
        }
    }

    /// Serves a connection to its end.
    pub(super) async fn serve(
        self: &Arc<Self>,
        stream: TcpStream,
        from: IpAddr,
        place: ConnectionSlot,
    ) {
        // A token of its own: the shared one would be locked by every connection whenever it is
        // polled.
        let cut = place.cut.clone();
        let phase = place.phase.clone();
        let standing = ConnectionStanding::Placed(place);
        tokio::select! {
            biased;
            () = cut.cancelled() => {}
            () = self.greet(stream, from, (standing, phase)) => {}
        }
    }

    /// Answers the first request of a connection without a slot.
    pub(super) async fn refuse(self: &Arc<Self>, stream: TcpStream, from: IpAddr) {
        let phase = ConnectionPhase::new(&ServeCommand::default());
        let answered = self.greet(stream, from, (ConnectionStanding::Refused, phase));
        if tokio::time::timeout(REFUSED_WITHIN, answered)
            .await
            .is_err()
        {
            tracing::debug!("a connection without a slot was not answered in time");
        }
    }

    /// Finds out whether the client speaks TLS, and goes on in the protocol that it chose with it.
    /// Over an unencrypted connection that is HTTP/1.1.
    async fn greet(
        self: &Arc<Self>,
        stream: TcpStream,
        from: IpAddr,
        (standing, phase): (ConnectionStanding, ConnectionPhase),
    ) {
        let mut first = [0];
        let greeting = async {
            let count = stream.peek(&mut first).await.unwrap_or(0);
            if count > 0 && first == [TLS_HANDSHAKE] {
                let encrypted = self.handshakes.accept(stream).await.ok()?;
                return Some(Greeted::Tls(Box::new(encrypted)));
            }
            (count > 0).then_some(Greeted::Plain(stream))
        };
        let greeted = tokio::select! {
            biased;
            () = self.stop.cancelled() => return,
            greeted = tokio::time::timeout(self.tls_timeout, greeting) => greeted,
        };
        let conversation = |transport| Conversation {
            peer: Peer {
                address: from,
                transport,
            },
            standing,
            phase,
        };
        match greeted {
            Ok(Some(Greeted::Tls(stream))) => {
                let conversation = conversation(TransportSecurity::Tls);
                if stream.get_ref().1.alpn_protocol() == Some(ALPN_HTTP2) {
                    // It would make the state of every connection larger.
                    Box::pin(self.converse_http2(stream, conversation)).await;
                } else {
                    self.converse(stream, conversation).await;
                }
            }
            Ok(Some(Greeted::Plain(stream))) => {
                self.converse(stream, conversation(TransportSecurity::Plain))
                    .await;
            }
            Ok(None) => tracing::debug!("a connection ended before its first request"),
            Err(_) => tracing::debug!("a connection took too long for its handshake"),
        }
    }

    /// Answers one request after the other. An unencrypted connection has only one request, which
    /// is refused, unless a trusted proxy forwards requests that it received encrypted.
    async fn converse<S>(&self, stream: S, conversation: Conversation)
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (peer, phase) = (conversation.peer, conversation.phase.clone());
        let edge = self.edge.clone();
        let refuse = move |status| edge.refuse_head(peer.transport, status);
        let guarded = DeadlineIo::new(stream, phase.clone(), self.deadlines, refuse);
        let service = service_fn(|request: Request<Incoming>| {
            phase.set(Phase::Busy);
            self.answer(request, &conversation)
        });
        let may_last = peer.transport == TransportSecurity::Tls || self.edge.trusts(peer.address);
        let lasts = may_last && !matches!(conversation.standing, ConnectionStanding::Refused);
        let connection = http1::Builder::new()
            // Deadlines are kept by the deadline stream, which distinguishes an idle client from a
            // slow one.
            .header_read_timeout(None)
            .max_buf_size(HEAD_BYTES_MAX)
            .max_header_size(HEAD_BYTES_MAX)
            .keep_alive(lasts)
            .serve_connection(TokioIo::new(guarded), service);
        let mut connection = pin!(connection);
        let stop = self.stop.child_token();
        let ended = tokio::select! {
            biased;
            ended = connection.as_mut() => ended,
            () = stop.cancelled() => {
                // Without a request in flight this ends it; otherwise after the answer.
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = ended {
            tracing::debug!(%error, "a connection broke");
        }
    }

    async fn answer(
        &self,
        request: Request<Incoming>,
        conversation: &Conversation,
    ) -> Result<Response<ReplyBody>, Infallible> {
        let request = request.map(|body| body.map_err(Into::into).boxed_unsync());
        let EdgeResponse {
            mut response,
            permit,
        } = match &conversation.standing {
            ConnectionStanding::Placed(place) => {
                let owner: &dyn ConnectionOwner = place;
                let edge = &self.edge;
                edge.answer_over(conversation.peer, Some(owner), request)
                    .await
            }
            ConnectionStanding::Refused => {
                self.edge.refuse_without_slot(conversation.peer, &request)
            }
        };
        if self.last.is_cancelled() {
            // Sent before the connection is closed, so that no request meets a closing connection.
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(CONNECTION, close);
        }
        // The library drops an answer before the client has read it.
        conversation
            .phase
            .hold(permit.map(|permit| permit as PhaseHandle));
        match response.body_mut() {
            // Its head is flushed long before its last part: until then the request is under way.
            ReplyBody::File(_, end) => {
                *end = Some(Box::new(FileAnswer(conversation.phase.clone())));
            }
            ReplyBody::Whole(_) => conversation.phase.set(Phase::Answering),
        }
        Ok(response)
    }
}

/// The answer of a file: all of it was taken once this is dropped.
struct FileAnswer(ConnectionPhase);

impl Drop for FileAnswer {
    fn drop(&mut self) {
        self.0.set(Phase::Answering);
    }
}

/// A connection after its protocol was detected.
pub(super) struct Conversation {
    pub(super) peer: Peer,
    pub(super) standing: ConnectionStanding,
    pub(super) phase: ConnectionPhase,
}

/// Whether a connection has a slot.
pub(super) enum ConnectionStanding {
    Placed(ConnectionSlot),
    Refused,
}

/// The protocol of a client.
enum Greeted {
    Tls(Box<tokio_rustls::server::TlsStream<TcpStream>>),
    Plain(TcpStream),
}
