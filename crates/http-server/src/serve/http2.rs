//! One HTTP/2 connection: requests beside each other, each a stream. It must end by itself, and no
//! stream may keep it from ending; a request must take a slot here as it does over HTTP/1.1.

mod answer_body;
mod limits;
mod requests;
mod stream_tasks;

use self::answer_body::AnswerBody;
use self::limits::GOODBYE;
use self::requests::{Requests, UnderWay};
use self::stream_tasks::StreamTasks;
use super::connection::{ConnectionStanding, Conversation, Host};
use super::phase::PhaseHandle;
use super::write_deadline::WriteDeadline;
use crate::edge::EdgeResponse;
use crate::layers::connection_owner::ConnectionOwner;
use http::header::CONTENT_LENGTH;
use http::{HeaderValue, Method, Request, Response};
use http_body::Body as _;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};

/// How a connection ends from this side.
enum Ending {
    /// After GOAWAY and the answers to what is under way.
    Goodbye,
    /// At once.
    Cut,
}

impl Host {
    /// Answers the requests of a connection until it has none for too long, or the server stops.
    pub(super) async fn converse_http2<S>(self: &Arc<Self>, stream: S, conversation: Conversation)
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let requests = Requests::new(conversation.phase.clone());
        let all = self.streams.clone();
        let tasks = StreamTasks::new(all, Arc::clone(&requests), self.deadlines.write);
        let conversation = Arc::new(conversation);
        let is_refused = matches!(conversation.standing, ConnectionStanding::Refused);
        let service = {
            let (host, requests) = (Arc::clone(self), Arc::clone(&requests));
            service_fn(move |request| {
                let under_way = requests.begin();
                let (host, conversation) = (Arc::clone(&host), Arc::clone(&conversation));
                async move { host.answer_stream(request, &conversation, under_way).await }
            })
        };
        let guarded = WriteDeadline::new(stream, self.deadlines.write);
        let unread = guarded.unread();
        let connection =
            limits::builder(tasks.executor()).serve_connection(TokioIo::new(guarded), service);
        let mut connection = pin!(connection);
        let ending = tokio::select! {
            biased;
            // First: a client that never stops sending keeps the connection busy in each turn, and
            // its task has no budget left for a timer then.
            ending = self.until_over(&requests, is_refused) => ending,
            ended = connection.as_mut() => return noted(ended),
        };
        match ending {
            Ending::Cut => tracing::debug!("a client cancels too many of its requests"),
            Ending::Goodbye => {
                connection.as_mut().graceful_shutdown();
                tokio::select! {
                    biased;
                    () = requests.rest_for(GOODBYE, &unread) => {}
                    ended = connection.as_mut() => noted(ended),
                }
            }
        }
    }

    /// Waits until nothing more is to be read from the connection.
    async fn until_over(&self, requests: &Requests, is_refused: bool) -> Ending {
        // Tokens of its own: the shared ones would be locked by every connection.
        let (last, stop) = (self.last.child_token(), self.stop.child_token());
        let mut idle = pin!(tokio::time::sleep(self.deadlines.head));
        loop {
            let activity = requests.activity();
            if activity.cancels_too_often {
                return Ending::Cut;
            }
            // A client that connected before the shutdown is answered once.
            if activity.has_begun && (is_refused || last.is_cancelled()) {
                return Ending::Goodbye;
            }
            tokio::select! {
                biased;
                () = stop.cancelled() => return Ending::Goodbye,
                () = last.cancelled(), if !last.is_cancelled() => {}
                () = requests.changed() => {
                    if requests.activity().is_at_rest {
                        idle.set(tokio::time::sleep(self.deadlines.idle));
                    }
                }
                () = idle.as_mut() => {
                    if requests.activity().is_at_rest {
                        return Ending::Goodbye;
                    }
                    idle.set(tokio::time::sleep(self.deadlines.idle));
                }
            }
        }
    }

    async fn answer_stream(
        &self,
        request: Request<Incoming>,
        conversation: &Conversation,
        mut under_way: UnderWay,
    ) -> Result<Response<AnswerBody>, Infallible> {
        let is_head = request.method() == Method::HEAD;
        let request = request.map(|body| body.map_err(Into::into).boxed_unsync());
        let owner = match &conversation.standing {
            ConnectionStanding::Placed(place) => under_way.placed(place),
            ConnectionStanding::Refused => None,
        };
        let EdgeResponse { response, permit } = match &owner {
            Some(owner) => {
                let owner: &dyn ConnectionOwner = owner;
                let edge = &self.edge;
                edge.answer_over(conversation.peer, Some(owner), request)
                    .await
            }
            None => self.edge.refuse_without_slot(conversation.peer, &request),
        };
        drop(owner);
        stream_tasks::answer_begins();
        let (mut head, body) = response.into_parts();
        if is_head && let Some(length) = body.size_hint().exact().filter(|length| *length > 0) {
            // The library says so for other methods, by the body that follows.
            let length = HeaderValue::from(length);
            head.headers.entry(CONTENT_LENGTH).or_insert(length);
        }
        under_way.hold(permit.map(|permit| permit as PhaseHandle));
        let body = Some(body).filter(|_| !is_head);
        Ok(Response::from_parts(head, AnswerBody::new(body, under_way)))
    }
}

fn noted(ended: hyper::Result<()>) {
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke");
    }
}
