//! Bookings. Moments are read and shown in the time zone of the account; hours are of the zone of
//! the service.

pub mod appointment;
pub mod calendar;
pub mod service;
pub mod slots;
pub mod step;

use crate::attribute;
use crate::reader::{FieldReader, InvalidField};
use domain::reference::TransactionNumber;

/// Reads the number of a service.
fn service_number(reader: &mut FieldReader<'_>) -> Result<TransactionNumber, InvalidField> {
    reader.required(&attribute::BOOKING_SERVICE, |text| {
        crate::transaction::number(text)
            .ok_or("must be the bkgService of a service, such as 7213340023")
    })
}

/// Reads the number of an appointment.
fn appointment_number(text: &str) -> Result<TransactionNumber, &'static str> {
    crate::transaction::number(text)
        .ok_or("must be the bkgIdentifier of an appointment, such as 7213340023")
}

/// The name of a time zone of the database, as the database writes it.
fn zone_name(text: &str) -> Result<String, &'static str> {
    let zone = jiff::tz::db().get(text).ok();
    let name = zone.as_ref().and_then(|zone| zone.iana_name());
    name.filter(|name| *name != "Etc/Unknown")
        .map(ToOwned::to_owned)
        .ok_or(
            "must be the name of a time zone such as Africa/Lagos; GET /tools/timezones lists them",
        )
}
