//! The HTTP edge: TLS, negotiation, authentication, limits and routes. It must never decide about
//! money: a handler parses, calls the application and renders the result.

mod admission;
mod app;
mod authenticated_request;
mod edge;
mod error_response;
mod file;
mod layers;
mod operator_request;
mod reply;
mod report_form;
mod routes;
mod serve;
mod settings;
mod streamed_file;

#[cfg(test)]
mod testing;

pub use edge::Edge;
pub use file::Picture;
pub use layers::api_version::CURRENT as API_VERSION;
pub use layers::bucket::Quota;
pub use layers::host::ServedHosts;
pub use layers::traceparent::CallerTraces;
pub use report_form::CsvReports;
pub use routes::families::{PathFamily, PathPattern, families};
pub use routes::logos::{Logos, is_logo_name};
pub use routes::row::{RouteKind, RouteRow};
pub use routes::table::endpoints;
pub use routes::verb::Verb;
pub use serve::{
    HttpServer, ServeError, ServeSummary, ShownCertificate, TlsError, TlsMaterial,
    certificate_ends_at,
};
pub use settings::{
    AccountLimits, BODY_BYTES_MAX, BODY_TIMEOUT, CONNECTIONS_MAX, EdgeSettings, GRACE,
    HEAD_BYTES_MAX, HEAD_TIMEOUT, HEADERS_MAX, Http2Support, IDLE_TIMEOUT, LINGER, Limits,
    TLS_TIMEOUT, VtpassRequests, WRITE_TIMEOUT,
};
