//! An admitted request of an operator, and its operation. It must never reach an operation of an
//! account, nor a request of an account one of operators.

use crate::app::App;
use crate::authenticated_request::{PendingReply, finished, read_attributes};
use crate::layers::authentication::PresentedCredentials;
use crate::layers::body::{self, Body};
use crate::reply::HttpReply;
use application::Gateway;
use application::administration::Administration;
use http::{HeaderValue, Request, StatusCode};
use std::sync::Arc;
use wire::attributes::Attributes;
use wire::reader::Handling;
use wire::service_code::ServiceCode;
use wire::zone::Zone;

/// The handler of an operation of operators.
pub(crate) type OperatorHandle = dyn Fn(Gateway, OperatorRequest) -> PendingReply + Send + Sync;

/// The time zone of dates: operators have no account that says one.
const TIME_ZONE: &str = "Africa/Lagos";

/// One request of an operator.
#[derive(Debug)]
pub(crate) struct OperatorRequest {
    pub(crate) administration: Arc<dyn Administration>,
    pub(crate) attributes: Attributes,
    pub(crate) handling: Handling,
    /// The name and key that let the operator in.
    pub(crate) credentials: PresentedCredentials,
}

impl OperatorRequest {
    /// The time zone in which dates are shown.
    pub(crate) fn zone() -> Zone {
        Zone::named(TIME_ZONE)
    }
}

/// Reads an admitted request of an operator and runs its operation.
pub(crate) async fn run(
    app: &App,
    request: Request<Body>,
    (handle, allow): (&OperatorHandle, HeaderValue),
) -> HttpReply {
    let (head, mut unread) = request.into_parts();
    let Some(administration) = app.administration.clone() else {
        tracing::error!("an operator was let in where nothing serves operators");
        return HttpReply::broken();
    };
    let read = read_attributes(app, &head, &mut unread).await;
    let credentials = PresentedCredentials::of(&head.headers).map_err(HttpReply::from);
    let read = read.and_then(|read| Ok((read, credentials?)));
    let ((attributes, handling), credentials) = match read {
        Ok(read) => read,
        Err(reply) => {
            if reply.status() != StatusCode::REQUEST_TIMEOUT {
                body::discard(&head.headers, unread).await;
            }
            return reply;
        }
    };
    let call = OperatorRequest {
        administration,
        attributes,
        handling,
        credentials,
    };
    let answered = handle(app.gateway.for_request(), call).await;
    finished(answered.unwrap_or_else(|refused| refused), handling, allow)
}

/// The refusal of a request of an account.
pub(crate) async fn refuse_account(request: Request<Body>) -> HttpReply {
    let message = "This is for operators of the gateway.";
    let remedy = "no key of an account opens it, and nothing was done; an operator makes a key \
                  with `manilla operator http-key`";
    refused(request, message, remedy).await
}

/// The refusal of a request of an operator that only accounts make.
pub(crate) async fn refuse_operator(request: Request<Body>) -> HttpReply {
    let message = "This is for accounts.";
    let remedy = "the key of an operator opens no account, and nothing was done; send mrcIdentity \
                  and a key of the account";
    refused(request, message, remedy).await
}

async fn refused(request: Request<Body>, message: &'static str, remedy: &'static str) -> HttpReply {
    let (head, unwanted) = request.into_parts();
    body::discard(&head.headers, unwanted).await;
    HttpReply::request(StatusCode::FORBIDDEN, message, remedy).about(ServiceCode::ApiConnection)
}
