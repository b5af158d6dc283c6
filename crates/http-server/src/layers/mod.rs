//! The layers that run for every request before its route and for every answer after it, one rule
//! per file. Nothing here may know a family or an operation.

pub(crate) mod api_version;
pub(crate) mod authentication;
pub(crate) mod body;
pub(crate) mod bounded_map;
pub(crate) mod bucket;
pub(crate) mod callback_limits;
pub(crate) mod client_address;
pub(crate) mod concurrency;
pub(crate) mod connection_owner;
pub(crate) mod content_type;
pub(crate) mod cors;
pub(crate) mod cross_site;
pub(crate) mod entity_tag;
pub(crate) mod host;
pub(crate) mod idempotency_key;
pub(crate) mod if_match;
pub(crate) mod list;
pub(crate) mod login_throttle;
pub(crate) mod negotiation;
pub(crate) mod page_limits;
pub(crate) mod panics;
pub(crate) mod prefer;
pub(crate) mod rate_limit;
pub(crate) mod request_id;
pub(crate) mod security_headers;
pub(crate) mod signature;
pub(crate) mod traceparent;
