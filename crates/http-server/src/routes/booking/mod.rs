//! Appointments that customers of the account book. Nothing here may show another account.

mod appointment;
mod service;
mod step;

use super::row::{RouteKind, RouteRow, operation};
use domain::access::AccessScope;

/// Its operations. Booking is for those who may pay, because an appointment may be paid for.
pub(super) fn rows() -> Vec<RouteRow> {
    let change = |path, handler| {
        RouteKind::Change
            .at(path, handler)
            .needing(AccessScope::Pay)
    };
    vec![
        RouteKind::Page.at("/booking/service", operation(service::list)),
        change("/booking/service", operation(service::create)),
        change("/booking/service/change", operation(service::change)),
        RouteKind::Read.at("/booking/slots", operation(service::slots)),
        RouteKind::Read.at("/booking/appointment", operation(appointment::report)),
        change("/booking/appointment", operation(appointment::book)),
        RouteKind::Page.at("/booking/appointments", operation(appointment::list)),
        RouteKind::Read.at("/booking/calendar", operation(appointment::calendar)),
        change("/booking/reschedule", operation(step::reschedule)),
        change("/booking/cancel", operation(step::cancel)),
        change("/booking/complete", operation(step::complete)),
        change("/booking/miss", operation(step::miss)),
    ]
}

#[cfg(test)]
mod tests;
