//! What is asked for: a method and a path to an operation. A path that is not listed must do
//! nothing.

use crate::attempts::{Attempts, AttemptsError, SubmitAnswer};
use crate::catalogue;
use crate::float::{AskedStatement, balances};
use crate::lookups::look_up;
use domain::provider::UnknownCause;
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use http::Method;
use ports::PortError;
use provider_protocol::{
    AttemptRequest, AttemptState, PATH_PREFIX, ProtocolFault, read, read_reference, write,
};
use serde::Serialize;
use std::str::FromStr;
use std::sync::Arc;

/// What is answered.
pub(super) enum Reply {
    Document {
        status: u16,
        body: Vec<u8>,
    },
    Replayed {
        body: Vec<u8>,
    },
    /// No answer of the protocol.
    Broken(UnknownCause),
}

impl Reply {
    pub(super) fn fault(fault: ProtocolFault, message: impl Into<String>) -> Self {
        let body = write(&fault.document(message)).unwrap_or_default();
        let status = fault.status();
        Self::Document { status, body }
    }

    fn ok(document: &impl Serialize) -> Result<Self, (ProtocolFault, String)> {
        let body = write(document);
        let body = body.map_err(|error| (ProtocolFault::Internal, error.to_string()))?;
        Ok(Self::Document { status: 200, body })
    }
}

/// An operation.
pub(super) enum Operation<'a> {
    Capabilities,
    Submit,
    Changes,
    Query(&'a str),
    Seal(&'a str),
    Lookup(&'a str),
    Balances,
    Statement,
    Catalogue(&'a str),
    Health,
    NotFound,
    MethodNotAllowed,
}

/// An operation and what it works on.
pub(super) struct Route<'a> {
    attempts: &'a Arc<Attempts>,
    operation: Operation<'a>,
}

/// The operation of a request.
pub(super) fn route<'a>(
    attempts: &'a Arc<Attempts>,
    (method, path): (&Method, &'a str),
) -> Route<'a> {
    let operation = operation(method, path);
    Route {
        attempts,
        operation,
    }
}

fn operation<'a>(method: &Method, path: &'a str) -> Operation<'a> {
    let Some(path) = path.strip_prefix(PATH_PREFIX) else {
        return Operation::NotFound;
    };
    let mut segments = path.split('/').skip(1);
    let segments = [(); 4].map(|()| segments.next());
    let (wanted, operation) = match segments {
        [Some("capabilities"), None, ..] => (Method::GET, Operation::Capabilities),
        [Some("health"), None, ..] => (Method::GET, Operation::Health),
        [Some("balances"), None, ..] => (Method::GET, Operation::Balances),
        [Some("statement"), None, ..] => (Method::GET, Operation::Statement),
        [Some("catalogue"), Some(service), None, _] => (Method::GET, Operation::Catalogue(service)),
        [Some("attempts"), None, ..] if method == Method::GET => (Method::GET, Operation::Changes),
        [Some("attempts"), None, ..] => (Method::POST, Operation::Submit),
        [Some("attempts"), Some(reference), None, _] => (Method::GET, Operation::Query(reference)),
        [Some("attempts"), Some(reference), Some("seal"), None] => {
            (Method::POST, Operation::Seal(reference))
        }
        [Some("lookups"), Some(name), None, _] => (Method::POST, Operation::Lookup(name)),
        _ => return Operation::NotFound,
    };
    if *method == wanted {
        operation
    } else {
        Operation::MethodNotAllowed
    }
}

