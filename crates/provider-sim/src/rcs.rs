//! RCS messages in the sandbox. A device that is not reached is sent the text message, where there
//! is one.

use crate::catalogue::SandboxCatalogue;
use crate::entry_facts::EntryFacts;
use crate::family_product::{FamilyProduct, ProductFields, Progress, ReceiptSchedule};
use crate::messaging::delivery::{self, DeliverySteps};
use domain::messaging::MessageStatus;
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::Fulfilment;
use domain::rcs::{RcsDelivery, RcsOrder};
use domain::sandbox::TestNumber;
use domain::time::Timestamp;

/// What one costs.
pub(crate) const TABLE: &str = include_str!("../data/rcs.toml");

/// The word of the journal for a message with a text message to send instead.
const WITH_FALLBACK: &str = "fallback";

/// The message that is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RcsProduct {
    pub(crate) number: PhoneNumber,
    pub(crate) has_fallback: bool,
}

impl RcsProduct {
    fn steps<'a>(&self, entry: &'a EntryFacts<'_>) -> DeliverySteps<'a> {
        let statuses = if self.goes_by_sms() {
            &[MessageStatus::Delivered]
        } else {
            delivery::statuses(&self.number)
        };
        DeliverySteps { entry, statuses }
    }

    /// Whether the device is not reached by RCS, and a text message is sent instead.
    fn goes_by_sms(&self) -> bool {
        let test = TestNumber::of(self.number.digits());
        self.has_fallback && test == Some(TestNumber::Undelivered)
    }

    fn after(&self, entry: &EntryFacts<'_>, count: usize) -> RcsDelivery {
        let message = self.steps(entry).after(count);
        match message.status {
            MessageStatus::Submitted | MessageStatus::Unknown => RcsDelivery::by_rcs(message, None),
            MessageStatus::Failed => RcsDelivery::by_rcs(message, Some(false)),
            MessageStatus::Delivered | MessageStatus::Read => {
                if self.goes_by_sms() {
                    RcsDelivery::by_sms(message, Some(false))
                } else {
                    RcsDelivery::by_rcs(message, Some(true))
                }
            }
        }
    }
}

impl FamilyProduct for RcsProduct {
    type Order = RcsOrder;

    fn of(order: &RcsOrder, _: &SandboxCatalogue) -> Self {
        Self {
            number: order.parties.number.clone(),
            has_fallback: order.content.fallback().is_some(),
        }
    }

    fn is_served(order: &RcsOrder, catalogue: &SandboxCatalogue) -> bool {
        catalogue.sends_rcs_to(order.parties.country)
    }

    fn service(&self) -> Service {
        Service::Rcs
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn fields(&self) -> (Option<String>, Option<String>) {
        let detail = self.has_fallback.then(|| WITH_FALLBACK.to_owned());
        (None, detail)
    }

    fn read(_: Service, fields: ProductFields<'_>) -> Option<Self> {
        Some(Self {
            number: PhoneNumber::parse(fields.digits).ok()?,
            has_fallback: fields.detail == Some(WITH_FALLBACK),
        })
    }

    fn fulfilment(
        &self,
        entry: &EntryFacts<'_>,
        progress: Progress,
        _: &SandboxCatalogue,
    ) -> Option<Fulfilment> {
        Some(Fulfilment::Rcs(self.after(entry, progress.steps)))
    }

    fn steps_by(&self, entry: &EntryFacts<'_>, now: Timestamp) -> usize {
        self.steps(entry).by(now)
    }

    fn receipts(&self, entry: &EntryFacts<'_>) -> Vec<ReceiptSchedule> {
        self.steps(entry).receipts(Service::Rcs.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::EntryOutcome;
    use domain::money::{Currency, Money};
    use domain::reference::ProviderReference;
    use std::time::Duration;

    #[test]
    fn the_number_and_the_fallback_decide_what_becomes_of_a_message() {
        use MessageStatus::{Delivered, Failed, Read};
        let reference = ProviderReference::from_echo("ref-1");
        let entry = EntryFacts {
            reference: &reference,
            amount: Money::from_minor(1_200, Currency::Ngn),
            at: Timestamp::from_millis(0),
            outcome: EntryOutcome::Delivered,
            seed: 7,
            later: Duration::from_secs(8),
        };
        for (number, has_fallback, last, is_capable) in [
            ("2348031234567", false, Read, true),
            ("2348031234567", true, Read, true),
            ("2348031230025", true, Delivered, true),
            ("2348031230015", false, Failed, false),
            ("2348031230015", true, Delivered, false),
        ] {
            let message = RcsProduct {
                number: PhoneNumber::parse(number).unwrap(),
                has_fallback,
            };
            assert_eq!(message.after(&entry, 0), RcsDelivery::SUBMITTED);
            let steps = message.steps_by(&entry, Timestamp::from_millis(4_000));
            let end = message.after(&entry, steps);
            assert_eq!(end.message().status, last, "{number}");
            assert_eq!(end.capable(), Some(is_capable), "{number}");
            let by_sms = last == Delivered && !is_capable;
            assert_eq!(end.fallback_used(), by_sms, "{number}");
        }
    }
}
