//! `/booking/service` and what is below it. What is read must be what is shown.

use super::{service_number, zone_name};
use crate::attribute::{self, Attribute};
use crate::attributes::Attributes;
use crate::page::{self, Paging};
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::bank::GroupLabel;
use domain::booking::{
    BookableService, CivilDay, HOLD_MINUTES_MAX, HOLD_MINUTES_MIN, HOURS_MAX, InvalidCivilDay,
    NewBookableService, OpenHours, Prepayment, SHARED_MAX, STAFF_MAX, ServiceMinutes, ServiceTerms,
    StaffName,
};
use domain::collection::{NewCollection, RedirectUrl};
use domain::money::{Currency, Money};
use domain::reference::TransactionNumber;
use jiff::civil::Date;
use std::collections::BTreeSet;

const PATH: &str = "/booking/service";

/// The only order of lists: by the moment they were made.
const ORDERS: [(&str, ()); 1] = [("txnDate", ())];

/// A page of the services of an account.
#[derive(Debug, Clone, Copy)]
pub struct ServicesPart<'a> {
    pub services: &'a [BookableService],
    /// The number of services of the account.
    pub total: u64,
}

/// Reads the service that is wanted.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
) -> Result<NewBookableService, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let terms = terms(&mut reader);
    reader.finish(|| {
        Ok(NewBookableService {
            reference: reference?,
            terms: terms?,
        })
    })
}

/// Reads which service is changed, what can be booked then, and the version that was seen.
pub fn parse_change(
    attributes: &Attributes,
    handling: Handling,
) -> Result<(TransactionNumber, ServiceTerms, u32), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let number = service_number(&mut reader);
    let version = reader.version();
    let version = reader.needed(&attribute::VERSION, version, "a change");
    let terms = terms(&mut reader);
    reader.finish(|| Ok((number?, terms?, version?)))
}

/// Reads which services are requested.
pub fn parse_list(attributes: &Attributes, handling: Handling) -> Result<Paging<()>, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let paging = Paging::read(&mut reader, &ORDERS);
    reader.finish(|| paging)
}

fn terms(reader: &mut FieldReader<'_>) -> Result<ServiceTerms, InvalidField> {
    let name = reader.required(&attribute::BOOKING_NAME, GroupLabel::parse);
    let location = reader.optional(&attribute::BOOKING_LOCATION, GroupLabel::parse);
    let zone = reader.required(&attribute::BOOKING_ZONE, zone_name);
    let hours = reader.required(&attribute::BOOKING_HOURS, hours);
    let closed = reader.optional(&attribute::BOOKING_CLOSED, closed);
    let minutes = minutes(reader);
    let staff = reader.optional(&attribute::BOOKING_TEAM, team);
    let capacity = reader.count(
        &attribute::BOOKING_CAPACITY,
        (1, ServiceTerms::CAPACITY_MAX.into()),
    );
    let horizon = reader.count(
        &attribute::BOOKING_HORIZON,
        (1, ServiceTerms::HORIZON_MAX.into()),
    );
    let price = reader.optional(&attribute::AMOUNT, price);
    let currency = reader.required(&attribute::CURRENCY, crate::collection::naira_alone);
    let prepayment = prepayment(reader, &price);
    let is_offered = reader.truth(&attribute::BOOKING_OFFERED);
    currency?;
    let (staff, capacity) = (staff?.unwrap_or_default(), capacity?.unwrap_or(1));
    if staff.len().max(1).saturating_mul(usize::from(capacity)) > SHARED_MAX {
        let message = format!("comes to more than {SHARED_MAX} with all of bkgTeam");
        return Err(reader.fault(&attribute::BOOKING_CAPACITY, &message));
    }
    Ok(ServiceTerms {
        name: name?,
        location: location?,
        zone: zone?,
        hours: hours?,
        closed: closed?.unwrap_or_default(),
        minutes: minutes?,
        staff,
        capacity,
        horizon: horizon?.unwrap_or(HORIZON),
        price: price?.unwrap_or(Money::zero(Currency::Ngn)),
        prepayment: prepayment?,
        is_offered: is_offered?.unwrap_or(true),
    })
}

