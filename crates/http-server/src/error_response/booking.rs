//! Errors about bookings. What another account has and what does not exist must get the same
//! answer.

use super::{conflict, invalid, invoice, reference_used, unknown};
use crate::reply::HttpReply;
use application::booking::{BookingError, TimeRefusal};
use domain::booking::{AppointmentRefusal, SERVICES_MAX};
use http::StatusCode;
use wire::attribute::{
    BOOKING, BOOKING_SERVICE, BOOKING_STAFF, BOOKING_START, IF_MATCH, REFERENCE, TO, VERSION,
};
use wire::booking::{appointment, service};
use wire::violations::Violations;
use wire::zone::utc;

impl From<BookingError> for HttpReply {
    fn from(refused: BookingError) -> Self {
        match refused {
            BookingError::ServiceReferenceTaken(_) => reference_used(
                "was used before for another service; Location lists them, use another for a new \
                 one",
                service::path(),
            ),
            BookingError::ReferenceTaken(reference) => reference_used(
                "was used before; Location leads to its appointment, use another for a new one",
                &appointment::path(&reference),
            ),
            BookingError::CollectionTaken(reference, sort) => reference_used(
                "was used before for a collection, and an appointment is paid under its \
                 reference; Location leads to the collection, use another for a new appointment",
                &invoice::address(sort, &reference),
            ),
            BookingError::TooManyServices => conflict(
                &REFERENCE,
                "There are too many services.",
                format!(
                    "would be one service more than the {SERVICES_MAX} that an account may have; \
                     change one that you do not offer"
                ),
            ),
            BookingError::ServiceUnknown => unknown(
                &BOOKING_SERVICE,
                "names no service of your account; GET /booking/service lists those you have",
            ),
            BookingError::Unknown => unknown(&BOOKING, NO_SUCH_APPOINTMENT),
            BookingError::ReferenceUnknown => unknown(&REFERENCE, NO_SUCH_APPOINTMENT),
            BookingError::Stale(version) => conflict(
                &VERSION,
                "The version does not match.",
                format!("is not the present version, {version}; look at it again"),
            ),
            BookingError::Changed => Self::params(
                StatusCode::PRECONDITION_FAILED,
                "It was changed.",
                Violations::of(
                    &IF_MATCH,
                    "matches no present version; read it again and repeat the change with its \
                     ETag",
                ),
            ),
            BookingError::NotOffered => conflict(
                &BOOKING_SERVICE,
                "The service is not offered.",
                "names a service that cannot be booked at present".to_owned(),
            ),
            BookingError::StaffUnknown => {
                invalid(&BOOKING_STAFF, "is none of bkgTeam of the service")
            }
            BookingError::TooManyTimes => invalid(
                &TO,
                "makes a period with too many times; ask for fewer days, or for one person with \
                 bkgStaff",
            ),
            BookingError::Time(refused) => of_time(refused),
            BookingError::Step(refused) => of_step(refused),
            BookingError::Session(refused) => refused.into(),
            BookingError::Request(refused) => refused.into(),
        }
    }
}

const NO_SUCH_APPOINTMENT: &str =
    "names no appointment of your account; GET /booking/appointments lists those you have";

const UNSERVED: &str =
    "is not when an appointment of the service begins; GET /booking/slots lists the free times";

/// Why a time is not given.
fn of_time(refused: TimeRefusal) -> HttpReply {
    let message = match refused {
        TimeRefusal::Taken => {
            return conflict(
                &BOOKING_START,
                "The time is taken.",
                "was taken by another appointment; GET /booking/slots lists the free times"
                    .to_owned(),
            );
        }
        TimeRefusal::Unserved => UNSERVED.to_owned(),
        TimeRefusal::TooSoon(notice) => {
            format!("is too soon; the service is booked {notice} minutes before at the latest")
        }
        TimeRefusal::TooFar(horizon) => {
            format!("is too far away; the service is booked {horizon} days ahead at most")
        }
        TimeRefusal::Held(until) => format!(
            "is before the appointment is paid or given up, {}; choose a later time",
            utc(until)
        ),
    };
    invalid(&BOOKING_START, message)
}

/// Why an appointment takes no step.
fn of_step(refused: AppointmentRefusal) -> HttpReply {
    let message = match refused {
        AppointmentRefusal::Ended(status) => {
            let status = appointment::status(status);
            format!("names an appointment that is {status}; that is its end")
        }
        AppointmentRefusal::Unpaid => {
            "names an appointment that waits for its payment; cancel it instead".to_owned()
        }
    };
    conflict(&BOOKING, "The appointment cannot take this step.", message)
}
