//! Services that can be booked, and appointments. Whether a time is free must be judged under the
//! locks of the wallets, in the commit that takes it, so that no two appointments get it.

use crate::PortError;
use crate::batches::PageOf;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::booking::{Appointment, AppointmentState, BookableService, Occupation, Seat};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;

/// What became of writing a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServiceWrite {
    /// Written.
    Done,
    /// The number is in use.
    NumberTaken,
    /// The account made another one under the reference.
    ReferenceTaken,
    /// The account has as many as it may have.
    TooMany,
    /// It has another version than the one that was read.
    Conflict,
    /// No such account.
    AccountUnknown,
}

/// What became of writing an appointment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AppointmentWrite {
    /// Written, and the appointment as it is stored now.
    Done(Box<Appointment>),
    /// The number is in use by another appointment or a collection.
    NumberTaken,
    /// The account made another appointment under the reference.
    ReferenceTaken,
    /// None of the seats is free.
    Taken,
    /// The appointment or its service has another version than the one that was read.
    Conflict,
    /// No such account.
    AccountUnknown,
}

/// By what a service or an appointment of an account is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BookingName<'a> {
    /// The merchant's reference.
    Reference(&'a MerchantReference),
    /// The gateway's number.
    Number(TransactionNumber),
}

/// What an appointment is seated by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seating<'a> {
    /// The seats that would do, the preferred ones first.
    pub seats: &'a [Seat],
    /// The version of the service by which they were found.
    pub version: u32,
    /// The moment, by which what was held and not paid is over.
    pub now: Timestamp,
}

/// Some services of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServicePage {
    /// The services of the part.
    pub services: Vec<BookableService>,
    /// How many there are.
    pub total: u64,
}

/// Which appointments of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AppointmentPeriod {
    /// Those that begin at this moment or later.
    pub from: Timestamp,
    /// Those that begin before this moment.
    pub until: Timestamp,
}

/// Some appointments of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppointmentPage {
    /// The appointments of the part.
    pub appointments: Vec<AppointmentState>,
    /// How many there are in the period.
    pub total: u64,
}

/// Services and appointments of accounts.
#[async_trait]
pub trait Bookings: Send + Sync + std::fmt::Debug {
    /// Stores a service.
    ///
    /// # Errors
    /// When the store failed.
    async fn create_service(&self, service: &BookableService) -> Result<ServiceWrite, PortError>;

    /// Stores a service as it is after a change, where the version before is stored still.
    ///
    /// # Errors
    /// When the store failed.
    async fn change_service(&self, service: &BookableService) -> Result<ServiceWrite, PortError>;

    /// One service of an account.
    ///
    /// # Errors
    /// When the store failed, or the row breaks a rule.
    async fn bookable_service(
        &self,
        account: &AccountId,
        name: BookingName<'_>,
    ) -> Result<Option<BookableService>, PortError>;

    /// A part of the services of an account, by the moment they were made.
    ///
    /// # Errors
    /// When the store failed, or a row breaks a rule.
    async fn bookable_services(
        &self,
        account: &AccountId,
        page: PageOf,
    ) -> Result<ServicePage, PortError>;

    /// What takes time of some resources of an account in a period: appointments that were held and
    /// not paid in time are among it.
    ///
    /// # Errors
    /// When the store failed, or a row breaks a rule.
    async fn occupations(
        &self,
        account: &AccountId,
        resources: &[String],
        period: AppointmentPeriod,
    ) -> Result<Vec<Occupation>, PortError>;

    /// Stores an appointment in the first seat that is free, where its service has the version
    /// still. What was held for the seat and not paid in time lapses in the same commit.
    ///
    /// # Errors
    /// When the store failed.
    async fn book(
        &self,
        appointment: &Appointment,
        seating: Seating<'_>,
    ) -> Result<AppointmentWrite, PortError>;

    /// Moves an appointment that was read to the first seat that is free, as [`Self::book`] does.
    ///
    /// # Errors
    /// When the store failed.
    async fn move_appointment(
        &self,
        appointment: &Appointment,
        seating: Seating<'_>,
    ) -> Result<AppointmentWrite, PortError>;

    /// Stores an appointment as it is after a step that keeps its seat or gives it up, where the
    /// version before is stored still.
    ///
    /// # Errors
    /// When the store failed.
    async fn change_appointment(
        &self,
        appointment: &Appointment,
    ) -> Result<AppointmentWrite, PortError>;

    /// One appointment of an account.
    ///
    /// # Errors
    /// When the store failed, or the row breaks a rule.
    async fn appointment(
        &self,
        account: &AccountId,
        name: BookingName<'_>,
    ) -> Result<Option<AppointmentState>, PortError>;

    /// A part of the appointments of an account that begin in a period, by their beginning.
    ///
    /// # Errors
    /// When the store failed, or a row breaks a rule.
    async fn appointments(
        &self,
        account: &AccountId,
        period: AppointmentPeriod,
        page: PageOf,
    ) -> Result<AppointmentPage, PortError>;
}
