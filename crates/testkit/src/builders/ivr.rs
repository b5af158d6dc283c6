//! Calls that run a flow.

use super::messaging::message_parties;
use super::purchase::PurchaseBuilder;
use super::{START, naira};
use domain::ivr::{CallFlow, CallKey, FlowChoice, FlowStep, IvrOrder, Prompt, StepName};
use domain::messaging::MessageUrl;
use domain::messaging_library::LibraryItemId;
use domain::order::Order;
use domain::reference::TransactionNumber;
use domain::sms::{MessageTemplate, PersonalFieldName, PersonalFieldValue, PersonalFields};
use domain::voice::{CallMinutes, Speaker, SpeechLanguage};
use std::time::Duration;

/// A question with two answers, a text for the first of them, and a file for everything else.
pub fn call_flow() -> CallFlow {
    let name = |text| StepName::parse(text).expect("a name");
    let speech = |text| Prompt::Speech(MessageTemplate::parse(text).expect("a text"));
    let url = MessageUrl::parse("https://shop.example/calls/bye.mp3");
    let choice = |key, next| FlowChoice {
        key: CallKey::parse(key).expect("a key"),
        next: name(next),
    };
    let steps = vec![
        FlowStep {
            name: name("ask"),
            prompt: speech("Dear {first}, press 1 to confirm, 9 to hear this again."),
            choices: vec![choice("1", "thanks"), choice("9", "ask")],
            next: Some(name("bye")),
        },
        FlowStep {
            name: name("thanks"),
            prompt: speech("Thank you."),
            choices: Vec::new(),
            next: Some(name("bye")),
        },
        FlowStep {
            name: name("bye"),
            prompt: Prompt::Audio(url.expect("an address")),
            choices: Vec::new(),
            next: None,
        },
    ];
    CallFlow::try_new((Speaker::Female, SpeechLanguage::english()), steps).expect("a flow")
}

/// A call of up to three minutes for 15.00 each that runs [`call_flow`], ordered like
/// [`super::airtime`].
pub fn flow_call() -> PurchaseBuilder {
    let first = PersonalFieldName::parse("first").expect("a name");
    let value = PersonalFieldValue::parse("Ada").expect("a value");
    let number = TransactionNumber::try_new(7_213_340_061).expect("a number");
    let order = IvrOrder {
        parties: message_parties(),
        flow_id: LibraryItemId::new(number),
        flow: call_flow()
            .fill(&PersonalFields::from([(first, value)]))
            .expect("values that fit"),
        minutes: CallMinutes::try_new(3).expect("minutes"),
        call_before: START.plus(Duration::from_hours(48)),
        amount: naira("45.00"),
    };
    PurchaseBuilder::of_product(Order::Ivr(order)).terms("0", "10", "0.00")
}
