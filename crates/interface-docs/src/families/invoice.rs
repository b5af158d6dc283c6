//! Invoices. It must not document what no sample shows.

use crate::operation::{FileForm, Operation, OperationFamily, few_objects, optional, required};
use crate::states::{Sample, lagos, sample};
use domain::invoice::{INVOICE_LINES_MAX, Invoice, InvoiceState, OpenedInvoice};
use domain::reference::TransactionNumber;
use domain::statement::Sort;
use domain::time::Timestamp;
use domain::top_up::ReceivingAccount;
use testkit::builders::{START, invoice, naira, opened_invoice, receiving_account, reference};
use wire::attribute::{
    AMOUNT, CURRENCY, CUSTOMER_EMAIL, CUSTOMER_NAME, CUSTOMER_TELEPHONE, DUE_DATE, FORMAT, INVOICE,
    INVOICE_DRAFT, ITEM_NAME, ITEM_QUANTITY, ITEMS, REFERENCE, VAT_RATE, VERSION,
};
use wire::billing::invoices::{self, InvoicesPart, ShownInvoice};
use wire::collection::CollectionContext;
use wire::page::{LENGTH_MAX, Paging};
use wire::tree::Object;

const NUMBER: u64 = 7_213_340_041;
const ID: &str = "7213340041";
const NAME: &str = "yams-2026-0001";

/// The last day of 2029.
const END: Timestamp = Timestamp::from_millis(1_893_366_000_000);

const PAGE: &str = "https://pay.example/checkout/pay/0721334004188a51f03be9d2c47e61b0f8d3a2c5";

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "invoicing",
        name: "Invoices",
        about: "What your customers owe you, with value-added tax, a number without gaps, and a \
                document. An invoice is paid in parts or at once, on a page or by transfer.",
        operations: vec![
            create(),
            list(),
            report(),
            document(),
            change(
                ("/billing/invoice/open", "openInvoice", "Open a draft"),
                OPENED,
                &shown("open", &opened(), "The invoice is to be paid."),
            ),
            change(
                ("/billing/invoice/void", "voidInvoice", "Void an invoice"),
                VOIDED,
                &shown("void", &state(draft().voided()), "The invoice is void."),
            ),
        ],
    }
}

const OPENED: &str = "It is given the number after the last of your account, and a payment \
                      reference. A draft whose `dueDate` is over is not opened: 409. \
                      `version` is the one you have seen: where the invoice has another by now, \
                      the answer is 409; with `If-Match` and its `ETag` it is 412. Doing it again \
                      is answered as done.";
const VOIDED: &str = "Nothing is due any more, for ever. An invoice keeps its number; a draft gets \
                      none. Once something was paid it is not voided: 409. What arrives after it \
                      was voided is credited all the same, and `invPaid` shows it. `version` is \
                      the one you have seen: where the invoice has another by now, the answer is \
                      409; with `If-Match` and its `ETag` it is 412. Doing it again is answered \
                      as done.";

fn create() -> Operation {
    Operation::post("/billing/invoice", "createInvoice", "Create an invoice")
        .detailed(
            "It is opened at once, with the next number of your account (`INV-000001`, and so on \
             without a gap) and a payment reference; with `invDraft` it stays a draft, without \
             either, until `POST /billing/invoice/open`. Nothing of it is changed afterwards. Each \
             item is `quantity` times `amount`, and `vatRate` percent of that on top, rounded to \
             the kobo; `invTotal` is the sum. Customers pay on the page at `chkUrl`, or transfer \
             to the account of the answer and name `colReference`. It may be paid in parts, and \
             after `dueDate`: then it is Overdue until all is paid. Each payment is a payment to \
             the collection with `invIdentifier` as its `colIdentifier`: `GET \
             /collection/transaction` lists it, `account.credited` is sent, and for test accounts \
             `POST /collection/simulate` makes it. `mrcReference` is unique among your invoices \
             and your collections. Errors name an item by its place: `items.3.amount` is of the \
             fourth.",
        )
        .takes([
            required(&REFERENCE, NAME),
            required(&CUSTOMER_NAME, "Ada Obi"),
            optional(&CUSTOMER_EMAIL),
            optional(&CUSTOMER_TELEPHONE),
            few_objects(
                &ITEMS,
                INVOICE_LINES_MAX,
                [
                    required(&ITEM_NAME, "Yam"),
                    required(&ITEM_QUANTITY, "2"),
                    required(&AMOUNT, "2,000.00"),
                    optional(&VAT_RATE),
                ],
            ),
            required(&DUE_DATE, "2029-12-31T00:00:00Z"),
            required(&CURRENCY, "NGN").one_of(&["NGN"]),
            optional(&INVOICE_DRAFT).one_of(&["true", "false"]),
        ])
        .creates("Invoice", made())
        .refused(&[409])
}

fn made() -> Vec<Sample> {
    let samples = [
        shown(
            "opened",
            &state(draft().created_open(opening())),
            "The invoice is to be paid.",
        ),
        shown("draft", &state(draft()), "The invoice is a draft."),
        bare().unseen(),
    ];
    samples
        .into_iter()
        .map(|sample| Sample {
            status: 201,
            ..sample
        })
        .collect()
}

