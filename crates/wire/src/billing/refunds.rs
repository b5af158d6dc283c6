//! `/billing/refund` and what is below it. An answer must show money as given back only where the
//! ledger says so.

use crate::attribute;
use crate::attributes::Attributes;
use crate::format;
use crate::page::{self, Paging};
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::money::Currency;
use domain::reference::MerchantReference;
use domain::refund::{NewRefund, RefundReason, RefundState, RefundStatus};

const PATH: &str = "/billing/refund";

const MISSING_AMOUNT: &str = "is missing beside currency; add it, or leave both out";

/// The only order: by the moment they were asked for.
const ORDERS: [(&str, ()); 1] = [("txnDate", ())];

/// A page of the refunds of an account.
#[derive(Debug, Clone, Copy)]
pub struct RefundsPart<'a> {
    pub refunds: &'a [RefundState],
    /// The number of refunds of the account.
    pub total: u64,
}

/// Reads a refund that is asked for. Without an amount it is the whole price.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<NewRefund, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let original = reader.required(&attribute::REFUNDED, MerchantReference::parse);
    let currency = reader.optional(&attribute::CURRENCY, currency);
    // An amount is read in either currency alike.
    let read_in = currency.as_ref().ok().copied().flatten();
    let read_in = read_in.unwrap_or(Currency::Ngn);
    let amount = reader.optional_amount(&attribute::TRANSFER_AMOUNT, read_in);
    let amount = match (&currency, amount) {
        (Ok(Some(_)), Ok(None)) => Err(reader.fault(&attribute::TRANSFER_AMOUNT, MISSING_AMOUNT)),
        (_, read) => read,
    };
    let reason = reader.required(&attribute::REFUND_REASON, RefundReason::parse);
    reader.finish(|| {
        let _ = currency?;
        Ok(NewRefund {
            reference: reference?,
            original: original?,
            amount: amount?,
            reason: reason?,
        })
    })
}

/// Reads which refunds are requested.
pub fn parse_list(attributes: &Attributes, handling: Handling) -> Result<Paging<()>, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let paging = Paging::read(&mut reader, &ORDERS);
    reader.finish(|| paging)
}

fn currency(text: &str) -> Result<Currency, &'static str> {
    let currency = Currency::from_code(&text.to_ascii_uppercase());
    currency.ok_or("must be NGN or CRD, or left out")
}

/// The `message` of an answer that shows a refund.
pub const fn outcome(status: RefundStatus) -> &'static str {
    match status {
        RefundStatus::Pending => "The refund waits for the operator of the gateway to decide.",
        RefundStatus::Completed => "The amount was given back.",
        RefundStatus::Refused => "The refund was refused.",
    }
}

/// A refund and what became of it.
pub fn view_one(state: &RefundState, zone: &Zone) -> Object {
    let refund = &state.request;
    let (status, settled) = (state.status(), state.settled);
    // What a provider gave back after a refusal is a reversal of the payment.
    let settled = settled.filter(|_| status == RefundStatus::Completed);
    Object::new()
        .with("mrcReference", refund.reference.as_str())
        .with("txnReference", refund.number.get())
        .with("txnStatus", format::status(status.of_transaction()))
        .with("txnDate", zone.date_time(refund.created_at))
        .with("mrcOriginal", refund.original.as_str())
        .with("rfdIdentifier", refund.number.get().to_string())
        .with("rfdStatus", status.code())
        .with("txnAmount", refund.amount)
        .with("currency", refund.amount.currency().code())
        .with("rfdReason", refund.reason.as_str())
        .with("rfdChannel", settled.map(|it| it.by.code()))
        .with("rfdCredited", settled.map(|it| it.amount))
        .with("rfdCompleted", settled.map(|it| zone.date_time(it.at)))
}

/// A page of the refunds.
pub fn view(part: RefundsPart<'_>, query: &Paging<()>, zone: &Zone) -> Object {
    let refunds = part.refunds.iter().map(|it| view_one(it, zone));
    Object::new()
        .with("refunds", Node::objects("refund", refunds))
        .with("metadata", page::metadata(part.refunds.len()))
        .with("query", page::query(&query.window(part.total)))
}

/// The `Link` header of the answer (RFC 8288).
pub fn link_header(part: RefundsPart<'_>, query: &Paging<()>) -> String {
    query.link_header(PATH, part.total)
}

