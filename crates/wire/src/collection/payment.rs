//! `GET /collection/transaction` and `POST /collection/simulate`. A payment must be shown with what
//! is left of it after charges.

use super::{ORDERS, amount, collection_number, identifier, status};
use crate::attribute;
use crate::attributes::Attributes;
use crate::format;
use crate::page::{self, PageWindow, Paging, sort_word};
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::{Zone, utc};
use domain::bank::{AccountNumber, GroupLabel};
use domain::collection::{CollectedPayment, CollectionPayer, CollectionState};
use domain::money::Money;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use domain::transaction::Status;

const PATH: &str = "/collection/transaction";

/// Which payments are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaymentsQuery {
    pub paging: Paging<()>,
    pub collection: Option<TransactionNumber>,
    pub from: Option<Timestamp>,
    pub to: Option<Timestamp>,
}

/// A page of the payments of an account.
#[derive(Debug, Clone, Copy)]
pub struct PaymentsPart<'a> {
    pub payments: &'a [CollectedPayment],
    /// The number of payments that were asked for.
    pub total: u64,
}

/// A payment to simulate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimulationRequest {
    pub reference: MerchantReference,
    pub collection: TransactionNumber,
    pub amount: Money,
    pub payer: CollectionPayer,
}

/// Reads which payments are requested; days and moments are in the time zone of the account unless
/// they name one.
pub fn parse_list(
    attributes: &Attributes,
    handling: Handling,
    zone: &Zone,
) -> Result<PaymentsQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let paging = Paging::read(&mut reader, &ORDERS);
    let collection = reader.optional(&attribute::COLLECTION, collection_number);
    let from = reader.optional(&attribute::FROM, |text| zone.period_start(text));
    let to = reader.optional(&attribute::TO, |text| zone.period_end(text));
    if let (Ok(Some(from)), Ok(Some(to))) = (from, to)
        && to <= from
    {
        reader.object(&attribute::TO, "must be later than from");
    }
    reader.finish(|| {
        Ok(PaymentsQuery {
            paging: paging?,
            collection: collection?,
            from: from?,
            to: to?,
        })
    })
}

/// Reads the payment that is to be simulated.
pub fn parse_simulation(
    attributes: &Attributes,
    handling: Handling,
) -> Result<SimulationRequest, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let collection = identifier(&mut reader);
    let amount = amount(&mut reader, &attribute::COLLECTION_AMOUNT);
    let amount = reader.needed(&attribute::COLLECTION_AMOUNT, amount, "a payment");
    let name = label(reader.optional(&attribute::PAYER_NAME, GroupLabel::parse));
    let bank = label(reader.optional(&attribute::PAYER_BANK, GroupLabel::parse));
    let account = reader.optional(&attribute::PAYER_ACCOUNT, AccountNumber::parse);
    reader.finish(|| {
        let account = account?;
        let last = account.and_then(|it| it.digits().get(6..).map(str::to_owned));
        Ok(SimulationRequest {
            reference: reference?,
            collection: collection?,
            amount: amount?,
            payer: CollectionPayer {
                name: name?,
                bank: bank?,
                account_last: last,
            },
        })
    })
}

fn label(read: Result<Option<GroupLabel>, InvalidField>) -> Result<Option<String>, InvalidField> {
    Ok(read?.map(|label| label.as_str().to_owned()))
}

/// A payment to a collection.
pub fn view_one(payment: &CollectedPayment, zone: &Zone) -> Object {
    let account = payment.payer.account_last.as_ref();
    Object::new()
        .with("mrcReference", payment.reference.as_str())
        .with("txnReference", payment.number.get())
        .with("txnStatus", format::status(Status::Successful))
        .with("txnDate", zone.date_time(payment.at))
        .with("colIdentifier", payment.collection.get())
        .with("colAmount", payment.amount)
        .with("colCharge", payment.fee.charge)
        .with("colVat", payment.fee.vat)
        .with("colNet", payment.net())
        .with("currency", payment.amount.currency().code())
        .with("payerName", payment.payer.name.as_deref())
        .with("payerBank", payment.payer.bank.as_deref())
        .with("payerAccount", account.map(|last| format!("******{last}")))
        .with("sessionId", payment.session.as_str())
        .with("payDate", zone.date_time(payment.paid_at))
        .with("stlDate", zone.date_time(payment.at))
}

/// A simulated payment, and how its collection stands.
pub fn view_simulated(
    payment: &CollectedPayment,
    state: &CollectionState,
    (now, zone): (Timestamp, &Zone),
) -> Object {
    view_one(payment, zone)
        .with("colStatus", status(state.status(now)))
        .with("colPaid", state.paid.total)
        .with("colDue", state.due())
}

/// A page of the payments.
pub fn view(part: PaymentsPart<'_>, query: &PaymentsQuery, zone: &Zone) -> Object {
    let payments = part.payments.iter().map(|it| view_one(it, zone));
    Object::new()
        .with("payments", Node::objects("payment", payments))
        .with("metadata", page::metadata(part.payments.len()))
        .with("query", page::query(&window(part, query)))
}

