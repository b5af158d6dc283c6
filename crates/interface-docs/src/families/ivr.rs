//! Calls that run a flow. It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, optional, optional_objects, required};
use crate::states::{EventSchema, StateCheck, in_every_state};
use domain::ivr::FlowRun;
use domain::sms::FIELDS_MAX;
use domain::voice::UnansweredCall;
use testkit::builders::{self, START, advance, at, finding, flow_ended, pending};
use wire::attribute::{
    CALL_MINUTES, CALL_VARIABLES, CALL_WINDOW, COUNTRY, FIELD_NAME, FIELD_VALUE, FLOW, PHONE,
    REFERENCE, SENDER,
};

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "ivr",
        name: "Calls with a flow",
        about: "Call persons, run one of your call flows, and learn which way they took.",
        operations: vec![list(), call(), transaction()],
    }
}

/// The events of its transactions.
pub(super) fn event() -> EventSchema {
    let mut event = EventSchema::of("IvrEvent", "ivr", [builders::flow_call()]);
    let states = ended().into_iter();
    event
        .transactions
        .extend(states.map(|state| state.transaction));
    event
}

fn call() -> Operation {
    Operation::post("/messaging/ivr", "runFlow", "Call a person and run a flow")
        .detailed(
            "Each place in the texts of the flow needs a variable, and each variable a place. The \
             flow is run as it is when the call is ordered. The price of `callMinutes` is held. A \
             call that is answered costs the minutes that it began, and the rest is given back in \
             the same step; a call that is not answered costs nothing. `txnStatus` is Pending \
             until the call is over.",
        )
        .takes([
            required(&REFERENCE, "call-2001"),
            required(&COUNTRY, "566"),
            required(&PHONE, "2348031234567"),
            required(&SENDER, "482913560177"),
            required(&FLOW, "7213340061"),
            optional_objects(
                &CALL_VARIABLES,
                FIELDS_MAX,
                [
                    required(&FIELD_NAME, "first"),
                    required(&FIELD_VALUE, "Funmilayo"),
                ],
            ),
            optional(&CALL_MINUTES),
            optional(&CALL_WINDOW),
        ])
        .pays("IvrCall", all_states())
        .refused(&[404])
}

fn list() -> Operation {
    Operation::get("/messaging/ivr", "listIvr", "List calls with a flow")
        .lists_transactions("IvrCalls", all_states())
}

fn transaction() -> Operation {
    Operation::get(
        "/messaging/ivr/transaction",
        "reportIvr",
        "Report a call with a flow",
    )
    .takes([required(&REFERENCE, "call-2001")])
    .reports("IvrCall", all_states())
}

fn all_states() -> Vec<StateCheck> {
    let mut states = in_every_state(builders::flow_call());
    states.extend(ended());
    states
}

/// Calls of which the way is not known, and that were not answered.
fn ended() -> Vec<StateCheck> {
    let opened = builders::flow_call().transaction();
    let made = advance(&opened, &pending(&opened), START).transaction;
    let silent = FlowRun {
        call: builders::call(),
        ..FlowRun::UNDER_WAY
    };
    let silent = advance(&made, &flow_ended(&made, silent), at(80)).transaction;
    let unanswered = UnansweredCall::ALL.map(|it| {
        let found = finding(&made, super::voice::not_answered(it));
        let ended = advance(&made, &found, at(40)).transaction;
        StateCheck::of(it.code(), ended)
    });
    let silent = StateCheck::of("way unknown", silent);
    std::iter::once(silent).chain(unanswered).collect()
}
