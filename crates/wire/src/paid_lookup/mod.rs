//! Lookups that are sold by name: which there are, and one of them. It must not show more than the
//! provider reported.

pub mod list;
pub mod lookup;
mod outcome;
mod parameters;

pub(crate) use outcome::{ShownLookup, price};

use crate::attribute::{Attribute, LOOKUP_CODE};
use crate::family::FamilyView;
use crate::geolocation::number;
use crate::tree::Object;
use crate::zone::Zone;
use domain::order::Service;
use domain::paid_lookup::{LookupCategory, LookupOrder};
use domain::transaction::Transaction;

impl FamilyView for LookupOrder {
    const NAME: &'static str = "Lookup";

    const PATH: &'static str = "/vas/lookup";

    /// A lookup has no report of its own: asking again under its reference is free and answers what
    /// is known.
    const REPORT: &'static str = "";

    const BILLER: &'static Attribute = &LOOKUP_CODE;

    const UNKNOWN_BILLER: &'static str =
        "is no lookup that is sold; GET /vas/lookups lists those there are";

    fn name(service: Service) -> &'static str {
        if is_of_device(service) {
            "Device location"
        } else {
            Self::NAME
        }
    }

    fn path(service: Service) -> &'static str {
        if is_of_device(service) {
            number::PATH
        } else {
            Self::PATH
        }
    }

    fn answer(&self, transaction: &Transaction, zone: &Zone) -> Object {
        match self.category {
            LookupCategory::Record => lookup::view(transaction, self, zone),
            LookupCategory::Device => number::view(transaction, self, None, zone),
        }
    }

    fn report(&self, transaction: &Transaction, zone: &Zone) -> Object {
        self.answer(transaction, zone)
    }
}

fn is_of_device(service: Service) -> bool {
    service == Service::Lookup(LookupCategory::Device)
}
