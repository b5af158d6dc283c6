//! The delivery steps of a message that can be read. They must be the same on every call:
//! everything is derived from the journal entry.

use super::steps::{self, spread};
use crate::draw::Draw;
use crate::entry_facts::EntryFacts;
use crate::family_product::ReceiptSchedule;
use domain::messaging::{MessageDelivery, MessageStatus};
use domain::phone::PhoneNumber;
use domain::sandbox::TestNumber;
use domain::time::Timestamp;

/// What the number makes of a message that the platform took over, step by step.
pub(crate) fn statuses(number: &PhoneNumber) -> &'static [MessageStatus] {
    use MessageStatus::{Delivered, Failed, Read};
    let test = TestNumber::of(number.digits());
    if test == Some(TestNumber::Undelivered) {
        &[Failed]
    } else if test == Some(TestNumber::Unread) {
        &[Delivered]
    } else {
        &[Delivered, Read]
    }
}

/// A message in the journal, and the steps that it goes once the platform has it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DeliverySteps<'a> {
    pub(crate) entry: &'a EntryFacts<'a>,
    pub(crate) statuses: &'static [MessageStatus],
}

impl DeliverySteps<'_> {
    /// What is known after so many steps; nothing happens where the platform never took it over.
    pub(crate) fn after(self, count: usize) -> MessageDelivery {
        let times = self.times().into_iter().flatten();
        let steps = self.statuses.iter().zip(times).take(count);
        let last = steps.map(|(status, at)| MessageDelivery {
            status: *status,
            read_at: (*status == MessageStatus::Read).then_some(at),
        });
        last.last().unwrap_or(MessageDelivery::SUBMITTED)
    }

    /// How many steps there were by a moment.
    pub(crate) fn by(self, now: Timestamp) -> usize {
        let times = self.times().into_iter().flatten();
        times.take_while(|at| *at <= now).count()
    }

    /// All receipts the platform sends unasked, in the order it sends them.
    pub(crate) fn receipts(self, family: &str) -> Vec<ReceiptSchedule> {
        let draw = Draw::new(self.entry.seed, &[family, self.entry.reference.as_str()]);
        steps::receipts(self.entry, self.statuses.len(), &draw)
    }

    /// When the steps happen; `None` where the platform never took the message over.
    fn times(&self) -> Option<impl Iterator<Item = Timestamp>> {
        let taken_over = steps::taken_over(self.entry)?;
        let over = self.entry.later / 2;
        Some(spread(taken_over, over, self.statuses.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::EntryOutcome;
    use domain::money::{Currency, Money};
    use domain::reference::ProviderReference;
    use std::time::Duration;

    const LATER: Duration = Duration::from_secs(8);

    fn facts(reference: &ProviderReference, outcome: EntryOutcome) -> EntryFacts<'_> {
        EntryFacts {
            reference,
            amount: Money::from_minor(900, Currency::Ngn),
            at: Timestamp::from_millis(0),
            outcome,
            seed: 7,
            later: LATER,
        }
    }

    fn to<'a>(number: &str, entry: &'a EntryFacts<'a>) -> DeliverySteps<'a> {
        DeliverySteps {
            entry,
            statuses: statuses(&PhoneNumber::parse(number).unwrap()),
        }
    }

    #[test]
    fn the_number_decides_how_far_a_message_comes() {
        use MessageStatus::{Delivered, Failed, Read, Submitted};
        let reference = ProviderReference::from_echo("ref-1");
        let entry = facts(&reference, EntryOutcome::Delivered);
        for (number, last) in [
            ("2348031234567", Read),
            ("2348031230015", Failed),
            ("2348031230025", Delivered),
        ] {
            let steps = to(number, &entry);
            assert_eq!(steps.after(0).status, Submitted);
            let end = steps.after(steps.by(Timestamp::from_millis(4_000)));
            assert_eq!(end.status, last, "{number}");
            let read_at = (last == Read).then(|| Timestamp::from_millis(4_000));
            assert_eq!(end.read_at, read_at);
        }
    }

    #[test]
    fn every_step_is_reported_twice_and_none_of_what_was_never_taken_over() {
        let reference = ProviderReference::from_echo("ref-1");
        let entry = facts(&reference, EntryOutcome::Delivered);
        let taken = to("2348031234567", &entry).receipts("whatsapp");
        let mut steps: Vec<_> = taken.iter().map(|it| it.steps).collect();
        steps.sort_unstable();
        assert_eq!(steps, [1, 1, 2, 2]);
        let entry = facts(&reference, EntryOutcome::Never);
        let never = to("2348031234567", &entry);
        assert_eq!(never.receipts("whatsapp"), []);
        assert_eq!(never.by(Timestamp::from_millis(i64::MAX)), 0);
    }
}
