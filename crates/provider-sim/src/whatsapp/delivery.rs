//! The delivery steps of a WhatsApp message. They must be the same on every call: everything is
//! derived from the journal entry.

use super::WhatsappProduct;
use crate::delivery_steps::{self, spread};
use crate::draw::Draw;
use crate::entry_facts::EntryFacts;
use crate::family_product::ReceiptSchedule;
use domain::sandbox::TestNumber;
use domain::time::Timestamp;
use domain::whatsapp::{WhatsappDelivery, WhatsappStatus};

/// What the number makes of a message that the platform took over, step by step.
fn statuses(message: &WhatsappProduct) -> &'static [WhatsappStatus] {
    use WhatsappStatus::{Delivered, Failed, Read};
    let test = TestNumber::of(message.number.digits());
    if test == Some(TestNumber::Undelivered) {
        &[Failed]
    } else if test == Some(TestNumber::Unread) {
        &[Delivered]
    } else {
        &[Delivered, Read]
    }
}

/// What happened to a message, in order; nothing where the platform never took it over.
fn steps(entry: &EntryFacts<'_>, message: &WhatsappProduct) -> Vec<WhatsappDelivery> {
    let Some(taken_over) = delivery_steps::taken_over(entry) else {
        return Vec::new();
    };
    let statuses = statuses(message);
    let times = spread(taken_over, entry.later / 2, statuses.len());
    let steps = statuses.iter().zip(times);
    steps
        .map(|(status, at)| WhatsappDelivery {
            status: *status,
            read_at: (*status == WhatsappStatus::Read).then_some(at),
        })
        .collect()
}

/// What is known of a message after so many steps.
pub(super) fn after(
    entry: &EntryFacts<'_>,
    message: &WhatsappProduct,
    count: usize,
) -> WhatsappDelivery {
    let last = steps(entry, message).into_iter().take(count).next_back();
    last.unwrap_or(WhatsappDelivery::SUBMITTED)
}

/// How many steps there were by a moment.
pub(super) fn steps_by(entry: &EntryFacts<'_>, message: &WhatsappProduct, now: Timestamp) -> usize {
    let Some(taken_over) = delivery_steps::taken_over(entry) else {
        return 0;
    };
    let times = spread(taken_over, entry.later / 2, statuses(message).len());
    times.take_while(|at| *at <= now).count()
}

/// All receipts the platform sends unasked, in the order it sends them.
pub(super) fn receipts(entry: &EntryFacts<'_>, message: &WhatsappProduct) -> Vec<ReceiptSchedule> {
    let draw = Draw::new(entry.seed, &["whatsapp", entry.reference.as_str()]);
    delivery_steps::receipts(entry, statuses(message).len(), &draw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::EntryOutcome;
    use domain::money::{Currency, Money};
    use domain::phone::PhoneNumber;
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

    fn to(number: &str) -> WhatsappProduct {
        WhatsappProduct {
            number: PhoneNumber::parse(number).unwrap(),
        }
    }

    #[test]
    fn the_number_decides_how_far_a_message_comes() {
        use WhatsappStatus::{Delivered, Failed, Read, Submitted};
        let reference = ProviderReference::from_echo("ref-1");
        let entry = facts(&reference, EntryOutcome::Delivered);
        for (number, last) in [
            ("2348031234567", Read),
            ("2348031230015", Failed),
            ("2348031230025", Delivered),
        ] {
            let message = to(number);
            assert_eq!(after(&entry, &message, 0).status, Submitted);
            let all = steps_by(&entry, &message, Timestamp::from_millis(4_000));
            let end = after(&entry, &message, all);
            assert_eq!(end.status, last, "{number}");
            let read_at = (last == Read).then(|| Timestamp::from_millis(4_000));
            assert_eq!(end.read_at, read_at);
        }
    }

    #[test]
    fn every_step_is_reported_twice_and_none_of_what_was_never_taken_over() {
        let reference = ProviderReference::from_echo("ref-1");
        let message = to("2348031234567");
        let taken = receipts(&facts(&reference, EntryOutcome::Delivered), &message);
        let mut steps: Vec<_> = taken.iter().map(|it| it.steps).collect();
        steps.sort_unstable();
        assert_eq!(steps, [1, 1, 2, 2]);
        let never = facts(&reference, EntryOutcome::Never);
        assert_eq!(receipts(&never, &message), []);
        assert_eq!(
            steps_by(&never, &message, Timestamp::from_millis(i64::MAX)),
            0
        );
    }
}
