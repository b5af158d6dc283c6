//! Services that can be booked and appointments in few words.

use super::{account_id, at, naira, reference};
use domain::account::EmailAddress;
use domain::bank::GroupLabel;
use domain::booking::{
    Appointment, AppointmentStage, BookableService, CivilDay, Prepayment, Seat, ServiceMinutes,
    ServiceTerms, StaffName,
};
use domain::collection::RedirectUrl;
use domain::phone::PhoneNumber;
use domain::reference::TransactionNumber;

/// A haircut of half an hour with Ada or Bola, on Mondays from nine to five and on Saturdays until
/// noon, for 5,000.00 that is paid within 15 minutes, of an account called `account`.
pub fn bookable_service(account: &str, number: u64) -> BookableService {
    let number = TransactionNumber::try_new(number).expect("a number");
    let staff = ["Ada", "Bola"].map(|name| StaffName::parse(name).expect("a name"));
    let hours = ["Mon 09:00-17:00", "Sat 09:00-12:00"].map(|it| it.parse().expect("hours"));
    let redirect = RedirectUrl::parse("https://shop.example/done").expect("an address");
    BookableService {
        account: account_id(account),
        number,
        reference: reference(&format!("cut-{number}")),
        terms: ServiceTerms {
            name: GroupLabel::parse("Haircut").expect("a name"),
            location: GroupLabel::parse("12 Broad Street, Lagos").ok(),
            zone: "Africa/Lagos".to_owned(),
            hours: hours.to_vec(),
            closed: vec![CivilDay {
                year: 2026,
                month: 1,
                day: 26,
            }],
            minutes: ServiceMinutes {
                length: 30,
                step: 30,
                buffer: 0,
                notice: 60,
            },
            staff: staff.to_vec(),
            capacity: 1,
            horizon: 60,
            price: naira("5,000.00"),
            prepayment: Some(Prepayment { hold: 15, redirect }),
            is_offered: true,
        },
        version: 1,
        created_at: at(0),
    }
}

/// The half hour with Ada that begins some minutes after the start, at service 1.
pub fn seat(minutes: u64) -> Seat {
    let minute = |count: u64| at(count * 60);
    Seat {
        service: TransactionNumber::try_new(1).expect("a number"),
        staff: StaffName::parse("Ada").ok(),
        starts_at: minute(minutes),
        ends_at: minute(minutes + 30),
        busy_until: minute(minutes + 30),
        capacity: 1,
    }
}

/// An appointment that begins some minutes after the start, booked for 5,000.00.
pub fn appointment(account: &str, number: u64, minutes: u64) -> Appointment {
    let number = TransactionNumber::try_new(number).expect("a number");
    Appointment {
        account: account_id(account),
        number,
        reference: reference(&format!("app-{number}")),
        seat: seat(minutes),
        moved_from: None,
        customer: GroupLabel::parse("Ngozi Eze").expect("a name"),
        phone: PhoneNumber::parse("2348031234567").expect("a number"),
        email: EmailAddress::parse("ngozi@example.com").ok(),
        note: GroupLabel::parse("First visit").ok(),
        zone: Some("Europe/London".to_owned()),
        redirect: RedirectUrl::parse("https://shop.example/done").ok(),
        price: naira("5,000.00"),
        stage: AppointmentStage::Booked,
        reason: None,
        version: 1,
        created_at: at(0),
    }
}
