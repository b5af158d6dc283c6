//! `GET /operations/providers`: the providers, and what keeps orders from them. It must be shown to
//! operators alone.

use super::{Placed, page_of, placed};
use crate::attributes::Attributes;
use crate::listing::{Layout, Listing, ListingOrder, OrderWord};
use crate::page::Paging;
use crate::reader::Handling;
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::environment::Environment;
use domain::operations::ProviderOverview;

const LAYOUT: Layout<Placed<ProviderOverview>> = Layout {
    path: "/operations/providers",
    plural: "providers",
    singular: "provider",
    orders: &[ListingOrder {
        word: "prvIdentifier",
        compare: |one, other| one.place.cmp(&other.place),
    }],
    entry,
};

/// Reads which part of the list is asked for.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<Paging<OrderWord>, Violations> {
    page_of(attributes, handling, &LAYOUT)
}

/// The list, in the order of the configuration.
pub fn listing(found: Vec<ProviderOverview>, zone: &Zone) -> Listing<Placed<ProviderOverview>> {
    placed(found, zone)
}

/// A page of the list.
pub fn view(rows: &Listing<Placed<ProviderOverview>>, page: &Paging<OrderWord>) -> Object {
    LAYOUT.view(rows, page)
}

/// The `Link` header of the answer.
pub fn link_header(rows: &Listing<Placed<ProviderOverview>>, page: &Paging<OrderWord>) -> String {
    LAYOUT.link_header((rows, page), &[])
}

fn entry(row: &Placed<ProviderOverview>) -> Object {
    let Placed { shown, zone, .. } = row;
    let pause = shown.pause.as_ref();
    let routes = u64::try_from(shown.routes).unwrap_or(u64::MAX);
    Object::new()
        .with("prvIdentifier", shown.provider.as_str())
        .with("prvEnvironment", shown.environment.map(Environment::code))
        .with("prvRoutes", routes)
        .with("prvEnabled", pause.is_none())
        .with("prvPausedBy", pause.map(|it| it.by.as_str()))
        .with("prvPausedSince", pause.map(|it| zone.date_time(it.since)))
        .with("prvReason", pause.map(|it| it.reason.as_str()))
        .with(
            "until",
            shown.maintenance_until.map(|at| zone.date_time(at)),
        )
}
