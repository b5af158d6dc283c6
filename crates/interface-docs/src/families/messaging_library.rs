//! Templates of texts and flows of calls. It must not document what no sample shows.

use crate::operation::{
    Operation, OperationFamily, Parameter, few_objects, optional, optional_objects, required,
};
use crate::states::{Sample, lagos, sample};
use domain::ivr::{CallFlow, FlowStep};
use domain::messaging_library::LibraryItem;
use domain::statement::Sort;
use domain::voice::Speaker;
use testkit::builders::{kept_flow, kept_template};
use wire::attribute::{
    AUDIO_URL, CALL_KEY, CONTENT, FLOW, FLOW_NAME, LANGUAGE, MESSAGE_TYPE, SPEAKER, STEP_CHOICES,
    STEP_NAME, STEP_NEXT, STEPS, TEMPLATE, TEMPLATE_NAME,
};
use wire::messaging_library::list::{self, LibraryPart};
use wire::messaging_library::{removed, view};
use wire::page::{LENGTH_MAX, Paging};

const TEMPLATE_ID: &str = "7213340060";
const TEMPLATE_NUMBER: u64 = 7_213_340_060;
const FLOW_ID: &str = "7213340061";
const FLOW_NUMBER: u64 = 7_213_340_061;

pub(super) fn templates() -> OperationFamily {
    OperationFamily {
        stem: "template",
        name: "Message templates",
        about: "Texts that you send again and again, with places for personal fields, up to 200.",
        operations: vec![list_templates(), create_template(), delete_template()],
    }
}

pub(super) fn flows() -> OperationFamily {
    OperationFamily {
        stem: "flow",
        name: "Call flows",
        about: "What is said in a call and which key leads where, up to 200 flows.",
        operations: vec![list_flows(), create_flow(), delete_flow()],
    }
}

fn create_template() -> Operation {
    Operation::post(
        "/messaging/template",
        "createTemplate",
        "Create a message template",
    )
    .detailed(
        "`{first}` is the place of the field `first`; write `{{` and `}}` for braces. \
             `POST /messaging/bulk` takes the template by its number in place of `message`. A \
             template does not change: make another, and delete the one that is out of date.",
    )
    .takes([
        required(&TEMPLATE_NAME, "Opening hours"),
        required(&CONTENT, "Dear {first}, we open at 9."),
    ])
    .creates("MessageTemplate", shown(201, "The template.", &template()))
    .creates(
        "MessageTemplate",
        shown(200, "The template of the first request.", &template()),
    )
    .refused(&[409])
}

fn create_flow() -> Operation {
    let most = CallFlow::STEPS_MAX;
    let choice = [required(&CALL_KEY, "1"), required(&STEP_NEXT, "ask")];
    let step = [
        required(&STEP_NAME, "ask"),
        required(&MESSAGE_TYPE, "speech").one_of(&["speech", "audio"]),
        optional(&CONTENT).such_as("Dear {first}, press 1 to hear this again."),
        optional(&AUDIO_URL),
        optional_objects(&STEP_CHOICES, FlowStep::<()>::CHOICES_MAX, choice),
        optional(&STEP_NEXT),
    ];
    Operation::post("/messaging/flow", "createFlow", "Create a call flow")
        .detailed(
            "A call begins with the first step. A step is spoken (`speech`, with `content`) or \
             played (`audio`, with `audioUrl`). Where it has `choices`, a key is waited for: the \
             call goes on with the step that the key leads to, and otherwise with `stpNext`. It \
             ends where there is none. Each step must be reached by a way, and no steps may be \
             repeated without waiting for a key. `{first}` is the place of the variable `first` \
             of a call. A flow does not change: make another, and delete the one that is out of \
             date. Errors name the step by its place: `steps.3.stpNext` is of the fourth.",
        )
        .takes([
            required(&FLOW_NAME, "Confirmation"),
            optional(&SPEAKER).one_of(&Speaker::WORDS),
            optional(&LANGUAGE),
            few_objects(&STEPS, most, step).holding(1..=most),
        ])
        .creates("CallFlow", shown(201, "The flow.", &flow()))
        .creates(
            "CallFlow",
            shown(200, "The flow of the first request.", &flow()),
        )
        .refused(&[409])
}

fn list_templates() -> Operation {
    Operation::get(
        "/messaging/template",
        "listTemplates",
        "List your message templates",
    )
    .detailed("Without their texts. With `tplIdentifier` the answer is that one, with its text.")
    .takes([optional(&TEMPLATE)])
    .in_parts(&["tplCreated"])
    .lists("MessageTemplates", listed(&template(), "The templates."))
    .answers("MessageTemplate", shown(200, "The template.", &template()))
    .refused(&[404])
}

fn list_flows() -> Operation {
    Operation::get("/messaging/flow", "listFlows", "List your call flows")
        .detailed(
            "Without their steps. With `flwIdentifier` the answer is that one, with its steps.",
        )
        .takes([optional(&FLOW)])
        .in_parts(&["flwCreated"])
        .lists("CallFlows", listed(&flow(), "The flows."))
        .answers("CallFlow", shown(200, "The flow.", &flow()))
        .refused(&[404])
}

fn delete_template() -> Operation {
    deletes(
        Operation::post(
            "/messaging/template/delete",
            "deleteTemplate",
            "Delete a message template",
        ),
        (required(&TEMPLATE, TEMPLATE_ID), "TemplateDeleted"),
        (&template(), "The template is gone."),
    )
}

fn delete_flow() -> Operation {
    deletes(
        Operation::post("/messaging/flow/delete", "deleteFlow", "Delete a call flow"),
        (required(&FLOW, FLOW_ID), "FlowDeleted"),
        (&flow(), "The flow is gone."),
    )
}

fn deletes(
    operation: Operation,
    (named, schema): (Parameter, &'static str),
    (item, message): (&LibraryItem, &'static str),
) -> Operation {
    let gone = removed(item.content.kind(), item.id);
    operation
        .detailed("What was sent, and what waits to be sent, stays as it is.")
        .takes([named])
        .answers(schema, vec![sample("deleted", message, gone)])
        .refused(&[404])
}

fn template() -> LibraryItem {
    kept_template("shop", TEMPLATE_NUMBER)
}

fn flow() -> LibraryItem {
    kept_flow("shop", FLOW_NUMBER)
}

fn shown(status: u16, message: &'static str, item: &LibraryItem) -> Vec<Sample> {
    vec![Sample {
        status,
        ..sample("item", message, view(item, &lagos()))
    }]
}

fn listed(item: &LibraryItem, message: &'static str) -> Vec<Sample> {
    let part = LibraryPart {
        kind: item.content.kind(),
        items: &[item.summary()],
        total: 1,
    };
    let paging = Paging {
        offset: 0,
        length: LENGTH_MAX,
        order: None,
        sort: Sort::Ascending,
    };
    vec![sample("all", message, list::view(part, &paging, &lagos()))]
}
