//! Properties of seats, hours and the steps of appointments.

use super::*;
use crate::account::AccountId;
use crate::bank::GroupLabel;
use crate::money::{Currency, Money};
use crate::phone::PhoneNumber;
use crate::reference::{MerchantReference, TransactionNumber};
use crate::time::Timestamp;
use proptest::prelude::*;
use std::time::Duration;

fn at(minute: u64) -> Timestamp {
    Timestamp::from_millis(0).plus(Duration::from_mins(minute))
}

fn number(number: u64) -> TransactionNumber {
    TransactionNumber::try_new(number).unwrap()
}

fn seat(service: u64, staff: Option<&str>, (from, until): (u64, u64), capacity: u16) -> Seat {
    Seat {
        service: number(service),
        staff: staff.map(|name| StaffName::parse(name).unwrap()),
        starts_at: at(from),
        ends_at: at(until),
        busy_until: at(until),
        capacity,
    }
}

fn taken(id: u64, seat: &Seat, held_until: Option<u64>) -> Occupation {
    Occupation {
        number: number(id),
        resource: seat.resource(),
        service: seat.service,
        starts_at: seat.starts_at,
        busy_until: seat.busy_until,
        held_until: held_until.map(at),
    }
}

proptest! {
    /// In whatever order appointments are booked, what is live overlaps only where it is shared.
    #[test]
    fn no_time_is_given_away_twice(
        wanted in prop::collection::vec(
            (1_u64..4, 0_u64..12, 1_u64..5, 0_usize..3, any::<bool>()),
            1..60,
        )
    ) {
        let mut booked: Vec<Occupation> = Vec::new();
        let mut capacities = Vec::new();
        for (id, (service, from, length, staff, held)) in (1..).zip(wanted) {
            let capacity = u16::try_from(service).unwrap();
            let names = [Some("Ada"), Some("Bola"), None];
            let seats = [seat(service, names[staff], (from, from + length), capacity)];
            let now = at(4);
            if let Some(choice) = choose_seat(&seats, &booked, now) {
                booked.retain(|it| !choice.over.contains(&it.number));
                booked.push(taken(id, &seats[choice.index], held.then_some(3)));
                capacities.push(capacity);
            }
            for one in &booked {
                let same: Vec<_> = booked.iter().filter(|it| it.resource == one.resource).collect();
                let over = |it: &&&Occupation| {
                    it.starts_at < one.busy_until && one.starts_at < it.busy_until
                };
                let beside: Vec<_> = same.iter().filter(over).collect();
                prop_assert!(beside.len() as u64 <= one.service.get());
                let is_shared = beside.iter().all(|it| {
                    (it.service, it.starts_at, it.busy_until)
                        == (one.service, one.starts_at, one.busy_until)
                });
                prop_assert!(is_shared);
            }
        }
    }

    #[test]
    fn hours_are_read_as_they_are_shown(
        day in 0_usize..7,
        one in 0_u16..1440,
        other in 1_u16..=1440,
    ) {
        prop_assume!(one != other);
        let (opens, closes) = (one.min(other), one.max(other));
        let text = format!(
            "{} {:02}:{:02}-{:02}:{:02}",
            Weekday::ALL[day].code(), opens / 60, opens % 60, closes / 60, closes % 60
        );
        let read: OpenHours = text.parse().unwrap();
        prop_assert_eq!(read.to_string(), text.clone());
        prop_assert_eq!((read.opens(), read.closes()), (opens, closes));
        prop_assert_eq!(read.day(), Weekday::ALL[day]);
        prop_assert_eq!(text.to_lowercase().parse::<OpenHours>().unwrap(), read);
    }
}

#[test]
fn a_seat_is_shared_by_as_many_as_it_is_for() {
    let class = seat(1, Some("Ada"), (0, 60), 2);
    let one = taken(7, &class, None);
    let two = [one.clone(), taken(8, &class, None)];
    let seats = [class.clone()];
    let choice = choose_seat(&seats, std::slice::from_ref(&one), at(0)).unwrap();
    assert_eq!((choice.index, choice.left), (0, 0));
    assert_eq!(choose_seat(&seats, &two, at(0)), None);
    for other in [
        seat(2, Some("Ada"), (0, 60), 2),
        seat(1, Some("Ada"), (30, 90), 2),
        seat(1, Some("Ada"), (0, 90), 2),
    ] {
        let beside = choose_seat(&[other], std::slice::from_ref(&one), at(0));
        assert_eq!(beside, None);
    }
    let later = seat(1, Some("Ada"), (60, 120), 2);
    assert!(choose_seat(&[later], &two, at(0)).is_some());
    let another = seat(1, Some("Bola"), (0, 60), 2);
    let choice = choose_seat(&[class, another], &two, at(0)).unwrap();
    assert_eq!((choice.index, choice.left), (1, 1));
}

#[test]
fn what_was_held_and_not_paid_gives_way_once_its_time_is_over() {
    let wanted = [seat(1, None, (0, 60), 1)];
    let held = [taken(7, &wanted[0], Some(5))];
    assert_eq!(choose_seat(&wanted, &held, at(4)), None);
    assert_eq!(
        choose_seat(&wanted, &held, at(5)),
        None,
        "another clock may be behind"
    );
    let choice = choose_seat(&wanted, &held, at(6)).unwrap();
    assert_eq!(choice.over, [number(7)]);
    let both = [
        seat(1, Some("Ada"), (0, 60), 1),
        seat(1, Some("Bola"), (0, 60), 1),
    ];
    let with_ada = [taken(7, &both[0], Some(5))];
    let choice = choose_seat(&both, &with_ada, at(6)).unwrap();
    assert_eq!((choice.index, choice.over), (1, Vec::new()));
}

