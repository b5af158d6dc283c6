//! The fields that every list of billers shows and can be ordered by, whatever they sell. It must
//! not know what is sold, nor the commission.

use crate::format::available;
use crate::listing::{ListingOrder, by_name, by_number};
use crate::logo;
use crate::tree::Object;

/// The texts about a biller; one that is not on record is empty.
pub(crate) struct BillerView<'a> {
    pub(crate) identifier: &'a str,
    pub(crate) brandname: &'a str,
    pub(crate) company: &'a str,
    pub(crate) address: &'a str,
}

/// An entry of the catalogue that belongs to a biller.
pub(crate) trait ListedBiller {
    fn shown(&self) -> BillerView<'_>;
}

/// The orders of a list of billers.
pub(crate) const fn orders<T: ListedBiller>() -> [ListingOrder<T>; 3] {
    [
        ListingOrder {
            word: "identifier",
            compare: |one, other| by_number(one.shown().identifier, other.shown().identifier),
        },
        ListingOrder {
            word: "brandname",
            compare: |one, other| by_name(one.shown().brandname, other.shown().brandname),
        },
        ListingOrder {
            word: "company",
            compare: |one, other| by_name(one.shown().company, other.shown().company),
        },
    ]
}

/// The fields every biller begins with.
pub(crate) fn view(seller: &impl ListedBiller) -> Object {
    let shown = seller.shown();
    Object::new()
        .with("identifier", shown.identifier)
        .with("brandname", shown.brandname)
        .with("company", available(shown.company))
        .with("logo", logo::shown(shown.brandname))
        .with("address", available(shown.address))
}
