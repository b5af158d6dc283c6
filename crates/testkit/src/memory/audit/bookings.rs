//! I34: no two appointments take the same time, but those that share it.

use super::{Check, MemoryTables};
use domain::booking::{AppointmentStage, Seat, choose_seat};
use domain::time::Timestamp;

use ports::audit::CheckResult;

impl MemoryTables {
    pub(super) fn i34_appointments_share_no_time(&self) -> CheckResult {
        let rule = "No two appointments take the same time, but those that share it";
        let mut check = Check::new("I34", rule);
        for it in &self.bookings.appointments {
            let takes = matches!(
                it.stage,
                AppointmentStage::Held { .. } | AppointmentStage::Booked
            );
            // Its own seat must be one that it could be given beside all others.
            let others = self.occupied(&it.account, Some(it.number));
            let long_ago = Timestamp::from_millis(i64::MIN);
            let all = self.bookings.appointments.iter();
            let same = all.filter(|other| other.seat.resource() == it.seat.resource());
            let seat = Seat {
                capacity: same.map(|other| other.seat.capacity).max().unwrap_or(1),
                ..it.seat.clone()
            };
            let seats = std::slice::from_ref(&seat);
            let fits = choose_seat(seats, &others, long_ago).is_some();
            check.row(!takes || fits, || {
                format!("appointment {} takes what others take", it.number)
            });
        }
        check.result()
    }
}