/// How many days ahead a service is booked where its merchant does not say.
const HORIZON: u16 = 60;

fn minutes(reader: &mut FieldReader<'_>) -> Result<ServiceMinutes, InvalidField> {
    let range = (ServiceMinutes::MIN.into(), ServiceMinutes::MAX.into());
    let length = reader.count(&attribute::BOOKING_MINUTES, range);
    let length = reader.needed(&attribute::BOOKING_MINUTES, length, "a service");
    let step = reader.count(&attribute::BOOKING_STEP, range);
    let buffer = reader.count(&attribute::BOOKING_BUFFER, (0, ServiceMinutes::MAX.into()));
    let notice = reader.count(
        &attribute::BOOKING_NOTICE,
        (0, ServiceMinutes::NOTICE_MAX.into()),
    );
    let (length, step, buffer, notice) = (length?, step?, buffer?, notice?);
    Ok(ServiceMinutes {
        length,
        step: step.unwrap_or(length),
        buffer: buffer.unwrap_or_default(),
        notice: notice.unwrap_or_default(),
    })
}

/// How long an appointment is held for its payment, and where its customer goes afterwards: both or
/// neither, and not without a price.
fn prepayment(
    reader: &mut FieldReader<'_>,
    price: &Result<Option<Money>, InvalidField>,
) -> Result<Option<Prepayment>, InvalidField> {
    let most = HOLD_MINUTES_MAX.into();
    let hold = reader.count(&attribute::BOOKING_HOLD, (HOLD_MINUTES_MIN.into(), most));
    let redirect = reader.optional(&attribute::REDIRECT_URL, RedirectUrl::parse);
    let mut missing = |attribute: &Attribute, of: &Attribute| {
        let message = format!("is required with {}; add it to the body", of.name);
        Err(reader.fault(attribute, &message))
    };
    match (hold?, redirect?) {
        (None, None) => Ok(None),
        (Some(_), None) => missing(&attribute::REDIRECT_URL, &attribute::BOOKING_HOLD),
        (None, Some(_)) => missing(&attribute::BOOKING_HOLD, &attribute::REDIRECT_URL),
        (Some(_), Some(_)) if matches!(price, Ok(None)) => {
            missing(&attribute::AMOUNT, &attribute::BOOKING_HOLD)
        }
        (Some(hold), Some(redirect)) => Ok(Some(Prepayment { hold, redirect })),
    }
}

fn price(text: &str) -> Result<Money, String> {
    let amount = Money::parse(text, Currency::Ngn).map_err(|error| error.to_string())?;
    NewCollection::check(amount).map_err(|error| error.to_string())?;
    Ok(amount)
}

fn hours(text: &str) -> Result<Vec<OpenHours>, String> {
    let all = listed(text, HOURS_MAX, str::parse::<OpenHours>)?;
    let mut apart = all.clone();
    apart.sort_unstable();
    let overlaps = apart.windows(2).any(|two| match two {
        [one, next] => one.overlaps(*next),
        _ => false,
    });
    if overlaps {
        return Err("must not name a minute twice".to_owned());
    }
    Ok(all)
}

fn closed(text: &str) -> Result<Vec<CivilDay>, String> {
    listed(text, ServiceTerms::CLOSED_MAX, day)
}

fn day(text: &str) -> Result<CivilDay, InvalidCivilDay> {
    let day = Date::strptime("%d-%m-%Y", text).map_err(|_| InvalidCivilDay)?;
    let read = CivilDay {
        year: u16::try_from(day.year()).map_err(|_| InvalidCivilDay)?,
        month: u8::try_from(day.month()).map_err(|_| InvalidCivilDay)?,
        day: u8::try_from(day.day()).map_err(|_| InvalidCivilDay)?,
    };
    (read.to_string() == text)
        .then_some(read)
        .ok_or(InvalidCivilDay)
}

fn team(text: &str) -> Result<Vec<StaffName>, String> {
    let all = listed(text, STAFF_MAX, StaffName::parse)?;
    let distinct: BTreeSet<_> = all.iter().map(StaffName::key).collect();
    if distinct.len() < all.len() {
        return Err("must name each person once".to_owned());
    }
    Ok(all)
}

