//! Services that can be booked and appointments, read back. A row must pass every rule that a fresh
//! value passes.

mod appointment;
mod service;

pub use appointment::{AppointmentRow, OccupationRow};
pub use service::BookableServiceRow;

use super::RecordError;
use domain::booking::{SERVICES_MAX, Seat, SeatChoice};
use domain::reference::TransactionNumber;
use ports::bookings::{AppointmentWrite, ServiceWrite};

/// Whether the account is unknown, the number or the reference is taken; how many there are.
pub type ServiceObstacles = (bool, bool, bool, i64);

/// Whether the service has another version, the number or the reference is taken.
pub type AppointmentObstacles = (bool, bool, bool);

/// Why a service is not made.
pub fn service_obstacle(found: ServiceObstacles) -> Option<ServiceWrite> {
    match found {
        (true, _, _, _) => Some(ServiceWrite::AccountUnknown),
        (_, true, _, _) => Some(ServiceWrite::NumberTaken),
        (_, _, true, _) => Some(ServiceWrite::ReferenceTaken),
        (_, _, _, count) if count >= i64::from(SERVICES_MAX) => Some(ServiceWrite::TooMany),
        (false, false, false, _) => None,
    }
}

/// Why an appointment is not made.
pub fn appointment_obstacle(found: AppointmentObstacles) -> Option<AppointmentWrite> {
    match found {
        (_, true, _) => Some(AppointmentWrite::NumberTaken),
        (_, _, true) => Some(AppointmentWrite::ReferenceTaken),
        (true, _, _) => Some(AppointmentWrite::Conflict),
        (false, false, false) => None,
    }
}

/// The seat that was chosen, and the numbers of what lapses for it.
pub fn chosen(seats: &[Seat], choice: &SeatChoice) -> Option<(Seat, Vec<i64>)> {
    let over = choice.over.iter().map(|it| stored(*it)).collect();
    Some((seats.get(choice.index)?.clone(), over))
}

fn stored(number: TransactionNumber) -> i64 {
    i64::try_from(number.get()).unwrap_or(i64::MAX)
}

fn number(stored: i64, field: &'static str) -> Result<TransactionNumber, RecordError> {
    let number = u64::try_from(stored).unwrap_or_default();
    TransactionNumber::try_new(number).map_err(|_| RecordError::Value(field))
}
