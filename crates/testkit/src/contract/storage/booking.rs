//! Laws of bookings. A time must be given away once, whatever is booked at once, and what was held
//! and paid must not lapse.

use super::setup::Stores;
use crate::builders::{
    account_id, appointment, at, bookable_service, checkout, collected, naira, seat,
};
use domain::booking::{
    Appointment, AppointmentStage, AppointmentState, AppointmentStatus, BookableService,
    SERVICES_MAX, Seat, StaffName,
};
use domain::change_set::ChangeSet;
use domain::collection::{CollectedPayment, Collection, CollectionSource};
use domain::reference::TransactionNumber;
use domain::statement::Sort;
use domain::time::Timestamp;
use ports::batches::PageOf;
use ports::bookings::{AppointmentPeriod, AppointmentWrite, BookingName, Seating, ServiceWrite};
use ports::collections::CollectionCreation;
use ports::ledger_store::CommitOutcome;
use std::collections::BTreeSet;
use tokio::task::JoinSet;

async fn offered(stores: &Stores, account: &str) -> BookableService {
    let service = bookable_service(account, 1);
    let created = stores.bookings.create_service(&service).await;
    assert_eq!(created.expect("create a service"), ServiceWrite::Done);
    service
}

async fn book(
    stores: &Stores,
    appointment: &Appointment,
    (seats, now): (&[Seat], Timestamp),
) -> AppointmentWrite {
    let seating = Seating {
        seats,
        version: 1,
        now,
    };
    let booked = stores.bookings.book(appointment, seating).await;
    booked.expect("book an appointment")
}

async fn has_booked(stores: &Stores, wanted: Appointment) -> Appointment {
    let seats = [wanted.seat.clone()];
    let booked = book(stores, &wanted, (&seats, at(0))).await;
    assert_eq!(booked, AppointmentWrite::Done(Box::new(wanted.clone())));
    wanted
}

/// One that waits for its payment until a quarter of an hour after the start.
fn held(number: u64, minutes: u64) -> Appointment {
    Appointment {
        stage: AppointmentStage::Held { until: at(900) },
        ..appointment("shop", number, minutes)
    }
}

async fn found(stores: &Stores, appointment: &Appointment) -> AppointmentState {
    let name = BookingName::Number(appointment.number);
    let found = stores
        .bookings
        .appointment(&appointment.account, name)
        .await;
    found.expect("find an appointment").expect("an appointment")
}

/// Pays to the session of an appointment.
async fn pays(stores: &Stores, appointment: &Appointment, amount: &str) {
    let session = Collection {
        reference: appointment.reference.clone(),
        ..checkout("shop", appointment.number.get())
    };
    let made = stores.collections.create_collection(&session).await;
    assert_eq!(made.expect("open a session"), CollectionCreation::Done);
    let number = 900 + appointment.number.get();
    let bank_session = format!("session-{number}");
    let paid = CollectedPayment {
        source: CollectionSource::Sandbox,
        ..collected(&session, (number, &bank_session), amount)
    };
    let paid = stores.commit(ChangeSet::Collect(Box::new(paid))).await;
    assert_eq!(paid, CommitOutcome::Done);
}

/// A service reads back as it was made, to its account alone; it is changed from the version
/// before.
pub async fn a_service_is_changed_from_the_version_that_was_seen(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    let made = offered(stores, "shop").await;
    let name = BookingName::Reference(&made.reference);
    let bookings = &stores.bookings;
    let read = bookings.bookable_service(&made.account, name).await;
    assert_eq!(read.expect("find"), Some(made.clone()));
    let other = bookings.bookable_service(&account_id("other"), name).await;
    assert_eq!(other.expect("find"), None);
    let mut changed = made.clone();
    changed.terms.is_offered = false;
    changed.version = 2;
    for expected in [ServiceWrite::Done, ServiceWrite::Conflict] {
        let written = bookings.change_service(&changed).await;
        assert_eq!(written.expect("change"), expected);
    }
    let name = BookingName::Number(made.number);
    let read = bookings.bookable_service(&made.account, name).await;
    assert_eq!(read.expect("find"), Some(changed));
    for (service, expected) in [
        (made.clone(), ServiceWrite::NumberTaken),
        (
            BookableService {
                number: TransactionNumber::try_new(2).expect("a number"),
                ..made
            },
            ServiceWrite::ReferenceTaken,
        ),
        (bookable_service("none", 1), ServiceWrite::AccountUnknown),
    ] {
        let created = bookings.create_service(&service).await;
        assert_eq!(created.expect("create"), expected);
    }
}

