//! Appointments that customers of merchants book. A time must be given away by the store alone,
//! under the locks of the wallets; what is looked up here may be taken a moment later.

mod calendar;
mod error;
mod service;
mod slots;
mod steps;

pub use error::{BookingError, TimeRefusal};
pub use service::ServiceResult;
pub use slots::{SLOTS_MAX, SLOTS_PERIOD_MAX};

use crate::collections::{CheckoutLinks, CollectionError};
use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::request_error::RequestError;
use domain::booking::{
    Appointment, AppointmentState, AppointmentStatus, AppointmentStep, BookableService,
    NewAppointment, Prepayment, Seat, ServiceTerms, StaffName,
};
use domain::collection::{CheckoutStatus, NewCheckout, SaleItem};
use domain::idempotency::IdempotencyKey;
use domain::money::{Currency, Money};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use ports::PortError;
use ports::batches::PageOf;
pub use ports::bookings::{AppointmentPage, AppointmentPeriod, BookingName, ServicePage};
use ports::bookings::{AppointmentWrite, Seating};
use ports::collections::{CollectionName, CollectionSort};
use ports::invoices::InvoiceName;
use std::time::Duration;

/// How often a step is tried again where another one came first, or a number is in use.
const TRIES_MAX: usize = 8;

/// An appointment, and whether the request booked it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppointmentResult {
    /// The appointment, and what was paid.
    pub state: AppointmentState,
    /// Whether an earlier request had booked it.
    pub replay: ReplayMark,
}

impl Gateway {
    /// Books an appointment; where it is paid before, its time is held and its checkout session
    /// opened. Where the merchant's key of the request booked it before, that one is answered as it
    /// is now.
    ///
    /// # Errors
    /// Refuses a reference and a key that were used for another one, a service that is not offered,
    /// and a time at which it is not served, that is too soon or too far away, or taken.
    pub async fn book_appointment(
        &self,
        merchant: &Merchant,
        wanted: NewAppointment,
        retry_key: Option<&IdempotencyKey>,
    ) -> Result<AppointmentResult, BookingError> {
        for _ in 0..TRIES_MAX {
            let number = match retry_key {
                Some(key) => self.retried_number("appointment", merchant, key)?,
                None => self.parts().ids.transaction_number(),
            };
            if retry_key.is_some()
                && let Some(earlier) = self.find_appointment(merchant, number).await?
            {
                return self.replayed(merchant, earlier, &wanted).await;
            }
            let service = self.bookable(merchant, wanted.service).await?;
            let prepayment = prepayment(&service.terms);
            if prepayment.is_some() && !self.may_open_session(merchant, &wanted, number).await? {
                continue;
            }
            let now = self.now();
            let seats = seats(&service, (wanted.starts_at, now), wanted.staff.as_ref())?;
            let first = seats.first().ok_or(TimeRefusal::Unserved)?;
            let appointment = Appointment::made(
                merchant.account.id.clone(),
                wanted.clone(),
                (first.clone(), service.terms.price),
                (number, now, prepayment),
            );
            let seating = Seating {
                seats: &seats,
                version: service.version,
                now,
            };
            let written = self.parts().bookings.book(&appointment, seating).await?;
            if let Some(booked) = written_of(written, &wanted.reference)? {
                let state = self.with_session(merchant, &booked, &service.terms).await?;
                return Ok(AppointmentResult {
                    state,
                    replay: ReplayMark::New,
                });
            }
        }
        Err(PortError::new("bookings", "others change the service all the time").into())
    }

    /// One of the merchant's appointments.
    ///
    /// # Errors
    /// Refuses a name under which the merchant booked none.
    pub async fn appointment(
        &self,
        merchant: &Merchant,
        name: BookingName<'_>,
    ) -> Result<AppointmentState, BookingError> {
        let found = self
            .parts()
            .bookings
            .appointment(&merchant.account.id, name);
        found.await?.ok_or(match name {
            BookingName::Reference(_) => BookingError::ReferenceUnknown,
            BookingName::Number(_) => BookingError::Unknown,
        })
    }

