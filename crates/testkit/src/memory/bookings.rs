//! Services and appointments. A time must be given away while the tables are locked.

use super::collections::part;
use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::booking::{
    Appointment, AppointmentStage, AppointmentState, BookableService, Occupation, SERVICES_MAX,
    Seat, choose_seat,
};
use domain::money::{Currency, Money};
use domain::reference::TransactionNumber;
use ports::PortError;
use ports::batches::PageOf;
use ports::bookings::{
    AppointmentPage, AppointmentPeriod, AppointmentWrite, BookingName, Bookings, Seating,
    ServicePage, ServiceWrite,
};

/// What is stored of bookings.
#[derive(Debug, Clone, Default)]
pub(super) struct BookingTables {
    pub(super) services: Vec<BookableService>,
    pub(super) appointments: Vec<Appointment>,
}

impl MemoryTables {
    fn paid_for(&self, appointment: &Appointment) -> Money {
        let payments = self.collections.payments.iter();
        let own = payments.filter(|paid| {
            paid.account == appointment.account && paid.collection == appointment.number
        });
        let paid = own.map(|paid| paid.amount.minor()).sum();
        Money::from_minor(paid, Currency::Ngn)
    }

    fn appointment_state(&self, appointment: &Appointment) -> AppointmentState {
        AppointmentState {
            appointment: appointment.clone(),
            paid: self.paid_for(appointment),
        }
    }

    /// What takes time of an account, but one appointment.
    pub(super) fn occupied(
        &self,
        account: &AccountId,
        but: Option<TransactionNumber>,
    ) -> Vec<Occupation> {
        let all = self.bookings.appointments.iter();
        let own = all.filter(|it| it.account == *account && Some(it.number) != but);
        let taking = own.filter_map(|it| {
            let held_until = match it.stage {
                AppointmentStage::Booked => None,
                AppointmentStage::Held { until } => {
                    (self.paid_for(it).minor() < it.price.minor()).then_some(until)
                }
                AppointmentStage::Cancelled
                | AppointmentStage::Lapsed
                | AppointmentStage::Completed
                | AppointmentStage::Missed => return None,
            };
            Some(Occupation {
                number: it.number,
                resource: it.seat.resource(),
                service: it.seat.service,
                starts_at: it.seat.starts_at,
                busy_until: it.seat.busy_until,
                held_until,
            })
        });
        taking.collect()
    }

    fn has_version(&self, appointment: &Appointment, version: u32) -> bool {
        let mut services = self.bookings.services.iter();
        services.any(|it| {
            (&it.account, it.number, it.version)
                == (&appointment.account, appointment.seat.service, version)
        })
    }

    /// The first free seat; what was held for it and not paid has lapsed.
    fn seated(
        &mut self,
        appointment: &Appointment,
        seating: Seating<'_>,
        but: Option<TransactionNumber>,
    ) -> Option<Seat> {
        let occupied = self.occupied(&appointment.account, but);
        let choice = choose_seat(seating.seats, &occupied, seating.now)?;
        for stored in &mut self.bookings.appointments {
            if stored.account == appointment.account && choice.over.contains(&stored.number) {
                stored.stage = AppointmentStage::Lapsed;
                stored.version += 1;
            }
        }
        seating.seats.get(choice.index).cloned()
    }

    fn stored_appointment(&mut self, read: &Appointment) -> Option<&mut Appointment> {
        let mut all = self.bookings.appointments.iter_mut();
        all.find(|it| {
            (&it.account, it.number, it.version) == (&read.account, read.number, read.version)
        })
    }
}

fn is_named(
    name: BookingName<'_>,
    number: TransactionNumber,
    reference: &domain::reference::MerchantReference,
) -> bool {
    match name {
        BookingName::Reference(wanted) => reference == wanted,
        BookingName::Number(wanted) => number == wanted,
    }
}

#[async_trait]
impl Bookings for MemoryStore {
    async fn create_service(&self, service: &BookableService) -> Result<ServiceWrite, PortError> {
        let mut tables = self.tables();
        if tables.account(&service.account).is_none() {
            return Ok(ServiceWrite::AccountUnknown);
        }
        let services = &mut tables.bookings.services;
        let own = || services.iter().filter(|it| it.account == service.account);
        if own().any(|it| it.number == service.number) {
            return Ok(ServiceWrite::NumberTaken);
        }
        if own().any(|it| it.reference == service.reference) {
            return Ok(ServiceWrite::ReferenceTaken);
        }
        if own().count() >= SERVICES_MAX as usize {
            return Ok(ServiceWrite::TooMany);
        }
        services.push(service.clone());
        Ok(ServiceWrite::Done)
    }

    async fn change_service(&self, service: &BookableService) -> Result<ServiceWrite, PortError> {
        let mut tables = self.tables();
        let mut services = tables.bookings.services.iter_mut();
        let stored = services.find(|it| {
            (&it.account, it.number, it.version + 1)
                == (&service.account, service.number, service.version)
        });
        Ok(match stored {
            Some(stored) => {
                *stored = service.clone();
                ServiceWrite::Done
            }
            None => ServiceWrite::Conflict,
        })
    }

