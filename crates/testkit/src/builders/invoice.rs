//! Invoices in few words.

use super::{account_id, at, naira, reference};
use domain::account::EmailAddress;
use domain::bank::GroupLabel;
use domain::collection::{PaymentReference, SaleItem};
use domain::invoice::{
    Invoice, InvoiceLine, InvoiceNumber, InvoiceStage, InvoiceTotals, OpenedInvoice,
};
use domain::percent::Percent;
use domain::phone::PhoneNumber;
use domain::reference::TransactionNumber;
use ports::invoices::InvoiceOpening;

/// A draft of two yams for 2,000.00 each with 7.5 % of tax, and of a basket for 700.00 without: in
/// all 5,000.00, due an hour after the start, of an account called `account`.
pub fn invoice(account: &str, number: u64) -> Invoice {
    let number = TransactionNumber::try_new(number).expect("a number");
    let lines = vec![
        line("Yam", (2, "2,000.00"), Some("7.5")),
        line("Basket", (1, "700.00"), None),
    ];
    let totals = InvoiceTotals::of(&lines).expect("totals");
    Invoice {
        account: account_id(account),
        number,
        reference: reference(&format!("inv-{number}")),
        customer: GroupLabel::parse("Ada Obi").expect("a label"),
        email: EmailAddress::parse("ada@example.com").ok(),
        phone: PhoneNumber::parse("2348031234567").ok(),
        lines,
        totals,
        due_at: at(3_600),
        stage: InvoiceStage::Draft,
        version: 1,
        created_at: at(0),
    }
}

/// What an invoice is opened with ten seconds after the start, under the payment reference that
/// follows from a number.
pub fn invoice_opening(payable: u64) -> InvoiceOpening {
    let payable = TransactionNumber::try_new(payable).expect("a number");
    InvoiceOpening {
        payable: PaymentReference::drawn(payable),
        at: at(10),
    }
}

/// What an invoice has that was opened so, as the `nth` of its account.
pub fn opened_invoice(nth: u32, payable: u64) -> OpenedInvoice {
    let opening = invoice_opening(payable);
    OpenedInvoice {
        number: InvoiceNumber::try_new(nth.into()).expect("a number"),
        payable: opening.payable,
        at: opening.at,
    }
}

fn line(name: &str, (quantity, amount): (u32, &str), vat: Option<&str>) -> InvoiceLine {
    InvoiceLine {
        item: SaleItem {
            name: GroupLabel::parse(name).expect("a label"),
            quantity,
            amount: naira(amount),
        },
        vat_rate: vat.map(|rate| Percent::parse(rate).expect("a rate")),
    }
}
