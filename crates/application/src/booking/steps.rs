//! What becomes of appointments: they are moved, called off, and end.

use super::{BookingError, TRIES_MAX, TimeRefusal, seats, written_of};
use crate::collections::{CollectionError, SeenCollection};
use crate::expected_version::ExpectedVersion;
use crate::gateway::{Gateway, Merchant};
use domain::bank::GroupLabel;
use domain::booking::{AppointmentState, AppointmentStep, StaffName};
use domain::collection::CollectionStep;
use domain::reference::TransactionNumber;
use domain::time::Timestamp;
use ports::PortError;
use ports::bookings::{BookingName, Seating};
use ports::collections::CollectionSort;

impl Gateway {
    /// Moves an appointment to another time of its service. Where it is there already nothing
    /// changes.
    ///
    /// # Errors
    /// Refuses an appointment that is not the merchant's or has ended, a version that it has not,
    /// a time as for a new one, and one before the end of its hold.
    pub async fn move_appointment(
        &self,
        merchant: &Merchant,
        (number, seen): (TransactionNumber, &ExpectedVersion),
        (starts_at, staff): (Timestamp, Option<&StaffName>),
    ) -> Result<AppointmentState, BookingError> {
        for _ in 0..TRIES_MAX {
            let state = self.seen_appointment(merchant, number, seen).await?;
            let read = &state.appointment;
            let is_same_staff = staff.is_none() || staff == read.seat.staff.as_ref();
            state.movable()?;
            if read.seat.starts_at == starts_at && is_same_staff {
                return Ok(state);
            }
            if seen.stated != read.version {
                return Err(BookingError::Stale(read.version));
            }
            let name = BookingName::Number(read.seat.service);
            let service = self.bookable_service(merchant, name).await?;
            let now = self.now();
            if let Some(until) = state.held_until().filter(|until| starts_at < *until) {
                return Err(TimeRefusal::Held(until).into());
            }
            let mut seats = seats(&service, (starts_at, now), staff)?;
            // The same person where that is possible.
            seats.sort_by_key(|seat| seat.staff != read.seat.staff);
            let seating = Seating {
                seats: &seats,
                version: service.version,
                now,
            };
            let written = self.parts().bookings.move_appointment(read, seating);
            if written_of(written.await?, &read.reference)?.is_some() {
                return self.stored_appointment(merchant, number).await;
            }
        }
        Err(PortError::new("bookings", "others change the appointment all the time").into())
    }

    /// Ends an appointment. Where it has ended so already nothing changes. What was paid for one
    /// that is called off stays with the merchant, who pays it back.
    ///
    /// # Errors
    /// Refuses an appointment that is not the merchant's or has ended otherwise, a version that it
    /// has not, and to complete or miss what is not paid.
    pub async fn end_appointment(
        &self,
        merchant: &Merchant,
        (number, step): (TransactionNumber, AppointmentStep),
        (reason, seen): (Option<GroupLabel>, &ExpectedVersion),
    ) -> Result<AppointmentState, BookingError> {
        for _ in 0..TRIES_MAX {
            let state = self.seen_appointment(merchant, number, seen).await?;
            let after = state.after(&step, reason.clone())?;
            let Some(ended) = after else {
                self.close_session(merchant, &state).await?;
                return Ok(state);
            };
            if seen.stated != state.appointment.version {
                return Err(BookingError::Stale(state.appointment.version));
            }
            let written = self.parts().bookings.change_appointment(&ended);
            if written_of(written.await?, &ended.reference)?.is_some() {
                let ended = self.stored_appointment(merchant, number).await?;
                self.close_session(merchant, &ended).await?;
                return Ok(ended);
            }
        }
        Err(PortError::new("bookings", "others change the appointment all the time").into())
    }

    async fn seen_appointment(
        &self,
        merchant: &Merchant,
        number: TransactionNumber,
        seen: &ExpectedVersion,
    ) -> Result<AppointmentState, BookingError> {
        let state = self.stored_appointment(merchant, number).await?;
        if seen.is_matched_by(state.appointment.version) {
            Ok(state)
        } else {
            Err(BookingError::Changed)
        }
    }

    /// An appointment, and what was paid by now: a payment changes no version.
    async fn stored_appointment(
        &self,
        merchant: &Merchant,
        number: TransactionNumber,
    ) -> Result<AppointmentState, BookingError> {
        let found = self.find_appointment(merchant, number).await?;
        found.ok_or(BookingError::Unknown)
    }

    /// Closes the session of an appointment that was called off before it was paid, so that its
    /// page asks for no money.
    pub(super) async fn close_session(
        &self,
        merchant: &Merchant,
        state: &AppointmentState,
    ) -> Result<(), BookingError> {
        let is_paid = state.paid.minor() >= state.appointment.price.minor();
        if is_paid {
            return Ok(());
        }
        let any_version = SeenCollection {
            stated: None,
            only_in: None,
        };
        let close = (state.appointment.number, CollectionStep::Close);
        let sorts = [CollectionSort::Checkout];
        let closed = self.change_collection(merchant, close, (&any_version, &sorts));
        match closed.await {
            // One that was not paid before has no session.
            Ok(_) | Err(CollectionError::Unknown) => Ok(()),
            Err(refused) => Err(refused.into()),
        }
    }
}
