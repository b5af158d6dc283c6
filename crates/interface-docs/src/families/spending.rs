//! Limits and approvals of an account. It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, optional, required};
use crate::states::{Sample, lagos, sample};
use domain::batch::BatchNumber;
use domain::credential::KeyId;
use domain::money::{Currency, Money};
use domain::spending::{LimitedServices, SpendingLimit, SpendingTerms};
use domain::statement::Sort;
use domain::transaction::{Approval, ApprovalVerdict, KeyHolder, Transaction};
use testkit::builders::{START, account_user_id, at, number, payout, reference, spending_limit};
use wire::account::approvals::{self, ApprovalsPart, DECISIONS};
use wire::account::limits;
use wire::attribute::{
    DECISION, LIMIT_APPROVAL_ABOVE, LIMIT_PER_DAY, LIMIT_PER_TRANSACTION, LIMIT_SERVICE, REFERENCE,
    VERSION,
};
use wire::page::{LENGTH_MAX, Paging};

/// What stands for a payment that waits for an approval.
const WAITING: &str = "waits-1";

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "spending",
        name: "Limits and approvals",
        about: "What your account may spend: in one payment, in a day, and without a second \
                person. A payment above the last is paid for at once and waits until another user \
                approves it.",
        operations: vec![set_limit(), list_limits(), list_approvals(), decide()],
    }
}

fn set_limit() -> Operation {
    Operation::post("/account/limits", "setLimit", "Set a limit")
        .detailed(
            "A limit is of one service or of all, and a bound that is left out is none: post the \
             whole limit. `version` is the version that you have seen, 0 before the first; another \
             one is answered 409, and with `If-Match`, which may stand for it, 412. A payment has \
             to keep to the limit of its service and to that of all. Prices count, in the currency \
             that the account is billed in; what is paid in another is not held against a limit. A \
             payment above `lmtPerTransaction`, or one with which the payments of the day would \
             cost more than `lmtPerDay`, is answered 403 (814) and nothing is done. The day is \
             that of the time zone of the account; what failed is taken off again. One above \
             `lmtApprovalAbove` is answered 202 and waits; transfers to another account and \
             between wallets, which are done at once, are answered 403 (814). A limit counts for \
             requests that begin a second later, and is changed 100 times within 24 hours at most.",
        )
        .takes([
            required(&LIMIT_SERVICE, "all").one_of(&limits::words()),
            optional(&LIMIT_PER_TRANSACTION).such_as("5000000.00"),
            optional(&LIMIT_PER_DAY).such_as("50000000.00"),
            optional(&LIMIT_APPROVAL_ABOVE).such_as("4000000.00"),
            optional(&VERSION).such_as("0"),
        ])
        .answers("SpendingLimit", set())
        .refused(&[409, 412])
}

fn list_limits() -> Operation {
    let [whole, least] = limits_shown();
    let spent = Money::from_minor(1_234_500, Currency::Ngn);
    let fields = limits::view(&[whole, least], spent, &lagos());
    let message = "The limits, and what was spent today.";
    Operation::get("/account/limits", "listLimits", "List your limits")
        .detailed("`lmtSpent` is what counts against `lmtPerDay` today.")
        .takes([])
        .answers("SpendingLimits", vec![sample("limits", message, fields)])
}

fn list_approvals() -> Operation {
    let payments = [waiting(Some(7_213_340_022)), waiting(None)];
    let part = ApprovalsPart {
        payments: &payments,
        total: 2,
    };
    let paging = Paging {
        offset: 0,
        length: LENGTH_MAX,
        order: None,
        sort: Sort::Ascending,
    };
    let fields = approvals::view(part, &paging, &lagos());
    let path = "/account/approvals";
    Operation::get(path, "listApprovals", "List what waits for an approval")
        .takes([])
        .in_parts(&["txnDate"])
        .lists(
            "Approvals",
            vec![sample("approvals", "What waits for an approval.", fields)],
        )
}

fn decide() -> Operation {
    let path = "/account/approvals";
    Operation::post(path, "decideApproval", "Approve or refuse a payment")
        .detailed(
            "With the key of another user than the one who asked for the payment. The keys of the \
             operator, and those that name no user, belong to the account: they approve what \
             users ask for, and users approve what is asked for with them. Who asked may refuse. \
             An approved payment is sent from the moment on that it is for; a refused one fails, \
             and so does one that is not approved within 24 hours of that moment, or before the \
             quote ends that it goes by: its price is given back. Of a bulk transfer, a payroll \
             or bulk messages name the reference of the batch, whose payments are decided of \
             together; `batReference` says which batch. Repeating a decision changes nothing; \
             another one is answered 409.",
        )
        .takes([
            required(&REFERENCE, WAITING),
            required(&DECISION, "approve").one_of(&DECISIONS.map(|(word, _)| word)),
        ])
        .answers("ApprovalDecision", decided())
        .refused(&[404, 409])
}

/// The same limit with and without what may be absent.
fn limits_shown() -> [SpendingLimit; 2] {
    let whole = spending_limit("shop", 1).limit;
    let mut least = whole.clone();
    least.services = LimitedServices::One(domain::order::Service::Bank);
    least.terms = SpendingTerms::default();
    [whole, least]
}

fn set() -> Vec<Sample> {
    let message = "The limit counts from now on.";
    let [whole, least] =
        limits_shown().map(|limit| sample("limit", message, limits::view_one(&limit, &lagos())));
    vec![whole, least.unseen()]
}

/// With a user and in a batch, or with neither.
fn waiting(user: Option<u64>) -> Transaction {
    let mut payment = payout().queued(START, at(86_400)).transaction();
    payment.reference = reference(WAITING);
    let awaited = Approval::awaited(KeyHolder {
        key: KeyId(1),
        user: user.map(account_user_id),
    });
    let batch = user.map(|_| BatchNumber::new(number(7_213_340_016)));
    payment.approval = Some(match batch {
        Some(batch) => awaited.in_batch(batch),
        None => awaited,
    });
    payment
}

fn decided() -> Vec<Sample> {
    let of = |name, verdict| {
        let fields = approvals::decided(&reference(WAITING), verdict, &[waiting(None)]);
        sample(name, "It is decided.", fields)
    };
    vec![
        of("approved", ApprovalVerdict::Approved),
        of("refused", ApprovalVerdict::Refused).unseen(),
    ]
}
