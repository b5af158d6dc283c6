//! Voice calls in the sandbox: each is answered, and takes as long as it is said.

use crate::catalogue::SandboxCatalogue;
use crate::entry_facts::EntryFacts;
use crate::family_product::{FamilyProduct, ProductFields, Progress};
use domain::messaging::MessageText;
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::Fulfilment;
use domain::sandbox::TestNumber;
use domain::voice::{Call, PressedDigits, VoiceContent, VoiceOrder};

pub(crate) const TABLE: &str = include_str!("../data/voice.toml");

/// How many characters are spoken in a second.
const CHARACTERS_A_SECOND: usize = 15;

/// How many seconds a file takes.
pub(crate) const FILE_SECONDS: usize = 75;

/// The call that is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallProduct {
    pub(crate) number: PhoneNumber,
    /// How long it takes.
    pub(crate) seconds: u32,
}

/// How long a text is spoken.
pub(crate) fn speaking_seconds(text: &MessageText) -> usize {
    let characters = text.as_str().chars().count();
    characters.div_ceil(CHARACTERS_A_SECOND)
}

/// How long an answered call takes: as long as it is said, and not longer than it may.
fn seconds(order: &VoiceOrder) -> u32 {
    let once = match &order.content {
        VoiceContent::Speech(speech) => speaking_seconds(&speech.text),
        VoiceContent::Audio(_) => FILE_SECONDS,
    };
    let all = once.saturating_mul(order.plan.repeat().into());
    let longest = u32::from(order.plan.minutes.get()).saturating_mul(60);
    u32::try_from(all).unwrap_or(longest).min(longest)
}

impl FamilyProduct for CallProduct {
    type Order = VoiceOrder;

    fn of(order: &VoiceOrder, _: &SandboxCatalogue) -> Self {
        Self {
            number: order.parties.number.clone(),
            seconds: seconds(order),
        }
    }

    fn is_served(order: &VoiceOrder, catalogue: &SandboxCatalogue) -> bool {
        catalogue.calls(order.parties.country)
    }

    fn service(&self) -> Service {
        Service::Voice
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn fields(&self) -> (Option<String>, Option<String>) {
        (None, Some(self.seconds.to_string()))
    }

    fn read(_: Service, fields: ProductFields<'_>) -> Option<Self> {
        Some(Self {
            number: PhoneNumber::parse(fields.digits).ok()?,
            seconds: fields.detail?.parse().ok()?,
        })
    }

    fn fulfilment(
        &self,
        entry: &EntryFacts<'_>,
        _: Progress,
        _: &SandboxCatalogue,
    ) -> Option<Fulfilment> {
        let presses = TestNumber::of(self.number.digits()) == Some(TestNumber::KeyPressed);
        Some(Fulfilment::Voice(Call {
            seconds: Some(self.seconds),
            answered_at: Some(entry.at),
            digits: PressedDigits::parse("1").ok().filter(|_| presses),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::order::Order;
    use domain::voice::{CallMinutes, CallPlan};
    use testkit::builders::{voice_audio, voice_call};

    fn takes(order: Order, minutes: u8, repeat: u8) -> u32 {
        let Order::Voice(mut order) = order else {
            panic!("{order:?} is no call");
        };
        let minutes = CallMinutes::try_new(minutes).unwrap();
        order.plan = CallPlan::try_new(minutes, repeat, 0).unwrap();
        let product = CallProduct::of(&order, &SandboxCatalogue::new());
        let (_, detail) = product.fields();
        let fields = ProductFields {
            digits: product.digits(),
            biller: None,
            detail: detail.as_deref(),
        };
        assert_eq!(
            CallProduct::read(Service::Voice, fields),
            Some(product.clone())
        );
        product.seconds
    }

    #[test]
    fn a_call_takes_as_long_as_it_is_said_and_no_longer_than_it_may() {
        // 21 characters.
        assert_eq!(takes(voice_call().order(), 1, 1), 2);
        assert_eq!(takes(voice_call().order(), 1, 3), 6);
        assert_eq!(takes(voice_audio().order(), 3, 2), 150);
        assert_eq!(takes(voice_audio().order(), 1, 2), 60);
    }
}
