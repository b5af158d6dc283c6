//! The plans of a biller. It must show the price of a plan for this merchant, not its list price.

use crate::attribute;
use crate::attributes::Attributes;
use crate::format::available;
use crate::listing::{Layout, Listing, ListingOrder, OrderWord, by_name, by_number};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use domain::bill::{BillCategory, BillPlan, Biller};
use domain::money::Money;
use domain::subscription::BillerCode;

/// The plans that are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillPlansQuery {
    pub category: BillCategory,
    pub provider: BillerCode,
    pub paging: Paging<OrderWord>,
}

const fn layout(category: BillCategory) -> Layout<(BillPlan, Money)> {
    Layout {
        path: category.definition().paths.plans,
        plural: "plans",
        singular: "plan",
        orders: &[
            ListingOrder {
                word: "identifier",
                compare: |one, other| by_number(one.0.code.as_str(), other.0.code.as_str()),
            },
            ListingOrder {
                word: "name",
                compare: |one, other| by_name(&one.0.name, &other.0.name),
            },
            ListingOrder {
                word: "amount",
                compare: |one, other| one.0.amount.minor().cmp(&other.0.amount.minor()),
            },
        ],
        entry: |(plan, price)| view_plan(plan, *price),
    }
}

/// Reads which plans are requested.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    category: BillCategory,
) -> Result<BillPlansQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let provider = reader.provider();
    let paging = layout(category).read(&mut reader);
    reader.finish(|| {
        Ok(BillPlansQuery {
            category,
            provider: provider?,
            paging: paging?,
        })
    })
}

/// A page of a biller's plans, each with its price.
pub fn view(biller: &Biller, plans: &Listing<(BillPlan, Money)>, query: &BillPlansQuery) -> Object {
    Object::new()
        .with("brandname", biller.brandname.as_str())
        .with("company", available(&biller.company))
        .and(layout(query.category).view(plans, &query.paging))
}

/// The `Link` header of the answer.
pub fn link_header(plans: &Listing<(BillPlan, Money)>, query: &BillPlansQuery) -> String {
    let filters = [(&attribute::PROVIDER, query.provider.to_string())];
    layout(query.category).link_header((plans, &query.paging), &filters)
}

fn view_plan(plan: &BillPlan, price: Money) -> Object {
    Object::new()
        .with("identifier", plan.code.as_str())
        .with("name", plan.name.as_str())
        .with("validity", plan.validity_days)
        .with("amount", plan.amount)
        .with("price", price)
        .with("currency", price.currency().code())
}
