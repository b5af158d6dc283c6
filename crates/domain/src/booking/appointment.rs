//! An appointment, and the steps it takes. Whether it was paid must be read from the payments of
//! its checkout session alone.

use super::{Prepayment, Seat, StaffName};
use crate::account::{AccountId, EmailAddress};
use crate::bank::GroupLabel;
use crate::collection::RedirectUrl;
use crate::money::Money;
use crate::phone::PhoneNumber;
use crate::reference::{MerchantReference, TransactionNumber};
use crate::time::Timestamp;

/// An appointment to book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAppointment {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// The service.
    pub service: TransactionNumber,
    /// When it begins.
    pub starts_at: Timestamp,
    /// With whom; the first of the staff who is free where the customer does not say.
    pub staff: Option<StaffName>,
    /// Who comes.
    pub customer: GroupLabel,
    /// The same.
    pub phone: PhoneNumber,
    /// The same.
    pub email: Option<EmailAddress>,
    /// What the customer says.
    pub note: Option<GroupLabel>,
    /// The name of the time zone of the customer, in the time zone database.
    pub zone: Option<String>,
}

impl NewAppointment {
    /// Whether an appointment is the one that is wanted, whatever became of it since. One that was
    /// moved began at another time.
    pub fn made(&self, appointment: &Appointment) -> bool {
        let is_moved = appointment.moved_from.is_some();
        let first = appointment.moved_from.unwrap_or(appointment.seat.starts_at);
        let is_staff = self.staff.is_none() || is_moved || self.staff == appointment.seat.staff;
        (&self.reference, self.service, self.starts_at)
            == (&appointment.reference, appointment.seat.service, first)
            && (&self.customer, &self.phone, &self.email)
                == (
                    &appointment.customer,
                    &appointment.phone,
                    &appointment.email,
                )
            && (&self.note, &self.zone) == (&appointment.note, &appointment.zone)
            && is_staff
    }
}

/// How far an appointment has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppointmentStage {
    /// Waits for its payment, until a moment.
    Held {
        /// Its time may be given to another from here on.
        until: Timestamp,
    },
    /// The customer is expected.
    Booked,
    /// It was called off.
    Cancelled,
    /// It was not paid in time, and its time was given to another.
    Lapsed,
    /// The customer was served.
    Completed,
    /// The customer did not come.
    Missed,
}

impl AppointmentStage {
    /// Its word.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Held { .. } => "held",
            Self::Booked => "booked",
            Self::Cancelled => "cancelled",
            Self::Lapsed => "lapsed",
            Self::Completed => "completed",
            Self::Missed => "missed",
        }
    }
}

/// What merchants see of an appointment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppointmentStatus {
    /// Waits for its payment.
    Held,
    /// The customer is expected.
    Booked,
    /// It was called off, or was not paid in time.
    Cancelled,
    /// The customer was served.
    Completed,
    /// The customer did not come.
    Missed,
}

/// What a merchant does with an appointment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AppointmentStep {
    /// Calls it off.
    Cancel,
    /// The customer was served.
    Complete,
    /// The customer did not come.
    Miss,
}

/// Why a step is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AppointmentRefusal {
    /// It has ended as something else.
    #[error("it has ended")]
    Ended(AppointmentStatus),
    /// It waits for its payment.
    #[error("it waits for its payment")]
    Unpaid,
}

/// An appointment as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appointment {
    /// Whose.
    pub account: AccountId,
    /// The gateway's number of it, unique in the account among appointments and collections; it is
    /// also that of its checkout session.
    pub number: TransactionNumber,
    /// The merchant's reference, unique among the appointments of the account; it is also that of
    /// its checkout session.
    pub reference: MerchantReference,
    /// Its time, and with whom.
    pub seat: Seat,
    /// When it began before it was moved for the first time.
    pub moved_from: Option<Timestamp>,
    /// Who comes.
    pub customer: GroupLabel,
    /// The same.
    pub phone: PhoneNumber,
    /// The same.
    pub email: Option<EmailAddress>,
    /// What the customer says.
    pub note: Option<GroupLabel>,
    /// The name of the time zone of the customer.
    pub zone: Option<String>,
    /// Where the customer goes after the payment, where it is paid before.
    pub redirect: Option<RedirectUrl>,
    /// What it costs; zero where nothing.
    pub price: Money,
    /// How far it has come.
    pub stage: AppointmentStage,
    /// Why it was called off.
    pub reason: Option<GroupLabel>,
    /// 1, and one more with each change.
    pub version: u32,
    /// When it was booked.
    pub created_at: Timestamp,
}

