//! What is said in a call and which key leads where. A flow that could be played for ever without a
//! key, or that holds a step to which nothing leads, must never be kept.

use super::faults::{FlowFault, FlowFaultKind, faults};
use super::{FlowStep, PathStep, Prompt, StepName};
use crate::messaging::{MessageText, MessageUrl};
use crate::sms::{MessageTemplate, PersonalFieldName, PersonalFields};
use crate::text::UnfitLine;
use crate::voice::{Speaker, SpeechLanguage};
use std::collections::BTreeSet;

/// A flow: its steps, the first of them first, and how they are spoken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepFlow<S> {
    /// Who speaks.
    speaker: Speaker,
    /// In which language.
    language: SpeechLanguage,
    steps: Vec<FlowStep<S>>,
}

/// A flow as a merchant keeps it: its texts have places for the values of a call.
pub type CallFlow = StepFlow<MessageTemplate>;

/// A flow as it is said in one call.
pub type FilledFlow = StepFlow<MessageText>;

/// Why a flow cannot be said in a call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnfilledFlow {
    /// A place has no value.
    #[error("must have {}, which the step {} names; add it", variable.as_str(), step.as_str())]
    Missing {
        /// The first step with the place.
        step: StepName,
        /// What the place is called.
        variable: PersonalFieldName,
    },
    /// A value has no place in any step, and was most likely misspelt.
    #[error("have {}, which no step of the flow names; leave it out", .0.as_str())]
    Unused(PersonalFieldName),
    /// A text is none with the values.
    #[error("make a text of the step {} that {why}", step.as_str())]
    Step {
        /// Which one.
        step: StepName,
        /// Why.
        why: UnfitLine,
    },
    /// With the values it has more bytes than a provider is sent.
    #[error(
        "make a flow of more than {} bytes; shorten them",
        FilledFlow::BYTES_MAX
    )]
    Long,
}

impl<S> StepFlow<S> {
    /// Most steps: menus of three levels with a goodbye fit, and a person would not stay for more.
    pub const STEPS_MAX: usize = 40;

    /// Makes a flow of its steps.
    ///
    /// # Errors
    /// Names everything that is wrong between the steps, in their order.
    pub fn try_new(
        (speaker, language): (Speaker, SpeechLanguage),
        steps: Vec<FlowStep<S>>,
    ) -> Result<Self, Vec<FlowFault>> {
        let faults = faults(&steps);
        if faults.is_empty() {
            Ok(Self {
                speaker,
                language,
                steps,
            })
        } else {
            Err(faults)
        }
    }

    /// Who speaks.
    pub const fn speaker(&self) -> Speaker {
        self.speaker
    }

    /// In which language.
    pub const fn language(&self) -> &SpeechLanguage {
        &self.language
    }

    /// The steps; the first of them is where a call begins.
    pub fn steps(&self) -> &[FlowStep<S>] {
        &self.steps
    }

    /// The step of a name.
    pub fn step(&self, name: &StepName) -> Option<&FlowStep<S>> {
        self.steps.iter().find(|step| step.name == *name)
    }

    /// Whether a call can have gone that way: from the first step on, each step the one that the
    /// key before it leads to. A call may end anywhere, as persons hang up.
    pub fn is_way(&self, path: &[PathStep]) -> bool {
        let mut expected = self.steps.first().map(|step| &step.name);
        for taken in path {
            let step = expected.and_then(|name| self.step(name));
            let Some(step) = step.filter(|step| step.name == taken.step) else {
                return false;
            };
            expected = step.after(taken.key);
        }
        true
    }