/// A list with commas in between; an entry that is wrong is named by its place.
fn listed<T, E: std::fmt::Display>(
    text: &str,
    most: usize,
    read: impl Fn(&str) -> Result<T, E>,
) -> Result<Vec<T>, String> {
    let texts: Vec<_> = text.split(',').map(str::trim).collect();
    if texts.len() > most {
        return Err(format!("must hold at most {most} entries"));
    }
    let numbered = (1_usize..).zip(texts);
    numbered
        .map(|(place, text)| read(text).map_err(|error| format!("entry {place} {error}")))
        .collect()
}

/// A service.
pub fn view_one(service: &BookableService, zone: &Zone) -> Object {
    let terms = &service.terms;
    let prepayment = terms.prepayment.as_ref();
    let texts = |item, all: Vec<String>| Node::texts(item, all);
    let number = |count: u16| u64::from(count);
    Object::new()
        .with("mrcReference", service.reference.as_str())
        .with("bkgService", service.number.get())
        .with("bkgName", terms.name.as_str())
        .with(
            "bkgLocation",
            terms.location.as_ref().map(GroupLabel::as_str),
        )
        .with("bkgTimezone", terms.zone.as_str())
        .with("bkgHours", texts("bkgHour", shown(&terms.hours)))
        .with("bkgClosed", texts("bkgClosed", shown(&terms.closed)))
        .with("bkgMinutes", number(terms.minutes.length))
        .with("bkgStep", number(terms.minutes.step))
        .with("bkgBuffer", number(terms.minutes.buffer))
        .with("bkgNotice", u64::from(terms.minutes.notice))
        .with("bkgTeam", texts("bkgTeam", shown(&terms.staff)))
        .with("bkgCapacity", number(terms.capacity))
        .with("bkgHorizon", number(terms.horizon))
        .with("price", terms.price)
        .with("currency", terms.price.currency().code())
        .with("bkgHold", prepayment.map(|it| u64::from(it.hold)))
        .with("redirectUrl", prepayment.map(|it| it.redirect.as_str()))
        .with("bkgOffered", terms.is_offered)
        .with("txnDate", zone.date_time(service.created_at))
        .with("version", u64::from(service.version))
}

fn shown<T: ToString>(all: &[T]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}

/// A page of the services.
pub fn view(part: ServicesPart<'_>, query: &Paging<()>, zone: &Zone) -> Object {
    let all = part.services.iter().map(|it| view_one(it, zone));
    Object::new()
        .with("services", Node::objects("service", all))
        .with("metadata", page::metadata(part.services.len()))
        .with("query", page::query(&query.window(part.total)))
}

/// The `Link` header of the answer (RFC 8288).
pub fn link_header(part: ServicesPart<'_>, query: &Paging<()>) -> String {
    query.link_header(PATH, part.total)
}

