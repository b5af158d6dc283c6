//! `/operations/maintenance`: what is announced to be away. It must be shown to operators alone.

use super::{Placed, page_of, placed};
use crate::attribute;
use crate::attributes::Attributes;
use crate::listing::{Layout, Listing, ListingOrder, OrderWord};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::security::freezes::service;
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::family::Service;
use domain::operations::change_request::{ChangeReason, RequestedChange};
use domain::operations::maintenance::{AnnouncedMaintenance, MaintenanceScope};
use domain::provider::ProviderId;
use domain::time::Timestamp;
use std::convert::Infallible;

/// Maintenance that is announced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownMaintenance {
    /// What is away, and when.
    pub time: AnnouncedMaintenance,
    /// Who announced it.
    pub by: String,
    /// Why.
    pub reason: String,
}

/// What a request says of the scope.
struct ScopeParts {
    provider: Result<Option<ProviderId>, InvalidField>,
    service: Result<Option<Service>, InvalidField>,
    biller: Result<Option<String>, InvalidField>,
}

const LAYOUT: Layout<Placed<ShownMaintenance>> = Layout {
    path: "/operations/maintenance",
    plural: "maintenances",
    singular: "maintenance",
    orders: &[ListingOrder {
        word: "from",
        compare: |one, other| {
            let key = |row: &Placed<ShownMaintenance>| (row.shown.time.from(), row.place);
            key(one).cmp(&key(other))
        },
    }],
    entry,
};

/// Reads which part of the list is asked for.
pub fn parse_list(
    attributes: &Attributes,
    handling: Handling,
) -> Result<Paging<OrderWord>, Violations> {
    page_of(attributes, handling, &LAYOUT)
}

/// The list, in the order in which it begins.
pub fn listing(found: Vec<ShownMaintenance>, zone: &Zone) -> Listing<Placed<ShownMaintenance>> {
    placed(found, zone)
}

/// A page of the list.
pub fn view(rows: &Listing<Placed<ShownMaintenance>>, page: &Paging<OrderWord>) -> Object {
    LAYOUT.view(rows, page)
}

/// The `Link` header of the answer.
pub fn link_header(rows: &Listing<Placed<ShownMaintenance>>, page: &Paging<OrderWord>) -> String {
    LAYOUT.link_header((rows, page), &[])
}

/// Reads what is asked to be announced, or to end before its time.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    (zone, now): (&Zone, Timestamp),
    biller_code: impl Fn(Service, &str) -> Option<String>,
) -> Result<(RequestedChange, ChangeReason), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let words = [("Announced", false), ("Ended", true)];
    let ends = reader.choice(&attribute::MAINTENANCE_STATUS, &words);
    let scope = reader.word(
        &attribute::SCOPE,
        &MaintenanceScope::WORDS.map(|word| (word, word)),
    );
    let parts = ScopeParts {
        provider: reader.optional(&attribute::PROVIDER_NAME, ProviderId::parse),
        service: reader.optional(&attribute::SERVICE, delivered),
        biller: reader.optional(&attribute::BILLER, |text| {
            Ok::<_, Infallible>(text.to_owned())
        }),
    };
    let from = reader.required(&attribute::FROM, |text| zone.parse(text));
    let until = reader.required(&attribute::UNTIL, |text| zone.parse(text));
    let reason = reader.required(&attribute::REASON, ChangeReason::parse);
    let scope = scope.and_then(|scope| scope_of(&mut reader, (scope, parts), biller_code));
    let time = scope.and_then(|scope| {
        let times = (from?, until?);
        let announced = AnnouncedMaintenance::announce(scope, times, now);
        announced.map_err(|wrong| reader.fault(&attribute::UNTIL, &wrong.to_string()))
    });
    reader.finish(|| {
        let time = time?;
        let change = if ends?.unwrap_or(false) {
            RequestedChange::MaintenanceEnd(time)
        } else {
            RequestedChange::Maintenance(time)
        };
        Ok((change, reason?))
    })
}

/// A service that providers deliver, by its word.
fn delivered(text: &str) -> Result<Service, String> {
    let read = service(text)?;
    let words: Vec<_> = Service::delivered().map(Service::code).collect();
    let is_delivered = words.contains(&read.code());
    is_delivered
        .then_some(read)
        .ok_or_else(|| format!("must be one of {}", words.join(", ")))
}