    /// A part of the merchant's appointments.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn appointments(
        &self,
        merchant: &Merchant,
        period: AppointmentPeriod,
        page: PageOf,
    ) -> Result<AppointmentPage, BookingError> {
        let bookings = &self.parts().bookings;
        let found = bookings.appointments(&merchant.account.id, period, page);
        Ok(found.await?)
    }

    /// What leads to the session in which an appointment is paid, while that is open.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn appointment_session(
        &self,
        state: &AppointmentState,
    ) -> Result<Option<CheckoutLinks>, BookingError> {
        let now = self.now();
        if state.held_until().is_none_or(|until| until <= now) {
            return Ok(None);
        }
        let appointment = &state.appointment;
        let name = CollectionName::Number(appointment.number);
        let collections = &self.parts().collections;
        let session = collections.collection(&appointment.account, name).await?;
        let open = session.filter(|it| it.checkout_status(now) == CheckoutStatus::Open);
        Ok(open.map(|it| self.checkout_links(&it.collection)))
    }

    async fn find_appointment(
        &self,
        merchant: &Merchant,
        number: TransactionNumber,
    ) -> Result<Option<AppointmentState>, PortError> {
        let name = BookingName::Number(number);
        let bookings = &self.parts().bookings;
        bookings.appointment(&merchant.account.id, name).await
    }

    /// A service that can be booked.
    async fn bookable(
        &self,
        merchant: &Merchant,
        number: TransactionNumber,
    ) -> Result<BookableService, BookingError> {
        let service = self
            .bookable_service(merchant, BookingName::Number(number))
            .await?;
        if service.terms.is_offered {
            Ok(service)
        } else {
            Err(BookingError::NotOffered)
        }
    }

    /// Whether a session can be opened under a reference; not where an earlier try of the request
    /// booked the appointment meanwhile.
    ///
    /// # Errors
    /// Refuses where no customer reaches pages, and a reference that something else has.
    async fn may_open_session(
        &self,
        merchant: &Merchant,
        wanted: &NewAppointment,
        number: TransactionNumber,
    ) -> Result<bool, BookingError> {
        if !self.is_checkout_ready(merchant) {
            return Err(BookingError::Session(CollectionError::CheckoutNotReady));
        }
        let (account, reference) = (&merchant.account.id, &wanted.reference);
        let name = BookingName::Reference(reference);
        let earlier = self.parts().bookings.appointment(account, name).await?;
        if let Some(earlier) = earlier {
            if earlier.appointment.number == number {
                return Ok(false);
            }
            return Err(BookingError::ReferenceTaken(reference.clone()));
        }
        let name = CollectionName::Reference(reference);
        let earlier = self.parts().collections.collection(account, name).await?;
        let sort = earlier.map(|it| CollectionSort::of(&it.collection.kind));
        let name = InvoiceName::Reference(reference);
        let is_invoice = self
            .parts()
            .invoices
            .invoice(account, name)
            .await?
            .is_some();
        match sort.or(is_invoice.then_some(CollectionSort::Bill)) {
            Some(sort) => Err(BookingError::CollectionTaken(reference.clone(), sort)),
            None => Ok(true),
        }
    }

    /// An appointment as it is stored, with its session where it waits for its payment. Where the
    /// reference was given to something else meanwhile it is called off: it could not be paid.
    async fn with_session(
        &self,
        merchant: &Merchant,
        booked: &AppointmentState,
        terms: &ServiceTerms,
    ) -> Result<AppointmentState, BookingError> {
        if let Err(refused) = self.open_session(merchant, booked, terms).await {
            if let Ok(Some(ended)) = booked.after(&AppointmentStep::Cancel, None) {
                self.parts().bookings.change_appointment(&ended).await?;
            }
            return Err(refused);
        }
        if booked.held_until().is_none() {
            return Ok(booked.clone());
        }
        let number = booked.appointment.number;
        let stored = self.find_appointment(merchant, number).await?;
        let stored = stored.ok_or(BookingError::Unknown)?;
        if stored.status() == AppointmentStatus::Cancelled {
            self.close_session(merchant, &stored).await?;
        }
        Ok(stored)
    }

    /// Opens the session of an appointment that waits for its payment, unless it is there. It ends
    /// with the hold.
    async fn open_session(
        &self,
        merchant: &Merchant,
        state: &AppointmentState,
        terms: &ServiceTerms,
    ) -> Result<(), BookingError> {
        let appointment = &state.appointment;
        let (Some(until), Some(redirect)) = (state.held_until(), &appointment.redirect) else {
            return Ok(());
        };
        let item = SaleItem {
            name: terms.name.clone(),
            quantity: 1,
            amount: appointment.price,
        };
        let wanted = NewCheckout {
            reference: appointment.reference.clone(),
            amount: appointment.price,
            customer: appointment.customer.clone(),
            email: appointment.email.clone(),
            phone: Some(appointment.phone.clone()),
            redirect: redirect.clone(),
            items: vec![item],
            expires_at: Some(until),
        };
        self.checkout_under(merchant, (appointment.number, wanted))
            .await?;
        Ok(())
    }

    /// What the key of the request booked before, where it is what is wanted now. A session that
    /// was not opened then is opened.
    async fn replayed(
        &self,
        merchant: &Merchant,
        earlier: AppointmentState,
        wanted: &NewAppointment,
    ) -> Result<AppointmentResult, BookingError> {
        if !wanted.made(&earlier.appointment) {
            return Err(RequestError::KeyReused.into());
        }
        let is_held = earlier.held_until().is_some_and(|until| until > self.now());
        let state = if is_held {
            let name = BookingName::Number(earlier.appointment.seat.service);
            let service = self.bookable_service(merchant, name).await?;
            self.with_session(merchant, &earlier, &service.terms)
                .await?
        } else {
            earlier
        };
        Ok(AppointmentResult {
            state,
            replay: ReplayMark::Replayed,
        })
    }
}

