//! What transactions of every family have in common outside: their fields, their report and where
//! it is. It must show each family in its own shape.

use crate::attributes::Attributes;
use crate::format;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use crate::{airtime, bank, cabletv, electricity, hlr, internet, sms};
use domain::order::{Order, Service};
use domain::reference::MerchantReference;
use domain::transaction::{Status, Transaction};

/// The answer to the request that made the transaction.
pub fn answer(transaction: &Transaction, zone: &Zone) -> Object {
    match &transaction.order {
        Order::Airtime(order) => airtime::top_up::view(transaction, order, zone),
        Order::CableTv(order) => cabletv::subscribe::view(transaction, order),
        Order::Electricity(order) => electricity::pay::view(transaction, order, zone),
        Order::Internet(order) => internet::subscribe::view(transaction, order),
        Order::Sms(order) => sms::send::view(transaction, order, zone),
        Order::Bank(order) => bank::payout::view(transaction, order),
        Order::Hlr(order) => hlr::lookup::view(transaction, order, zone),
    }
}

/// The transaction as its report shows it.
pub fn report(transaction: &Transaction, zone: &Zone) -> Object {
    match &transaction.order {
        Order::Airtime(order) => airtime::transaction::view(transaction, order, zone),
        Order::CableTv(order) => cabletv::transaction::view(transaction, order),
        Order::Electricity(order) => electricity::transaction::view(transaction, order, zone),
        Order::Internet(order) => internet::transaction::view(transaction, order),
        Order::Sms(order) => sms::transaction::view(transaction, order, zone),
        Order::Bank(order) => bank::transaction::view(transaction, order),
        Order::Hlr(order) => hlr::lookup::view(transaction, order, zone),
    }
}

/// The `message` of an answer that shows a transaction.
pub fn outcome(transaction: &Transaction) -> &'static str {
    match transaction.status() {
        Status::Pending => "The transaction is pending; its report will tell the outcome.",
        Status::Successful => "The transaction was successful.",
        Status::Failed => "The transaction failed and nothing was charged.",
        Status::Reversed => "The transaction was reversed and the charge returned.",
    }
}

/// The path of a product: where it is bought, if it is posted there, and its transactions are
/// listed or, of number lookups, found by reference.
pub const fn product_path(service: Service) -> &'static str {
    match service {
        Service::Airtime => "/payment/airtime",
        Service::CableTv => "/payment/cabletv",
        Service::Electricity => "/payment/electricity",
        Service::Internet => "/payment/internet",
        Service::Sms => "/messaging/sms",
        Service::Bank => "/transfer/bank",
        Service::Hlr => "/vas/hlrlookup",
    }
}

/// Where the report of a transaction is, for `Location`. Every character a reference may hold
/// stands for itself in a query (RFC 3986 §3.4). A lookup has no report of its own: asking again
/// under its reference and number is free and answers what is known.
pub fn report_path(service: Service, reference: &MerchantReference) -> String {
    let (path, name) = (product_path(service), crate::attribute::REFERENCE.name);
    match service {
        Service::Airtime
        | Service::CableTv
        | Service::Electricity
        | Service::Internet
        | Service::Sms
        | Service::Bank => format!("{path}/transaction?{name}={reference}"),
        Service::Hlr => format!("{path}?{name}={reference}"),
    }
}

/// What a report is asked by, in every family.
pub(crate) fn parse_reference(
    attributes: &Attributes,
    handling: Handling,
) -> Result<MerchantReference, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    reader.finish(|| reference)
}

/// The fields every transaction begins with (interface §2.3).
pub(crate) fn identity(transaction: &Transaction) -> Object {
    Object::new()
        .with("mrcReference", transaction.reference.as_str())
        .with("txnReference", transaction.number.get())
        .with("txnStatus", format::status(transaction.status()))
}

/// The fields every transaction that moves an amount ends with, or nearly so.
pub(crate) fn money(transaction: &Transaction) -> Object {
    Object::new()
        .with("amount", transaction.order.amount())
        .with("price", transaction.quote.price)
        .with("currency", transaction.quote.price.currency().code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::reference;

    #[test]
    fn the_address_of_a_report_needs_no_encoding() {
        let all = reference("AZaz09._:-");
        assert_eq!(
            report_path(Service::Airtime, &all),
            "/payment/airtime/transaction?mrcReference=AZaz09._:-"
        );
        let electricity = report_path(Service::Electricity, &all);
        let (path, query) = electricity.split_once('?').unwrap();
        assert_eq!(path, "/payment/electricity/transaction");
        let attributes = Attributes::from_query(Some(query)).unwrap();
        assert_eq!(parse_reference(&attributes, Handling::Strict), Ok(all));
    }
}