/// An account has so many services and not one more, in parts by the moment they were made.
pub async fn the_services_of_an_account_have_a_limit(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let bookings = &stores.bookings;
    for number in 1..=u64::from(SERVICES_MAX) + 1 {
        let service = BookableService {
            created_at: at(number),
            ..bookable_service("shop", number)
        };
        let created = bookings.create_service(&service).await.expect("create");
        let expected = if number > u64::from(SERVICES_MAX) {
            ServiceWrite::TooMany
        } else {
            ServiceWrite::Done
        };
        assert_eq!(created, expected, "{number}");
    }
    for (sort, first) in [(Sort::Ascending, 2), (Sort::Descending, 499)] {
        let page = PageOf {
            offset: 1,
            length: 2,
            sort,
        };
        let found = bookings.bookable_services(&account_id("shop"), page).await;
        let found = found.expect("list");
        assert_eq!(found.total, u64::from(SERVICES_MAX));
        assert_eq!(found.services.len(), 2);
        assert_eq!(found.services[0].number.get(), first);
    }
}

/// An appointment reads back as it was booked, to its account alone; its number and its reference
/// are its own, and its service must have the version by which it was seated.
pub async fn an_appointment_reads_back_as_it_was_booked(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    offered(stores, "shop").await;
    let booked = has_booked(stores, appointment("shop", 7, 60)).await;
    let state = found(stores, &booked).await;
    assert_eq!((&state.appointment, state.paid), (&booked, naira("0.00")));
    let bookings = &stores.bookings;
    let name = BookingName::Reference(&booked.reference);
    let named = bookings.appointment(&booked.account, name).await;
    assert_eq!(named.expect("find"), Some(state));
    let other = bookings.appointment(&account_id("other"), name).await;
    assert_eq!(other.expect("find"), None);
    let later = appointment("shop", 8, 120);
    let seats = [later.seat.clone()];
    let same_number = Appointment {
        number: booked.number,
        ..later.clone()
    };
    let same_reference = Appointment {
        reference: booked.reference.clone(),
        ..later.clone()
    };
    for (wanted, expected) in [
        (&same_number, AppointmentWrite::NumberTaken),
        (&same_reference, AppointmentWrite::ReferenceTaken),
    ] {
        assert_eq!(book(stores, wanted, (&seats, at(0))).await, expected);
    }
    let session = checkout("shop", 9);
    let made = stores.collections.create_collection(&session).await;
    assert_eq!(made.expect("open a session"), CollectionCreation::Done);
    let of_session = appointment("shop", 9, 120);
    let taken = book(stores, &of_session, (&seats, at(0))).await;
    assert_eq!(taken, AppointmentWrite::NumberTaken);
    let another_version = Seating {
        seats: &seats,
        version: 2,
        now: at(0),
    };
    let refused = bookings.book(&later, another_version).await;
    assert_eq!(refused.expect("book"), AppointmentWrite::Conflict);
    stores.must_be_clean(at(0)).await;
}

/// The first seat that is free is given, and none where all are taken; what overlaps in part is
/// taken too.
pub async fn the_first_free_seat_is_given(stores: &Stores) {
    stores.has_account("shop", "100").await;
    offered(stores, "shop").await;
    let with = |name: &str, minutes: u64| Seat {
        staff: StaffName::parse(name).ok(),
        ..seat(minutes)
    };
    let both = [with("Ada", 60), with("Bola", 60)];
    for (number, expected) in [(7, Some("Ada")), (8, Some("Bola")), (9, None)] {
        let wanted = appointment("shop", number, 60);
        let written = book(stores, &wanted, (&both, at(0))).await;
        let given = if let AppointmentWrite::Done(booked) = written {
            booked.seat.staff
        } else {
            assert_eq!(written, AppointmentWrite::Taken);
            None
        };
        assert_eq!(given.as_ref().map(StaffName::as_str), expected);
    }
    for (number, minutes, expected) in [
        (10, 45, false),
        (11, 75, false),
        (12, 30, true),
        (13, 90, true),
    ] {
        let wanted = appointment("shop", number, minutes);
        let written = book(stores, &wanted, (&[with("Ada", minutes)], at(0))).await;
        assert_eq!(written != AppointmentWrite::Taken, expected, "{minutes}");
    }
    let period = AppointmentPeriod {
        from: at(60 * 60),
        until: at(61 * 60),
    };
    let resources = both.each_ref().map(Seat::resource);
    let shop = account_id("shop");
    let occupied = stores.bookings.occupations(&shop, &resources, period);
    assert_eq!(occupied.await.expect("look").len(), 2);
    stores.must_be_clean(at(0)).await;
}