impl Route<'_> {
    /// Does what is asked for.
    pub(super) async fn answer(
        self,
        query: Option<&str>,
        body: &[u8],
        now: Timestamp,
    ) -> Result<Reply, (ProtocolFault, String)> {
        let attempts = self.attempts;
        match self.operation {
            Operation::Capabilities => Reply::ok(&attempts.served.capabilities(now)),
            Operation::Health => Reply::ok(&serde_json::json!({ "status": "up" })),
            Operation::Submit => submit(attempts, body).await,
            Operation::Changes => {
                let changes = attempts.changes(after(query)?).await;
                Reply::ok(&changes.map_err(fault)?)
            }
            Operation::Query(text) => {
                Reply::ok(&attempts.query(&reference(text)?).await.map_err(fault)?)
            }
            Operation::Seal(text) if attempts.served.seals.is_some() => {
                Reply::ok(&attempts.seal(&reference(text)?).await.map_err(fault)?)
            }
            Operation::Lookup(name) => {
                let found = look_up(&attempts.served.lookups, name, body).await;
                let found = found.map_err(|error| invalid(error.to_string()))?;
                let body = found.ok_or_else(|| not_found("this lookup is not offered"))?;
                Ok(Reply::Document { status: 200, body })
            }
            Operation::Balances => {
                let balances = balances(&attempts.served).await.map_err(failed)?;
                Reply::ok(&balances.ok_or_else(|| not_found("balances are not offered"))?)
            }
            Operation::Statement => {
                let asked = AskedStatement::read(query.unwrap_or_default());
                let asked = asked.map_err(invalid)?;
                let page = asked.page(&attempts.served).await.map_err(failed)?;
                Reply::ok(&page.ok_or_else(|| not_found("a statement is not offered"))?)
            }
            Operation::Catalogue(service) => {
                let page = catalogue::page(&attempts.served, service, after(query)?).await;
                let page = page.map_err(failed)?;
                Reply::ok(&page.ok_or_else(|| not_found("nothing is listed of this"))?)
            }
            Operation::Seal(_) => Err(not_found("this provider cannot seal")),
            Operation::NotFound => Err(not_found("there is no such operation")),
            Operation::MethodNotAllowed => Err((
                ProtocolFault::MethodNotAllowed,
                "this operation has another method".to_owned(),
            )),
        }
    }
}

async fn submit(attempts: &Arc<Attempts>, body: &[u8]) -> Result<Reply, (ProtocolFault, String)> {
    let request: AttemptRequest = read(body).map_err(|error| invalid(error.to_string()))?;
    let answer = attempts.submit(&request, body).await.map_err(fault)?;
    let is_undecided = match &answer {
        SubmitAnswer::First(answer) => answer.state == AttemptState::Pending,
        SubmitAnswer::Fault(_) => true,
        SubmitAnswer::Replayed(_) | SubmitAnswer::Conflict => false,
    };
    if let (true, Ok(reference)) = (is_undecided, request.reference()) {
        attempts.undecided.note(&reference);
    }
    match answer {
        SubmitAnswer::First(answer) => Reply::ok(&answer),
        SubmitAnswer::Replayed(answer) => {
            let body = write(&answer);
            let body = body.map_err(|error| (ProtocolFault::Internal, error.to_string()))?;
            Ok(Reply::Replayed { body })
        }
        SubmitAnswer::Conflict => Err((
            ProtocolFault::ReferenceConflict,
            "the reference is bound to another request; choose a new one".to_owned(),
        )),
        SubmitAnswer::Fault(cause) => Ok(Reply::Broken(cause)),
    }
}

/// The number after `after=`, 0 where it is left out.
fn after<T: FromStr + Default>(query: Option<&str>) -> Result<T, (ProtocolFault, String)> {
    let Some(query) = query else {
        return Ok(T::default());
    };
    let number = query.strip_prefix("after=").and_then(|it| it.parse().ok());
    number.ok_or_else(|| invalid("`after` must be a number"))
}

fn reference(text: &str) -> Result<ProviderReference, (ProtocolFault, String)> {
    read_reference(text).map_err(|error| invalid(error.to_string()))
}

fn invalid(message: impl Into<String>) -> (ProtocolFault, String) {
    (ProtocolFault::InvalidRequest, message.into())
}

fn not_found(message: &str) -> (ProtocolFault, String) {
    (ProtocolFault::NotFound, message.to_owned())
}

fn failed(error: PortError) -> (ProtocolFault, String) {
    fault(AttemptsError::Float(error))
}

fn fault(error: AttemptsError) -> (ProtocolFault, String) {
    match error {
        AttemptsError::Document(error) => invalid(error.to_string()),
        AttemptsError::References(_)
        | AttemptsError::Changes(_)
        | AttemptsError::Float(_)
        | AttemptsError::Ended => {
            tracing::error!(%error, "the provider could not answer");
            (
                ProtocolFault::Internal,
                "the provider failed; ask again".to_owned(),
            )
        }
    }
}
