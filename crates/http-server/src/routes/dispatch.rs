//! From a request to the operation of the table that answers it. Only the table, the schemas and
//! the logos may answer.

use super::row::{RouteHandler, RouteRow};
use super::verb::Verb;
use super::{fallback, logos, table, xsd};
use crate::app::App;
use crate::authenticated_request::{OperationContext, OperationHandle, RequestOrigin, run};
use crate::layers::body::Body;
use crate::operator_request;
use crate::reply::HttpReply;
use http::Request;

/// Answers a request. Only one without credentials may come without a merchant or an operator: a
/// public path.
pub(crate) async fn dispatch(
    routes: &[RouteRow],
    app: &App,
    origin: RequestOrigin<'_>,
    request: Request<Body>,
) -> HttpReply {
    let path = request.uri().path();
    if let Some(row) = routes
        .iter()
        .find(|row| row.answers(request.method(), path))
    {
        return match &row.handler {
            RouteHandler::Public(handle) => handle(),
            RouteHandler::Operation(_) if origin.operator.is_some() => {
                operator_request::refuse_operator(request).await
            }
            RouteHandler::Operator(_) if origin.operator.is_none() => {
                operator_request::refuse_account(request).await
            }
            RouteHandler::Operator(handle) => {
                let row = (handle.as_ref(), table::allow(row.path));
                // It would make the state of every request larger.
                Box::pin(operator_request::run(app, request, row)).await
            }
            RouteHandler::Operation(handle) => {
                run(app, origin, request, context(row, handle.as_ref())).await
            }
        };
    }
    let file = xsd::answer(path).or_else(|| logos::answer(path, &app.logos));
    match file {
        Some(reply) if Verb::Get.answers(request.method()) => reply,
        Some(_) => fallback::other_verb(request).await,
        None if routes.iter().any(|row| row.is_at(path)) => fallback::other_verb(request).await,
        None => fallback::unknown_path(request).await,
    }
}

/// What the row of an operation says of its requests.
fn context<'a>(row: &RouteRow, handle: &'a OperationHandle) -> OperationContext<'a> {
    OperationContext {
        handle,
        path: row.path,
        work: row.kind.work(),
        allow: table::allow(row.path),
    }
}
