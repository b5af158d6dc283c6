//! How the gateway is doing, for merchants and for operators.

pub mod approvals;
pub mod cases;
pub mod change;
pub mod float;
pub mod maintenance;
pub mod providers;
pub mod routes;
pub mod status;

use crate::attributes::Attributes;
use crate::listing::{Layout, Listing, OrderWord};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::violations::Violations;
use crate::zone::Zone;

/// An entry at its place in the order in which it was found, with the time zone of its dates.
#[derive(Debug, Clone)]
pub struct Placed<T> {
    shown: T,
    place: usize,
    zone: Zone,
}

/// Entries in the order in which they were found.
fn placed<T>(found: Vec<T>, zone: &Zone) -> Listing<Placed<T>> {
    let rows = (0_usize..).zip(found).map(|(place, shown)| Placed {
        shown,
        place,
        zone: zone.clone(),
    });
    Listing::whole(rows.collect())
}

/// Reads which page of a list without filters is asked for.
fn page_of<T>(
    attributes: &Attributes,
    handling: Handling,
    layout: &Layout<T>,
) -> Result<Paging<OrderWord>, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let paging = layout.read(&mut reader);
    reader.finish(|| paging)
}
