//! Bookings: how a key books once, and how the session of an appointment follows it.

use super::support::{World, merchant};
use application::booking::{AppointmentResult, BookingError, BookingName, TimeRefusal};
use application::expected_version::ExpectedVersion;
use application::{Gateway, ReplayMark, RequestError};
use domain::booking::{
    AppointmentStatus, AppointmentStep, BookableService, NewAppointment, NewBookableService,
    ServiceTerms,
};
use domain::idempotency::IdempotencyKey;
use domain::reference::TransactionNumber;
use domain::time::Timestamp;
use ports::bookings::{AppointmentWrite, Bookings as _, Seating, ServiceWrite};
use testkit::builders::{at, bookable_service, reference};
use tokio::task::JoinSet;

/// Every hour of every day.
const ALWAYS: [&str; 7] = [
    "Mon 00:00-24:00",
    "Tue 00:00-24:00",
    "Wed 00:00-24:00",
    "Thu 00:00-24:00",
    "Fri 00:00-24:00",
    "Sat 00:00-24:00",
    "Sun 00:00-24:00",
];

fn terms(is_paid_before: bool) -> ServiceTerms {
    let like = bookable_service("shop", 1).terms;
    ServiceTerms {
        hours: ALWAYS.iter().map(|it| it.parse().unwrap()).collect(),
        closed: Vec::new(),
        prepayment: like.prepayment.clone().filter(|_| is_paid_before),
        ..like
    }
}

async fn offered(gateway: &Gateway, is_paid_before: bool) -> BookableService {
    let wanted = NewBookableService {
        reference: reference("cut"),
        terms: terms(is_paid_before),
    };
    let shop = merchant("shop");
    let made = gateway.create_bookable_service(&shop, wanted, None);
    made.await.unwrap().service
}

/// Two hours after the start, in which the world begins on the hour.
fn start() -> Timestamp {
    at(7_200)
}

fn wanted(under: &str, service: TransactionNumber) -> NewAppointment {
    let like = testkit::builders::appointment("shop", 1, 120);
    NewAppointment {
        reference: reference(under),
        service,
        starts_at: start(),
        staff: None,
        customer: like.customer,
        phone: like.phone,
        email: like.email,
        note: like.note,
        zone: like.zone,
    }
}

async fn book(
    gateway: &Gateway,
    wanted: NewAppointment,
    key: Option<&str>,
) -> Result<AppointmentResult, BookingError> {
    let key = key.map(|key| IdempotencyKey::parse(key).unwrap());
    let shop = merchant("shop");
    gateway.book_appointment(&shop, wanted, key.as_ref()).await
}

#[tokio::test]
async fn a_key_books_one_appointment_and_opens_one_session_however_many_ask_at_once() {
    let world = World::new().await;
    let gateway = world.gateway();
    let service = offered(&gateway, true).await;
    let mut asked = JoinSet::new();
    for _ in 0..50 {
        let gateway = gateway.clone();
        let wanted = wanted("one", service.number);
        asked.spawn(async move { book(&gateway, wanted, Some("try-1")).await });
    }
    let mut new = 0;
    for booked in asked.join_all().await {
        let booked = booked.unwrap();
        new += usize::from(booked.replay == ReplayMark::New);
        assert_eq!(booked.state.status(), AppointmentStatus::Held);
    }
    assert_eq!(new, 1);
    let again = book(&gateway, wanted("one", service.number), Some("try-1")).await;
    let again = again.unwrap();
    assert_eq!(again.replay, ReplayMark::Replayed);
    let links = gateway.appointment_session(&again.state).await.unwrap();
    assert!(links.unwrap().page.contains("/checkout/pay/"));
    let other = book(&gateway, wanted("two", service.number), Some("try-1")).await;
    assert!(
        matches!(other, Err(BookingError::Request(RequestError::KeyReused))),
        "{other:?}"
    );
}

/// The first request stored the appointment, and its instance was killed before it opened the
/// session.
#[tokio::test]
async fn a_session_that_was_not_opened_is_opened_by_the_retry() {
    let first = World::new().await;
    let gateway = first.gateway();
    let service = offered(&gateway, true).await;
    let booked = book(&gateway, wanted("one", service.number), Some("try-1")).await;
    let stored = booked.unwrap().state.appointment;
    // Another store has the appointment alone.
    let second = World::new().await;
    let gateway = second.gateway();
    let store = second.exposed.store.as_ref();
    let made = store.create_service(&service).await;
    assert_eq!(made.unwrap(), ServiceWrite::Done);
    let seating = Seating {
        seats: std::slice::from_ref(&stored.seat),
        version: 1,
        now: at(0),
    };
    let written = store.book(&stored, seating).await.unwrap();
    assert_eq!(written, AppointmentWrite::Done(Box::new(stored.clone())));
    let shop = merchant("shop");
    let name = BookingName::Number(stored.number);
    let state = gateway.appointment(&shop, name).await.unwrap();
    assert_eq!(gateway.appointment_session(&state).await.unwrap(), None);
    let again = book(&gateway, wanted("one", service.number), Some("try-1")).await;
    let again = again.unwrap();
    assert_eq!(again.replay, ReplayMark::Replayed);
    let links = gateway.appointment_session(&again.state).await.unwrap();
    assert!(links.is_some());
}

#[tokio::test]
async fn of_two_people_after_one_time_one_gets_it() {
    let world = World::new().await;
    let gateway = world.gateway();
    let service = offered(&gateway, false).await;
    let mut asked = JoinSet::new();
    for nth in 0..40 {
        let gateway = gateway.clone();
        let wanted = wanted(&format!("person-{nth}"), service.number);
        asked.spawn(async move { book(&gateway, wanted, None).await });
    }
    let mut staff: Vec<_> = Vec::new();
    for booked in asked.join_all().await {
        match booked {
            Ok(booked) => staff.push(booked.state.appointment.seat.staff.unwrap().to_string()),
            Err(refused) => assert!(
                matches!(refused, BookingError::Time(TimeRefusal::Taken)),
                "{refused:?}"
            ),
        }
    }
    staff.sort();
    assert_eq!(staff, ["Ada", "Bola"]);
}

#[tokio::test]
async fn a_session_is_closed_with_its_appointment() {
    let world = World::new().await;
    let gateway = world.gateway();
    let service = offered(&gateway, true).await;
    let booked = book(&gateway, wanted("one", service.number), None).await;
    let state = booked.unwrap().state;
    let shop = merchant("shop");
    let links = gateway.appointment_session(&state).await.unwrap().unwrap();
    let at = links.page.rfind('/').unwrap() + 1;
    let page = gateway.checkout_page(&links.page[at..]).await.unwrap();
    assert_eq!(
        page.unwrap().state.collection.number,
        state.appointment.number
    );
    let seen = ExpectedVersion {
        stated: 1,
        only_in: None,
    };
    for _ in 0..2 {
        let step = (state.appointment.number, AppointmentStep::Cancel);
        let ended = gateway.end_appointment(&shop, step, (None, &seen)).await;
        let ended = ended.unwrap();
        assert_eq!(ended.status(), AppointmentStatus::Cancelled);
        let page = gateway.checkout_page(&links.page[at..]).await.unwrap();
        let session = page.unwrap().state;
        let status = session.checkout_status(gateway.now());
        assert_eq!(status, domain::collection::CheckoutStatus::Cancelled);
    }
}
