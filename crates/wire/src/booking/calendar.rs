//! `GET /booking/calendar`: an appointment as a file of iCalendar (RFC 5545). A calendar must
//! recognise the same appointment in a later file, and that it was moved or called off.

use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::violations::Violations;
use domain::booking::{Appointment, AppointmentState, AppointmentStatus, BookableService};
use domain::reference::MerchantReference;
use domain::time::Timestamp;
use ics::components::Property;
use ics::properties::{Description, DtEnd, DtStart, Location, Sequence, Status, Summary};
use ics::{Event, ICalendar, escape_text};

/// The form of an appointment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CalendarForm {
    /// An entry of a calendar.
    Calendar,
    /// The fields, in the format that is negotiated.
    Fields,
}

const FORMS: [(&str, CalendarForm); 2] = [
    ("calendar", CalendarForm::Calendar),
    ("json", CalendarForm::Fields),
];

/// Reads which appointment is requested, and in which form.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
) -> Result<(MerchantReference, CalendarForm), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let form = reader.choice(&attribute::FORMAT, &FORMS);
    reader.finish(|| Ok((reference?, form?.unwrap_or(CalendarForm::Calendar))))
}

/// Who made the file.
const PRODUCT: &str = "-//Manilla//Bookings//EN";

/// The file of an appointment, which a merchant's customer adds to a calendar.
pub fn file(
    merchant: &str,
    (state, service): (&AppointmentState, &BookableService),
    now: Timestamp,
) -> String {
    let appointment = &state.appointment;
    let mut event = Event::new(identity(appointment), moment(now));
    let seat = &appointment.seat;
    event.push(DtStart::new(moment(seat.starts_at)));
    event.push(DtEnd::new(moment(seat.ends_at)));
    let with = seat.staff.as_ref().map(|it| format!(" with {it}"));
    let name = format!(
        "{}{}",
        service.terms.name.as_str(),
        with.unwrap_or_default()
    );
    event.push(Summary::new(escape_text(name)));
    if let Some(location) = &service.terms.location {
        event.push(Location::new(escape_text(location.as_str().to_owned())));
    }
    if let Some(note) = &appointment.note {
        event.push(Description::new(escape_text(note.as_str().to_owned())));
    }
    event.push(Property::new(
        "X-MERCHANT",
        escape_text(merchant.to_owned()),
    ));
    event.push(match state.status() {
        AppointmentStatus::Held => Status::tentative(),
        AppointmentStatus::Booked | AppointmentStatus::Completed | AppointmentStatus::Missed => {
            Status::confirmed()
        }
        AppointmentStatus::Cancelled => Status::cancelled(),
    });
    let changes = appointment.version.saturating_sub(1);
    event.push(Sequence::new(changes.to_string()));
    let mut calendar = ICalendar::new("2.0", PRODUCT);
    calendar.add_event(event);
    calendar.to_string()
}

/// The same in every file of the appointment.
fn identity(appointment: &Appointment) -> String {
    let made = appointment.created_at.as_millis();
    format!("appointment-{}-{made}@manilla", appointment.number)
}

/// `YYYYMMDDTHHMMSSZ`.
fn moment(at: Timestamp) -> String {
    let at = jiff::Timestamp::from_millisecond(at.as_millis()).unwrap_or(jiff::Timestamp::MAX);
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, query};
    use domain::bank::GroupLabel;
    use domain::booking::AppointmentStage;
    use testkit::builders::{START, appointment, bookable_service, naira};

    #[test]
    fn a_calendar_is_the_form_unless_fields_are_wanted() {
        let read = |text: &str| parse(&query(text), Handling::Strict);
        assert_eq!(read("mrcReference=a").unwrap().1, CalendarForm::Calendar);
        let fields = read("mrcReference=a&format=json").unwrap();
        assert_eq!(fields.1, CalendarForm::Fields);
        let wrong = faults(read("format=pdf"));
        for name in ["mrcReference", "format"] {
            assert!(wrong.contains(&format!("\n{name}: ")), "{wrong}");
        }
    }

    fn written(appointment: Appointment) -> String {
        let state = AppointmentState {
            appointment,
            paid: naira("0.00"),
        };
        let service = bookable_service("shop", 1);
        file("Ngozi's, Lagos", (&state, &service), START)
    }

    #[test]
    fn a_file_has_lines_that_end_as_the_format_says() {
        let written = written(appointment("shop", 7, 60));
        insta::assert_snapshot!(written.replace("\r\n", "\n"));
        assert_eq!(
            written.matches("\r\n").count(),
            written.matches('\n').count()
        );
    }

    #[test]
    fn what_a_customer_writes_adds_no_line_of_its_own() {
        let note = "a; b, c \\ d ".to_owned() + &"ö".repeat(80);
        let made = Appointment {
            note: GroupLabel::parse(&note).ok(),
            stage: AppointmentStage::Cancelled,
            version: 3,
            ..appointment("shop", 7, 60)
        };
        let written = written(made);
        assert!(written.lines().all(|line| line.len() <= 75), "{written}");
        let unfolded = written.replace("\r\n ", "");
        assert!(
            unfolded.contains("DESCRIPTION:a\\; b\\, c \\\\ d "),
            "{unfolded}"
        );
        for line in ["STATUS:CANCELLED", "SEQUENCE:2"] {
            assert!(written.contains(&format!("\r\n{line}\r\n")), "{written}");
        }
    }
}
