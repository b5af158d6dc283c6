//! Collections. It must not document what no sample shows.

mod samples;

use crate::operation::{Operation, OperationFamily, Parameter, optional, required};
use crate::states::{lagos, sample};
use domain::collection::{
    CollectedPayment, Collection, CollectionAdmission, CollectionPurpose, CollectionState,
    IdentityRegister,
};
use domain::time::Timestamp;
use samples::{
    account_made, accounts, bare, in_context, invoice_made, invoices, least, one, paging, paid,
    part, shown,
};
use testkit::builders::START;
use wire::attribute::{
    COLLECTION, COLLECTION_AMOUNT, COLLECTION_EXPIRES, COLLECTION_PARTIAL, COLLECTION_PURPOSE,
    COLLECTION_SINGLE, CUSTOMER_EMAIL, CUSTOMER_NAME, CUSTOMER_TELEPHONE, DUE_DATE, FROM,
    KYC_NUMBER, KYC_TYPE, PAYER_ACCOUNT, PAYER_BANK, PAYER_NAME, REFERENCE, TO, VERSION,
};
use wire::collection::payment::{self, PaymentsPart, PaymentsQuery};
use wire::collection::{account, invoice};

const NUMBER: u64 = 7_213_340_024;
const ID: &str = "7213340024";

/// The last day of 2029.
const END: Timestamp = Timestamp::from_millis(1_893_366_000_000);

const TAKES: &str = "The account number takes payments.";

const ACCOUNT: &str = "account-2026-0001";
const INVOICE: &str = "invoice-2026-0001";

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "collection",
        name: "Collections",
        about: "Money that others pay you: into an account number of its own, or under a payment \
                reference for a fee, a tax, a fine or a debt. What arrives is credited to the \
                balance, once for each session of the bank, less what the operator charges.",
        operations: vec![
            make_account(),
            list_accounts(),
            report_account(),
            make_invoice(),
            list_invoices(),
            report_invoice(),
            list_payments(),
            simulate(),
            step(
                "/collection/suspend",
                "suspendCollection",
                "Suspend a collection",
                SUSPEND,
            ),
            step(
                "/collection/resume",
                "resumeCollection",
                "Resume a collection",
                RESUME,
            ),
            step(
                "/collection/close",
                "closeCollection",
                "Close a collection",
                CLOSE,
            ),
        ],
    }
}

const SUSPEND: (CollectionAdmission, &str) = (
    CollectionAdmission::Suspended,
    "The status says that no payments are taken for now. A transfer that a bank carries out all \
     the same is credited. \
     `version` is the one \
     you have seen: where the collection has another by now, the answer is 409; with `If-Match` \
     and its `ETag` it is 412. Doing it again is answered as done.",
);
const RESUME: (CollectionAdmission, &str) = (
    CollectionAdmission::Active,
    "The status says that payments are taken again. What is closed stays closed: 409. \
     `version` is the one \
     you have seen: where the collection has another by now, the answer is 409; with `If-Match` \
     and its `ETag` it is 412. Doing it again is answered as done.",
);
const CLOSE: (CollectionAdmission, &str) = (
    CollectionAdmission::Closed,
    "For ever: an account number is not given to another customer. A transfer that a bank carries \
     out all the same is credited. \
     `version` is the one \
     you have seen: where the collection has another by now, the answer is 409; with `If-Match` \
     and its `ETag` it is 412. Doing it again is answered as done.",
);

fn make_account() -> Operation {
    let registers = IdentityRegister::ALL.map(IdentityRegister::code);
    Operation::post(
        "/collection/account",
        "makeCollectionAccount",
        "Make an account number",
    )
    .detailed(
        "Your customer transfers to `accountNumber` at `bankFullname`, from any bank, as often \
             as you like; with `colSingle` once. With `colAmount` the status says how much of that \
             was paid. Of `kycNumber` the last four digits are kept. An account has 10,000 account \
             numbers at most. Live accounts get numbers of the operator's bank, 503 where it has \
             lent none; test accounts get numbers of a bank that does not exist, which \
             `POST /collection/simulate` pays.",
    )
    .takes([
        required(&REFERENCE, ACCOUNT),
        required(&CUSTOMER_NAME, "Ada Obi"),
        optional(&CUSTOMER_EMAIL),
        optional(&CUSTOMER_TELEPHONE),
        optional(&KYC_TYPE).one_of(&registers),
        optional(&KYC_NUMBER),
        optional(&COLLECTION_SINGLE).one_of(&["true", "false"]),
        optional(&COLLECTION_AMOUNT),
        optional(&COLLECTION_EXPIRES),
    ])
    .creates("CollectionAccount", accounts(201, TAKES))
    .refused(&[409])
}

fn list_accounts() -> Operation {
    let all = [account_made(), least()];
    let fields = in_context(|context| account::view(part(&all), &paging(), context));
    Operation::get(
        "/collection/account",
        "listCollectionAccounts",
        "List your account numbers",
    )
    .in_parts(&["txnDate"])
    .lists(
        "CollectionAccounts",
        vec![sample("all", "The account numbers.", fields)],
    )
}

