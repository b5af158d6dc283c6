//! `GET /billing/invoice/pdf`. A document must say of a draft that it is none to pay by, and of a
//! void invoice that nothing is due.

use crate::attribute;
use crate::attributes::Attributes;
use crate::collection::CollectionContext;
use crate::reader::{FieldReader, Handling};
use crate::violations::Violations;
use domain::account::{AccountName, EmailAddress};
use domain::invoice::{Invoice, InvoiceLine, InvoiceState, InvoiceStatus, OpenedInvoice};
use domain::phone::PhoneNumber;
use domain::reference::MerchantReference;
use pdf::PdfDocument;

/// The form of an invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvoiceForm {
    /// A document of pages.
    Pdf,
    /// The fields, in the format that is negotiated.
    Fields,
}

const FORMS: [(&str, InvoiceForm); 2] = [("pdf", InvoiceForm::Pdf), ("json", InvoiceForm::Fields)];

/// Reads which invoice is requested, and in which form.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
) -> Result<(MerchantReference, InvoiceForm), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let form = reader.choice(&attribute::FORMAT, &FORMS);
    reader.finish(|| Ok((reference?, form?.unwrap_or(InvoiceForm::Pdf))))
}

/// The invoice of a merchant as a PDF file. `page` is where it is paid on the web.
pub fn file(
    merchant: &AccountName,
    (state, page): (&InvoiceState, Option<&str>),
    context: CollectionContext<'_>,
) -> Vec<u8> {
    let invoice = &state.invoice;
    let status = state.status(context.now);
    let document = head(merchant, (invoice, status), context);
    let document = customer(document, invoice).heading("Items");
    let document = invoice.lines.iter().fold(document, line);
    let document = totals(document, state);
    let document = match (status, invoice.stage.opened()) {
        (InvoiceStatus::Draft, _) => document.note("This is a draft: nothing is to be paid yet."),
        (InvoiceStatus::Void, _) => document.note("This invoice is void: nothing is due."),
        (InvoiceStatus::Paid, _) => document.note("This invoice is paid. Thank you."),
        (InvoiceStatus::Open | InvoiceStatus::Overdue, Some(opened)) => {
            where_to_pay(document, (opened, page), context)
        }
        (InvoiceStatus::Open | InvoiceStatus::Overdue, None) => document,
    };
    document.to_bytes()
}

fn head(
    merchant: &AccountName,
    (invoice, status): (&Invoice, InvoiceStatus),
    context: CollectionContext<'_>,
) -> PdfDocument {
    let zone = context.zone;
    let opened = invoice.stage.opened();
    let title = match opened {
        Some(opened) => format!("Invoice {}", opened.number),
        None => "Invoice (draft)".to_owned(),
    };
    let document = PdfDocument::new(&title).line("From", merchant.as_str());
    let document = match opened {
        Some(opened) => document
            .line("Invoice number", &opened.number.to_string())
            .line("Invoice date", &zone.date(opened.at)),
        None => document.line("Written", &zone.date(invoice.created_at)),
    };
    document
        .line("Due date", &zone.date_time(invoice.due_at))
        .line("Reference", invoice.reference.as_str())
        .line("Status", super::invoices::status(status))
}

fn customer(document: PdfDocument, invoice: &Invoice) -> PdfDocument {
    let document = document
        .heading("Customer")
        .line("Name", invoice.customer.as_str());
    let contacts = [
        ("Email", invoice.email.as_ref().map(EmailAddress::as_str)),
        ("Telephone", invoice.phone.as_ref().map(PhoneNumber::digits)),
    ];
    contacts
        .into_iter()
        .filter_map(|(label, text)| text.map(|text| (label, text)))
        .fold(document, |document, (label, text)| {
            document.line(label, text)
        })
}

/// A line: how many of what at which price, and what that is before tax.
fn line(document: PdfDocument, line: &InvoiceLine) -> PdfDocument {
    let item = &line.item;
    let rate = match line.vat_rate {
        Some(rate) => format!(", VAT {rate} %"),
        None => String::new(),
    };
    let label = format!(
        "{} ({} at {}{rate})",
        item.name.as_str(),
        item.quantity,
        item.amount
    );
    // What was stored has a sum.
    let net = line.net().map(|net| net.to_string()).unwrap_or_default();
    document.amount(&label, &net)
}