impl Appointment {
    /// The appointment that is wanted, in a seat.
    pub fn made(
        account: AccountId,
        wanted: NewAppointment,
        (seat, price): (Seat, Money),
        (number, created_at, prepayment): (TransactionNumber, Timestamp, Option<&Prepayment>),
    ) -> Self {
        let stage = match prepayment {
            None => AppointmentStage::Booked,
            Some(prepayment) => AppointmentStage::Held {
                until: created_at
                    .plus(minutes(prepayment.hold))
                    .min(seat.starts_at),
            },
        };
        Self {
            account,
            number,
            reference: wanted.reference,
            seat,
            moved_from: None,
            customer: wanted.customer,
            phone: wanted.phone,
            email: wanted.email,
            note: wanted.note,
            zone: wanted.zone,
            redirect: prepayment.map(|it| it.redirect.clone()),
            price,
            stage,
            reason: None,
            version: 1,
            created_at,
        }
    }

    /// The appointment in another seat.
    #[must_use]
    pub fn moved(&self, seat: Seat) -> Self {
        Self {
            moved_from: Some(self.moved_from.unwrap_or(self.seat.starts_at)),
            seat,
            version: self.version.saturating_add(1),
            ..self.clone()
        }
    }
}

/// An appointment, and what was paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppointmentState {
    /// The appointment.
    pub appointment: Appointment,
    /// The sum of what was paid to its session.
    pub paid: Money,
}

impl AppointmentState {
    /// What merchants see.
    pub fn status(&self) -> AppointmentStatus {
        match self.appointment.stage {
            AppointmentStage::Held { .. } => {
                if self.paid.minor() >= self.appointment.price.minor() {
                    AppointmentStatus::Booked
                } else {
                    AppointmentStatus::Held
                }
            }
            AppointmentStage::Booked => AppointmentStatus::Booked,
            AppointmentStage::Cancelled | AppointmentStage::Lapsed => AppointmentStatus::Cancelled,
            AppointmentStage::Completed => AppointmentStatus::Completed,
            AppointmentStage::Missed => AppointmentStatus::Missed,
        }
    }

    /// Until when it waits for its payment.
    pub fn held_until(&self) -> Option<Timestamp> {
        match self.appointment.stage {
            AppointmentStage::Held { until } if self.status() == AppointmentStatus::Held => {
                Some(until)
            }
            AppointmentStage::Held { .. }
            | AppointmentStage::Booked
            | AppointmentStage::Cancelled
            | AppointmentStage::Lapsed
            | AppointmentStage::Completed
            | AppointmentStage::Missed => None,
        }
    }

    /// The appointment after a step; `None` where it has taken the step already.
    ///
    /// # Errors
    /// Refuses every step after its end, and to complete or miss what is not paid.
    pub fn after(
        &self,
        step: &AppointmentStep,
        reason: Option<GroupLabel>,
    ) -> Result<Option<Appointment>, AppointmentRefusal> {
        let (stage, status) = match step {
            AppointmentStep::Cancel => (AppointmentStage::Cancelled, AppointmentStatus::Cancelled),
            AppointmentStep::Complete => {
                (AppointmentStage::Completed, AppointmentStatus::Completed)
            }
            AppointmentStep::Miss => (AppointmentStage::Missed, AppointmentStatus::Missed),
        };
        if self.status() == status {
            return Ok(None);
        }
        self.movable()?;
        let is_held = self.status() == AppointmentStatus::Held;
        if is_held && *step != AppointmentStep::Cancel {
            return Err(AppointmentRefusal::Unpaid);
        }
        Ok(Some(Appointment {
            stage,
            reason: reason.or_else(|| self.appointment.reason.clone()),
            version: self.appointment.version.saturating_add(1),
            ..self.appointment.clone()
        }))
    }

    /// Whether it may be moved to another time.
    ///
    /// # Errors
    /// Refuses what has ended.
    pub fn movable(&self) -> Result<(), AppointmentRefusal> {
        match self.status() {
            AppointmentStatus::Held | AppointmentStatus::Booked => Ok(()),
            ended @ (AppointmentStatus::Cancelled
            | AppointmentStatus::Completed
            | AppointmentStatus::Missed) => Err(AppointmentRefusal::Ended(ended)),
        }
    }
}

fn minutes(count: u32) -> std::time::Duration {
    std::time::Duration::from_mins(count.into())
}
