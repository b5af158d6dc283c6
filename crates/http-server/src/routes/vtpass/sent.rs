//! What a request in VTpass's shape sends: JSON, a form, or a query. It must not look at any value,
//! nor read what a page of another site can make a browser send.

use super::credentials;
use crate::app::App;
use crate::layers::body::{self, Body};
use crate::layers::{content_type, list};
use crate::reply::HttpReply;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};
use http::request::Parts;
use http::{Method, StatusCode};
use wire::attributes::Attributes;

const FORM: &str = "application/x-www-form-urlencoded";

/// Reads it, within the limits of every body.
pub(super) async fn read(
    app: &App,
    head: &Parts,
    body: &mut Body,
) -> Result<Attributes, HttpReply> {
    if head.method != Method::POST {
        return Ok(Attributes::from_query(head.uri.query())?);
    }
    if !is_form(&head.headers) {
        content_type::check(&head.headers).map_err(|unsupported| {
            let remedy = format!("{unsupported}, or {FORM}");
            let message = "The body is of a kind that is not read.";
            HttpReply::request(StatusCode::UNSUPPORTED_MEDIA_TYPE, message, remedy)
        })?;
        let bytes = body::read(&head.headers, body, app.body_timeout).await?;
        return Ok(Attributes::from_json(&bytes)?);
    }
    // A browser sends a form of any page without asking the gateway first, and adds the Basic
    // credentials it remembers. It adds no api-key, and asks before it sends JSON.
    if !credentials::are_of_no_browser(&head.headers) {
        let message = "A form is not read with these credentials.";
        let remedy = "send api-key and secret-key, or send JSON; requery before anything else";
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return Err(HttpReply::request(status, message, remedy));
    }
    let bytes = body::read(&head.headers, body, app.body_timeout).await?;
    let form = std::str::from_utf8(&bytes).map_err(|_| {
        let message = "The form is not UTF-8.";
        HttpReply::request(
            StatusCode::BAD_REQUEST,
            message,
            "percent-encode it as UTF-8",
        )
    })?;
    Ok(Attributes::from_query(Some(form))?)
}

fn is_form(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let (Some(only), None) = (types.next(), types.next()) else {
        return false;
    };
    let kind = only.to_str().ok().and_then(|it| list::parts(it).next());
    let is_plain = !headers.contains_key(CONTENT_ENCODING);
    is_plain && kind.is_some_and(|kind| kind.eq_ignore_ascii_case(FORM))
}
