//! Appointments that customers of merchants book: what can be booked, when, and with whom. Two
//! appointments must never take the same time of one person.

mod appointment;
mod hours;
mod seat;
mod service;
mod slot;

pub use appointment::{
    Appointment, AppointmentRefusal, AppointmentStage, AppointmentState, AppointmentStatus,
    AppointmentStep, NewAppointment,
};
pub use hours::{HOURS_MAX, InvalidHours, OpenHours, Weekday};
pub use seat::{HOLD_GRACE, Occupation, Seat, SeatChoice, choose_seat};
pub use service::{
    BookableService, CivilDay, HOLD_MINUTES_MAX, HOLD_MINUTES_MIN, InvalidCivilDay,
    NewBookableService, Prepayment, SERVICES_MAX, SHARED_MAX, STAFF_MAX, ServiceMinutes,
    ServiceTerms, StaffName,
};

pub use slot::{FreeSlot, SlotQuery};

#[cfg(test)]
mod tests;
