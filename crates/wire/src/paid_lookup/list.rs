//! `GET /vas/lookups`: the lookups that are sold, with what each asks for and costs. It must list
//! what it is given.

use crate::attribute::COUNTRY;
use crate::attributes::Attributes;
use crate::country;
use crate::labelled;
use crate::listing::{Layout, Listing, ListingOrder, OrderWord};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use domain::country::CountryCode;
use domain::money::Money;
use domain::paid_lookup::{LookupDefinition, LookupParameter};

/// The lookups that are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookupsQuery {
    /// The country whose records are asked; without it, every one.
    pub country: Option<CountryCode>,
    pub paging: Paging<OrderWord>,
}

/// A lookup of the list.
#[derive(Debug, Clone)]
pub struct ListedLookup {
    pub definition: LookupDefinition,
    /// What the account is charged for one.
    pub price: Money,
    pub available: bool,
}

const ORDERS: [ListingOrder<ListedLookup>; 2] = [
    ListingOrder {
        word: "lkpName",
        compare: |one, other| one.definition.name.cmp(&other.definition.name),
    },
    ListingOrder {
        word: "lkpCode",
        compare: |one, other| one.definition.code.cmp(&other.definition.code),
    },
];

const LAYOUT: Layout<ListedLookup> = Layout {
    path: "/vas/lookups",
    plural: "lookups",
    singular: "lookup",
    orders: &ORDERS,
    entry: view_one,
};

/// Reads which lookups are requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<LookupsQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let country = reader.optional(&COUNTRY, country::parse);
    let paging = LAYOUT.read(&mut reader);
    reader.finish(|| {
        Ok(LookupsQuery {
            country: country?,
            paging: paging?,
        })
    })
}

/// A page of the list.
pub fn view(lookups: &Listing<ListedLookup>, query: &LookupsQuery) -> Object {
    LAYOUT.view(lookups, &query.paging)
}

/// The `Link` header of the answer.
pub fn link_header(lookups: &Listing<ListedLookup>, query: &LookupsQuery) -> String {
    let country = query.country.map(|it| (&COUNTRY, it.to_string()));
    let filters: Vec<_> = country.into_iter().collect();
    LAYOUT.link_header((lookups, &query.paging), &filters)
}

fn view_one(lookup: &ListedLookup) -> Object {
    let definition = &lookup.definition;
    Object::new()
        .with("lkpCode", definition.code.as_str())
        .with("lkpName", definition.name.as_str())
        .with("description", definition.about.as_str())
        .with("countryCode", definition.country.to_string())
        .with("numberLabel", definition.number.label.as_str())
        .with("numberPattern", definition.number.form.pattern())
        .with(
            "parameters",
            Node::objects("parameter", definition.parameters.iter().map(parameter)),
        )
        .with("needsConsent", definition.needs_consent)
        .with("price", lookup.price)
        .with("currency", lookup.price.currency().code())
        .with("isAvailable", lookup.available)
}

fn parameter(parameter: &LookupParameter) -> Object {
    labelled::parameter(
        (&parameter.name, &parameter.label),
        parameter.form.pattern(),
        parameter.required,
    )
}
