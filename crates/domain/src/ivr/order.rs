//! A call with a flow as asked for, and with everything looked up.

use super::{FilledFlow, FlowRun};
use crate::country::CountryCode;
use crate::family::FamilyOrder;
use crate::messaging::{AskedParties, MessageParties};
use crate::messaging_library::LibraryItemId;
use crate::money::Money;
use crate::order::Service;
use crate::pricing::Use;
use crate::provider::Fulfilment;
use crate::reference::MerchantReference;
use crate::sms::PersonalFields;
use crate::time::Timestamp;
use crate::voice::{CallMinutes, CallWindow};

/// A call with a flow as a merchant asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IvrCall {
    /// The merchant's own reference.
    pub reference: MerchantReference,
    /// Who calls whom.
    pub parties: AskedParties,
    /// The flow that is run.
    pub flow: LibraryItemId,
    /// What stands in its places.
    pub values: PersonalFields,
    /// How long the call may take.
    pub minutes: CallMinutes,
    /// For how long the person may be called.
    pub window: CallWindow,
}

/// A call with everything looked up. It holds the flow as it was when it was ordered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IvrOrder {
    /// Who calls whom.
    pub parties: MessageParties,
    /// The flow that it was made of.
    pub flow_id: LibraryItemId,
    /// What is said, and which key leads where.
    pub flow: FilledFlow,
    /// How long the call may take.
    pub minutes: CallMinutes,
    /// From when on the person is not called any more.
    pub call_before: Timestamp,
    /// The price of the longest call.
    pub amount: Money,
}

impl FamilyOrder for IvrOrder {
    const PRODUCTS: &'static [&'static str] = &["<country>"];

    const IS_CONFIDENTIAL: bool = true;

    fn service(&self) -> Service {
        Service::Ivr
    }

    fn amount(&self) -> Money {
        self.amount
    }

    fn narration(&self) -> String {
        self.parties.narration("Call")
    }

    fn digits(&self) -> &str {
        self.parties.number.digits()
    }

    fn country(&self) -> Option<CountryCode> {
        Some(self.parties.country)
    }

    fn send_before(&self) -> Option<Timestamp> {
        Some(self.call_before)
    }

    fn units(&self) -> u8 {
        self.minutes.get()
    }

    fn used(&self, fulfilment: &Fulfilment) -> Option<Use> {
        fulfilment.flow_run()?.call.used(self.minutes)
    }

    /// A way that the flow does not have belongs to another flow than the one that was ordered.
    fn agrees_with(&self, fulfilment: &Fulfilment) -> bool {
        fulfilment
            .flow_run()
            .is_none_or(|run| self.flow.is_way(&run.path))
    }

    fn is_completed_by(&self, fulfilment: &Fulfilment) -> bool {
        let run = fulfilment.flow_run();
        run.is_some_and(|run| run.call.seconds.is_some())
    }

    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        None
    }
}

impl Fulfilment {
    /// The run of a flow; `None` of anything else.
    pub const fn flow_run(&self) -> Option<&FlowRun> {
        if let Self::Ivr(run) = self {
            Some(run)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ivr::{CallKey, FlowChoice, FlowStep, PathStep, Prompt, StepName};
    use crate::money::Currency;
    use crate::phone::PhoneNumber;
    use crate::reference::TransactionNumber;
    use crate::sms::{SenderName, SenderSerial};
    use crate::voice::{Call, Speaker, SpeechLanguage};

    fn name(text: &str) -> StepName {
        StepName::parse(text).unwrap()
    }

    fn order() -> IvrOrder {
        let step = |named, key: Option<(&str, &str)>| FlowStep {
            name: name(named),
            prompt: Prompt::Speech(FilledFlow::text("Hi").unwrap()),
            choices: Vec::from_iter(key.map(|(key, next)| FlowChoice {
                key: CallKey::parse(key).unwrap(),
                next: name(next),
            })),
            next: None,
        };
        let steps = vec![step("ask", Some(("1", "bye"))), step("bye", None)];
        let spoken = (Speaker::Male, SpeechLanguage::english());
        IvrOrder {
            parties: MessageParties {
                country: CountryCode::NIGERIA,
                number: PhoneNumber::parse("2348031234567").unwrap(),
                network: "MTN".to_owned(),
                sender: SenderSerial::parse("100000000001").unwrap(),
                sender_name: SenderName::parse("Shop").unwrap(),
            },
            flow_id: LibraryItemId::new(TransactionNumber::try_new(7).unwrap()),
            flow: FilledFlow::try_new(spoken, steps).unwrap(),
            minutes: CallMinutes::try_new(3).unwrap(),
            call_before: Timestamp::from_millis(0),
            amount: Money::from_minor(4_500, Currency::Ngn),
        }
    }

    fn run(seconds: Option<u32>, path: &[(&str, &str)]) -> Fulfilment {
        let step = |(step, key): &(&str, &str)| PathStep {
            step: name(step),
            key: CallKey::parse(key).ok(),
        };
        Fulfilment::Ivr(FlowRun {
            call: Call {
                seconds,
                ..Call::UNDER_WAY
            },
            path: path.iter().map(step).collect(),
            ..FlowRun::UNDER_WAY
        })
    }

    #[test]
    fn a_way_that_the_flow_does_not_have_contradicts_the_order() {
        let order = order();
        for way in [&[][..], &[("ask", "")], &[("ask", "1"), ("bye", "")]] {
            assert!(order.agrees_with(&run(Some(1), way)), "{way:?}");
        }
        for way in [&[("bye", "")][..], &[("ask", ""), ("bye", "")]] {
            assert!(!order.agrees_with(&run(Some(1), way)), "{way:?}");
        }
    }

    #[test]
    fn the_minutes_that_were_begun_are_used_once_the_call_is_over() {
        let order = order();
        assert_eq!(order.units(), 3);
        assert!(!order.is_completed_by(&run(None, &[])));
        assert!(order.is_completed_by(&run(Some(61), &[])));
        assert_eq!(order.used(&run(Some(61), &[])), Use::new(2, 3));
        // A call of another family says nothing of this one.
        let call = Call {
            seconds: Some(61),
            ..Call::UNDER_WAY
        };
        assert!(!order.is_completed_by(&Fulfilment::Voice(call)));
    }

    #[test]
    fn what_a_person_chose_is_in_no_log() {
        let shown = format!("{:?}", run(Some(1), &[("ask", "1"), ("bye", "")]));
        assert!(!shown.contains("bye") && !shown.contains('*'), "{shown}");
    }
}
