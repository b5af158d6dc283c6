//! Writing appointments: a time is given away in the step that looked whether it is free. The
//! wallets of the account must be locked before, so that others wait, and so do its payments.

use super::PostgresWriter;
use crate::bookings::{
    CHANGE, CHANGE_SERVICE, HAS_VERSION, INSERT, INSERT_SERVICE, LAPSE, OBSTACLES, OCCUPATIONS,
    REACH, SERVICE_OBSTACLES,
};
use crate::error::{failed, wrote};
use crate::freezes::LOCK_WALLETS;
use domain::booking::{Appointment, BookableService, Occupation, Seat, choose_seat};
use domain::time::Timestamp;
use ports::PortError;
use ports::bookings::{AppointmentWrite, ServiceWrite};
use sqlx::postgres::PgConnection;
use storage_sql::record::{
    AppointmentObstacles, AppointmentRow, BookableServiceRow, OccupationRow, ServiceObstacles,
    appointment_obstacle, chosen, service_obstacle,
};

impl PostgresWriter {
    pub(crate) async fn create_service(
        &mut self,
        service: BookableService,
    ) -> Result<ServiceWrite, PortError> {
        let row = BookableServiceRow::of(&service)?;
        let mut step = self.step().await?;
        if !locked(&mut step, &row.account).await? {
            return Ok(ServiceWrite::AccountUnknown);
        }
        let found: ServiceObstacles = sqlx::query_as(SERVICE_OBSTACLES)
            .bind(&row.account)
            .bind(row.id)
            .bind(&row.reference)
            .fetch_one(&mut *step)
            .await
            .map_err(failed("look for services"))?;
        if let Some(obstacle) = service_obstacle(found) {
            return Ok(obstacle);
        }
        let inserted = sqlx::query(INSERT_SERVICE)
            .bind(&row.account)
            .bind(row.id)
            .bind(&row.reference)
            .bind(&row.terms)
            .bind(row.version)
            .bind(row.created_at)
            .execute(&mut *step)
            .await
            .map_err(failed("insert a service"))?;
        wrote(inserted.rows_affected(), 1, "insert a service")?;
        step.commit().await.map_err(failed("commit a service"))?;
        Ok(ServiceWrite::Done)
    }

    pub(crate) async fn change_service(
        &mut self,
        service: BookableService,
    ) -> Result<ServiceWrite, PortError> {
        let row = BookableServiceRow::of(&service)?;
        let mut step = self.step().await?;
        if !locked(&mut step, &row.account).await? {
            return Ok(ServiceWrite::AccountUnknown);
        }
        let changed = sqlx::query(CHANGE_SERVICE)
            .bind(&row.account)
            .bind(row.id)
            .bind(&row.terms)
            .bind(row.version)
            .execute(&mut *step)
            .await
            .map_err(failed("change a service"))?;
        if changed.rows_affected() == 0 {
            return Ok(ServiceWrite::Conflict);
        }
        step.commit().await.map_err(failed("commit a service"))?;
        Ok(ServiceWrite::Done)
    }

    pub(crate) async fn book(
        &mut self,
        booked: Appointment,
        seats: Vec<Seat>,
        (version, now): (u32, Timestamp),
    ) -> Result<AppointmentWrite, PortError> {
        let row = AppointmentRow::of(&booked)?;
        let mut step = self.step().await?;
        if !locked(&mut step, &row.account).await? {
            return Ok(AppointmentWrite::AccountUnknown);
        }
        let found: AppointmentObstacles = sqlx::query_as(OBSTACLES)
            .bind(&row.account)
            .bind(row.id)
            .bind(&row.reference)
            .bind(row.service)
            .bind(i64::from(version))
            .fetch_one(&mut *step)
            .await
            .map_err(failed("look for an appointment"))?;
        if let Some(obstacle) = appointment_obstacle(found) {
            return Ok(obstacle);
        }
        let Some(seat) = taken(&mut step, &row, (&seats, now)).await? else {
            return Ok(AppointmentWrite::Taken);
        };
        let booked = Appointment { seat, ..booked };
        insert(&mut step, &AppointmentRow::of(&booked)?).await?;
        step.commit()
            .await
            .map_err(failed("commit an appointment"))?;
        Ok(AppointmentWrite::Done(Box::new(booked)))
    }

    pub(crate) async fn move_appointment(
        &mut self,
        read: Appointment,
        seats: Vec<Seat>,
        (version, now): (u32, Timestamp),
    ) -> Result<AppointmentWrite, PortError> {
        let row = AppointmentRow::of(&read)?;
        let mut step = self.step().await?;
        if !locked(&mut step, &row.account).await? {
            return Ok(AppointmentWrite::AccountUnknown);
        }
        let has_version: bool = sqlx::query_scalar(HAS_VERSION)
            .bind(&row.account)
            .bind(row.service)
            .bind(i64::from(version))
            .fetch_one(&mut *step)
            .await
            .map_err(failed("look for a service"))?;
        if !has_version {
            return Ok(AppointmentWrite::Conflict);
        }
        let Some(seat) = taken(&mut step, &row, (&seats, now)).await? else {
            return Ok(AppointmentWrite::Taken);
        };
        let moved = read.moved(seat);
        if !change(&mut step, &AppointmentRow::of(&moved)?).await? {
            return Ok(AppointmentWrite::Conflict);
        }
        step.commit()
            .await
            .map_err(failed("commit an appointment that was moved"))?;
        Ok(AppointmentWrite::Done(Box::new(moved)))
    }

