//! `/booking/appointment` and `/booking/appointments`. An answer must show as paid what was
//! credited, and nothing else.

use super::{appointment_number, service_number, zone_name};
use crate::attribute;
use crate::attributes::Attributes;
use crate::page::{self, Paging};
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::{Zone, utc};
use domain::account::EmailAddress;
use domain::bank::GroupLabel;
use domain::booking::{AppointmentState, AppointmentStatus, NewAppointment, StaffName};
use domain::phone::PhoneNumber;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use std::time::Duration;

const PATH: &str = "/booking/appointment";
const LIST: &str = "/booking/appointments";

/// The only order of lists: by the beginning.
const ORDERS: [(&str, ()); 1] = [("bkgStart", ())];

/// By what an appointment is requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WantedAppointment {
    Reference(MerchantReference),
    Number(TransactionNumber),
}

/// Which appointments are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedAppointments {
    pub from: Timestamp,
    pub until: Timestamp,
    pub paging: Paging<()>,
}

/// An appointment, and the address of the page on which it is paid.
#[derive(Debug, Clone)]
pub struct ShownAppointment<'a> {
    pub state: &'a AppointmentState,
    pub page: Option<String>,
}

/// A page of the appointments of an account.
#[derive(Debug, Clone, Copy)]
pub struct AppointmentsPart<'a> {
    pub appointments: &'a [ShownAppointment<'a>],
    /// How many there are in the period.
    pub total: u64,
}

/// Reads the appointment that is wanted.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    zone: &Zone,
) -> Result<NewAppointment, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let service = service_number(&mut reader);
    let starts_at = reader.required(&attribute::BOOKING_START, |text| zone.parse(text));
    let staff = reader.optional(&attribute::BOOKING_STAFF, StaffName::parse);
    let customer = reader.required(&attribute::CUSTOMER_NAME, GroupLabel::parse);
    let phone = reader.required(&attribute::CUSTOMER_TELEPHONE, PhoneNumber::parse);
    let email = reader.optional(&attribute::CUSTOMER_EMAIL, EmailAddress::parse);
    let note = reader.optional(&attribute::BOOKING_NOTE, GroupLabel::parse);
    let of_customer = reader.optional(&attribute::BOOKING_ZONE, zone_name);
    reader.finish(|| {
        Ok(NewAppointment {
            reference: reference?,
            service: service?,
            starts_at: starts_at?,
            staff: staff?,
            customer: customer?,
            phone: phone?,
            email: email?,
            note: note?,
            zone: of_customer?,
        })
    })
}

/// Reads which appointment is requested: by exactly one of its two names.
pub fn parse_name(
    attributes: &Attributes,
    handling: Handling,
) -> Result<WantedAppointment, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let is_numbered = attributes.get(attribute::BOOKING.name).is_some();
    let number = reader.optional(&attribute::BOOKING, appointment_number);
    let reference = if is_numbered {
        reader.optional(&attribute::REFERENCE, MerchantReference::parse)
    } else {
        reader.reference().map(Some)
    };
    reader.try_finish(|reader| match (reference?, number?) {
        (Some(reference), None) => Ok(WantedAppointment::Reference(reference)),
        (None, Some(number)) => Ok(WantedAppointment::Number(number)),
        // Without either the reference was named as missing.
        (None | Some(_), None | Some(_)) => Err(reader.fault(
            &attribute::BOOKING,
            "names the appointment a second time; send it or mrcReference",
        )),
    })
}

/// Reads which appointments are requested.
pub fn parse_list(
    attributes: &Attributes,
    handling: Handling,
    zone: &Zone,
) -> Result<WantedAppointments, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let from = reader.required(&attribute::FROM, |text| zone.period_start(text));
    let until = reader.required(&attribute::TO, |text| zone.period_end(text));
    let paging = Paging::read(&mut reader, &ORDERS);
    if let (Ok(from), Ok(until)) = (&from, &until)
        && let Some(message) = wrong_period(*from, *until)
    {
        reader.object(&attribute::TO, message);
    }
    reader.finish(|| {
        Ok(WantedAppointments {
            from: from?,
            until: until?,
            paging: paging?,
        })
    })
}

/// The longest period in which appointments are listed: a year, so that a part of a list does not
/// count all there ever were.
const PERIOD_MAX: Duration = Duration::from_hours(367 * 24);

fn wrong_period(from: Timestamp, until: Timestamp) -> Option<&'static str> {
    if until <= from {
        return Some("must be after from");
    }
    (until.since(from) > PERIOD_MAX).then_some("must be at most a year after from")
}

/// The word of a status.
pub const fn status(status: AppointmentStatus) -> &'static str {
    match status {
        AppointmentStatus::Held => "Held",
        AppointmentStatus::Booked => "Booked",
        AppointmentStatus::Cancelled => "Cancelled",
        AppointmentStatus::Completed => "Completed",
        AppointmentStatus::Missed => "Missed",
    }
}

/// An appointment and what was paid.
pub fn view_one(shown: &ShownAppointment<'_>, zone: &Zone) -> Object {
    let state = shown.state;
    let appointment = &state.appointment;
    let seat = &appointment.seat;
    let text = |it: &Option<GroupLabel>| it.as_ref().map(|it| it.as_str().to_owned());
    Object::new()
        .with("mrcReference", appointment.reference.as_str())
        .with("bkgIdentifier", appointment.number.get())
        .with("bkgService", seat.service.get())
        .with("bkgStatus", status(state.status()))
        .with("bkgStart", zone.date_time(seat.starts_at))
        .with("bkgEnd", zone.date_time(seat.ends_at))
        .with("bkgStaff", seat.staff.as_ref().map(StaffName::as_str))
        .with("bkgTimezone", appointment.zone.as_deref())
        .with("customerName", appointment.customer.as_str())
        .with("customerPhone", appointment.phone.digits())
        .with(
            "customerEmail",
            appointment.email.as_ref().map(EmailAddress::as_str),
        )
        .with("bkgNote", text(&appointment.note))
        .with("bkgReason", text(&appointment.reason))
        .with("price", appointment.price)
        .with("currency", appointment.price.currency().code())
        .with("bkgPaid", state.paid)
        .with(
            "bkgHeldUntil",
            state.held_until().map(|it| zone.date_time(it)),
        )
        .with("chkUrl", shown.page.as_deref())
        .with("txnDate", zone.date_time(appointment.created_at))
        .with("version", u64::from(appointment.version))
}

