//! Refunds. It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, optional, required};
use crate::states::{Sample, lagos, sample};
use domain::reference::TransactionNumber;
use domain::refund::{RefundChannel, RefundRequest, RefundSettlement, RefundState, RefundVerdict};
use domain::statement::Sort;
use testkit::builders::{at, naira, reference, refund, refund_decision};
use wire::attribute::{CURRENCY, REFERENCE, REFUND_REASON, REFUNDED, TRANSFER_AMOUNT};
use wire::billing::refunds::{self, RefundsPart};
use wire::page::{LENGTH_MAX, Paging};

const NUMBER: u64 = 7_213_340_029;

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "refund",
        name: "Refunds",
        about: "The price of a delivered payment, back at the gateway's cost. What was not \
                delivered is given back without asking.",
        operations: vec![ask(), list(), report()],
    }
}

fn ask() -> Operation {
    Operation::post("/billing/refund", "askForRefund", "Ask for a refund")
        .detailed(
            "Of a payment that is Successful: the operator of the gateway decides, two operators \
             above a limit, and the answer is 202 until then. The balance changes once it is \
             approved: the statement has a line of it, and `transaction.refunded` is sent. The \
             payment stays Successful. Where its provider takes the delivery back instead, the \
             refund is Completed by that, and where it does so later, the refund is taken back \
             with the reversal: the price comes back once. A payment has one refund; after a \
             refusal another one may be asked for. 100 refunds of an account may wait. In the test \
             environment `mrcReference` decides: `0001` at its end is refused, `0002` waits for \
             an operator, and every other is completed at once.",
        )
        .takes([
            required(&REFERENCE, "refund-2026-1"),
            required(&REFUNDED, "airtime-1001"),
            optional(&TRANSFER_AMOUNT),
            required(&REFUND_REASON, "The customer received nothing."),
            optional(&CURRENCY).one_of(&["NGN", "CRD"]),
        ])
        .creates("Refund", asked())
        .refused(&[404, 409])
}

fn list() -> Operation {
    let all = [completed(RefundChannel::Credit), waiting()];
    let part = RefundsPart {
        refunds: &all,
        total: 2,
    };
    let paging = Paging {
        offset: 0,
        length: LENGTH_MAX,
        order: None,
        sort: Sort::Ascending,
    };
    let fields = refunds::view(part, &paging, &lagos());
    Operation::get("/billing/refund", "listRefunds", "List your refunds")
        .in_parts(&["txnDate"])
        .lists("Refunds", vec![sample("all", "The refunds.", fields)])
}

fn report() -> Operation {
    let path = "/billing/refund/transaction";
    Operation::get(path, "reportRefund", "Show a refund")
        .takes([required(&REFERENCE, "refund-2026-1")])
        .answers(
            "Refund",
            vec![
                shown("completed", &completed(RefundChannel::Credit)),
                shown("waiting", &waiting()).unseen(),
                shown("reversed", &completed(RefundChannel::Provider)).unseen(),
                shown("refused", &refused()).unseen(),
            ],
        )
        .refused(&[404])
}

fn waiting() -> RefundState {
    let number = |number| TransactionNumber::try_new(number).expect("a number");
    RefundState {
        request: RefundRequest {
            number: number(NUMBER),
            original: reference("airtime-1001"),
            amount: naira("1,000.00"),
            ..refund("shop", 1, "refund-2026-1")
        },
        decision: None,
        settled: None,
    }
}

fn refused() -> RefundState {
    RefundState {
        decision: Some(refund_decision(RefundVerdict::Refused)),
        ..waiting()
    }
}

fn completed(by: RefundChannel) -> RefundState {
    RefundState {
        settled: Some(RefundSettlement {
            by,
            amount: naira("1,000.00"),
            at: at(3_600),
        }),
        ..waiting()
    }
}

fn shown(name: &'static str, state: &RefundState) -> Sample {
    let message = refunds::outcome(state.status());
    sample(name, message, refunds::view_one(state, &lagos()))
}

/// What is asked for now, and what a retry may be answered later.
fn asked() -> Vec<Sample> {
    vec![
        shown("completed", &completed(RefundChannel::Credit)),
        Sample {
            status: 202,
            ..shown("waiting", &waiting())
        },
        shown("refused", &refused()),
        shown("reversed", &completed(RefundChannel::Provider)).unseen(),
    ]
}