    /// The steps with other texts, one for one.
    fn with_texts<T, E>(
        &self,
        text: impl Fn(&StepName, &S) -> Result<T, E>,
    ) -> Result<StepFlow<T>, E> {
        let step = |step: &FlowStep<S>| {
            Ok(FlowStep {
                name: step.name.clone(),
                prompt: match &step.prompt {
                    Prompt::Speech(said) => Prompt::Speech(text(&step.name, said)?),
                    Prompt::Audio(url) => Prompt::Audio(url.clone()),
                },
                choices: step.choices.clone(),
                next: step.next.clone(),
            })
        };
        Ok(StepFlow {
            speaker: self.speaker,
            language: self.language.clone(),
            steps: self.steps.iter().map(step).collect::<Result<_, E>>()?,
        })
    }
}

impl CallFlow {
    /// The flow of one call.
    ///
    /// # Errors
    /// Names every place without a value and every value without a place, or else the first text
    /// that is none with its values.
    pub fn fill(&self, values: &PersonalFields) -> Result<FilledFlow, Vec<UnfilledFlow>> {
        let misfits = self.misfits(values);
        if !misfits.is_empty() {
            return Err(misfits);
        }
        let filled = self.with_texts(|step, text| {
            let why = |why| UnfilledFlow::Step {
                step: step.clone(),
                why,
            };
            FilledFlow::text(&text.filled_from(values)).map_err(why)
        });
        let filled = filled.map_err(|why| vec![why])?;
        if filled.bytes() > FilledFlow::BYTES_MAX {
            return Err(vec![UnfilledFlow::Long]);
        }
        Ok(filled)
    }

    fn misfits(&self, values: &PersonalFields) -> Vec<UnfilledFlow> {
        let mut named = BTreeSet::new();
        let mut misfits = Vec::new();
        for step in &self.steps {
            let text = step.prompt.speech().into_iter();
            for variable in text.flat_map(MessageTemplate::names) {
                if named.insert(variable) && !values.contains_key(variable) {
                    misfits.push(UnfilledFlow::Missing {
                        step: step.name.clone(),
                        variable: variable.clone(),
                    });
                }
            }
        }
        let unused = values.keys().filter(|name| !named.contains(name));
        misfits.extend(unused.cloned().map(UnfilledFlow::Unused));
        misfits
    }

    /// The steps whose texts or bytes could not be said whatever the values are.
    fn too_long(steps: &[FlowStep<MessageTemplate>]) -> Vec<FlowFault> {
        let mut faults = Vec::new();
        let mut bytes = 0_usize;
        for (at, step) in steps.iter().enumerate() {
            let fixed = step.prompt.speech().map(MessageTemplate::fixed);
            let fixed = fixed.unwrap_or_default();
            if fixed.chars().count() > FilledFlow::TEXT_MAX {
                let kind = FlowFaultKind::Long;
                faults.push(FlowFault { at, kind });
            }
            let before = bytes;
            bytes = bytes.saturating_add(bytes_of(step, &fixed));
            if before <= FilledFlow::BYTES_MAX && bytes > FilledFlow::BYTES_MAX {
                let kind = FlowFaultKind::TooMuch;
                faults.push(FlowFault { at, kind });
            }
        }
        faults
    }

    /// Makes a flow that can be said.
    ///
    /// # Errors
    /// As [`Self::try_new`]; names texts that are too long as well.
    pub fn to_keep(
        spoken: (Speaker, SpeechLanguage),
        steps: Vec<FlowStep<MessageTemplate>>,
    ) -> Result<Self, Vec<FlowFault>> {
        let mut long = Self::too_long(&steps);
        match Self::try_new(spoken, steps) {
            Ok(flow) if long.is_empty() => Ok(flow),
            Ok(_) => Err(long),
            Err(faults) => {
                long.extend(faults);
                Err(long)
            }
        }
    }
}

/// How many bytes a step has in what a provider is sent.
fn bytes_of<S>(step: &FlowStep<S>, text: &str) -> usize {
    /// The names of what a step and a choice consist of, and the marks between them.
    const STEP: usize = 80;
    const CHOICE: usize = 32;
    let url = step.prompt.audio().map_or("", MessageUrl::as_str);
    let next = step.next.as_ref().map_or("", StepName::as_str);
    let choices = step.choices.iter();
    let choices = choices.map(|choice| choice.next.as_str().len().saturating_add(CHOICE));
    let said = text.chars().map(|c| match c {
        '"' | '\\' | '\n' | '\r' | '\t' => 2,
        other => other.len_utf8(),
    });
    let fixed = [step.name.as_str(), url, next].map(str::len);
    let all = fixed.into_iter().chain(choices).chain(said);
    all.fold(STEP, usize::saturating_add)
}

