//! Who serves an appointment, and when. What is taken must be judged here alone, by what was read
//! under the locks of the wallets.

use super::StaffName;
use crate::reference::TransactionNumber;
use crate::time::Timestamp;
use std::time::Duration;

/// How much longer than its page says a time is held, because the clocks of two instances differ.
pub const HOLD_GRACE: Duration = Duration::from_mins(1);

/// A time with one person, or with the service itself where it names no staff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    /// The service that is booked.
    pub service: TransactionNumber,
    /// Who serves; `None` for a service without staff.
    pub staff: Option<StaffName>,
    /// When it begins.
    pub starts_at: Timestamp,
    /// When it ends.
    pub ends_at: Timestamp,
    /// When the next one can begin: the end and the time to prepare.
    pub busy_until: Timestamp,
    /// How many may share it.
    pub capacity: u16,
}

impl Seat {
    /// What one appointment of which keeps another from being served: the person, whatever service
    /// it is of, or the service.
    pub fn resource(&self) -> String {
        match &self.staff {
            Some(staff) => format!("staff {}", staff.key()),
            None => format!("service {}", self.service),
        }
    }
}

/// An appointment that takes a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occupation {
    /// The appointment.
    pub number: TransactionNumber,
    /// See [`Seat::resource`].
    pub resource: String,
    /// The service that is booked.
    pub service: TransactionNumber,
    /// When it begins.
    pub starts_at: Timestamp,
    /// When the next one can begin.
    pub busy_until: Timestamp,
    /// Until when it waits for its payment; `None` where it waits for none, or was paid.
    pub held_until: Option<Timestamp>,
}

impl Occupation {
    /// Whether its time may be given to another: it was held for a payment that did not come.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.held_until
            .is_some_and(|until| until.plus(HOLD_GRACE) <= now)
    }

    /// Whether it takes time that a seat takes. One that shares the seat does so too.
    pub fn overlaps(&self, seat: &Seat) -> bool {
        self.starts_at < seat.busy_until && seat.starts_at < self.busy_until
    }

    fn shares(&self, seat: &Seat) -> bool {
        self.service == seat.service
            && self.starts_at == seat.starts_at
            && self.busy_until == seat.busy_until
    }
}

/// A seat that was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatChoice {
    /// Its place among those that would do.
    pub index: usize,
    /// What must be ended for it: appointments that were held and not paid in time.
    pub over: Vec<TransactionNumber>,
    /// How many more could share it.
    pub left: u16,
}

/// The first of some seats that is free, by the appointments that take time of any of them: one
/// for which nothing must be ended, where there is one.
pub fn choose_seat(
    seats: &[Seat],
    occupations: &[Occupation],
    now: Timestamp,
) -> Option<SeatChoice> {
    let mut fallback = None;
    for (index, seat) in seats.iter().enumerate() {
        match choice(index, seat, occupations, now) {
            Some(choice) if choice.over.is_empty() => return Some(choice),
            Some(choice) => fallback = fallback.or(Some(choice)),
            None => {}
        }
    }
    fallback
}

fn choice(
    index: usize,
    seat: &Seat,
    occupations: &[Occupation],
    now: Timestamp,
) -> Option<SeatChoice> {
    let resource = seat.resource();
    let there = occupations
        .iter()
        .filter(|it| it.resource == resource && it.overlaps(seat));
    let (over, live): (Vec<_>, Vec<_>) = there.partition(|it| it.is_over(now));
    if !live.iter().all(|it| it.shares(seat)) {
        return None;
    }
    let left = usize::from(seat.capacity).checked_sub(live.len())?;
    let left = left.checked_sub(1)?;
    // Those that share the seat keep their place while there is room beside them.
    let (mut beside, across): (Vec<_>, Vec<_>) = over.into_iter().partition(|it| it.shares(seat));
    beside.sort_by_key(|it| (it.held_until, it.number));
    let needed = beside.len().saturating_sub(left);
    let ended = across.into_iter().chain(beside.into_iter().take(needed));
    Some(SeatChoice {
        index,
        over: ended.map(|it| it.number).collect(),
        left: u16::try_from(left).unwrap_or(u16::MAX),
    })
}