/// What was held and not paid gives its time away once the hold is over, and what was paid does
/// not, however late.
pub async fn a_hold_lapses_unless_it_is_paid(stores: &Stores) {
    stores.has_account("shop", "100").await;
    offered(stores, "shop").await;
    let unpaid = has_booked(stores, held(7, 60)).await;
    let paid = has_booked(stores, held(8, 120)).await;
    let in_part = has_booked(stores, held(9, 180)).await;
    pays(stores, &paid, "5,000.00").await;
    pays(stores, &in_part, "4,999.99").await;
    let wants = |number, of: &Appointment| Appointment {
        seat: of.seat.clone(),
        ..appointment("shop", number, 60)
    };
    for (number, of, now, is_given) in [
        (20, &unpaid, 959, false),
        (20, &unpaid, 960, true),
        (21, &paid, 9_000, false),
        (22, &in_part, 960, true),
    ] {
        let wanted = wants(number, of);
        let written = book(
            stores,
            &wanted,
            (std::slice::from_ref(&wanted.seat), at(now)),
        )
        .await;
        assert_eq!(
            written != AppointmentWrite::Taken,
            is_given,
            "{number} {now}"
        );
    }
    for (of, stage, status, version) in [
        (
            &unpaid,
            AppointmentStage::Lapsed,
            AppointmentStatus::Cancelled,
            2,
        ),
        (&paid, paid.stage, AppointmentStatus::Booked, 1),
        (
            &in_part,
            AppointmentStage::Lapsed,
            AppointmentStatus::Cancelled,
            2,
        ),
    ] {
        let state = found(stores, of).await;
        assert_eq!(state.appointment.stage, stage);
        assert_eq!(
            (state.status(), state.appointment.version),
            (status, version)
        );
    }
    stores.must_be_clean(at(0)).await;
}

/// An appointment is moved to a free seat from the version that was seen, beside itself where the
/// two overlap.
pub async fn an_appointment_is_moved_to_a_free_seat(stores: &Stores) {
    stores.has_account("shop", "100").await;
    offered(stores, "shop").await;
    let first = has_booked(stores, appointment("shop", 7, 60)).await;
    let second = has_booked(stores, appointment("shop", 8, 120)).await;
    let put = async |read: &Appointment, minutes: u64| {
        let seats = [seat(minutes)];
        let seating = Seating {
            seats: &seats,
            version: 1,
            now: at(0),
        };
        let moved = stores.bookings.move_appointment(read, seating).await;
        moved.expect("move")
    };
    assert_eq!(put(&first, 120).await, AppointmentWrite::Taken);
    let moved = first.moved(seat(75));
    let done = AppointmentWrite::Done(Box::new(moved.clone()));
    assert_eq!(put(&first, 75).await, done);
    assert_eq!(put(&first, 300).await, AppointmentWrite::Conflict);
    assert_eq!(found(stores, &first).await.appointment, moved);
    assert_eq!(moved.moved_from, Some(first.seat.starts_at));
    let cancelled = Appointment {
        stage: AppointmentStage::Cancelled,
        version: 2,
        ..second.clone()
    };
    for expected in [
        AppointmentWrite::Done(Box::new(cancelled.clone())),
        AppointmentWrite::Conflict,
    ] {
        let written = stores.bookings.change_appointment(&cancelled).await;
        assert_eq!(written.expect("change"), expected);
    }
    let freed = put(&moved, 120).await;
    assert!(matches!(freed, AppointmentWrite::Done(_)), "{freed:?}");
    stores.must_be_clean(at(0)).await;
}

/// A thousand that book a hundred times at once get a hundred appointments.
pub async fn of_a_thousand_at_once_each_time_is_given_once(stores: &Stores) {
    stores.has_account("shop", "100").await;
    offered(stores, "shop").await;
    let mut bookings = JoinSet::new();
    for number in 1..=1_000_u64 {
        let store = stores.bookings.clone();
        bookings.spawn(async move {
            let wanted = appointment("shop", number + 10, 60 + number % 100 * 30);
            let seats = [wanted.seat.clone()];
            let seating = Seating {
                seats: &seats,
                version: 1,
                now: at(0),
            };
            let booked = store.book(&wanted, seating).await.expect("book");
            let is_booked = booked == AppointmentWrite::Done(Box::new(wanted));
            assert!(is_booked || booked == AppointmentWrite::Taken, "{booked:?}");
            is_booked.then(|| seats[0].starts_at)
        });
    }
    let given: Vec<_> = bookings.join_all().await.into_iter().flatten().collect();
    let distinct: BTreeSet<_> = given.iter().copied().collect();
    assert_eq!((given.len(), distinct.len()), (100, 100));
    let period = AppointmentPeriod {
        from: at(0),
        until: at(60 * 60 * 24 * 30),
    };
    let page = PageOf {
        offset: 99,
        length: 10,
        sort: Sort::Descending,
    };
    let shop = account_id("shop");
    let found = stores.bookings.appointments(&shop, period, page);
    let found = found.await.expect("list");
    assert_eq!((found.total, found.appointments.len()), (100, 1));
    assert_eq!(found.appointments[0].appointment.seat.starts_at, at(3_600));
    stores.must_be_clean(at(0)).await;
}
