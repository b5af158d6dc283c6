//! From the table to a router. It must route nothing that the table does not list, files aside.

use super::row::{RouteKind, RouteRow};
use super::table::{allow, endpoints};
use super::{fallback, xsd};
use crate::app::App;
use crate::authenticated_request::OperationContext;
use crate::reply::HttpReply;
use axum::Router;
use axum::extract::{Path, State};
use axum::routing::{MethodRouter, get};

/// The router of every operation.
pub(crate) fn router(app: &App) -> Router {
    let empty = Router::new();
    let routes = endpoints().iter().fold(empty, |router, endpoint| {
        router.route(endpoint.path, route(endpoint).with_state(app.clone()))
    });
    let routes = xsd::paths().fold(routes, |router, path| {
        let schema = move || async move { xsd::answer(path).unwrap_or_else(HttpReply::broken) };
        router.route(path, get(schema))
    });
    let logo =
        |State(app): State<App>, Path(name): Path<String>| async move { app.logos.answer(&name) };
    let logos = get(logo).with_state(app.clone());
    routes
        .route(concat!("/logos/", "{name}"), logos)
        .fallback(fallback::unknown_path)
        .method_not_allowed_fallback(fallback::other_verb)
}

/// The route of an operation. HEAD is not answered where GET is charged.
fn route(endpoint: &RouteRow) -> MethodRouter<App> {
    let route = (endpoint.route)(OperationContext {
        work: endpoint.kind.work(),
        allow: allow(endpoint.path),
    });
    match endpoint.kind {
        RouteKind::PaidLookup => route.head(fallback::other_verb),
        RouteKind::Money
        | RouteKind::Change
        | RouteKind::Read
        | RouteKind::List
        | RouteKind::Page
        | RouteKind::Lookup
        | RouteKind::Health
        | RouteKind::Documentation => route,
    }
}
