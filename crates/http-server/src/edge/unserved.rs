//! Answers to what never becomes a request: a connection without a slot, and a head that cannot be
//! read. They must disclose nothing of the interface.

use super::refusals::head_too_large;
use super::{Edge, EdgeResponse, ResponseContext};
use crate::error_response::later;
use crate::layers::body::Body;
use crate::layers::client_address::Peer;
use crate::layers::entity_tag::KnownTags;
use crate::layers::negotiation::{self, AnswerFormat};
use crate::layers::security_headers::TransportSecurity;
use crate::reply::HttpReply;
use crate::routes::vtpass::VtpassPath;
use crate::streamed_file::ReplyBody;
use application::measuring::NamedLimit;
use http::{Request, StatusCode};

impl Edge {
    /// The answer to the first request of a connection without a slot.
    pub(crate) fn refuse_without_slot(&self, peer: Peer, request: &Request<Body>) -> EdgeResponse {
        let asked = (request.uri().path(), request.uri().query());
        let accepted = negotiation::choose(request.headers(), asked);
        let frame = self.frame(peer.transport, accepted.unwrap_or_default(), request);
        tracing::warn!(request_id = %frame.id, "a connection is refused: no slot is free");
        self.limit_hit(NamedLimit::Connections);
        let remedy = "all connections are in use; nothing was done, send it again in a second";
        let busy = later("The gateway is busy.", remedy, 1);
        let busy = match VtpassPath::of(&self.0.app, request.uri().path()) {
            Some(_) => VtpassPath::shaped(busy),
            None => busy,
        };
        let busy = frame.seal(busy);
        EdgeResponse {
            response: ReplyBody::of(busy),
            permit: None,
        }
    }

    /// The whole answer, as bytes, to a request whose head did not arrive in time, or which the
    /// HTTP library refused with a status before the edge saw it.
    pub(crate) fn refuse_head(&self, transport: TransportSecurity, status: u16) -> Vec<u8> {
        let frame = ResponseContext {
            id: self.0.ids.next(),
            format: AnswerFormat::default(),
            transport,
            cross_origin: None,
            known_tags: KnownTags::default(),
        };
        let reply = match status {
            // Target or head too long.
            414 | 431 => head_too_large(),
            408 => HttpReply::request(
                StatusCode::REQUEST_TIMEOUT,
                "The head of the request came too slowly.",
                "nothing was done; send the whole head at once",
            ),
            _ => HttpReply::request(
                StatusCode::BAD_REQUEST,
                "This is not an HTTP request.",
                "the request line or a header cannot be read; send HTTP/1.1",
            ),
        };
        tracing::info!(request_id = %frame.id, status = reply.status().as_u16(), "head refused");
        frame.seal_bytes(reply)
    }
}
