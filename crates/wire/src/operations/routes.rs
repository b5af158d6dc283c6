//! `GET /operations/routes`: the routes, in the order of the configuration. It must be shown to
//! operators alone.

use super::{Placed, page_of, placed};
use crate::attributes::Attributes;
use crate::format;
use crate::listing::{Layout, Listing, ListingOrder, OrderWord};
use crate::page::Paging;
use crate::reader::Handling;
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::operations::RouteOverview;

const LAYOUT: Layout<Placed<RouteOverview>> = Layout {
    path: "/operations/routes",
    plural: "routes",
    singular: "route",
    orders: &[ListingOrder {
        word: "rteIdentifier",
        compare: |one, other| one.place.cmp(&other.place),
    }],
    entry,
};

/// Reads which part of the list is asked for.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<Paging<OrderWord>, Violations> {
    page_of(attributes, handling, &LAYOUT)
}

/// The list, in the order of the configuration.
pub fn listing(found: Vec<RouteOverview>, zone: &Zone) -> Listing<Placed<RouteOverview>> {
    placed(found, zone)
}

/// A page of the list.
pub fn view(rows: &Listing<Placed<RouteOverview>>, page: &Paging<OrderWord>) -> Object {
    LAYOUT.view(rows, page)
}

/// The `Link` header of the answer.
pub fn link_header(rows: &Listing<Placed<RouteOverview>>, page: &Paging<OrderWord>) -> String {
    LAYOUT.link_header((rows, page), &[])
}

fn entry(row: &Placed<RouteOverview>) -> Object {
    let route = &row.shown;
    let number = u64::try_from(route.number).unwrap_or(u64::MAX);
    Object::new()
        .with("rteIdentifier", number)
        .with("rteService", route.service.code())
        .with("prvIdentifier", route.provider.as_str())
        .with("prvEnvironment", route.environment.code())
        .with("biller", route.biller.as_deref())
        .with("billing", route.billing.map(format::billing))
        .with("countryCode", route.country.map(|it| it.to_string()))
        .with("rteMinimum", route.amount_min)
        .with("rteMaximum", route.amount_max)
        .with("prvPriority", route.priority)
        .with("prvWeight", route.weight)
        .with("prvCost", route.cost.map(|it| it.to_string()))
}
