//! Services of merchants: made, changed and read.

use super::{BookingError, TRIES_MAX};
use crate::expected_version::ExpectedVersion;
use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::request_error::RequestError;
use domain::booking::{BookableService, NewBookableService, ServiceTerms};
use domain::idempotency::IdempotencyKey;
use domain::reference::TransactionNumber;
use ports::PortError;
use ports::batches::PageOf;
use ports::bookings::{BookingName, ServicePage, ServiceWrite};

/// A service, and whether the request made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceResult {
    /// The service.
    pub service: BookableService,
    /// Whether an earlier request had made it.
    pub replay: ReplayMark,
}

impl Gateway {
    /// Makes a service; where the merchant's key of the request made it before, that one is
    /// answered as it is now.
    ///
    /// # Errors
    /// Refuses a reference and a key that were used for another one, and more services than an
    /// account may have.
    pub async fn create_bookable_service(
        &self,
        merchant: &Merchant,
        wanted: NewBookableService,
        retry_key: Option<&IdempotencyKey>,
    ) -> Result<ServiceResult, BookingError> {
        for _ in 0..TRIES_MAX {
            let number = match retry_key {
                Some(key) => self.retried_number("bookable service", merchant, key)?,
                None => self.parts().ids.transaction_number(),
            };
            let service = BookableService {
                account: merchant.account.id.clone(),
                number,
                reference: wanted.reference.clone(),
                terms: wanted.terms.clone(),
                version: 1,
                created_at: self.now(),
            };
            if retry_key.is_some()
                && let Some(earlier) = self.find_service(merchant, number).await?
            {
                return replayed(earlier, &wanted);
            }
            match self.parts().bookings.create_service(&service).await? {
                ServiceWrite::Done => {
                    return Ok(ServiceResult {
                        service,
                        replay: ReplayMark::New,
                    });
                }
                ServiceWrite::NumberTaken | ServiceWrite::Conflict => {}
                ServiceWrite::ReferenceTaken => {
                    return Err(BookingError::ServiceReferenceTaken(wanted.reference));
                }
                ServiceWrite::TooMany => return Err(BookingError::TooManyServices),
                ServiceWrite::AccountUnknown => {
                    let what = "an authenticated account was not found as its service was stored";
                    return Err(PortError::new("bookings", what).into());
                }
            }
        }
        Err(PortError::new("ids", "the numbers that are drawn for services are in use").into())
    }

    /// Changes all that can be booked of a service. Where it is so already nothing changes.
    /// Appointments that were booked stay as they are.
    ///
    /// # Errors
    /// Refuses a service that is not the merchant's, and a version that it has not.
    pub async fn change_bookable_service(
        &self,
        merchant: &Merchant,
        (number, terms): (TransactionNumber, ServiceTerms),
        seen: &ExpectedVersion,
    ) -> Result<BookableService, BookingError> {
        for _ in 0..TRIES_MAX {
            let found = self.find_service(merchant, number).await?;
            let service = found.ok_or(BookingError::ServiceUnknown)?;
            if !seen.is_matched_by(service.version) {
                return Err(BookingError::Changed);
            }
            if service.terms == terms {
                return Ok(service);
            }
            if seen.stated != service.version {
                return Err(BookingError::Stale(service.version));
            }
            let changed = BookableService {
                terms: terms.clone(),
                version: service.version.saturating_add(1),
                ..service
            };
            match self.parts().bookings.change_service(&changed).await? {
                ServiceWrite::Done => return Ok(changed),
                ServiceWrite::Conflict => {}
                refused @ (ServiceWrite::NumberTaken
                | ServiceWrite::ReferenceTaken
                | ServiceWrite::TooMany
                | ServiceWrite::AccountUnknown) => {
                    let what = format!("a change of a service was answered {refused:?}");
                    return Err(PortError::new("bookings", what).into());
                }
            }
        }
        Err(PortError::new("bookings", "others change the service all the time").into())
    }

    /// One of the merchant's services.
    ///
    /// # Errors
    /// Refuses a name under which the merchant made none.
    pub async fn bookable_service(
        &self,
        merchant: &Merchant,
        name: BookingName<'_>,
    ) -> Result<BookableService, BookingError> {
        let bookings = &self.parts().bookings;
        let found = bookings.bookable_service(&merchant.account.id, name);
        found.await?.ok_or(BookingError::ServiceUnknown)
    }

    /// A part of the merchant's services.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn bookable_services(
        &self,
        merchant: &Merchant,
        page: PageOf,
    ) -> Result<ServicePage, BookingError> {
        let bookings = &self.parts().bookings;
        let found = bookings.bookable_services(&merchant.account.id, page);
        Ok(found.await?)
    }

    async fn find_service(
        &self,
        merchant: &Merchant,
        number: TransactionNumber,
    ) -> Result<Option<BookableService>, PortError> {
        let name = BookingName::Number(number);
        let bookings = &self.parts().bookings;
        bookings.bookable_service(&merchant.account.id, name).await
    }
}

/// What the key of the request made before, where it is what is wanted now. What was changed since
/// cannot be compared: its reference says that it is the one.
fn replayed(
    earlier: BookableService,
    wanted: &NewBookableService,
) -> Result<ServiceResult, BookingError> {
    let is_same = earlier.version > 1 || earlier.terms == wanted.terms;
    if earlier.reference != wanted.reference || !is_same {
        return Err(RequestError::KeyReused.into());
    }
    Ok(ServiceResult {
        service: earlier,
        replay: ReplayMark::Replayed,
    })
}
