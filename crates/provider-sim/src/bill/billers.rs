//! The billers of every category, from the data that is compiled in, and those an operator added.

use domain::bill::{BillCategory, Biller};

/// Every biller of every category; a category's own come first.
pub(crate) fn all() -> Option<Vec<Biller>> {
    let of = |category: BillCategory| {
        let billers = category.definition().billers.iter();
        billers.map(move |data| Biller::of(category, data))
    };
    BillCategory::all().flat_map(of).collect()
}