/// The address at which services are listed, for `Location`.
pub const fn path() -> &'static str {
    PATH
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, lagos, pretty};
    use testkit::builders::{bookable_service, naira};

    const GOOD: [(&str, &str); 17] = [
        ("mrcReference", "\"cut-7\""),
        ("bkgName", "\"Haircut\""),
        ("bkgLocation", "\"12 Broad Street Lagos\""),
        ("bkgTimezone", "\"africa/lagos\""),
        ("bkgHours", r#"["mon 09:00-17:00","Sat 09:00-12:00"]"#),
        ("bkgClosed", r#"["26-01-2026"]"#),
        ("bkgMinutes", "30"),
        ("bkgStep", "15"),
        ("bkgBuffer", "10"),
        ("bkgNotice", "60"),
        ("bkgTeam", "\"Ada, Bola\""),
        ("bkgCapacity", "2"),
        ("bkgHorizon", "90"),
        ("amount", "\"5,000.00\""),
        ("currency", "\"NGN\""),
        ("bkgHold", "15"),
        ("redirectUrl", "\"https://shop.example/done\""),
    ];

    fn read(pairs: &[(&str, &str)]) -> Result<NewBookableService, Violations> {
        parse(&body(pairs), Handling::Strict)
    }

    #[test]
    fn a_service_is_read_whole() {
        let terms = read(&GOOD).unwrap().terms;
        assert_eq!(terms.zone, "Africa/Lagos");
        assert_eq!(shown(&terms.hours), ["Mon 09:00-17:00", "Sat 09:00-12:00"]);
        assert_eq!(shown(&terms.closed), ["26-01-2026"]);
        assert_eq!(shown(&terms.staff), ["Ada", "Bola"]);
        assert_eq!((terms.minutes.length, terms.minutes.step), (30, 15));
        assert_eq!((terms.minutes.buffer, terms.minutes.notice), (10, 60));
        assert_eq!((terms.capacity, terms.horizon), (2, 90));
        assert_eq!(terms.price, naira("5,000.00"));
        assert_eq!(terms.prepayment.unwrap().hold, 15);
        assert!(terms.is_offered);
        let needed = [
            "mrcReference",
            "bkgName",
            "bkgTimezone",
            "bkgHours",
            "bkgMinutes",
            "currency",
        ];
        let least: Vec<_> = GOOD
            .into_iter()
            .filter(|(name, _)| needed.contains(name))
            .collect();
        let terms = read(&least).unwrap().terms;
        assert_eq!(
            (terms.minutes.step, terms.capacity, terms.horizon),
            (30, 1, 60)
        );
        assert!(terms.staff.is_empty() && terms.prepayment.is_none());
        assert!(!terms.price.is_positive());
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        insta::assert_snapshot!(faults(read(&[("x", "1")])), @r"
        400 -
        mrcReference: is required; add it to the body
        bkgName: is required; add it to the body
        bkgTimezone: is required; add it to the body
        bkgHours: is required; add it to the body
        bkgMinutes: is required for a service; add it to the body
        currency: is required; add it to the body
        x: is not an attribute of this request; leave it out
        ");
        for (name, wrong) in [
            ("bkgTimezone", "\"Africa/Nowhere\""),
            ("bkgHours", "\"Mon 9-17\""),
            ("bkgHours", "\"Mon 09:00-12:00,Mon 11:59-13:00\""),
            ("bkgClosed", "\"31-02-2026\""),
            ("bkgClosed", "\"1-2-2026\""),
            ("bkgMinutes", "4"),
            ("bkgMinutes", "1441"),
            ("bkgStep", "0"),
            ("bkgBuffer", "-1"),
            ("bkgNotice", "43201"),
            ("bkgTeam", "\"Ada,Ada\""),
            ("bkgTeam", "\"Ada,,Bola\""),
            ("bkgTeam", "\"Ada,ada\""),
            ("bkgCapacity", "0"),
            ("bkgHorizon", "732"),
            ("amount", "\"0.50\""),
            ("currency", "\"USD\""),
            ("bkgHold", "4"),
            ("redirectUrl", "\"ftp://shop.example\""),
            ("bkgOffered", "\"maybe\""),
        ] {
            let kept = GOOD.into_iter().filter(|(kept, _)| *kept != name);
            let pairs: Vec<_> = kept.chain([(name, wrong)]).collect();
            let named = faults(read(&pairs));
            assert!(named.contains(&format!("\n{name}: ")), "{name} in {named}");
        }
    }

    #[test]
    fn a_hold_needs_a_price_and_where_its_customer_goes() {
        let without = |left_out: &str| {
            let kept = GOOD.into_iter().filter(|(name, _)| *name != left_out);
            faults(read(&kept.collect::<Vec<_>>()))
        };
        for (left_out, named) in [
            ("bkgHold", "bkgHold: is required with redirectUrl"),
            ("redirectUrl", "redirectUrl: is required with bkgHold"),
            ("amount", "amount: is required with bkgHold"),
        ] {
            let said = without(left_out);
            assert!(said.contains(named), "{said}");
        }
    }

    #[test]
    fn a_service_is_shown_whole() {
        insta::assert_snapshot!(pretty(
            &view_one(&bookable_service("shop", 7), &lagos()).into()
        ));
    }
}
