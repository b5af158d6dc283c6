//! Top-ups. It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, optional, required};
use crate::states::{Sample, lagos, sample};
use domain::reference::TransactionNumber;
use domain::statement::Sort;
use domain::time::Timestamp;
use domain::top_up::{AccountTopUp, TopUpChannel, TopUpConfirmation, TopUpState};
use testkit::builders::{START, at, naira, receiving_account, top_up};
use wire::account::topups::{self, TopUpContext, TopUpsPart};
use wire::attribute::{AMOUNT, CURRENCY, REFERENCE, TOP_UP_CHANNEL};
use wire::page::{LENGTH_MAX, Paging};
use wire::tree::Object;

const NUMBER: u64 = 7_213_340_023;

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "topup",
        name: "Top-ups",
        about: "Money that you say you will pay in. Nothing is credited until the operator of the \
                gateway confirms that it arrived.",
        operations: vec![announce(), list(), report()],
    }
}

fn announce() -> Operation {
    Operation::post("/account/topup", "announceTopUp", "Announce a top-up")
        .detailed(
            "Pay to the bank account of the answer and give `txnNarration` with the transfer, so \
             that it is found; `manual` is for what you agree on with the operator. The balance \
             changes when the operator confirms what arrived: the statement has a line of it then, \
             and `account.credited` is sent. A top-up is open for seven days; money that comes \
             later is credited still. 100.00 to 100,000,000.00; an account has 100 open top-ups at \
             most. `transfer` is refused with 812 where the operator names no bank account, and \
             `card` everywhere.",
        )
        .takes([
            required(&REFERENCE, "topup-2026-0001"),
            required(&AMOUNT, "50,000.00"),
            required(&TOP_UP_CHANNEL, "manual").one_of(&TopUpChannel::ALL.map(TopUpChannel::code)),
            optional(&CURRENCY).one_of(&["NGN"]),
        ])
        .creates("TopUp", announced())
        .refused(&[409])
}

fn list() -> Operation {
    let all = [credited(), open(TopUpChannel::Manual)];
    let part = TopUpsPart {
        top_ups: &all,
        total: 2,
    };
    let paging = Paging {
        offset: 0,
        length: LENGTH_MAX,
        order: None,
        sort: Sort::Ascending,
    };
    let fields = in_context(START, |context| topups::view(part, &paging, context));
    Operation::get("/account/topup", "listTopUps", "List your top-ups")
        .in_parts(&["txnDate"])
        .lists("TopUps", vec![sample("all", "The top-ups.", fields)])
}

fn report() -> Operation {
    let path = "/account/topup/transaction";
    let others = [open(TopUpChannel::Transfer), open(TopUpChannel::Manual)];
    let others = others.map(|state| shown("open", &state, START).unseen());
    let mut samples = vec![shown("credited", &credited(), START)];
    samples.extend(others);
    samples.push(failed());
    Operation::get(path, "reportTopUp", "Show a top-up")
        .takes([required(&REFERENCE, "topup-2026-0001")])
        .answers("TopUp", samples)
        .refused(&[404])
}

fn open(channel: TopUpChannel) -> TopUpState {
    TopUpState {
        top_up: AccountTopUp {
            number: TransactionNumber::try_new(NUMBER).expect("a number"),
            channel,
            ..top_up("shop", 1, "topup-2026-0001")
        },
        confirmed: None,
    }
}

fn credited() -> TopUpState {
    TopUpState {
        confirmed: Some(TopUpConfirmation {
            amount: naira("50,000.00"),
            at: at(3_600),
        }),
        ..open(TopUpChannel::Transfer)
    }
}

fn in_context(now: Timestamp, view: impl FnOnce(TopUpContext<'_>) -> Object) -> Object {
    let (receiving, zone) = (receiving_account(), lagos());
    view(TopUpContext {
        receiving: Some(&receiving),
        now,
        zone: &zone,
    })
}

fn shown(name: &'static str, state: &TopUpState, now: Timestamp) -> Sample {
    let message = topups::outcome(state.status(now));
    let fields = in_context(now, |context| topups::view_one(state, context));
    sample(name, message, fields)
}

fn failed() -> Sample {
    let state = open(TopUpChannel::Transfer);
    shown("expired", &state, state.top_up.expires_at)
}

/// What is announced now, and what a retry may be answered later.
fn announced() -> Vec<Sample> {
    let accepted = |name, channel| Sample {
        status: 202,
        ..shown(name, &open(channel), START)
    };
    vec![
        accepted("transfer", TopUpChannel::Transfer),
        accepted("manual", TopUpChannel::Manual),
        shown("replayed", &credited(), START),
        failed().unseen(),
    ]
}