fn list() -> Operation {
    let least = Invoice {
        email: None,
        phone: None,
        ..draft()
    };
    let all = [opened(), state(least)];
    let pages = all.iter().map(with_page);
    let pages: Vec<_> = pages.collect();
    let part = InvoicesPart {
        invoices: &pages,
        total: 2,
    };
    let paging = Paging {
        offset: 0,
        length: LENGTH_MAX,
        order: None,
        sort: Sort::Ascending,
    };
    let receiving = receiving_account();
    let fields = in_context(Some(&receiving), |context| {
        invoices::view(part, &paging, context)
    });
    Operation::get("/billing/invoice", "listInvoices", "List your invoices")
        .in_parts(&["txnDate"])
        .lists("Invoices", vec![sample("all", "The invoices.", fields)])
}

fn report() -> Operation {
    let path = "/billing/invoice/transaction";
    Operation::get(path, "reportInvoice", "Show an invoice")
        .detailed("The answer has an `ETag` with the `version`.")
        .takes([required(&REFERENCE, NAME)])
        .answers("Invoice", in_every_status())
        .refused(&[404])
}

fn in_every_status() -> Vec<Sample> {
    let part = InvoiceState {
        paid: naira("2,000.00"),
        ..opened()
    };
    let paid = InvoiceState {
        paid: naira("5,000.00"),
        ..opened()
    };
    let void = state(draft().opened(opening()).voided());
    let overdue = state(Invoice {
        due_at: START,
        ..draft().opened(opening())
    });
    vec![
        shown("paid in part", &part, "The invoice is to be paid."),
        shown("paid", &paid, "The invoice is paid.").unseen(),
        shown("overdue", &overdue, "The invoice is overdue.").unseen(),
        shown("void", &void, "The invoice is void.").unseen(),
        shown("draft", &state(draft()), "The invoice is a draft.").unseen(),
        bare().unseen(),
    ]
}

fn document() -> Operation {
    let path = "/billing/invoice/pdf";
    Operation::get(path, "getInvoiceDocument", "Get the document of an invoice")
        .detailed(
            "A PDF file that can be given to your customer: who sells and who buys, number and \
             dates, the items with their tax, what was paid and what is due, and how it is paid. \
             That of a draft says so, and so does that of a void invoice. Characters that are in \
             no Western European alphabet are shown without their marks. With `format=json` the \
             fields come instead.",
        )
        .takes([
            required(&REFERENCE, NAME),
            optional(&FORMAT).one_of(&["pdf", "json"]),
        ])
        .answers("Invoice", in_every_status())
        .as_file(FileForm::Pdf)
        .refused(&[404])
}

fn change(
    (path, id, summary): (&'static str, &'static str, &'static str),
    about: &'static str,
    after: &Sample,
) -> Operation {
    Operation::post(path, id, summary)
        .detailed(about)
        .takes([required(&INVOICE, ID), required(&VERSION, "1")])
        .answers(
            "Invoice",
            vec![
                after.clone(),
                shown("opened", &opened(), "The invoice is to be paid.").unseen(),
                bare().unseen(),
                shown("draft", &state(draft()), "The invoice is a draft.").unseen(),
            ],
        )
        .refused(&[404, 409, 412, 422])
}

fn draft() -> Invoice {
    let number = TransactionNumber::try_new(NUMBER).expect("a number");
    Invoice {
        number,
        reference: reference(NAME),
        due_at: END,
        ..invoice("shop", NUMBER)
    }
}

fn opening() -> OpenedInvoice {
    opened_invoice(1, NUMBER)
}

fn opened() -> InvoiceState {
    state(draft().opened(opening()))
}

fn state(invoice: Invoice) -> InvoiceState {
    InvoiceState {
        invoice,
        paid: naira("0.00"),
    }
}

fn with_page(state: &InvoiceState) -> ShownInvoice<'_> {
    let opened = state.invoice.stage.opened();
    ShownInvoice {
        state,
        page: opened.map(|_| PAGE.to_owned()),
    }
}

fn in_context(
    receiving: Option<&ReceivingAccount>,
    view: impl FnOnce(CollectionContext<'_>) -> Object,
) -> Object {
    let zone = lagos();
    view(CollectionContext {
        receiving,
        now: START,
        zone: &zone,
    })
}

fn shown(name: &'static str, state: &InvoiceState, message: &'static str) -> Sample {
    let receiving = receiving_account();
    let fields = in_context(Some(&receiving), |context| {
        invoices::view_one(&with_page(state), context)
    });
    sample(name, message, fields)
}

/// One of which nothing is known but who pays, where the operator names no account to pay to.
fn bare() -> Sample {
    let least = state(Invoice {
        email: None,
        phone: None,
        ..draft().opened(opening())
    });
    let fields = in_context(None, |context| {
        invoices::view_one(&with_page(&least), context)
    });
    sample("least", "The invoice is to be paid.", fields)
}