#[test]
fn a_hold_that_is_over_keeps_its_place_while_there_is_room_beside_it() {
    let class = [seat(1, Some("Ada"), (0, 60), 3)];
    let late = [taken(7, &class[0], Some(5)), taken(8, &class[0], Some(4))];
    let choice = choose_seat(&class, &late, at(9)).unwrap();
    assert_eq!((choice.over, choice.left), (Vec::new(), 2));
    let full = [late.to_vec(), vec![taken(9, &class[0], None)]].concat();
    let choice = choose_seat(&class, &full, at(9)).unwrap();
    assert_eq!((choice.over, choice.left), (vec![number(8)], 1));
    let across = [taken(7, &seat(2, Some("ada"), (30, 90), 1), Some(5))];
    let choice = choose_seat(&class, &across, at(9)).unwrap();
    assert_eq!(choice.over, [number(7)]);
}

#[test]
fn texts_that_are_no_hours_are_refused() {
    for text in [
        "",
        "Mon",
        "Mon 09:00",
        "Mon 09:00-09:00",
        "Mon 10:00-09:00",
        "Mon 24:01-25:00",
        "Mon 9:00-10:00",
        "Mon 09:60-10:00",
        "Moon 09:00-10:00",
        "Mon 09:00 - 10:00",
        "Mon 09:00-10:00:00",
        "Mon +9:00-10:00",
    ] {
        assert_eq!(text.parse::<OpenHours>(), Err(InvalidHours), "{text}");
    }
}

#[test]
fn a_person_has_a_name_without_a_comma() {
    assert_eq!(StaffName::parse(" Ada ").unwrap().as_str(), "Ada");
    for text in ["", " ", "a,b", "a\nb", &"x".repeat(61)] {
        assert!(StaffName::parse(text).is_err(), "{text}");
    }
}

fn state(stage: AppointmentStage, paid: i64) -> AppointmentState {
    let naira = |minor| Money::from_minor(minor, Currency::Ngn);
    AppointmentState {
        appointment: Appointment {
            account: AccountId::parse("shop").unwrap(),
            number: number(7),
            reference: MerchantReference::parse("a").unwrap(),
            seat: seat(1, None, (60, 90), 1),
            moved_from: None,
            customer: GroupLabel::parse("Ngozi").unwrap(),
            phone: PhoneNumber::parse("2348031234567").unwrap(),
            email: None,
            note: None,
            zone: None,
            redirect: None,
            price: naira(500),
            stage,
            reason: None,
            version: 1,
            created_at: at(0),
        },
        paid: naira(paid),
    }
}

#[test]
fn an_appointment_ends_once() {
    let held = AppointmentStage::Held { until: at(15) };
    let after = |state: &AppointmentState, step| {
        let ended = state.after(&step, None);
        ended.map(|it| it.map(|it| (it.stage, it.version)))
    };
    let unpaid = state(held, 499);
    assert_eq!(unpaid.status(), AppointmentStatus::Held);
    assert_eq!(unpaid.held_until(), Some(at(15)));
    let cancelled = Ok(Some((AppointmentStage::Cancelled, 2)));
    assert_eq!(after(&unpaid, AppointmentStep::Cancel), cancelled);
    for step in [AppointmentStep::Complete, AppointmentStep::Miss] {
        assert_eq!(after(&unpaid, step), Err(AppointmentRefusal::Unpaid));
    }
    for booked in [state(held, 500), state(AppointmentStage::Booked, 0)] {
        assert_eq!(booked.status(), AppointmentStatus::Booked);
        assert_eq!(booked.held_until(), None);
        let completed = Ok(Some((AppointmentStage::Completed, 2)));
        assert_eq!(after(&booked, AppointmentStep::Complete), completed);
        let missed = Ok(Some((AppointmentStage::Missed, 2)));
        assert_eq!(after(&booked, AppointmentStep::Miss), missed);
        assert_eq!(after(&booked, AppointmentStep::Cancel), cancelled);
    }
    for (stage, status, again) in [
        (
            AppointmentStage::Cancelled,
            AppointmentStatus::Cancelled,
            AppointmentStep::Cancel,
        ),
        (
            AppointmentStage::Lapsed,
            AppointmentStatus::Cancelled,
            AppointmentStep::Cancel,
        ),
        (
            AppointmentStage::Completed,
            AppointmentStatus::Completed,
            AppointmentStep::Complete,
        ),
        (
            AppointmentStage::Missed,
            AppointmentStatus::Missed,
            AppointmentStep::Miss,
        ),
    ] {
        let ended = state(stage, 500);
        assert_eq!(ended.movable(), Err(AppointmentRefusal::Ended(status)));
        for step in [
            AppointmentStep::Cancel,
            AppointmentStep::Complete,
            AppointmentStep::Miss,
        ] {
            let wanted = if step == again {
                Ok(None)
            } else {
                Err(AppointmentRefusal::Ended(status))
            };
            assert_eq!(after(&ended, step), wanted);
        }
    }
}
