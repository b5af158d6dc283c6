//! `GET /healthz`: the process answers. It must disclose nothing of the state of the gateway, since
//! it needs no credentials.

use crate::reply::HttpReply;
use http::StatusCode;
use wire::tree::Object;

pub(super) fn handle() -> HttpReply {
    HttpReply::success(StatusCode::OK, "The gateway answers.", Object::new())
}
