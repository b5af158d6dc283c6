//! `/booking/reschedule`, `/booking/cancel`, `/booking/complete` and `/booking/miss`.

use super::appointment::shown;
use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use application::expected_version::ExpectedVersion;
use domain::booking::AppointmentStep;
use http::StatusCode;
use wire::booking::step;

pub(super) async fn reschedule(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let zone = call.zone();
    let wanted = step::parse_move(&call.attributes, call.handling, &zone)?;
    let seen = seen(&call, wanted.version);
    let to = (wanted.starts_at, wanted.staff.as_ref());
    let moved = gateway.move_appointment(&call.merchant, (wanted.number, &seen), to);
    let moved = moved.await?;
    Ok(shown(&gateway, (StatusCode::OK, &moved), &zone).await?)
}

pub(super) async fn cancel(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    end(gateway, call, AppointmentStep::Cancel).await
}

pub(super) async fn complete(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    end(gateway, call, AppointmentStep::Complete).await
}

pub(super) async fn miss(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    end(gateway, call, AppointmentStep::Miss).await
}

async fn end(
    gateway: Gateway,
    call: AuthenticatedRequest,
    step: AppointmentStep,
) -> Result<HttpReply, HttpReply> {
    let wanted = step::parse_end(&call.attributes, call.handling)?;
    let seen = seen(&call, wanted.version);
    let ended = gateway
        .end_appointment(
            &call.merchant,
            (wanted.number, step),
            (wanted.reason, &seen),
        )
        .await?;
    Ok(shown(&gateway, (StatusCode::OK, &ended), &call.zone()).await?)
}

fn seen(call: &AuthenticatedRequest, stated: u32) -> ExpectedVersion {
    ExpectedVersion {
        stated,
        only_in: call.only_in.clone(),
    }
}
