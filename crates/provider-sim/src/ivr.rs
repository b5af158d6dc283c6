//! Calls that run a flow in the sandbox: each is answered, and takes as long as its way is said.

use crate::catalogue::SandboxCatalogue;
use crate::entry_facts::EntryFacts;
use crate::family_product::{FamilyProduct, ProductFields, Progress};
use crate::voice::{FILE_SECONDS, speaking_seconds};
use domain::ivr::{CallKey, FlowRun, FlowRunId, FlowStep, IvrOrder, PathStep, Prompt, StepName};
use domain::messaging::MessageText;
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::Fulfilment;
use domain::sandbox::TestNumber;
use domain::voice::Call;
use std::collections::BTreeSet;

pub(crate) const TABLE: &str = include_str!("../data/ivr.toml");

/// How many seconds a person is given to press a key.
const KEY_SECONDS: u32 = 5;

/// The call that is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FlowCallProduct {
    number: PhoneNumber,
    /// How long it takes.
    seconds: u32,
    /// Which way the person goes.
    path: Vec<PathStep>,
}

impl FlowCallProduct {
    /// Goes through the flow: the person presses the first key of each step where the number says
    /// so, and none otherwise. The call ends with the flow, with its longest time, or at a step
    /// that was said before.
    fn through(order: &IvrOrder) -> Self {
        let number = order.parties.number.clone();
        let presses = TestNumber::of(number.digits()) == Some(TestNumber::KeyPressed);
        let longest = u32::from(order.minutes.get()).saturating_mul(60);
        let (mut seconds, mut path) = (0_u32, Vec::new());
        let mut said = BTreeSet::new();
        let mut at = order.flow.steps().first();
        while let Some(step) = at.filter(|step| said.insert(step.name.clone())) {
            let takes = seconds_of(step);
            if seconds.saturating_add(takes) > longest {
                seconds = longest;
                break;
            }
            seconds = seconds.saturating_add(takes);
            let choice = step.choices.first().filter(|_| presses);
            let key = choice.map(|choice| choice.key);
            at = step.after(key).and_then(|name| order.flow.step(name));
            let step = step.name.clone();
            path.push(PathStep { step, key });
        }
        Self {
            number,
            seconds: seconds.max(1),
            path,
        }
    }
}

fn seconds_of(step: &FlowStep<MessageText>) -> u32 {
    let spoken = match &step.prompt {
        Prompt::Speech(text) => speaking_seconds(text),
        Prompt::Audio(_) => FILE_SECONDS,
    };
    let spoken = u32::try_from(spoken).unwrap_or(u32::MAX);
    if step.choices.is_empty() {
        spoken
    } else {
        spoken.saturating_add(KEY_SECONDS)
    }
}

impl FamilyProduct for FlowCallProduct {
    type Order = IvrOrder;

    fn of(order: &IvrOrder, _: &SandboxCatalogue) -> Self {
        Self::through(order)
    }

    fn is_served(order: &IvrOrder, catalogue: &SandboxCatalogue) -> bool {
        catalogue.runs_flows(order.parties.country)
    }

    fn service(&self) -> Service {
        Service::Ivr
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    /// The seconds, then each step with its key: `81 ask=1 thanks bye`.
    fn fields(&self) -> (Option<String>, Option<String>) {
        let steps = self.path.iter().map(|taken| match taken.key {
            Some(key) => format!(" {}={key}", taken.step.as_str()),
            None => format!(" {}", taken.step.as_str()),
        });
        let detail = std::iter::once(self.seconds.to_string()).chain(steps);
        (None, Some(detail.collect()))
    }

    fn read(_: Service, fields: ProductFields<'_>) -> Option<Self> {
        let mut words = fields.detail?.split(' ');
        let seconds = words.next()?.parse().ok()?;
        let step = |word: &str| {
            let (name, key) = match word.split_once('=') {
                Some((name, key)) => (name, Some(CallKey::parse(key).ok()?)),
                None => (word, None),
            };
            let step = StepName::parse(name).ok()?;
            Some(PathStep { step, key })
        };
        Some(Self {
            number: PhoneNumber::parse(fields.digits).ok()?,
            seconds,
            path: words.map(step).collect::<Option<_>>()?,
        })
    }

    fn fulfilment(
        &self,
        entry: &EntryFacts<'_>,
        _: Progress,
        _: &SandboxCatalogue,
    ) -> Option<Fulfilment> {
        let id = format!("run-{}", entry.at.as_millis());
        Some(Fulfilment::Ivr(FlowRun {
            call: Call {
                seconds: Some(self.seconds),
                answered_at: Some(entry.at),
                digits: None,
            },
            id: FlowRunId::parse(&id).ok(),
            path: self.path.clone(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::order::Order;
    use domain::voice::CallMinutes;
    use testkit::builders::flow_call;

    fn product(number: &str, minutes: u8) -> (FlowCallProduct, IvrOrder) {
        let Order::Ivr(mut order) = flow_call().to(number).order() else {
            panic!("a call with a flow");
        };
        order.minutes = CallMinutes::try_new(minutes).unwrap();
        let product = FlowCallProduct::of(&order, &SandboxCatalogue::new());
        let (_, detail) = product.fields();
        let fields = ProductFields {
            digits: product.digits(),
            biller: None,
            detail: detail.as_deref(),
        };
        let read = FlowCallProduct::read(Service::Ivr, fields);
        assert_eq!(read, Some(product.clone()));
        assert!(order.flow.is_way(&product.path));
        (product, order)
    }

    fn way(product: &FlowCallProduct) -> Vec<(&str, Option<char>)> {
        let steps = product.path.iter();
        let step = |it: &PathStep| it.key.map(CallKey::as_char);
        steps.map(|it| (it.step.as_str(), step(it))).collect()
    }

    #[test]
    fn a_person_presses_the_first_key_where_the_number_says_so() {
        let (silent, _) = product("2348031234567", 3);
        assert_eq!(way(&silent), [("ask", None), ("bye", None)]);
        let (pressing, _) = product("2348031230028", 3);
        let expected = [("ask", Some('1')), ("thanks", None), ("bye", None)];
        assert_eq!(way(&pressing), expected);
        assert!(pressing.seconds > silent.seconds);
    }

    #[test]
    fn a_call_ends_with_its_longest_time() {
        // The file alone takes longer than a minute.
        let (cut, _) = product("2348031234567", 1);
        assert_eq!((cut.seconds, way(&cut).len()), (60, 1));
    }
}
