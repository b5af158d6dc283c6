//! `/billing/invoice` and what is below it. An answer must show as paid what was credited, and
//! nothing else.

use crate::attribute;
use crate::attributes::Attributes;
use crate::collection::CollectionContext;
use crate::page::{self, Paging};
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use domain::account::EmailAddress;
use domain::invoice::{InvoiceLine, InvoiceState, InvoiceStatus};
use domain::phone::PhoneNumber;
use domain::reference::{MerchantReference, TransactionNumber};

const PATH: &str = "/billing/invoice";

/// The only order of lists: by the moment they were created.
const ORDERS: [(&str, ()); 1] = [("txnDate", ())];

/// An invoice, and the address of the page on which it is paid; none of a draft.
#[derive(Debug, Clone)]
pub struct ShownInvoice<'a> {
    pub state: &'a InvoiceState,
    pub page: Option<String>,
}

/// A page of the invoices of an account.
#[derive(Debug, Clone, Copy)]
pub struct InvoicesPart<'a> {
    pub invoices: &'a [ShownInvoice<'a>],
    /// The number of invoices of the account.
    pub total: u64,
}

/// Reads which invoices are requested.
pub fn parse_list(attributes: &Attributes, handling: Handling) -> Result<Paging<()>, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let paging = Paging::read(&mut reader, &ORDERS);
    reader.finish(|| paging)
}

/// Reads which invoice is opened or voided, from which version.
pub fn parse_change(
    attributes: &Attributes,
    handling: Handling,
) -> Result<(TransactionNumber, u32), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let number = identifier(&mut reader);
    let version = reader.version();
    let version = reader.needed(&attribute::VERSION, version, "a change");
    reader.finish(|| Ok((number?, version?)))
}

fn identifier(reader: &mut FieldReader<'_>) -> Result<TransactionNumber, InvalidField> {
    reader.required(&attribute::INVOICE, |text| {
        crate::transaction::number(text)
            .ok_or("must be the invIdentifier of an invoice, such as 7213340023")
    })
}

/// The word of a status.
pub const fn status(status: InvoiceStatus) -> &'static str {
    match status {
        InvoiceStatus::Draft => "Draft",
        InvoiceStatus::Open => "Open",
        InvoiceStatus::Paid => "Paid",
        InvoiceStatus::Void => "Void",
        InvoiceStatus::Overdue => "Overdue",
    }
}

/// An invoice and what was paid.
pub fn view_one(shown: &ShownInvoice<'_>, context: CollectionContext<'_>) -> Object {
    let (state, zone) = (shown.state, context.zone);
    let invoice = &state.invoice;
    let opened = invoice.stage.opened();
    let receiving = context.receiving.filter(|_| opened.is_some());
    let items = invoice.lines.iter().map(item);
    Object::new()
        .with("mrcReference", invoice.reference.as_str())
        .with("invIdentifier", invoice.number.get())
        .with("invNumber", opened.map(|it| it.number.to_string()))
        .with("invStatus", status(state.status(context.now)))
        .with("customerName", invoice.customer.as_str())
        .with(
            "customerEmail",
            invoice.email.as_ref().map(EmailAddress::as_str),
        )
        .with(
            "customerPhone",
            invoice.phone.as_ref().map(PhoneNumber::digits),
        )
        .with("items", Node::objects("item", items))
        .with("invTotal", invoice.totals.total)
        .with("invVat", invoice.totals.vat)
        .with("invPaid", state.paid)
        .with("invDue", state.due())
        .with("currency", invoice.totals.total.currency().code())
        .with("dueDate", zone.date_time(invoice.due_at))
        .with("txnDate", zone.date_time(invoice.created_at))
        .with("colReference", opened.map(|it| it.payable.as_str()))
        .with("bankFullname", receiving.map(|it| it.bank.as_str()))
        .with("accountNumber", receiving.map(|it| it.number.digits()))
        .with("accountName", receiving.map(|it| it.name.as_str()))
        .with("chkUrl", shown.page.as_deref())
        .with("version", u64::from(invoice.version))
}

fn item(line: &InvoiceLine) -> Object {
    Object::new()
        .with("name", line.item.name.as_str())
        .with("quantity", u64::from(line.item.quantity))
        .with("amount", line.item.amount)
        .with("vatRate", line.vat_rate.map(|rate| rate.to_string()))
        .with("vatAmount", line.vat())
}

/// A page of the invoices.
pub fn view(part: InvoicesPart<'_>, query: &Paging<()>, context: CollectionContext<'_>) -> Object {
    let all = part.invoices.iter().map(|it| view_one(it, context));
    Object::new()
        .with("invoices", Node::objects("invoice", all))
        .with("metadata", page::metadata(part.invoices.len()))
        .with("query", page::query(&query.window(part.total)))
}