/// The `Link` header of the answer (RFC 8288): the neighbouring pages under the same filters.
pub fn link_header(part: PaymentsPart<'_>, query: &PaymentsQuery) -> String {
    page::link_header(&window(part, query), |offset| address(query, offset))
}

const fn window(part: PaymentsPart<'_>, query: &PaymentsQuery) -> PageWindow {
    query.paging.window(part.total)
}

/// The same request for another page. No value in it needs encoding in a query.
fn address(query: &PaymentsQuery, offset: u64) -> String {
    let collection = query.collection.map(|number| number.get().to_string());
    let filters = [
        (attribute::OFFSET, Some(offset.to_string())),
        (attribute::LENGTH, Some(query.paging.length.to_string())),
        (
            attribute::SORT,
            Some(sort_word(query.paging.sort).to_owned()),
        ),
        (attribute::COLLECTION, collection),
        (attribute::FROM, query.from.map(utc)),
        (attribute::TO, query.to.map(utc)),
    ];
    let pairs = filters
        .iter()
        .filter_map(|(attribute, value)| Some(format!("{}={}", attribute.name, value.as_ref()?)));
    format!("{PATH}?{}", pairs.collect::<Vec<_>>().join("&"))
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use crate::fixtures::{faults, lagos, links_ask_for_the_same, pretty, query};
    use domain::collection::CollectionPaid;
    use testkit::builders::{collected, naira, payment_reference};

    const GOOD: [(&str, &str); 6] = [
        ("mrcReference", "\"pay-1\""),
        ("colIdentifier", "7"),
        ("colAmount", "\"2,000.00\""),
        ("payerName", "\"Ngozi Eze\""),
        ("payerBank", "\"Zenith Bank\""),
        ("payerAccount", "\"0123454321\""),
    ];

    fn wanted(pairs: &[(&str, &str)]) -> Result<SimulationRequest, Violations> {
        read(pairs, |all| parse_simulation(all, Handling::Strict))
    }

    #[test]
    fn a_simulated_payment_is_read_and_everything_that_is_wrong_is_named() {
        let read = wanted(&GOOD).unwrap();
        assert_eq!((read.collection.get(), read.amount), (7, naira("2,000.00")));
        assert_eq!(read.payer.account_last.as_deref(), Some("4321"));
        assert_eq!(
            wanted(&GOOD[..3]).unwrap().payer,
            CollectionPayer::default()
        );
        let named = faults(wanted(&[("payerAccount", "\"12\""), ("x", "1")]));
        for name in [
            "mrcReference",
            "colIdentifier",
            "colAmount",
            "payerAccount",
            "x",
        ] {
            assert!(named.contains(&format!("\n{name}: ")), "{name} in {named}");
        }
    }

    #[test]
    fn a_payment_is_shown_with_what_is_left_of_it() {
        let zone = lagos();
        let collection = payment_reference("shop", 7);
        let payment = collected(&collection, (9, "000013260115"), "2,000.00");
        let state = CollectionState {
            collection,
            paid: CollectionPaid {
                total: naira("2,000.00"),
                largest: naira("2,000.00"),
                fees: naira("10.75"),
                count: 1,
            },
        };
        let shown = view_simulated(&payment, &state, (payment.at, &zone));
        insta::assert_snapshot!(pretty(&shown.into()), @r#"
        {
          mrcReference: "col-7"
          txnReference: 9
          txnStatus: "Successful"
          txnDate: "15-01-2026 10:01:00"
          colIdentifier: 7
          colAmount: "2,000.00"
          colCharge: "10.00"
          colVat: "0.75"
          colNet: "1,989.25"
          currency: "NGN"
          payerName: "Ngozi Eze"
          payerBank: "Zenith Bank"
          payerAccount: "******4321"
          sessionId: "000013260115"
          payDate: "15-01-2026 10:00:30"
          stlDate: "15-01-2026 10:01:00"
          colStatus: "Part"
          colPaid: "2,000.00"
          colDue: "3,000.00"
        }
        "#);
    }

    #[test]
    fn a_page_leads_to_its_neighbours_under_the_same_filters() {
        let zone = lagos();
        let asked = "length=1&offset=1&colIdentifier=7&from=01-01-2026&to=31-01-2026";
        let read = |text: &str| parse_list(&query(text), Handling::Strict, &zone);
        let parsed = read(asked).unwrap();
        let payment = collected(&payment_reference("shop", 7), (9, "s"), "2,000.00");
        let part = PaymentsPart {
            payments: &[payment],
            total: 3,
        };
        let shown = pretty(&view(part, &parsed, &zone).into());
        assert!(
            shown.contains("payments") && shown.contains("total: 3"),
            "{shown}"
        );
        let links = link_header(part, &parsed);
        let again = |all: &Attributes| parse_list(all, Handling::Strict, &zone);
        let without_offset = |query: PaymentsQuery| PaymentsQuery {
            paging: Paging {
                offset: 0,
                ..query.paging
            },
            ..query
        };
        links_ask_for_the_same((PATH, &links), parsed, again, without_offset);
        insta::assert_snapshot!(faults(read("from=02-01-2026&to=01-01-2026&colIdentifier=a")), @r"
        400 -
        colIdentifier: must be the colIdentifier of a collection, such as 7213340023
        to: must be later than from
        ");
    }
}
