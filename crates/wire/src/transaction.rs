//! The common fields of transactions of every family, their report and its address. It must show
//! each family in its own shape.

use crate::attributes::Attributes;
use crate::family::{FamilyView, product_path, report_below};
use crate::format;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::for_order;
use domain::order::Service;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::transaction::{State, Status, Transaction};

/// The answer to the request that made the transaction.
pub fn answer(transaction: &Transaction, zone: &Zone) -> Object {
    for_order!(&transaction.order, order => order.answer(transaction, zone))
}

/// The transaction as its report shows it.
pub fn report(transaction: &Transaction, zone: &Zone) -> Object {
    for_order!(&transaction.order, order => order.report(transaction, zone))
}

/// The `message` of an answer that shows a transaction.
pub fn outcome(transaction: &Transaction) -> &'static str {
    match transaction.status() {
        Status::Pending if transaction.awaits_approval() => {
            "The transaction waits for another user to approve it; its report will show more."
        }
        Status::Pending => "The transaction is pending; its report will show the outcome.",
        Status::Successful => "The transaction was successful.",
        Status::Failed if is_unavailable(transaction) => {
            "The service is not available; the transaction failed and nothing was charged."
        }
        Status::Failed if matches!(transaction.state, State::Cancelled(_)) => {
            "The transaction was cancelled before it was sent; nothing was charged."
        }
        Status::Failed => "The transaction failed and nothing was charged.",
        Status::Reversed => "The transaction was reversed and the charge returned.",
    }
}

/// Whether it failed through no fault of the order.
fn is_unavailable(transaction: &Transaction) -> bool {
    matches!(&transaction.state, State::Failed(failed) if failed.was_unavailable())
}

/// The address of the report of a transaction, for `Location`. No character of a reference needs
/// encoding in a query (RFC 3986 §3.4). A lookup has no report of its own: repeating it under its
/// reference and number is free and returns the known result.
pub fn report_path(service: Service, reference: &MerchantReference) -> String {
    let (path, below) = (product_path(service), report_below(service));
    let name = crate::attribute::REFERENCE.name;
    format!("{path}{below}?{name}={reference}")
}

/// Reads the reference that every report is requested by.
pub fn parse_reference(
    attributes: &Attributes,
    handling: Handling,
) -> Result<MerchantReference, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    reader.finish(|| reference)
}

/// The merchant's reference of a request, where it has a valid one, whatever else is wrong with it.
pub fn reference_of(attributes: &Attributes) -> Option<MerchantReference> {
    let mut reader = FieldReader::new(attributes, Handling::Lenient);
    reader.reference().ok()
}

/// The number of what the gateway counts: digits alone.
pub(crate) fn number(text: &str) -> Option<TransactionNumber> {
    let is_number = text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|_| is_number)?;
    TransactionNumber::try_new(number).ok()
}

/// The fields every transaction begins with (interface §2.3).
pub(crate) fn identity(transaction: &Transaction) -> Object {
    Object::new()
        .with("mrcReference", transaction.reference.as_str())
        .with("txnReference", transaction.number.get())
        .with("txnStatus", format::status(transaction.status()))
}

/// The fields with which every transaction that moves an amount ends, except for a few.
pub(crate) fn money(transaction: &Transaction) -> Object {
    Object::new()
        .with("amount", transaction.order.amount())
        .with("price", transaction.quote.price)
        .with("currency", transaction.quote.price.currency().code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, query};
    use domain::provider::{RefusalKind, SubmitOutcome};
    use domain::transaction::Observation;
    use testkit::builders::{START, advance, airtime, answer, reference, refusal_of};

    #[test]
    fn a_report_is_asked_for_by_reference_alone() {
        let read = |text, handling| parse_reference(&query(text), handling);
        for handling in [Handling::Strict, Handling::Lenient] {
            let reference = read("mrcReference=a%3A1", handling).unwrap();
            assert_eq!(reference.as_str(), "a:1");
        }
        insta::assert_snapshot!(faults(read("reference=order-1", Handling::Strict)), @r"
        405 -
        mrcReference: is required; add it to the query of the address
        reference: is not an attribute of this request; leave it out
        ");
        let missing = "405 -\nmrcReference: is required; add it to the query of the address";
        for none in ["", "mrcreference=a", "reference=a"] {
            assert_eq!(faults(read(none, Handling::Lenient)), missing);
        }
        let shape = "must be 1 to 64 characters out of A-Z a-z 0-9 . _ : -";
        assert_eq!(
            faults(read("mrcReference=", Handling::Lenient)),
            format!("400 -\nmrcReference: {shape}")
        );
    }

    #[test]
    fn a_payment_that_failed_through_no_fault_of_the_order_says_so() {
        let failed = "The transaction failed and nothing was charged.";
        let unavailable =
            "The service is not available; the transaction failed and nothing was charged.";
        let moment = RefusalKind::Moment { retry_after: None };
        for (kind, expected, reported) in [
            (RefusalKind::Order, failed, "Rejected"),
            (RefusalKind::Lookalike, failed, "Rejected"),
            (RefusalKind::Account, unavailable, "Unknown"),
            (moment, unavailable, "Unknown"),
        ] {
            let tx = airtime().transaction();
            let refused = answer(&tx, SubmitOutcome::Declined(refusal_of(kind)));
            let tx = advance(&tx, &refused, START).transaction;
            assert_eq!(outcome(&tx), expected, "{kind:?}");
            assert_eq!(format::gateway_status(tx.gateway_status()), reported);
        }
    }

    #[test]
    fn what_was_cancelled_in_the_queue_says_so() {
        let queued = airtime().queued(START, START).transaction();
        let waits = "The transaction is pending; its report will show the outcome.";
        assert_eq!(outcome(&queued), waits);
        let cancelled = advance(&queued, &Observation::Due, START).transaction;
        let why = "The transaction was cancelled before it was sent; nothing was charged.";
        assert_eq!(outcome(&cancelled), why);
        let reported = format::gateway_status(cancelled.gateway_status());
        assert_eq!(reported, "Unknown");
    }

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
