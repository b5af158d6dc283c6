//! `GET /operations/float`: our money at each provider, by the ledger and by what the provider
//! said. It must be shown to operators alone.

use super::{Placed, page_of, placed};
use crate::attributes::Attributes;
use crate::listing::{Layout, Listing, ListingOrder, OrderWord};
use crate::page::Paging;
use crate::reader::Handling;
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::operations::FloatOverview;

const LAYOUT: Layout<Placed<FloatOverview>> = Layout {
    path: "/operations/float",
    plural: "floats",
    singular: "float",
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
pub fn listing(found: Vec<FloatOverview>, zone: &Zone) -> Listing<Placed<FloatOverview>> {
    placed(found, zone)
}

/// A page of the list.
pub fn view(rows: &Listing<Placed<FloatOverview>>, page: &Paging<OrderWord>) -> Object {
    LAYOUT.view(rows, page)
}

/// The `Link` header of the answer.
pub fn link_header(rows: &Listing<Placed<FloatOverview>>, page: &Paging<OrderWord>) -> String {
    LAYOUT.link_header((rows, page), &[])
}

fn entry(row: &Placed<FloatOverview>) -> Object {
    let Placed { shown, zone, .. } = row;
    Object::new()
        .with("prvIdentifier", shown.provider.as_str())
        .with("fltCurrency", shown.currency.code())
        .with("fltLedger", shown.ledger)
        .with("fltProvider", shown.said)
        .with("fltDifference", shown.difference)
        .with("fltLow", shown.is_low)
        .with("fltForecast", shown.lasts.map(|it| it.as_secs()))
        .with("fltDate", shown.read_at.map(|at| zone.date_time(at)))
}
