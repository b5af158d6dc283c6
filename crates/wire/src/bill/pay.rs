//! The payment of a bill. It must never read both a plan and an amount into one order, and shows
//! null for any value the biller has not sent yet.

use super::{parameters, read_customer};
use crate::attribute;
use crate::attributes::Attributes;
use crate::format::{self, available};
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::transaction::{identity, money};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::bill::{BillCategory, BillOrder, BillPayment, BillReceipt, RequestedBill};
use domain::money::Currency;
use domain::subscription::PlanCode;
use domain::token::Token;
use domain::transaction::Transaction;

/// Most periods of a plan that may be bought at once.
pub const DURATION_MAX: u8 = 12;

/// Longest reference of a bill.
const BILL_REFERENCE_MAX: usize = 64;

/// Reads a payment; its amount is in the currency of the account.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    (category, currency): (BillCategory, Currency),
) -> Result<BillPayment, Violations> {
    let mut reader = FieldReader::of_purchase(attributes, handling);
    let reference = reader.reference();
    let customer = read_customer(&mut reader, category);
    let requested = requested(&mut reader, (category, currency));
    let bill = reader.optional(&attribute::BILL_REFERENCE, bill_reference);
    let customer_phone = reader.customer_phone();
    reader.finish(|| {
        Ok(BillPayment {
            reference: reference?,
            customer: customer.query(category)?,
            requested: requested?,
            bill_reference: bill?,
            customer_phone: customer_phone?,
        })
    })
}

fn bill_reference(text: &str) -> Result<String, String> {
    let fits = (1..=BILL_REFERENCE_MAX).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_graphic());
    fits.then(|| text.to_owned()).ok_or_else(|| {
        format!(
            "must be the billReference of the validation, at most {BILL_REFERENCE_MAX} characters"
        )
    })
}

fn requested(
    reader: &mut FieldReader<'_>,
    (category, currency): (BillCategory, Currency),
) -> Result<RequestedBill, InvalidField> {
    if !category.has_plans() {
        return reader.amount(currency).map(RequestedBill::Amount);
    }
    let amount = reader.optional_amount(&attribute::AMOUNT, currency);
    let plan = reader.optional(&attribute::PLAN, PlanCode::parse);
    let duration = reader.integer(&attribute::DURATION, 1..=u64::from(DURATION_MAX));
    match (amount?, plan?) {
        (Some(amount), None) => {
            if duration?.is_some() {
                let message = "is of a plan; leave it out, or send identifier";
                return Err(reader.fault(&attribute::DURATION, message));
            }
            Ok(RequestedBill::Amount(amount))
        }
        (None, Some(plan)) => {
            let duration = duration?.and_then(|periods| u8::try_from(periods).ok());
            let duration = duration.unwrap_or(1);
            Ok(RequestedBill::Plan { plan, duration })
        }
        (Some(_), Some(_)) => {
            let message =
                "is the price of the plan where identifier is sent; leave one of them out";
            Err(reader.fault(&attribute::AMOUNT, message))
        }
        (None, None) => {
            let message =
                "is required where no plan is named; add amount or identifier to the body";
            Err(reader.fault(&attribute::AMOUNT, message))
        }
    }
}

/// A bill's transaction.
pub(crate) fn view(transaction: &Transaction, order: &BillOrder, zone: &Zone) -> Object {
    let gateway = format::gateway_status(transaction.gateway_status());
    identity(transaction)
        .with("txnDate", zone.date_time(transaction.opened_at))
        .with("gtwStatus", gateway)
        .and(body(transaction, order))
}

/// The fields after the identity.
fn body(transaction: &Transaction, order: &BillOrder) -> Object {
    let receipt = receipt(transaction);
    Object::new()
        .with("provider", order.biller.as_str())
        .with("brandname", order.brandname.as_str())
        .with("number", order.number.digits())
        .and(parameters(order.category, &order.fields))
        .with("customerName", available(&order.customer_name))
        .with("billing", format::billing(order.billing))
        .with("billReference", order.bill_reference.clone())
        .and(plan(order))
        .with("debt", order.debt)
        .with("outstanding", receipt.map(|receipt| receipt.outstanding))
        .with(
            "receipt",
            receipt.map(|receipt| available(&receipt.receipt)),
        )
        .and(money(transaction))
        .and(token(order, receipt))
}

/// The plan, where the category has plans; null where an amount was paid.
fn plan(order: &BillOrder) -> Object {
    if !order.category.has_plans() {
        return Object::new();
    }
    let plan = order.plan.as_ref();
    Object::new()
        .with("identifier", plan.map(|plan| plan.code.as_str()))
        .with("name", plan.map(|plan| plan.name.as_str()))
        .with("duration", plan.map(|plan| plan.duration.to_string()))
}

/// The token, where the category has tokens; null until there is one.
fn token(order: &BillOrder, receipt: Option<&BillReceipt>) -> Object {
    if order.category.definition().unit.is_none() {
        return Object::new();
    }
    let token = receipt.and_then(|receipt| receipt.token.as_ref());
    Object::new().with("token", token.map(token_view))
}

fn token_view(token: &Token) -> Node {
    Object::new()
        .with("number", format::token_number(token))
        .with("cost", token.cost)
        .with("units", format::units(token))
        .into()
}

/// The biller's answer, once it is certain. A reversed payment still shows it: a merchant who
/// passed a token on has to know which one was reversed.
fn receipt(transaction: &Transaction) -> Option<&BillReceipt> {
    transaction.state.delivered()?.fulfilment.bill_receipt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults};
    use testkit::builders::bill_category;

    const GOOD: [(&str, &str); 4] = [
        ("mrcReference", "\"order-1\""),
        ("provider", "601"),
        ("number", "\"04123456789\""),
        ("amount", "\"5,000.00\""),
    ];

    #[test]
    fn the_telephone_of_the_customer_may_be_given() {
        let read = |pairs: &[(&str, &str)]| {
            let context = (bill_category("water"), Currency::Ngn);
            parse(&body(pairs), Handling::Strict, context)
        };
        let with = |phone| read(&[GOOD.as_slice(), &[("customerNumber", phone)]].concat());
        assert_eq!(read(&GOOD).unwrap().customer_phone, None);
        let phone = with("\"+2348031234567\"").unwrap().customer_phone;
        assert_eq!(phone.unwrap().digits(), "2348031234567");
        let shape = "must be in international format: 8 to 15 digits, the plus sign optional";
        assert_eq!(
            faults(with("\"0803\"")),
            format!("400 822\ncustomerNumber: {shape}")
        );
    }
}
