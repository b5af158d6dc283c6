//! `GET /booking/slots`.

use super::service_number;
use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::booking::{BookableService, FreeSlot, SlotQuery, StaffName};
use std::time::Duration;

/// Reads which free times are wanted, in a period that is no longer than `most`.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    (zone, most): (&Zone, Duration),
) -> Result<SlotQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let service = service_number(&mut reader);
    let from = reader.required(&attribute::FROM, |text| zone.period_start(text));
    let until = reader.required(&attribute::TO, |text| zone.period_end(text));
    let staff = reader.optional(&attribute::BOOKING_STAFF, StaffName::parse);
    if let (Ok(from), Ok(until)) = (&from, &until) {
        let days = most.as_secs() / (24 * 60 * 60);
        // A day of the calendar may take an hour more.
        let most = most.saturating_add(Duration::from_hours(2));
        if until <= from {
            reader.object(&attribute::TO, "must be after from");
        } else if until.since(*from) > most {
            let message = format!("must be at most {days} days after from");
            reader.object(&attribute::TO, &message);
        }
    }
    reader.finish(|| {
        Ok(SlotQuery {
            service: service?,
            from: from?,
            until: until?,
            staff: staff?,
        })
    })
}

/// The times at which a service is free.
pub fn view(service: &BookableService, slots: &[FreeSlot], zone: &Zone) -> Object {
    let price = service.terms.price;
    let all = slots.iter().map(|slot| {
        let team = slot.staff.iter().map(|it| it.as_str().to_owned());
        Object::new()
            .with("bkgStart", zone.date_time(slot.starts_at))
            .with("bkgEnd", zone.date_time(slot.ends_at))
            .with("bkgTeam", Node::texts("bkgTeam", team))
            .with("bkgSeats", u64::from(slot.seats))
            .with("price", price)
            .with("currency", price.currency().code())
    });
    Object::new()
        .with("bkgService", service.number.get())
        .with("bkgName", service.terms.name.as_str())
        .with("bkgTimezone", service.terms.zone.as_str())
        .with("slots", Node::objects("slot", all))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, query};

    fn read(text: &str) -> Result<SlotQuery, Violations> {
        let week = Duration::from_hours(7 * 24);
        parse(&query(text), Handling::Strict, (&lagos(), week))
    }

    #[test]
    fn a_week_is_read_and_not_more() {
        let wanted = read("bkgService=7&from=19-01-2026&to=25-01-2026&bkgStaff=Ada").unwrap();
        assert_eq!(wanted.service.get(), 7);
        assert_eq!(
            wanted.until.since(wanted.from),
            Duration::from_hours(7 * 24)
        );
        assert_eq!(wanted.staff.unwrap().as_str(), "Ada");
        insta::assert_snapshot!(faults(read("bkgService=7&from=19-01-2026&to=26-01-2026")), @r"
        400 -
        to: must be at most 7 days after from
        ");
        insta::assert_snapshot!(faults(read("bkgService=7&from=19-01-2026&to=18-01-2026")), @r"
        400 -
        to: must be after from
        ");
        insta::assert_snapshot!(faults(read("bkgService=x&bkgStaff=a%2Cb&x=1")), @r"
        405 -
        bkgService: must be the bkgService of a service, such as 7213340023
        from: is required; add it to the query of the address
        to: is required; add it to the query of the address
        bkgStaff: must not hold a comma
        x: is not an attribute of this request; leave it out
        ");
    }
}