/// What a scope with its parts is.
fn scope_of(
    reader: &mut FieldReader<'_>,
    (scope, parts): (&str, ScopeParts),
    biller_code: impl Fn(Service, &str) -> Option<String>,
) -> Result<MaintenanceScope, InvalidField> {
    let (provider, service, biller) = (parts.provider?, parts.service?, parts.biller?);
    let superfluous = [
        (
            &attribute::PROVIDER_NAME,
            provider.is_some() && scope != "provider",
        ),
        (
            &attribute::SERVICE,
            service.is_some() && scope == "provider",
        ),
        (&attribute::BILLER, biller.is_some() && scope != "biller"),
    ];
    let mut is_sound = Ok(());
    for (attribute, _) in superfluous
        .iter()
        .filter(|(_, is_superfluous)| *is_superfluous)
    {
        let message = format!("says nothing of the scope {scope}; leave it out");
        is_sound = Err(reader.fault(attribute, &message));
    }
    is_sound?;
    let missing = match (scope, provider, service, biller) {
        ("provider", Some(provider), ..) => return Ok(MaintenanceScope::Provider(provider)),
        ("service", _, Some(service), _) => return Ok(MaintenanceScope::Service(service)),
        ("biller", _, Some(service), Some(code)) => {
            let Some(code) = biller_code(service, &code) else {
                let message = "is no biller of the service; see GET /operations/status";
                return Err(reader.fault(&attribute::BILLER, message));
            };
            let biller = MaintenanceScope::biller(service, &code);
            return biller.map_err(|wrong| reader.fault(&attribute::BILLER, &wrong.to_string()));
        }
        ("provider", None, ..) => &attribute::PROVIDER_NAME,
        (_, _, None, _) => &attribute::SERVICE,
        _ => &attribute::BILLER,
    };
    let message = format!("is required for the scope {scope}; add it to the body");
    Err(reader.fault(missing, &message))
}

/// The fields of a scope, or of the provider that something else is about.
pub(super) fn scope_fields(
    fields: Object,
    scope: Option<&MaintenanceScope>,
    provider: Option<&ProviderId>,
) -> Object {
    let provider = provider.or_else(|| scope?.provider());
    let service = scope.and_then(MaintenanceScope::service);
    fields
        .with("scope", scope.map(MaintenanceScope::word))
        .with("prvIdentifier", provider.map(ProviderId::as_str))
        .with("service", service.map(Service::code))
        .with("biller", scope.and_then(MaintenanceScope::biller_code))
}

fn entry(row: &Placed<ShownMaintenance>) -> Object {
    let Placed { shown, zone, .. } = row;
    scope_fields(Object::new(), Some(shown.time.scope()), None)
        .with("from", zone.date_time(shown.time.from()))
        .with("until", zone.date_time(shown.time.until()))
        .with("mntAnnouncedBy", shown.by.as_str())
        .with("reason", shown.reason.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, lagos};

    const NOW: Timestamp = Timestamp::from_millis(1_796_000_000_000);

    const SERVICE: (&str, &str) = ("scope", "\"service\"");
    const BILLER: (&str, &str) = ("scope", "\"biller\"");
    const AIRTIME: (&str, &str) = ("service", "\"airtime\"");

    fn read(rest: &[(&str, &str)]) -> Result<(RequestedChange, ChangeReason), Violations> {
        let mut pairs = vec![
            ("reason", "\"switch\""),
            ("from", "\"01-12-2026 01:00:00\""),
            ("until", "\"01-12-2026 03:00:00\""),
        ];
        pairs.extend(rest);
        parse(
            &body(&pairs),
            Handling::Strict,
            (&lagos(), NOW),
            |_, name| (name != "none").then(|| name.to_lowercase()),
        )
    }

    #[test]
    fn each_scope_is_read() {
        let provider = [("scope", "\"provider\""), ("prvIdentifier", "\"my-shop\"")];
        let biller = [
            BILLER,
            AIRTIME,
            ("biller", "\"MTN\""),
            ("mntStatus", "\"ended\""),
        ];
        for (rest, expected) in [
            (&provider[..], "provider my-shop"),
            (&[("scope", "\"Service\""), AIRTIME], "service airtime"),
            (&biller, "biller airtime mtn"),
        ] {
            let (change, reason) = read(rest).unwrap();
            let subject = change.subject();
            assert_eq!(subject, format!("{expected} 1796083200000 1796090400000"));
            assert_eq!(reason.as_str(), "switch");
            let ends = matches!(change, RequestedChange::MaintenanceEnd(_));
            assert_eq!(ends, rest.len() == 4);
        }
    }

    #[test]
    fn what_does_not_belong_to_a_scope_and_what_lacks_is_named() {
        for (rest, fault) in [
            (
                &[("scope", "\"provider\"")][..],
                "prvIdentifier: is required for the scope provider",
            ),
            (&[SERVICE], "service: is required for the scope service"),
            (
                &[BILLER, AIRTIME],
                "biller: is required for the scope biller",
            ),
            (
                &[SERVICE, AIRTIME, ("prvIdentifier", "\"my-shop\"")],
                "prvIdentifier: says nothing of the scope service",
            ),
            (
                &[("scope", "\"all\"")],
                "scope: must be provider or service or biller",
            ),
            (
                &[BILLER, AIRTIME, ("biller", "\"none\"")],
                "biller: is no biller of the service",
            ),
            (
                &[BILLER, AIRTIME, ("biller", "\"a b\"")],
                "biller: must be the code of a biller",
            ),
        ] {
            let refused = faults(read(rest));
            assert!(refused.contains(fault), "{rest:?}: {refused}");
        }
    }
}