/// The `Link` header of the answer (RFC 8288).
pub fn link_header(part: InvoicesPart<'_>, query: &Paging<()>) -> String {
    query.link_header(PATH, part.total)
}

/// The address of an invoice, for `Location`.
pub fn path(reference: &MerchantReference) -> String {
    format!(
        "{PATH}/transaction?{}={reference}",
        attribute::REFERENCE.name
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, lagos, pretty, query};
    use domain::invoice::Invoice;
    use domain::time::Timestamp;
    use testkit::builders::{START, at, invoice, naira, opened_invoice, receiving_account};

    fn shown(invoice: Invoice, paid: &str, now: Timestamp) -> String {
        let (receiving, zone) = (receiving_account(), lagos());
        let context = CollectionContext {
            receiving: Some(&receiving),
            now,
            zone: &zone,
        };
        let is_opened = invoice.stage.opened().is_some();
        let state = InvoiceState {
            invoice,
            paid: naira(paid),
        };
        let page = is_opened.then(|| "https://pay.example/checkout/pay/1".to_owned());
        let shown = ShownInvoice {
            state: &state,
            page,
        };
        pretty(&view_one(&shown, context).into())
    }

    #[test]
    fn a_draft_has_no_number_and_nothing_to_pay_to() {
        let draft = Invoice {
            email: None,
            phone: None,
            ..invoice("shop", 7)
        };
        insta::assert_snapshot!(shown(draft, "0.00", START), @r#"
        {
          mrcReference: "inv-7"
          invIdentifier: 7
          invNumber: null
          invStatus: "Draft"
          customerName: "Ada Obi"
          customerEmail: null
          customerPhone: null
          items: [
            item {
              name: "Yam"
              quantity: 2
              amount: "2,000.00"
              vatRate: "7.50"
              vatAmount: "300.00"
            }
            item {
              name: "Basket"
              quantity: 1
              amount: "700.00"
              vatRate: null
              vatAmount: "0.00"
            }
          ]
          invTotal: "5,000.00"
          invVat: "300.00"
          invPaid: "0.00"
          invDue: "5,000.00"
          currency: "NGN"
          dueDate: "15-01-2026 11:00:00"
          txnDate: "15-01-2026 10:00:00"
          colReference: null
          bankFullname: null
          accountNumber: null
          accountName: null
          chkUrl: null
          version: 1
        }
        "#);
    }

    #[test]
    fn an_opened_invoice_shows_what_is_due_and_where_it_is_paid() {
        let open = invoice("shop", 7).opened(opened_invoice(1, 9));
        let part = shown(open.clone(), "2,000.00", START);
        for expected in [
            "invNumber: \"INV-000001\"",
            "invStatus: \"Open\"",
            "customerEmail: \"ada@example.com\"",
            "invPaid: \"2,000.00\"",
            "invDue: \"3,000.00\"",
            "colReference: \"000000000971\"",
            "bankFullname: \"Guaranty Trust Bank\"",
            "chkUrl: \"https://pay.example/checkout/pay/1\"",
            "version: 2",
        ] {
            assert!(part.contains(expected), "{expected} in {part}");
        }
        for (invoice, paid, now, word) in [
            (open.clone(), "4,999.99", at(3_600), "Overdue"),
            (open.clone(), "5,000.00", at(3_600), "Paid"),
            (open.voided(), "0.00", START, "Void"),
        ] {
            let shown = shown(invoice, paid, now);
            let status = format!("invStatus: \"{word}\"");
            assert!(shown.contains(&status), "{status} in {shown}");
            assert!(shown.contains("INV-000001"), "{shown}");
        }
    }

    #[test]
    fn a_change_names_its_invoice_and_the_version_that_was_seen() {
        let read = |pairs: &[(&str, &str)]| parse_change(&body(pairs), Handling::Strict);
        let (number, version) = read(&[("invIdentifier", "7"), ("version", "\"2\"")]).unwrap();
        assert_eq!((number.get(), version), (7, 2));
        insta::assert_snapshot!(faults(read(&[("x", "1")])), @r"
        400 -
        invIdentifier: is required; add it to the body
        version: is required for a change; add it to the body
        x: is not an attribute of this request; leave it out
        ");
        let wrong = faults(read(&[("invIdentifier", "0"), ("version", "0")]));
        for name in ["invIdentifier", "version"] {
            assert!(wrong.contains(&format!("\n{name}: ")), "{name} in {wrong}");
        }
        let paging = parse_list(&query("orderby=amount"), Handling::Strict);
        assert!(faults(paging).contains("orderby: "));
    }
}