fn totals(document: PdfDocument, state: &InvoiceState) -> PdfDocument {
    let totals = state.invoice.totals;
    let currency = totals.total.currency().code();
    document
        .total("Without VAT", &totals.net().to_string())
        .amount("VAT", &totals.vat.to_string())
        .total(&format!("Total ({currency})"), &totals.total.to_string())
        .amount("Paid", &state.paid.to_string())
        .total(&format!("Due ({currency})"), &state.due().to_string())
}

fn where_to_pay(
    document: PdfDocument,
    (opened, page): (&OpenedInvoice, Option<&str>),
    context: CollectionContext<'_>,
) -> PdfDocument {
    let document = document.heading("How to pay");
    let document = match context.receiving {
        Some(account) => document
            .line("Bank", account.bank.as_str())
            .line("Account number", account.number.digits())
            .line("Account name", account.name.as_str()),
        None => document,
    };
    let document = document.line("Payment reference", opened.payable.as_str());
    let document = match page {
        Some(page) => document.line("Or on the web", page),
        None => document,
    };
    document.note(
        "Name the payment reference in the narration of your transfer, so that it is found. You \
         may pay in parts.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, query};
    use testkit::builders::{START, at, invoice, naira, opened_invoice, receiving_account};

    fn text(invoice: Invoice, paid: &str, seconds: u64) -> String {
        let (receiving, zone) = (receiving_account(), lagos());
        let context = CollectionContext {
            receiving: Some(&receiving),
            now: at(seconds),
            zone: &zone,
        };
        let state = InvoiceState {
            invoice,
            paid: naira(paid),
        };
        let merchant = AccountName::parse("Adé & Sons").unwrap();
        let file = file(&merchant, (&state, Some("https://pay.example/1")), context);
        String::from_utf8_lossy(&file).into_owned()
    }

    #[test]
    fn a_document_shows_what_was_sold_and_how_it_is_paid() {
        let open = invoice("shop", 7).opened(opened_invoice(1, 9));
        let shown = text(open, "2,000.00", 3_600);
        for expected in [
            "(Invoice INV-000001)",
            "(15-01-2026)",
            "(15-01-2026 11:00:00)",
            "(Overdue)",
            "(Ada Obi)",
            "(ada@example.com)",
            "(2348031234567)",
            "(Yam (2 at 2,000.00, VAT 7.50 %))",
            "(4,000.00)",
            "(Basket (1 at 700.00))",
            "(4,700.00)",
            "(300.00)",
            "(5,000.00)",
            "(2,000.00)",
            "(3,000.00)",
            "(Guaranty Trust Bank)",
            "(000000000971)",
            "(https://pay.example/1)",
        ] {
            assert!(shown.contains(expected), "{expected} in {shown}");
        }
    }

    #[test]
    fn a_document_is_asked_for_by_the_reference_of_its_invoice() {
        let read = |text| parse(&query(text), Handling::Strict);
        let (named, form) = read("mrcReference=a").unwrap();
        assert_eq!((named.as_str(), form), ("a", InvoiceForm::Pdf));
        let form = read("mrcReference=a&format=json").unwrap().1;
        assert_eq!(form, InvoiceForm::Fields);
        insta::assert_snapshot!(faults(read("format=csv")), @r"
        405 -
        mrcReference: is required; add it to the query of the address
        format: must be pdf or json
        ");
    }

    #[test]
    fn what_is_not_to_be_paid_says_so() {
        let draft = invoice("shop", 7);
        let open = draft.opened(opened_invoice(1, 9));
        for (invoice, paid, said) in [
            (draft, "0.00", "This is a draft"),
            (open.voided(), "0.00", "This invoice is void"),
            (open, "5,000.00", "This invoice is paid"),
        ] {
            let shown = text(invoice, paid, 0);
            assert!(shown.contains(said), "{said} in {shown}");
            assert!(!shown.contains("How to pay"), "{shown}");
            assert!(shown.contains(&lagos().date(START)), "{shown}");
        }
    }
}
