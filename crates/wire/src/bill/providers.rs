//! The billers of a category. It must list what it is given: which billers can be paid now is not
//! decided here.

use crate::attribute;
use crate::attributes::Attributes;
use crate::biller::{self, BillerView, ListedBiller};
use crate::labelled;
use crate::listing::{Layout, Listing, OrderWord};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use domain::bill::{AmountRule, BillCategory, Biller, BillingOffer, FieldDefinition};
use domain::country::CountryCode;
use domain::subscription::BillerCode;

/// The billers that are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillersQuery {
    pub category: BillCategory,
    pub country: CountryCode,
    /// The one biller that is requested; without it, all of them.
    pub only: Option<BillerCode>,
    pub paging: Paging<OrderWord>,
}

const fn layout(category: BillCategory) -> Layout<Biller> {
    Layout {
        path: category.definition().paths.providers,
        plural: "providers",
        singular: "provider",
        orders: const { &biller::orders() },
        entry: view_one,
    }
}

/// Reads which billers are requested.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    category: BillCategory,
) -> Result<BillersQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let country = reader.country();
    let only = reader.optional(&attribute::PROVIDER_IDENTIFIER, BillerCode::parse);
    let paging = layout(category).read(&mut reader);
    reader.finish(|| {
        Ok(BillersQuery {
            category,
            country: country?,
            only: only?,
            paging: paging?,
        })
    })
}

/// A page of the list of billers.
pub fn view(billers: &Listing<Biller>, query: &BillersQuery) -> Object {
    layout(query.category).view(billers, &query.paging)
}

/// The `Link` header of the answer.
pub fn link_header(billers: &Listing<Biller>, query: &BillersQuery) -> String {
    let filters = [(&attribute::COUNTRY, query.country.to_string())];
    layout(query.category).link_header((billers, &query.paging), &filters)
}

/// One biller: an entry of the list, or the whole answer.
pub fn view_one(biller: &Biller) -> Object {
    let fields = biller.category.definition().fields;
    let shown = biller::view(biller)
        .with("commission", biller.terms.commission.to_string())
        .with("currency", biller.terms.fee.currency().code())
        .with("minimum", biller.minimum)
        .with("maximum", biller.maximum)
        .with("billing", billing(biller.billing))
        .with("amountRule", amount_rule(biller.amount_rule));
    if fields.is_empty() {
        return shown;
    }
    let parameters = fields.iter().map(parameter);
    shown.with("parameters", Node::objects("parameter", parameters))
}

fn parameter(field: &FieldDefinition) -> Object {
    labelled::parameter(
        (field.name, field.label),
        field.shape.pattern(),
        field.required,
    )
}

const fn billing(offer: BillingOffer) -> &'static str {
    match offer {
        BillingOffer::Prepaid => "Prepaid",
        BillingOffer::Postpaid => "Postpaid",
        BillingOffer::Both => "Both",
    }
}

const fn amount_rule(rule: AmountRule) -> &'static str {
    match rule {
        AmountRule::Any => "any",
        AmountRule::Exact => "exact",
        AmountRule::AtLeast => "atLeast",
        AmountRule::AtMost => "atMost",
    }
}

impl ListedBiller for Biller {
    fn shown(&self) -> BillerView<'_> {
        BillerView {
            identifier: self.code.as_str(),
            brandname: &self.brandname,
            company: &self.company,
            address: &self.address,
        }
    }
}
