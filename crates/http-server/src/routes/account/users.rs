//! `/account/users` and what is below it. They must show a code once and no other time, and users
//! of the account in the request alone.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::access::UserInvited;
use application::{Gateway, ReplayMark};
use domain::access::AccountUserState;
use http::StatusCode;
use wire::account::users::{self, UsersPart, view_one};
use wire::zone::Zone;

pub(super) async fn list(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = users::parse(&call.attributes, call.handling)?;
    let zone = call.zone();
    if let Some(only) = query.only {
        let found = gateway.user(&call.merchant, only).await?;
        let fields = view_one(&found, &zone);
        return Ok(HttpReply::success(StatusCode::OK, "The user.", fields));
    }
    let paging = query.paging;
    let wanted = collection::page_of(&paging);
    let (found, total) = gateway.users(&call.merchant, wanted).await?;
    let part = UsersPart {
        users: &found,
        total,
    };
    let fields = users::view(part, &paging, &zone);
    let reply = HttpReply::success(StatusCode::OK, "The users.", fields);
    let links = users::link_header(part, &paging);
    Ok(collection::part(reply, total, &links))
}

pub(super) async fn invite(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let wanted = users::parse_invitation(&call.attributes, call.handling)?;
    let zone = call.zone();
    let invited = gateway.invite_user(&call.merchant, wanted, call.retry_key());
    let (reply, id) = match invited.await? {
        UserInvited::Now { user, code } => {
            let fields = users::invited(&user, &code, &zone);
            let message = "The user; the activation code is shown this once.";
            let reply = HttpReply::success(StatusCode::CREATED, message, fields);
            (reply, user.user.id)
        }
        UserInvited::Before(user) => {
            let message = "The user of the first request, which was answered the code.";
            let reply = HttpReply::success(StatusCode::OK, message, view_one(&user, &zone));
            (reply.replayed(), user.user.id)
        }
    };
    Ok(reply.located(&users::path(id)))
}

pub(super) async fn activate(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let (id, code) = users::parse_activation(&call.attributes, call.handling)?;
    let activated = gateway.activate_user(&call.merchant, (id, &code)).await?;
    Ok(shown("The user is active.", activated, &call.zone()))
}

pub(super) async fn disable(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let id = users::parse_disabling(&call.attributes, call.handling)?;
    let disabled = gateway.disable_user(&call.merchant, id).await?;
    let message = "The user is disabled, and so are the user's keys.";
    Ok(shown(message, disabled, &call.zone()))
}

fn shown(
    message: &'static str,
    (user, mark): (AccountUserState, ReplayMark),
    zone: &Zone,
) -> HttpReply {
    let reply = HttpReply::success(StatusCode::OK, message, view_one(&user, zone));
    reply.marked(mark)
}

#[cfg(test)]
mod tests;