fn report_account() -> Operation {
    let path = "/collection/account/transaction";
    Operation::get(path, "reportCollectionAccount", "Show an account number")
        .detailed("The answer has an `ETag` with the `version`.")
        .takes([required(&REFERENCE, ACCOUNT)])
        .answers("CollectionAccount", accounts(200, "The account number."))
        .refused(&[404])
}

fn make_invoice() -> Operation {
    let purposes = CollectionPurpose::ALL.map(CollectionPurpose::code);
    Operation::post(
        "/collection/invoice",
        "makeCollectionInvoice",
        "Make a payment reference",
    )
    .detailed(
        "The payer transfers to the account of the answer and gives `colReference` with the \
             transfer, or types it at a bank: 12 digits, of which the last two find mistakes. With \
             `colPartial` it is paid by the sum of its payments, otherwise by one that covers it. \
             More than is due is credited too, and so is what comes after `dueDate`.",
    )
    .takes([
        required(&REFERENCE, INVOICE),
        required(&PAYER_NAME, "Ada Obi"),
        required(&COLLECTION_PURPOSE, "fee").one_of(&purposes),
        required(&COLLECTION_AMOUNT, "5,000.00"),
        required(&DUE_DATE, "2029-12-31T00:00:00Z"),
        optional(&COLLECTION_PARTIAL).one_of(&["true", "false"]),
    ])
    .creates("CollectionInvoice", invoices())
    .refused(&[409])
}

fn list_invoices() -> Operation {
    let all = [invoice_made(200_000)];
    let fields = in_context(|context| invoice::view(part(&all), &paging(), context));
    Operation::get(
        "/collection/invoice",
        "listCollectionInvoices",
        "List your payment references",
    )
    .in_parts(&["txnDate"])
    .lists(
        "CollectionInvoices",
        vec![sample("all", "The payment references.", fields)],
    )
}

fn report_invoice() -> Operation {
    let path = "/collection/invoice/transaction";
    let shown = |name, paid| one((200, name), &invoice_made(paid), "The payment reference.");
    Operation::get(path, "reportCollectionInvoice", "Show a payment reference")
        .detailed("The answer has an `ETag` with the `version`.")
        .takes([required(&REFERENCE, INVOICE)])
        .answers(
            "CollectionInvoice",
            vec![
                shown("open", 0),
                shown("in part", 200_000).unseen(),
                shown("paid", 500_000).unseen(),
            ],
        )
        .refused(&[404])
}

fn list_payments() -> Operation {
    let zone = lagos();
    let all = [paid(), bare()];
    let part = PaymentsPart {
        payments: &all,
        total: 2,
    };
    let query = PaymentsQuery {
        paging: paging(),
        collection: None,
        from: None,
        to: None,
    };
    let fields = payment::view(part, &query, &zone);
    Operation::get(
        "/collection/transaction",
        "listCollectionPayments",
        "List payments to collections",
    )
    .detailed(
        "What was credited, by the moment it was: of one collection, or of all. `colNet` is what \
             is left of `colAmount` after `colCharge` and `colVat`.",
    )
    .takes([optional(&COLLECTION), optional(&FROM), optional(&TO)])
    .in_parts(&["txnDate"])
    .lists(
        "CollectionPayments",
        vec![sample("all", "The payments to your collections.", fields)],
    )
}

fn simulate() -> Operation {
    let state = invoice_made(200_000);
    let shown = |payment: &CollectedPayment, state: &CollectionState| {
        payment::view_simulated(payment, state, (START, &lagos()))
    };
    let fields = shown(&paid(), &state);
    let least = shown(&bare(), &least());
    Operation::post(
        "/collection/simulate",
        "simulateCollectionPayment",
        "Pay a collection from the sandbox",
    )
    .detailed(
        "For test accounts alone; for live ones 403. The payment is taken in as a bank's is, \
             with charges, statement and `account.credited`. Pay less or more than is due, after \
             `dueDate`, or twice under two references; the same `mrcReference` again is the same \
             session of the bank, and credits nothing.",
    )
    .takes([
        required(&REFERENCE, "payment-2026-0001"),
        required(&COLLECTION, ID),
        required(&COLLECTION_AMOUNT, "2,000.00"),
        optional(&PAYER_NAME),
        optional(&PAYER_BANK),
        optional(&PAYER_ACCOUNT),
    ])
    .answers(
        "SimulatedPayment",
        vec![
            sample("credited", "The payment is credited.", fields),
            sample("least", "The payment is credited.", least).unseen(),
        ],
    )
    .refused(&[404, 422])
}

fn step(
    path: &'static str,
    id: &'static str,
    summary: &'static str,
    (admission, about): (CollectionAdmission, &'static str),
) -> Operation {
    let state = changed(account_made(), admission);
    let invoice = changed(invoice_made(0), admission);
    Operation::post(path, id, summary)
        .detailed(about)
        .takes(seen())
        .answers("CollectionAccount", shown(200, &state, "The collection."))
        .answers(
            "CollectionInvoice",
            vec![one((200, "invoice"), &invoice, "The collection.")],
        )
        .refused(&[404, 409, 412])
}

fn changed(made: CollectionState, admission: CollectionAdmission) -> CollectionState {
    CollectionState {
        collection: Collection {
            admission,
            version: 2,
            ..made.collection
        },
        ..made
    }
}

fn seen() -> [Parameter; 2] {
    [required(&COLLECTION, ID), optional(&VERSION)]
}
