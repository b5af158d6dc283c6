//! Times that are free. They are looked for among all that could be booked, with each person.

use super::calendar::{Beginning, beginnings};
use super::{BookingError, bounds};
use crate::gateway::{Gateway, Merchant};
use domain::booking::{
    BookableService, FreeSlot, Occupation, Seat, SlotQuery, StaffName, choose_seat,
};
use domain::time::Timestamp;
use ports::bookings::AppointmentPeriod;
use std::collections::HashMap;
use std::time::Duration;

/// The longest period in which free times are looked for at once: a week, which has 2,016 of them
/// at most.
pub const SLOTS_PERIOD_MAX: Duration = Duration::from_hours(7 * 24);

/// Most times that are looked through at once, each with each person: a week of half hours with all
/// who may serve.
pub const SLOTS_MAX: usize = 20_000;

impl Gateway {
    /// When a service can be booked, in order. Times that are held and were not paid in time are
    /// free.
    ///
    /// # Errors
    /// Refuses a service that is not the merchant's or not offered, and a person who does not serve
    /// it.
    pub async fn free_slots(
        &self,
        merchant: &Merchant,
        query: &SlotQuery,
    ) -> Result<(BookableService, Vec<FreeSlot>), BookingError> {
        let service = self.bookable(merchant, query.service).await?;
        let staff = query.staff.as_ref();
        if staff.is_some_and(|wanted| !service.terms.staff.contains(wanted)) {
            return Err(BookingError::StaffUnknown);
        }
        let now = self.now();
        let (earliest, latest) = bounds(&service.terms, now);
        let after_latest = latest.plus(Duration::from_millis(1));
        let from = query.from.max(earliest);
        let until = query.until.min(after_latest);
        let beginnings = beginnings(&service.terms, (from, until));
        let last = beginnings.iter().map(|it| it.busy_until).max();
        let (Some(first), Some(last)) = (beginnings.first(), last) else {
            return Ok((service, Vec::new()));
        };
        let count = staff_of(&service, staff).count();
        if beginnings.len().saturating_mul(count) > SLOTS_MAX {
            return Err(BookingError::TooManyTimes);
        }
        let resources: Vec<_> = staff_of(&service, staff)
            .map(|it| seat(&service, *first, it).resource())
            .collect();
        let period = AppointmentPeriod { from, until: last };
        let bookings = &self.parts().bookings;
        let occupations = bookings.occupations(&merchant.account.id, &resources, period);
        let occupations = ByResource::of(occupations.await?);
        let slots = beginnings
            .into_iter()
            .filter_map(|beginning| slot(&service, (beginning, staff), (&occupations, now)))
            .collect();
        Ok((service, slots))
    }
}

/// The seats in which an appointment that begins so could be served, in the order of the staff.
pub(super) fn seats_of(
    service: &BookableService,
    beginning: Beginning,
    staff: Option<&StaffName>,
) -> Vec<Seat> {
    staff_of(service, staff)
        .map(|it| seat(service, beginning, it))
        .collect()
}

/// What takes time, by what it takes it of, and by its beginning.
struct ByResource {
    all: HashMap<String, Vec<Occupation>>,
    /// How long the longest takes.
    longest: Duration,
}

impl ByResource {
    fn of(all: Vec<Occupation>) -> Self {
        let lengths = all.iter().map(|it| it.busy_until.since(it.starts_at));
        let longest = lengths.max().unwrap_or_default();
        let mut by_resource: HashMap<_, Vec<Occupation>> = HashMap::new();
        for it in all {
            by_resource.entry(it.resource.clone()).or_default().push(it);
        }
        for own in by_resource.values_mut() {
            own.sort_by_key(|it| it.starts_at);
        }
        Self {
            all: by_resource,
            longest,
        }
    }

    /// What may overlap a seat.
    fn near(&self, seat: &Seat) -> &[Occupation] {
        let earliest = seat.starts_at.minus(self.longest);
        let own = self
            .all
            .get(&seat.resource())
            .map_or(&[][..], Vec::as_slice);
        let from = own.partition_point(|it| it.starts_at < earliest);
        let until = own.partition_point(|it| it.starts_at < seat.busy_until);
        own.get(from..until).unwrap_or_default()
    }
}

/// One beginning, where there is room for it.
fn slot(
    service: &BookableService,
    (beginning, staff): (Beginning, Option<&StaffName>),
    (occupations, now): (&ByResource, Timestamp),
) -> Option<FreeSlot> {
    let mut slot = FreeSlot {
        starts_at: beginning.starts_at,
        ends_at: beginning.ends_at,
        staff: Vec::new(),
        seats: 0,
    };
    for seat in seats_of(service, beginning, staff) {
        let seats = std::slice::from_ref(&seat);
        let Some(choice) = choose_seat(seats, occupations.near(&seat), now) else {
            continue;
        };
        let room = u32::from(choice.left).saturating_add(1);
        slot.seats = slot.seats.saturating_add(room);
        slot.staff.extend(seat.staff);
    }
    (slot.seats > 0).then_some(slot)
}

/// Who could serve: everyone, the one who is wanted, or no person.
fn staff_of<'a>(
    service: &'a BookableService,
    wanted: Option<&'a StaffName>,
) -> impl Iterator<Item = Option<&'a StaffName>> {
    let staff = service.terms.staff.iter();
    let staff = staff.filter(move |it| wanted.is_none_or(|wanted| wanted == *it));
    let no_person = service.terms.staff.is_empty().then_some(None);
    staff.map(Some).chain(no_person)
}

fn seat(service: &BookableService, beginning: Beginning, staff: Option<&StaffName>) -> Seat {
    Seat {
        service: service.number,
        staff: staff.cloned(),
        starts_at: beginning.starts_at,
        ends_at: beginning.ends_at,
        busy_until: beginning.busy_until,
        capacity: service.terms.capacity,
    }
}
