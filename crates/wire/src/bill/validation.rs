//! A customer of a biller. It must show the customer as the biller describes them.

use super::{parameters, read_customer};
use crate::attributes::Attributes;
use crate::format::{self, available};
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::bill::{BillAccount, BillCategory, BillQuery, Biller};
use domain::money::Money;

/// Reads which customer is requested.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    category: BillCategory,
) -> Result<BillQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let customer = read_customer(&mut reader, category);
    reader.finish(|| customer.query(category))
}

/// The customer, and the smallest and the largest payment for them.
pub fn view(
    (biller, query): (&Biller, &BillQuery),
    account: &BillAccount,
    (minimum, maximum): (Money, Money),
    zone: &Zone,
) -> Object {
    Object::new()
        .with("provider", account.biller.as_str())
        .with("brandname", biller.brandname.as_str())
        .with("number", account.number.digits())
        .and(parameters(query.category, &query.fields))
        .with("customerName", available(&account.customer_name))
        .with("customerAddress", account.customer_address.clone())
        .with("billing", format::billing(account.billing))
        .with("debt", account.debt)
        .with("minimum", minimum)
        .with("maximum", maximum)
        .with("dueDate", account.due_at.map(|at| zone.iso_date(at)))
        .with("billReference", account.bill_reference.clone())
        .with("billPeriod", account.bill_period.clone())
        .and(band(query.category, account))
        .with("currency", account.debt.currency().code())
}

/// The tariff band, where the category is metered.
fn band(category: BillCategory, account: &BillAccount) -> Object {
    if category.definition().unit.is_none() {
        return Object::new();
    }
    Object::new().with("tffBand", account.tariff_band.clone())
}