    pub(crate) async fn change_appointment(
        &mut self,
        changed: Appointment,
    ) -> Result<AppointmentWrite, PortError> {
        let row = AppointmentRow::of(&changed)?;
        let mut step = self.step().await?;
        if !locked(&mut step, &row.account).await? {
            return Ok(AppointmentWrite::AccountUnknown);
        }
        if !change(&mut step, &row).await? {
            return Ok(AppointmentWrite::Conflict);
        }
        step.commit()
            .await
            .map_err(failed("commit a step of an appointment"))?;
        Ok(AppointmentWrite::Done(Box::new(changed)))
    }
}

/// Locks the wallets of an account as every movement of its money does; whether it has any.
async fn locked(connection: &mut PgConnection, account: &str) -> Result<bool, PortError> {
    let wallets: Vec<Option<String>> = sqlx::query_scalar(LOCK_WALLETS)
        .bind(account)
        .fetch_all(connection)
        .await
        .map_err(failed("lock the wallets of an account"))?;
    Ok(!wallets.is_empty())
}

/// The first seat that is free for an appointment, where one is. What was held for it and not paid
/// in time has lapsed afterwards.
async fn taken(
    connection: &mut PgConnection,
    row: &AppointmentRow,
    (seats, now): (&[Seat], Timestamp),
) -> Result<Option<Seat>, PortError> {
    let occupations = occupations(connection, row, seats).await?;
    let Some(choice) = choose_seat(seats, &occupations, now) else {
        return Ok(None);
    };
    let Some((seat, over)) = chosen(seats, &choice) else {
        return Ok(None);
    };
    if !over.is_empty() {
        let count = over.len();
        let lapsed = sqlx::query(LAPSE)
            .bind(&row.account)
            .bind(over)
            .execute(connection)
            .await
            .map_err(failed("end what was held and not paid"))?;
        wrote(
            lapsed.rows_affected(),
            count,
            "end what was held and not paid",
        )?;
    }
    Ok(Some(seat))
}

/// What takes time that any of the seats takes, but the appointment itself.
async fn occupations(
    connection: &mut PgConnection,
    row: &AppointmentRow,
    seats: &[Seat],
) -> Result<Vec<Occupation>, PortError> {
    let resources: Vec<_> = seats.iter().map(Seat::resource).collect();
    let from = seats.iter().map(|seat| seat.starts_at).min();
    let until = seats.iter().map(|seat| seat.busy_until).max();
    let (Some(from), Some(until)) = (from, until) else {
        return Ok(Vec::new());
    };
    let rows: Vec<OccupationRow> = sqlx::query_as(OCCUPATIONS)
        .bind(&row.account)
        .bind(&resources)
        .bind(until.as_millis())
        .bind(from.as_millis())
        .bind(from.minus(REACH).as_millis())
        .bind(row.id)
        .fetch_all(connection)
        .await
        .map_err(failed("look whether a time is free"))?;
    rows.into_iter().map(AppointmentRow::occupation).collect()
}

async fn insert(connection: &mut PgConnection, row: &AppointmentRow) -> Result<(), PortError> {
    let inserted = sqlx::query(INSERT)
        .bind(&row.account)
        .bind(row.id)
        .bind(&row.reference)
        .bind(row.service)
        .bind(&row.resource)
        .bind(&row.staff)
        .bind(row.starts_at)
        .bind(row.ends_at)
        .bind(row.busy_until)
        .bind(row.capacity)
        .bind(row.moved_from)
        .bind(&row.customer)
        .bind(row.price)
        .bind(&row.currency)
        .bind(&row.stage)
        .bind(row.held_until)
        .bind(&row.reason)
        .bind(row.version)
        .bind(row.created_at)
        .execute(connection)
        .await
        .map_err(failed("insert an appointment"))?;
    wrote(inserted.rows_affected(), 1, "insert an appointment")
}

/// Whether the version before was stored still.
async fn change(connection: &mut PgConnection, row: &AppointmentRow) -> Result<bool, PortError> {
    let changed = sqlx::query(CHANGE)
        .bind(&row.account)
        .bind(row.id)
        .bind(&row.resource)
        .bind(&row.staff)
        .bind(row.starts_at)
        .bind(row.ends_at)
        .bind(row.busy_until)
        .bind(row.capacity)
        .bind(row.moved_from)
        .bind(&row.stage)
        .bind(&row.reason)
        .bind(row.version)
        .execute(connection)
        .await
        .map_err(failed("change an appointment"))?;
    Ok(changed.rows_affected() == 1)
}
