//! Services that can be booked and appointments. They must be written through the one
//! writer, so that no two get the same time.

use crate::batches::{in_direction, integer};
use crate::error::failed;
use crate::rows::json;
use crate::store::SqliteStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::booking::{Appointment, AppointmentState, BookableService, Occupation, ServiceMinutes};
use ports::PortError;
use ports::batches::PageOf;
use ports::bookings::{
    AppointmentPage, AppointmentPeriod, AppointmentWrite, BookingName, Bookings, Seating,
    ServicePage, ServiceWrite,
};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use std::time::Duration;
use storage_sql::record::{AppointmentRow, BookableServiceRow, OccupationRow};

/// The columns that [`service_row`] reads.
macro_rules! services {
    () => {
        "SELECT account, number, reference, terms, version, created_at FROM bookable_services"
    };
}

/// What was paid to the checkout session of an appointment.
macro_rules! paid {
    () => {
        "(SELECT coalesce(sum(p.amount), 0) FROM collected_payments AS p
            WHERE p.account = a.account AND p.collection = a.number)"
    };
}

/// The columns that [`appointment_row`] reads.
macro_rules! appointments {
    () => {
        concat!(
            "SELECT a.account, a.number, a.reference, a.service, a.resource, a.staff, a.starts_at,
                a.ends_at, a.busy_until, a.capacity, a.moved_from, a.customer, a.price, a.currency,
                a.stage, a.held_until, a.reason, a.version, a.created_at, ",
            paid!(),
            " FROM appointments AS a"
        )
    };
}

/// What takes time of some resources in a period, but one appointment: `held_until` is of what was
/// not paid.
pub(crate) const OCCUPATIONS: &str = concat!(
    "SELECT a.number, a.resource, a.service, a.starts_at, a.busy_until,
        CASE WHEN a.stage = 'held' AND ",
    paid!(),
    " < a.price THEN a.held_until END
    FROM appointments AS a
    WHERE a.account = ?1 AND a.resource IN (SELECT value FROM json_each(?2))
        AND a.stage IN ('held', 'booked') AND a.starts_at < ?3 AND a.starts_at > ?5
        AND a.busy_until > ?4 AND a.number <> ?6"
);

/// What stands in the way of a service: no such account, its number, its reference; and how many
/// there are. One row.
pub(crate) const SERVICE_OBSTACLES: &str = "
    SELECT
        NOT EXISTS (SELECT 1 FROM accounts WHERE id = ?1),
        EXISTS (SELECT 1 FROM bookable_services WHERE account = ?1 AND number = ?2),
        EXISTS (SELECT 1 FROM bookable_services WHERE account = ?1 AND reference = ?3),
        (SELECT count(*) FROM bookable_services WHERE account = ?1)";

