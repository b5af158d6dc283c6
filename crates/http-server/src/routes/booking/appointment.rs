//! `/booking/appointment`, `/booking/appointments` and `/booking/calendar`.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use application::booking::{AppointmentPeriod, BookingError, BookingName};
use domain::booking::{AppointmentState, AppointmentStatus};
use http::StatusCode;
use wire::booking::appointment::{
    self, AppointmentsPart, ShownAppointment, WantedAppointment, view_one,
};
use wire::booking::calendar::{self, CalendarForm};
use wire::zone::Zone;

pub(super) async fn book(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let zone = call.zone();
    let wanted = appointment::parse(&call.attributes, call.handling, &zone)?;
    let made = gateway
        .book_appointment(&call.merchant, wanted, call.retry_key())
        .await?;
    let reply = shown(&gateway, (StatusCode::CREATED, &made.state), &zone).await?;
    let reply = reply.located(&appointment::path(&made.state.appointment.reference));
    Ok(reply.marked(made.replay))
}

pub(super) async fn report(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let wanted = appointment::parse_name(&call.attributes, call.handling)?;
    let found = found(&gateway, &call, &wanted).await?;
    Ok(shown(&gateway, (StatusCode::OK, &found), &call.zone()).await?)
}

pub(super) async fn list(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let zone = call.zone();
    let wanted = appointment::parse_list(&call.attributes, call.handling, &zone)?;
    let period = AppointmentPeriod {
        from: wanted.from,
        until: wanted.until,
    };
    let page = collection::page_of(&wanted.paging);
    let found = gateway.appointments(&call.merchant, period, page).await?;
    let mut all = Vec::with_capacity(found.appointments.len());
    for state in &found.appointments {
        all.push(with_page(&gateway, state).await?);
    }
    let part = AppointmentsPart {
        appointments: &all,
        total: found.total,
    };
    let fields = appointment::view(part, &wanted.paging, &zone);
    let reply = HttpReply::success(StatusCode::OK, "The appointments.", fields);
    let links = appointment::link_header(part, &wanted);
    Ok(collection::part(reply, found.total, &links))
}

pub(super) async fn calendar(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let (reference, form) = calendar::parse(&call.attributes, call.handling)?;
    let wanted = WantedAppointment::Reference(reference);
    let state = found(&gateway, &call, &wanted).await?;
    match form {
        CalendarForm::Calendar => {}
        CalendarForm::Fields => {
            return Ok(shown(&gateway, (StatusCode::OK, &state), &call.zone()).await?);
        }
    }
    let name = BookingName::Number(state.appointment.seat.service);
    let service = gateway.bookable_service(&call.merchant, name).await?;
    let merchant = call.merchant.account.name.as_str();
    let file = calendar::file(merchant, (&state, &service), gateway.now());
    let name = format!("{}.ics", state.appointment.reference);
    Ok(HttpReply::calendar(file.into()).attached(&name))
}

async fn found(
    gateway: &Gateway,
    call: &AuthenticatedRequest,
    wanted: &WantedAppointment,
) -> Result<AppointmentState, BookingError> {
    let name = match wanted {
        WantedAppointment::Reference(reference) => BookingName::Reference(reference),
        WantedAppointment::Number(number) => BookingName::Number(*number),
    };
    gateway.appointment(&call.merchant, name).await
}

/// An appointment with the address of the page on which it is paid, while it waits for that.
async fn with_page<'a>(
    gateway: &Gateway,
    state: &'a AppointmentState,
) -> Result<ShownAppointment<'a>, BookingError> {
    let session = gateway.appointment_session(state).await?;
    Ok(ShownAppointment {
        state,
        page: session.map(|links| links.page),
    })
}

/// An answer that shows an appointment, with its version for `If-Match`.
pub(super) async fn shown(
    gateway: &Gateway,
    (status, state): (StatusCode, &AppointmentState),
    zone: &Zone,
) -> Result<HttpReply, BookingError> {
    let said = match state.status() {
        AppointmentStatus::Held => "The appointment waits for its payment.",
        AppointmentStatus::Booked => "The appointment is booked.",
        AppointmentStatus::Cancelled => "The appointment is cancelled.",
        AppointmentStatus::Completed => "The customer was served.",
        AppointmentStatus::Missed => "The customer did not come.",
    };
    let shown = with_page(gateway, state).await?;
    let reply = HttpReply::success(status, said, view_one(&shown, zone));
    Ok(reply.in_version(state.appointment.version))
}
