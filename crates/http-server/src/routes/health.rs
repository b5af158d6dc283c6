//! `GET /healthz`: the process answers. It must say nothing of the state of the gateway to those
//! who have no account.

use crate::reply::HttpReply;
use http::StatusCode;
use wire::tree::Object;

pub(super) async fn handle() -> HttpReply {
    HttpReply::success(StatusCode::OK, "The gateway answers.", Object::new())
}