    async fn bookable_service(
        &self,
        account: &AccountId,
        name: BookingName<'_>,
    ) -> Result<Option<BookableService>, PortError> {
        let tables = self.tables();
        let mut services = tables.bookings.services.iter();
        let found =
            services.find(|it| it.account == *account && is_named(name, it.number, &it.reference));
        Ok(found.cloned())
    }

    async fn bookable_services(
        &self,
        account: &AccountId,
        page: PageOf,
    ) -> Result<ServicePage, PortError> {
        let tables = self.tables();
        let own = tables.bookings.services.iter();
        let mut own: Vec<_> = own.filter(|it| it.account == *account).cloned().collect();
        own.sort_by_key(|it| (it.created_at, it.number));
        let total = own.len() as u64;
        Ok(ServicePage {
            services: part(own, page),
            total,
        })
    }

    async fn occupations(
        &self,
        account: &AccountId,
        resources: &[String],
        period: AppointmentPeriod,
    ) -> Result<Vec<Occupation>, PortError> {
        let mut all = self.tables().occupied(account, None);
        all.retain(|it| {
            resources.contains(&it.resource)
                && it.starts_at < period.until
                && it.busy_until > period.from
        });
        Ok(all)
    }

    async fn book(
        &self,
        appointment: &Appointment,
        seating: Seating<'_>,
    ) -> Result<AppointmentWrite, PortError> {
        let mut tables = self.tables();
        if tables.account(&appointment.account).is_none() {
            return Ok(AppointmentWrite::AccountUnknown);
        }
        let own = || {
            let all = tables.bookings.appointments.iter();
            all.filter(|it| it.account == appointment.account)
        };
        let mut collections = tables.collections.collections.iter();
        let is_drawn = collections
            .any(|it| it.account == appointment.account && it.number == appointment.number);
        if is_drawn || own().any(|it| it.number == appointment.number) {
            return Ok(AppointmentWrite::NumberTaken);
        }
        if own().any(|it| it.reference == appointment.reference) {
            return Ok(AppointmentWrite::ReferenceTaken);
        }
        if !tables.has_version(appointment, seating.version) {
            return Ok(AppointmentWrite::Conflict);
        }
        let Some(seat) = tables.seated(appointment, seating, None) else {
            return Ok(AppointmentWrite::Taken);
        };
        let booked = Appointment {
            seat,
            ..appointment.clone()
        };
        tables.bookings.appointments.push(booked.clone());
        Ok(AppointmentWrite::Done(Box::new(booked)))
    }

    async fn move_appointment(
        &self,
        appointment: &Appointment,
        seating: Seating<'_>,
    ) -> Result<AppointmentWrite, PortError> {
        let mut tables = self.tables();
        let is_current = tables.has_version(appointment, seating.version);
        if !is_current || tables.stored_appointment(appointment).is_none() {
            return Ok(AppointmentWrite::Conflict);
        }
        let own = Some(appointment.number);
        let Some(seat) = tables.seated(appointment, seating, own) else {
            return Ok(AppointmentWrite::Taken);
        };
        let moved = appointment.moved(seat);
        if let Some(stored) = tables.stored_appointment(appointment) {
            *stored = moved.clone();
        }
        Ok(AppointmentWrite::Done(Box::new(moved)))
    }

    async fn change_appointment(
        &self,
        appointment: &Appointment,
    ) -> Result<AppointmentWrite, PortError> {
        let mut tables = self.tables();
        let before = Appointment {
            version: appointment.version.saturating_sub(1),
            ..appointment.clone()
        };
        Ok(match tables.stored_appointment(&before) {
            Some(stored) => {
                *stored = appointment.clone();
                AppointmentWrite::Done(Box::new(appointment.clone()))
            }
            None => AppointmentWrite::Conflict,
        })
    }

    async fn appointment(
        &self,
        account: &AccountId,
        name: BookingName<'_>,
    ) -> Result<Option<AppointmentState>, PortError> {
        let tables = self.tables();
        let mut all = tables.bookings.appointments.iter();
        let found =
            all.find(|it| it.account == *account && is_named(name, it.number, &it.reference));
        Ok(found.map(|it| tables.appointment_state(it)))
    }

    async fn appointments(
        &self,
        account: &AccountId,
        period: AppointmentPeriod,
        page: PageOf,
    ) -> Result<AppointmentPage, PortError> {
        let tables = self.tables();
        let all = tables.bookings.appointments.iter();
        let own = all.filter(|it| {
            let starts_at = it.seat.starts_at;
            it.account == *account && starts_at >= period.from && starts_at < period.until
        });
        let mut own: Vec<_> = own.map(|it| tables.appointment_state(it)).collect();
        own.sort_by_key(|it| (it.appointment.seat.starts_at, it.appointment.number));
        let total = own.len() as u64;
        Ok(AppointmentPage {
            appointments: part(own, page),
            total,
        })
    }
}
