//! From a request to the operation of the table that answers it. Only the table, the schemas and
//! the logos may answer.

use super::row::{RouteHandler, RouteRow};
use super::verb::Verb;
use super::{fallback, logos, table, xsd};
use crate::app::App;
use crate::authenticated_request::{OperationContext, RequestOrigin, run};
use crate::layers::body::Body;
use crate::reply::HttpReply;
use http::Request;

/// Answers a request. Only one without credentials may come without a merchant: a public path.
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
            RouteHandler::Operation(handle) => {
                let context = OperationContext {
                    handle,
                    path: row.path,
                    work: row.kind.work(),
                    allow: table::allow(row.path),
                };
                run(app, origin, request, context).await
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