/// The address of a refund, for `Location`.
pub fn path(reference: &MerchantReference) -> String {
    format!(
        "{PATH}/transaction?{}={reference}",
        attribute::REFERENCE.name
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{BAD_AMOUNTS, body, faults, lagos, pretty, query, replaced};
    use domain::refund::{RefundChannel, RefundSettlement, RefundVerdict};
    use testkit::builders::{at, credits, naira, reference, refund, refund_decision};

    const GOOD: [(&str, &str); 4] = [
        ("mrcReference", "\"back-1\""),
        ("mrcOriginal", "\"order-1\""),
        ("txnAmount", "\"1,000.00\""),
        ("rfdReason", "\" never arrived \""),
    ];

    fn read(pairs: &[(&str, &str)]) -> Result<NewRefund, Violations> {
        parse(&body(pairs), Handling::Strict)
    }

    #[test]
    fn a_refund_is_read_whole() {
        let wanted = read(&GOOD).unwrap();
        assert_eq!(wanted.reference, reference("back-1"));
        assert_eq!(wanted.original, reference("order-1"));
        assert_eq!(wanted.amount, Some(naira("1,000.00")));
        assert_eq!(wanted.reason.as_str(), "never arrived");
        let whole: Vec<_> = GOOD.into_iter().filter(|it| it.0 != "txnAmount").collect();
        assert_eq!(read(&whole).unwrap().amount, None);
        let in_credits = [GOOD.as_slice(), &[("currency", "\"crd\"")]].concat();
        let amount = read(&in_credits).unwrap().amount;
        assert_eq!(amount, Some(credits("1,000.00")));
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        let alone: Vec<_> = GOOD.into_iter().filter(|it| it.0 != "txnAmount").collect();
        let alone = [alone.as_slice(), &[("currency", "\"NGN\"")]].concat();
        let expected = format!("400 814\ntxnAmount: {MISSING_AMOUNT}");
        assert_eq!(faults(read(&alone)), expected);
        insta::assert_snapshot!(faults(read(&[("x", "1")])), @r"
        400 -
        mrcReference: is required; add it to the body
        mrcOriginal: is required; add it to the body
        rfdReason: is required; add it to the body
        x: is not an attribute of this request; leave it out
        ");
        let wrong = [
            ("mrcReference", "\"a b\""),
            ("mrcOriginal", "\"\""),
            ("txnAmount", "0"),
            ("rfdReason", "\"  \""),
            ("currency", "\"USD\""),
        ];
        insta::assert_snapshot!(faults(read(&wrong)), @r"
        400 814
        mrcReference: must be 1 to 64 characters out of A-Z a-z 0-9 . _ : -
        mrcOriginal: must be 1 to 64 characters out of A-Z a-z 0-9 . _ : -
        currency: must be NGN or CRD, or left out
        txnAmount: must be an amount above zero, such as 1234.00
        rfdReason: must not be empty
        ");
        for (literal, message) in BAD_AMOUNTS {
            // An amount that is null is one that is left out.
            if literal == "null" {
                continue;
            }
            let expected = format!("400 814\ntxnAmount: {message}");
            let refused = faults(read(&replaced(&GOOD, "txnAmount", literal)));
            assert_eq!(refused, expected, "{literal}");
        }
        let listed = parse_list(&query("orderby=amount&x=1"), Handling::Strict);
        insta::assert_snapshot!(faults(listed), @r"
        400 -
        orderby: must be txnDate, or left out
        x: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn money_is_shown_as_given_back_once_it_was() {
        let mut state = RefundState {
            request: refund("shop", 7, "back-1"),
            decision: None,
            settled: None,
        };
        insta::assert_snapshot!(pretty(&view_one(&state, &lagos()).into()), @r#"
        {
          mrcReference: "back-1"
          txnReference: 7
          txnStatus: "Pending"
          txnDate: "15-01-2026 10:00:00"
          mrcOriginal: "order-1"
          rfdIdentifier: "7"
          rfdStatus: "Pending"
          txnAmount: "100.00"
          currency: "NGN"
          rfdReason: "never arrived"
          rfdChannel: null
          rfdCredited: null
          rfdCompleted: null
        }
        "#);
        state.settled = Some(RefundSettlement {
            by: RefundChannel::Credit,
            amount: naira("100.00"),
            at: at(60),
        });
        insta::assert_snapshot!(pretty(&view_one(&state, &lagos()).into()), @r#"
        {
          mrcReference: "back-1"
          txnReference: 7
          txnStatus: "Successful"
          txnDate: "15-01-2026 10:00:00"
          mrcOriginal: "order-1"
          rfdIdentifier: "7"
          rfdStatus: "Completed"
          txnAmount: "100.00"
          currency: "NGN"
          rfdReason: "never arrived"
          rfdChannel: "credit"
          rfdCredited: "100.00"
          rfdCompleted: "15-01-2026 10:01:00"
        }
        "#);
        // It was refused, and the provider reversed the payment.
        state.decision = Some(refund_decision(RefundVerdict::Refused));
        let shown = pretty(&view_one(&state, &lagos()).into());
        assert!(shown.contains("rfdStatus: \"Refused\""), "{shown}");
        assert!(shown.contains("rfdCredited: null"), "{shown}");
    }
}
