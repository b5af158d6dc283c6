//! Lookups in the sandbox that are sold by name. What they find must be made up: no register is
//! asked.

pub(crate) mod table;

use crate::catalogue::SandboxCatalogue;
use crate::draw::Draw;
use crate::entry_facts::EntryFacts;
use crate::family_product::{FamilyProduct, ProductFields, Progress};
use domain::geolocation::device::GeoPoint;
use domain::order::Service;
use domain::paid_lookup::{
    DevicePosition, LookupCategory, LookupCode, LookupFindings, LookupOrder,
};
use domain::provider::Fulfilment;

/// Where devices are: in Lagos, within a tenth of a degree.
const SOUTH_WEST: (u64, u64) = (6_450_000, 3_300_000);
const EXTENT: u64 = 100_000;

/// How exactly they are known, in metres.
const ACCURACY: (u64, u64) = (50, 2_000);

/// What was looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PaidLookupProduct {
    category: LookupCategory,
    code: LookupCode,
    /// The last characters of the number: the journal keeps no more of whom it is about.
    ending: String,
}

impl FamilyProduct for PaidLookupProduct {
    type Order = LookupOrder;

    fn of(order: &LookupOrder, _: &SandboxCatalogue) -> Self {
        Self {
            category: order.category,
            code: order.code.clone(),
            ending: ending(&order.number).to_owned(),
        }
    }

    fn is_served(order: &LookupOrder, catalogue: &SandboxCatalogue) -> bool {
        catalogue
            .lookup_record(order.category, &order.code)
            .is_some()
    }

    fn service(&self) -> Service {
        Service::Lookup(self.category)
    }

    fn digits(&self) -> &str {
        &self.ending
    }

    fn fields(&self) -> (Option<String>, Option<String>) {
        (Some(self.code.to_string()), None)
    }

    fn read(service: Service, fields: ProductFields<'_>) -> Option<Self> {
        let Service::Lookup(category) = service else {
            return None;
        };
        Some(Self {
            category,
            code: LookupCode::parse(fields.biller?).ok()?,
            ending: ending(fields.digits).to_owned(),
        })
    }

    fn fulfilment(
        &self,
        entry: &EntryFacts<'_>,
        _: Progress,
        catalogue: &SandboxCatalogue,
    ) -> Option<Fulfilment> {
        let unavailable = LookupFindings::unavailable(self.category);
        Some(Fulfilment::Lookup(match self.category {
            LookupCategory::Record => LookupFindings {
                values: catalogue
                    .lookup_record(self.category, &self.code)?
                    .answers
                    .clone(),
                ..unavailable
            },
            LookupCategory::Device => LookupFindings {
                location: Some(fix(entry, &self.ending)?),
                ..unavailable
            },
        }))
    }
}

/// The last four characters, which force outcomes.
fn ending(number: &str) -> &str {
    let start = number.len().saturating_sub(4);
    number.get(start..).unwrap_or_default()
}

/// The same ending is at the same place in every run of a seed.
fn fix(entry: &EntryFacts<'_>, number: &str) -> Option<DevicePosition> {
    let draw = Draw::new(entry.seed, &["device", number]);
    let degrees = |property: &str, from: u64| {
        let micros = draw.between(property, (from, from.saturating_add(EXTENT)));
        i32::try_from(micros).ok()
    };
    let (south, west) = SOUTH_WEST;
    Some(DevicePosition {
        at: GeoPoint::from_micros(degrees("latitude", south)?, degrees("longitude", west)?)?,
        accuracy: u32::try_from(draw.between("accuracy", ACCURACY)).ok()?,
        located_at: entry.at,
    })
}