pub(crate) const INSERT_SERVICE: &str = "
    INSERT INTO bookable_services (account, number, reference, terms, version, created_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

pub(crate) const CHANGE_SERVICE: &str = "
    UPDATE bookable_services SET terms = ?3, version = ?4
    WHERE account = ?1 AND number = ?2 AND version = ?4 - 1";

/// What stands in the way of an appointment: another version of its service, its number and its
/// reference. One row.
pub(crate) const OBSTACLES: &str = "
    SELECT
        NOT EXISTS (
            SELECT 1 FROM bookable_services WHERE account = ?1 AND number = ?4 AND version = ?5
        ),
        EXISTS (SELECT 1 FROM appointments WHERE account = ?1 AND number = ?2)
            OR EXISTS (SELECT 1 FROM collections WHERE account = ?1 AND number = ?2),
        EXISTS (SELECT 1 FROM appointments WHERE account = ?1 AND reference = ?3)";

/// Whether a service has a version.
pub(crate) const HAS_VERSION: &str = "
    SELECT EXISTS (
        SELECT 1 FROM bookable_services WHERE account = ?1 AND number = ?2 AND version = ?3
    )";

pub(crate) const INSERT: &str = "
    INSERT INTO appointments (
        account, number, reference, service, resource, staff, starts_at, ends_at, busy_until,
        capacity, moved_from, customer, price, currency, stage, held_until, reason, version,
        created_at
    ) VALUES (
        ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19
    )";

/// Ends it, or moves it.
pub(crate) const CHANGE: &str = "
    UPDATE appointments SET resource = ?3, staff = ?4, starts_at = ?5, ends_at = ?6,
        busy_until = ?7, capacity = ?8, moved_from = ?9, stage = ?10, reason = ?11, version = ?12
    WHERE account = ?1 AND number = ?2 AND version = ?12 - 1 AND stage IN ('held', 'booked')";

/// Ends what was held and not paid in time.
pub(crate) const LAPSE: &str = "
    UPDATE appointments SET stage = 'lapsed', version = version + 1
    WHERE account = ?1 AND number IN (SELECT value FROM json_each(?2)) AND stage = 'held'";

pub(crate) const SERVICE_BY_NUMBER: &str =
    concat!(services!(), " WHERE account = ?1 AND number = ?2");

pub(crate) const SERVICE_BY_REFERENCE: &str =
    concat!(services!(), " WHERE account = ?1 AND reference = ?2");

pub(crate) const SERVICE_PAGES: [&str; 2] = [
    concat!(
        services!(),
        " WHERE account = ?1 ORDER BY created_at, number LIMIT ?3 OFFSET ?2"
    ),
    concat!(
        services!(),
        " WHERE account = ?1 ORDER BY created_at DESC, number DESC LIMIT ?3 OFFSET ?2"
    ),
];

pub(crate) const COUNT_SERVICES: &str = "SELECT count(*) FROM bookable_services WHERE account = ?1";

pub(crate) const BY_NUMBER: &str =
    concat!(appointments!(), " WHERE a.account = ?1 AND a.number = ?2");

pub(crate) const BY_REFERENCE: &str = concat!(
    appointments!(),
    " WHERE a.account = ?1 AND a.reference = ?2"
);

pub(crate) const PAGES: [&str; 2] = [
    concat!(
        appointments!(),
        " WHERE a.account = ?1 AND a.starts_at >= ?4 AND a.starts_at < ?5
        ORDER BY a.starts_at, a.number LIMIT ?3 OFFSET ?2"
    ),
    concat!(
        appointments!(),
        " WHERE a.account = ?1 AND a.starts_at >= ?4 AND a.starts_at < ?5
        ORDER BY a.starts_at DESC, a.number DESC LIMIT ?3 OFFSET ?2"
    ),
];

pub(crate) const COUNT: &str = "
    SELECT count(*) FROM appointments WHERE account = ?1 AND starts_at >= ?2 AND starts_at < ?3";

/// Every statement here, for the tests of how the server runs them.
#[cfg(test)]
pub(crate) const STATEMENTS: [&str; 19] = [
    BY_NUMBER,
    BY_REFERENCE,
    CHANGE,
    CHANGE_SERVICE,
    COUNT,
    COUNT_SERVICES,
    HAS_VERSION,
    INSERT,
    INSERT_SERVICE,
    LAPSE,
    OBSTACLES,
    OCCUPATIONS,
    PAGES[0],
    PAGES[1],
    SERVICE_BY_NUMBER,
    SERVICE_BY_REFERENCE,
    SERVICE_OBSTACLES,
    SERVICE_PAGES[0],
    SERVICE_PAGES[1],
];

/// How long before a moment an appointment that takes time after it may have begun: the longest,
/// and the longest time after it.
pub(crate) const REACH: Duration = Duration::from_mins(2 * ServiceMinutes::MAX as u64 + 1);

#[async_trait]
impl Bookings for SqliteStore {
    async fn create_service(&self, service: &BookableService) -> Result<ServiceWrite, PortError> {
        let service = service.clone();
        self.writer
            .alone(move |writer| Box::pin(writer.create_service(service)))
            .await?
    }

    async fn change_service(&self, service: &BookableService) -> Result<ServiceWrite, PortError> {
        let service = service.clone();
        self.writer
            .alone(move |writer| Box::pin(writer.change_service(service)))
            .await?
    }

    async fn bookable_service(
        &self,
        account: &AccountId,
        name: BookingName<'_>,
    ) -> Result<Option<BookableService>, PortError> {
        let found = match name {
            BookingName::Reference(reference) => sqlx::query(SERVICE_BY_REFERENCE)
                .bind(account.as_str())
                .bind(reference.as_str()),
            BookingName::Number(number) => sqlx::query(SERVICE_BY_NUMBER)
                .bind(account.as_str())
                .bind(integer(number.get())),
        };
        let found = found.fetch_optional(&self.reads).await;
        let found = found.map_err(failed("find a service"))?;
        found.as_ref().map(restored_service).transpose()
    }

    async fn bookable_services(
        &self,
        account: &AccountId,
        page: PageOf,
    ) -> Result<ServicePage, PortError> {
        let rows = sqlx::query(in_direction(SERVICE_PAGES, page.sort))
            .bind(account.as_str())
            .bind(integer(page.offset))
            .bind(i64::from(page.length))
            .fetch_all(&self.reads)
            .await
            .map_err(failed("list the services of an account"))?;
        let total: i64 = sqlx::query_scalar(COUNT_SERVICES)
            .bind(account.as_str())
            .fetch_one(&self.reads)
            .await
            .map_err(failed("count the services of an account"))?;
        Ok(ServicePage {
            services: rows
                .iter()
                .map(restored_service)
                .collect::<Result<_, _>>()?,
            total: u64::try_from(total).unwrap_or_default(),
        })
    }

    async fn occupations(
        &self,
        account: &AccountId,
        resources: &[String],
        period: AppointmentPeriod,
    ) -> Result<Vec<Occupation>, PortError> {
        let rows: Vec<OccupationRow> = sqlx::query_as(OCCUPATIONS)
            .bind(account.as_str())
            .bind(json(resources)?)
            .bind(period.until.as_millis())
            .bind(period.from.as_millis())
            .bind(period.from.minus(REACH).as_millis())
            .bind(0_i64)
            .fetch_all(&self.reads)
            .await
            .map_err(failed("list what takes time of an account"))?;
        rows.into_iter().map(AppointmentRow::occupation).collect()
    }

    async fn book(
        &self,
        appointment: &Appointment,
        seating: Seating<'_>,
    ) -> Result<AppointmentWrite, PortError> {
        let (booked, seats) = (appointment.clone(), seating.seats.to_vec());
        let by = (seating.version, seating.now);
        self.writer
            .alone(move |writer| Box::pin(writer.book(booked, seats, by)))
            .await?
    }

    async fn move_appointment(
        &self,
        appointment: &Appointment,
        seating: Seating<'_>,
    ) -> Result<AppointmentWrite, PortError> {
        let (read, seats) = (appointment.clone(), seating.seats.to_vec());
        let by = (seating.version, seating.now);
        self.writer
            .alone(move |writer| Box::pin(writer.move_appointment(read, seats, by)))
            .await?
    }

    async fn change_appointment(
        &self,
        appointment: &Appointment,
    ) -> Result<AppointmentWrite, PortError> {
        let changed = appointment.clone();
        self.writer
            .alone(move |writer| Box::pin(writer.change_appointment(changed)))
            .await?
    }

    async fn appointment(
        &self,
        account: &AccountId,
        name: BookingName<'_>,
    ) -> Result<Option<AppointmentState>, PortError> {
        let found = match name {
            BookingName::Reference(reference) => sqlx::query(BY_REFERENCE)
                .bind(account.as_str())
                .bind(reference.as_str()),
            BookingName::Number(number) => sqlx::query(BY_NUMBER)
                .bind(account.as_str())
                .bind(integer(number.get())),
        };
        let found = found.fetch_optional(&self.reads).await;
        let found = found.map_err(failed("find an appointment"))?;
        found.as_ref().map(restored).transpose()
    }

    async fn appointments(
        &self,
        account: &AccountId,
        period: AppointmentPeriod,
        page: PageOf,
    ) -> Result<AppointmentPage, PortError> {
        let rows = sqlx::query(in_direction(PAGES, page.sort))
            .bind(account.as_str())
            .bind(integer(page.offset))
            .bind(i64::from(page.length))
            .bind(period.from.as_millis())
            .bind(period.until.as_millis())
            .fetch_all(&self.reads)
            .await
            .map_err(failed("list the appointments of an account"))?;
        let total: i64 = sqlx::query_scalar(COUNT)
            .bind(account.as_str())
            .bind(period.from.as_millis())
            .bind(period.until.as_millis())
            .fetch_one(&self.reads)
            .await
            .map_err(failed("count the appointments of an account"))?;
        Ok(AppointmentPage {
            appointments: rows.iter().map(restored).collect::<Result<_, _>>()?,
            total: u64::try_from(total).unwrap_or_default(),
        })
    }
}

fn restored_service(row: &SqliteRow) -> Result<BookableService, PortError> {
    let row = service_row(row).map_err(failed("read a service"))?;
    row.restore()
}

fn service_row(row: &SqliteRow) -> Result<BookableServiceRow, sqlx::Error> {
    Ok(BookableServiceRow {
        account: row.try_get(0)?,
        id: row.try_get(1)?,
        reference: row.try_get(2)?,
        terms: row.try_get(3)?,
        version: row.try_get(4)?,
        created_at: row.try_get(5)?,
    })
}

fn restored(row: &SqliteRow) -> Result<AppointmentState, PortError> {
    let row = appointment_row(row).map_err(failed("read an appointment"))?;
    row.restore()
}

fn appointment_row(row: &SqliteRow) -> Result<AppointmentRow, sqlx::Error> {
    Ok(AppointmentRow {
        account: row.try_get(0)?,
        id: row.try_get(1)?,
        reference: row.try_get(2)?,
        service: row.try_get(3)?,
        resource: row.try_get(4)?,
        staff: row.try_get(5)?,
        starts_at: row.try_get(6)?,
        ends_at: row.try_get(7)?,
        busy_until: row.try_get(8)?,
        capacity: row.try_get(9)?,
        moved_from: row.try_get(10)?,
        customer: row.try_get(11)?,
        price: row.try_get(12)?,
        currency: row.try_get(13)?,
        stage: row.try_get(14)?,
        held_until: row.try_get(15)?,
        reason: row.try_get(16)?,
        version: row.try_get(17)?,
        created_at: row.try_get(18)?,
        paid: row.try_get(19)?,
    })
}