/// That an appointment is paid before; one that costs nothing is not.
fn prepayment(terms: &ServiceTerms) -> Option<&Prepayment> {
    let prepayment = terms.prepayment.as_ref();
    prepayment.filter(|_| terms.price.is_positive())
}

/// The seats in which an appointment that begins at a moment could be served, in the order of the
/// staff.
fn seats(
    service: &BookableService,
    (starts_at, now): (Timestamp, Timestamp),
    staff: Option<&StaffName>,
) -> Result<Vec<Seat>, BookingError> {
    let terms = &service.terms;
    if staff.is_some_and(|wanted| !terms.staff.contains(wanted)) {
        return Err(BookingError::StaffUnknown);
    }
    let (earliest, latest) = bounds(terms, now);
    if starts_at < earliest {
        return Err(TimeRefusal::TooSoon(terms.minutes.notice).into());
    }
    if starts_at > latest {
        return Err(TimeRefusal::TooFar(terms.horizon).into());
    }
    let until = starts_at.plus(Duration::from_millis(1));
    let beginnings = calendar::beginnings(terms, (starts_at, until));
    let beginning = beginnings.first().ok_or(TimeRefusal::Unserved)?;
    Ok(slots::seats_of(service, *beginning, staff))
}

/// From when to when a service is booked at a moment.
fn bounds(terms: &ServiceTerms, now: Timestamp) -> (Timestamp, Timestamp) {
    let notice = Duration::from_mins(terms.minutes.notice.into());
    let horizon = Duration::from_hours(u64::from(terms.horizon).saturating_mul(24));
    (now.plus(notice), now.plus(horizon))
}

/// What became of writing an appointment: it is done, or worth another try.
fn written_of(
    written: AppointmentWrite,
    reference: &MerchantReference,
) -> Result<Option<AppointmentState>, BookingError> {
    match written {
        AppointmentWrite::Done(appointment) => Ok(Some(AppointmentState {
            appointment: *appointment,
            paid: Money::zero(Currency::Ngn),
        })),
        AppointmentWrite::NumberTaken | AppointmentWrite::Conflict => Ok(None),
        AppointmentWrite::ReferenceTaken => Err(BookingError::ReferenceTaken(reference.clone())),
        AppointmentWrite::Taken => Err(TimeRefusal::Taken.into()),
        AppointmentWrite::AccountUnknown => {
            let what = "an authenticated account was not found as its appointment was stored";
            Err(PortError::new("bookings", what).into())
        }
    }
}