impl FilledFlow {
    /// Most bytes of a flow: a provider is sent 64 KiB at most, and the order and the names of its
    /// parts stand beside it.
    pub const BYTES_MAX: usize = 48_000;

    /// Most characters of the text of a step: some two minutes are spoken before the next key.
    pub const TEXT_MAX: usize = 1_530;

    /// Reads the text of a step.
    ///
    /// # Errors
    /// Refuses what no text of a step can be.
    pub fn text(text: &str) -> Result<MessageText, UnfitLine> {
        MessageText::parse(text, Self::TEXT_MAX)
    }

    fn bytes(&self) -> usize {
        let steps = self.steps.iter().map(|step| {
            let text = step.prompt.speech().map_or("", MessageText::as_str);
            bytes_of(step, text)
        });
        steps.fold(0, usize::saturating_add)
    }

    /// Its values one after the other; two flows that differ have others.
    pub fn values(&self) -> Vec<String> {
        let mut values = vec![
            self.speaker.code().to_owned(),
            self.language.as_str().to_owned(),
        ];
        for step in &self.steps {
            values.push(step.name.as_str().to_owned());
            values.push(step.prompt.kind().to_owned());
            let (text, url) = (step.prompt.speech(), step.prompt.audio());
            values.extend(text.map(|text| text.as_str().to_owned()));
            values.extend(url.map(|url| url.as_str().to_owned()));
            values.push(step.choices.len().to_string());
            for choice in &step.choices {
                values.push(choice.key.to_string());
                values.push(choice.next.as_str().to_owned());
            }
            let next = step.next.as_ref().map_or("", StepName::as_str);
            values.push(next.to_owned());
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CallKey, FlowChoice};
    use super::*;
    use crate::sms::PersonalFieldValue;
    use proptest::collection::vec;
    use proptest::option;
    use proptest::prelude::*;

    fn name(text: &str) -> StepName {
        StepName::parse(text).unwrap()
    }

    /// A step that says its own name; choices as `1:next`, and what comes otherwise.
    fn step(named: &str, choices: &[&str], next: Option<&str>) -> FlowStep<MessageTemplate> {
        let choice = |text: &&str| {
            let (key, next) = text.split_once(':').unwrap();
            FlowChoice {
                key: CallKey::parse(key).unwrap(),
                next: name(next),
            }
        };
        FlowStep {
            name: name(named),
            prompt: Prompt::Speech(MessageTemplate::parse(named).unwrap()),
            choices: choices.iter().map(choice).collect(),
            next: next.map(name),
        }
    }

    fn flow(steps: Vec<FlowStep<MessageTemplate>>) -> Result<CallFlow, Vec<String>> {
        let spoken = (Speaker::Female, SpeechLanguage::english());
        StepFlow::try_new(spoken, steps).map_err(|faults| {
            let faults = faults.iter();
            faults.map(|it| format!("{} {}", it.at, it.kind)).collect()
        })
    }

    fn values(pairs: &[(&str, &str)]) -> PersonalFields {
        let pairs = pairs.iter().map(|(name, value)| {
            let name = PersonalFieldName::parse(name).unwrap();
            (name, PersonalFieldValue::parse(value).unwrap())
        });
        pairs.collect()
    }

    fn path(taken: &[(&str, &str)]) -> Vec<PathStep> {
        let step = |(step, key): &(&str, &str)| PathStep {
            step: name(step),
            key: CallKey::parse(key).ok(),
        };
        taken.iter().map(step).collect()
    }

    #[test]
    fn what_is_wrong_between_steps_is_named_by_its_place() {
        let wrong = vec![
            step("a", &["1:b", "1:c"], Some("d")),
            step("b", &[], None),
            step("a", &[], Some("e")),
        ];
        let expected = [
            "2 is the name of steps.0 as well; give each step its own",
            "0 lead to c, which is the name of no step",
            "0 is d, which is the name of no step",
            "0 have the key 1 twice",
            "2 is e, which is the name of no step",
        ];
        assert_eq!(flow(wrong), Err(expected.map(str::to_owned).to_vec()));
        let alone = vec![step("a", &[], None), step("b", &[], Some("a"))];
        let faults = flow(alone).unwrap_err();
        assert_eq!(faults.len(), 1);
        assert!(faults[0].starts_with("1 is a step to which no way leads"));
    }

    #[test]
    fn a_way_back_must_wait_for_a_key() {
        let menu = vec![
            step("menu", &["9:menu"], Some("again")),
            step("again", &[], Some("menu")),
        ];
        assert!(flow(menu).is_ok());
        let ring = vec![
            step("a", &[], Some("b")),
            step("b", &[], Some("c")),
            step("c", &[], Some("b")),
        ];
        let faults = flow(ring).unwrap_err();
        let places: Vec<_> = faults.iter().map(|it| &it[..13]).collect();
        assert_eq!(places, ["1 is repeated", "2 is repeated"]);
        assert!(flow(vec![step("a", &[], Some("a"))]).is_err());
    }

    #[test]
    fn values_stand_in_all_steps_and_each_has_a_place() {
        let mut steps = vec![
            step("a", &[], Some("b")),
            step("b", &[], Some("c")),
            step("c", &[], None),
        ];
        steps[0].prompt = Prompt::Speech(MessageTemplate::parse("Dear {first}").unwrap());
        steps[1].prompt = Prompt::Speech(MessageTemplate::parse("{sum}, {first}").unwrap());
        let audio = MessageUrl::parse("https://shop.example/a.mp3").unwrap();
        steps[2].prompt = Prompt::Audio(audio);
        let flow = flow(steps).unwrap();
        let both = values(&[("first", "Ada"), ("sum", "5")]);
        let filled = flow.fill(&both).unwrap();
        let said = |at: usize| filled.steps()[at].prompt.speech().unwrap().as_str();
        assert_eq!((said(0), said(1)), ("Dear Ada", "5, Ada"));
        let why = |pairs| {
            let misfits = flow.fill(&values(pairs)).unwrap_err();
            let misfits = misfits.iter().map(ToString::to_string);
            misfits.collect::<Vec<_>>()
        };
        assert_eq!(
            why(&[("x", "1"), ("y", "2")]),
            [
                "must have first, which the step a names; add it",
                "must have sum, which the step b names; add it",
                "have x, which no step of the flow names; leave it out",
                "have y, which no step of the flow names; leave it out",
            ]
        );
        let long = "a".repeat(PersonalFieldValue::LENGTH_MAX);
        let text = "{first}".repeat(10);
        let mut steps = vec![step("a", &[], None)];
        steps[0].prompt = Prompt::Speech(MessageTemplate::parse(&text).unwrap());
        let flow = self::flow(steps).unwrap();
        assert_eq!(
            flow.fill(&values(&[("first", &long)])).unwrap_err()[0].to_string(),
            "make a text of the step a that must be at most 1530 characters"
        );
        let empty = flow.fill(&values(&[("first", "")])).unwrap_err();
        assert_eq!(
            empty[0].to_string(),
            "make a text of the step a that must not be empty"
        );
    }

    #[test]
    fn what_could_never_be_said_is_refused_as_it_is_kept() {
        let kept = |count: usize, text: &str| {
            let names: Vec<String> = (0..count).map(|at| format!("s{at}")).collect();
            let steps = names.iter().enumerate().map(|(at, named)| FlowStep {
                prompt: Prompt::Speech(MessageTemplate::parse(text).unwrap()),
                ..step(named, &[], names.get(at + 1).map(String::as_str))
            });
            let spoken = (Speaker::Female, SpeechLanguage::english());
            CallFlow::to_keep(spoken, steps.collect()).map_err(|faults| {
                let faults = faults.iter().map(|it| (it.at, it.kind.clone()));
                faults.collect::<Vec<_>>()
            })
        };
        let (most, more) = ("a".repeat(1_530), "a".repeat(1_531));
        assert!(kept(29, &most).is_ok());
        assert_eq!(kept(30, &most), Err(vec![(29, FlowFaultKind::TooMuch)]));
        assert_eq!(kept(1, &more), Err(vec![(0, FlowFaultKind::Long)]));
        // What is escaped counts as it is sent.
        let quoted = "\"".repeat(1_530);
        assert_eq!(kept(16, &quoted), Err(vec![(15, FlowFaultKind::TooMuch)]));
        // Values count as well.
        let flow = kept(29, &format!("{}{{v}}", "a".repeat(1_500))).unwrap();
        assert!(flow.fill(&values(&[("v", "a")])).is_ok());
        let filled = flow.fill(&values(&[("v", &"ẹ".repeat(30))]));
        assert_eq!(filled, Err(vec![UnfilledFlow::Long]));
    }

    #[test]
    fn a_way_goes_where_the_keys_lead() {
        let steps = vec![
            step("menu", &["1:yes", "2:menu"], Some("bye")),
            step("yes", &[], Some("bye")),
            step("bye", &[], None),
        ];
        let flow = flow(steps).unwrap();
        for way in [
            &[][..],
            &[("menu", "")],
            &[("menu", "2"), ("menu", "1"), ("yes", ""), ("bye", "")],
            &[("menu", "7"), ("bye", "")],
        ] {
            assert!(flow.is_way(&path(way)), "{way:?}");
        }
        for no_way in [
            &[("yes", "")][..],
            &[("menu", "1"), ("bye", "")],
            &[("menu", ""), ("bye", ""), ("menu", "")],
            &[("other", "")],
        ] {
            assert!(!flow.is_way(&path(no_way)), "{no_way:?}");
        }
    }

    #[test]
    fn flows_that_differ_have_other_values() {
        let flow = |steps| flow(steps).unwrap().fill(&values(&[])).unwrap();
        let all = [
            flow(vec![step("a", &[], None)]),
            flow(vec![step("b", &[], None)]),
            flow(vec![step("a", &["1:a"], None)]),
            flow(vec![step("a", &["2:a"], None)]),
            flow(vec![step("a", &["1:a"], Some("a"))]),
        ];
        for (at, one) in all.iter().enumerate() {
            for (beside, other) in all.iter().enumerate() {
                assert_eq!(
                    one.values() == other.values(),
                    at == beside,
                    "{at} {beside}"
                );
            }
        }
    }

    proptest! {
        /// Where it is never stopped, a flow that was taken ends or waits for a key.
        #[test]
        fn no_flow_is_said_for_ever(
            nexts in vec((option::of(0..6_usize), option::of(0..6_usize)), 6),
        ) {
            let steps = nexts.iter().enumerate().map(|(at, (next, chosen))| FlowStep {
                choices: Vec::from_iter(chosen.map(|to| FlowChoice {
                    key: CallKey::ALL[1],
                    next: name(&format!("s{to}")),
                })),
                ..step(&format!("s{at}"), &[], next.map(|to| format!("s{to}")).as_deref())
            });
            let Ok(flow) = flow(steps.collect()) else {
                return Ok(());
            };
            for first in flow.steps() {
                let mut at = Some(first);
                let mut said = 0_usize;
                while let Some(step) = at.filter(|step| step.choices.is_empty()) {
                    said += 1;
                    prop_assert!(said <= flow.steps().len());
                    at = step.next.as_ref().and_then(|name| flow.step(name));
                }
            }
        }
    }
}