/// A page of the appointments.
pub fn view(part: AppointmentsPart<'_>, query: &Paging<()>, zone: &Zone) -> Object {
    let all = part.appointments.iter().map(|it| view_one(it, zone));
    Object::new()
        .with("appointments", Node::objects("appointment", all))
        .with("metadata", page::metadata(part.appointments.len()))
        .with("query", page::query(&query.window(part.total)))
}

/// The `Link` header of the answer (RFC 8288).
pub fn link_header(part: AppointmentsPart<'_>, wanted: &WantedAppointments) -> String {
    let [from, until] = [wanted.from, wanted.until].map(utc);
    let address = format!("{LIST}?from={from}&to={until}");
    wanted.paging.link_header_of(&address, part.total)
}

/// The address of an appointment, for `Location`.
pub fn path(reference: &MerchantReference) -> String {
    format!("{PATH}?{}={reference}", attribute::REFERENCE.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, lagos, pretty, query};
    use domain::booking::{Appointment, AppointmentStage};
    use domain::statement::Sort;
    use testkit::builders::{appointment, at, naira};

    const GOOD: [(&str, &str); 9] = [
        ("mrcReference", "\"app-7\""),
        ("bkgService", "7"),
        ("bkgStart", "\"19-01-2026 09:00:00\""),
        ("bkgStaff", "\"Ada\""),
        ("customerName", "\"Ngozi Eze\""),
        ("customerPhone", "\"2348031234567\""),
        ("customerEmail", "\"ngozi@example.com\""),
        ("bkgNote", "\"First visit\""),
        ("bkgTimezone", "\"europe/london\""),
    ];

    fn read(pairs: &[(&str, &str)]) -> Result<NewAppointment, Violations> {
        parse(&body(pairs), Handling::Strict, &lagos())
    }

    #[test]
    fn an_appointment_is_read_whole() {
        let wanted = read(&GOOD).unwrap();
        assert_eq!(utc(wanted.starts_at), "2026-01-19T08:00:00.000Z");
        assert_eq!(wanted.staff.unwrap().as_str(), "Ada");
        assert_eq!(wanted.zone.as_deref(), Some("Europe/London"));
        insta::assert_snapshot!(faults(read(&[("x", "1"), ("bkgStaff", "\"a,b\"")])), @r"
        400 822
        mrcReference: is required; add it to the body
        bkgService: is required; add it to the body
        bkgStart: is required; add it to the body
        bkgStaff: must not hold a comma
        customerName: is required; add it to the body
        customerPhone: is required; add it to the body
        x: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn an_appointment_has_one_name() {
        let name = |text: &str| parse_name(&query(text), Handling::Strict);
        let number = name("bkgIdentifier=7").unwrap();
        assert_eq!(
            number,
            WantedAppointment::Number(TransactionNumber::try_new(7).unwrap())
        );
        assert!(matches!(
            name("mrcReference=a"),
            Ok(WantedAppointment::Reference(_))
        ));
        assert!(faults(name("")).contains("mrcReference: is required"));
        let both = faults(name("mrcReference=a&bkgIdentifier=7"));
        assert!(
            both.contains("bkgIdentifier: names the appointment a second time"),
            "{both}"
        );
    }

    #[test]
    fn a_list_leads_to_its_other_parts() {
        let read = |text: &str| parse_list(&query(text), Handling::Strict, &lagos());
        let wanted = read("from=19-01-2026&to=19-01-2026&length=1").unwrap();
        assert_eq!(wanted.paging.sort, Sort::Ascending);
        let part = AppointmentsPart {
            appointments: &[],
            total: 2,
        };
        let links = link_header(part, &wanted);
        let next = "/booking/appointments?from=2026-01-18T23:00:00.000Z&\
                    to=2026-01-19T23:00:00.000Z&offset=1&length=1&sort=asc";
        assert!(links.contains(next), "{links}");
        assert!(faults(read("from=19-01-2026&to=18-01-2026")).contains("to: must be after from"));
        let long = faults(read("from=01-01-2026&to=04-01-2027"));
        assert!(
            long.contains("to: must be at most a year after from"),
            "{long}"
        );
    }

    #[test]
    fn what_waits_for_its_payment_says_where_and_until_when() {
        let held = Appointment {
            stage: AppointmentStage::Held { until: at(900) },
            ..appointment("shop", 7, 60)
        };
        let shown = |paid: &str| {
            let state = AppointmentState {
                appointment: held.clone(),
                paid: naira(paid),
            };
            let page = Some("https://pay.example/checkout/pay/1".to_owned());
            let shown = ShownAppointment {
                state: &state,
                page: page.filter(|_| state.held_until().is_some()),
            };
            pretty(&view_one(&shown, &lagos()).into())
        };
        insta::assert_snapshot!(shown("1.00"));
        let paid = shown("5,000.00");
        for expected in [
            "bkgStatus: \"Booked\"",
            "bkgHeldUntil: null",
            "chkUrl: null",
        ] {
            assert!(paid.contains(expected), "{expected} in {paid}");
        }
    }
}
