//! The delivery steps of a message and when the network reports them. They must be the same on
//! every call: everything is derived from the journal entry.

use super::MessageProduct;
use super::reach::Reach;
use crate::draw::Draw;
use crate::entry_facts::EntryFacts;
use crate::family_product::ReceiptSchedule;
use crate::messaging::steps::{self, spread};
use domain::sms::{DeliveryStatus, Dispatch};
use domain::time::Timestamp;

/// One part in so many waits for its handset before it is delivered.
const WAITS: u64 = 4;

/// Something that happened to one part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    at: Timestamp,
    part: usize,
    status: DeliveryStatus,
}

/// All receipts the network sends unasked for a message, in the order it sends them.
pub(crate) fn receipts(entry: &EntryFacts<'_>, message: &MessageProduct) -> Vec<ReceiptSchedule> {
    steps::receipts(entry, steps(entry, message).len(), &draw(entry))
}

/// How many steps there were by a moment.
pub(crate) fn steps_by(entry: &EntryFacts<'_>, message: &MessageProduct, now: Timestamp) -> usize {
    let steps = steps(entry, message);
    steps.iter().take_while(|step| step.at <= now).count()
}

/// The statuses of the parts after so many steps.
pub(crate) fn dispatch(
    entry: &EntryFacts<'_>,
    message: &MessageProduct,
    after: usize,
) -> Option<Dispatch> {
    let mut statuses = Dispatch::new(message.parts).parts().to_vec();
    for step in steps(entry, message).into_iter().take(after) {
        if let Some(status) = statuses.get_mut(step.part) {
            *status = step.status;
        }
    }
    Dispatch::try_from_parts(statuses).ok()
}

/// Everything that happens to the parts, in order: first some or all are held, then each comes to
/// its end.
fn steps(entry: &EntryFacts<'_>, message: &MessageProduct) -> Vec<Step> {
    let Some(taken_over) = steps::taken_over(entry) else {
        return Vec::new();
    };
    let draw = draw(entry);
    let mut order: Vec<usize> = (0..usize::from(message.parts)).collect();
    order.sort_by_key(|part| draw.bits(&format!("turn of {part}")));
    let reach = Reach::of(message.number.digits());
    let held = |part: &usize| match reach {
        Reach::Arrives => draw.one_in(&format!("part {part} waits"), WAITS),
        Reach::Undelivered => false,
        Reach::Expired | Reach::Held => true,
    };
    let end = |nth: usize| match reach {
        // One part that is missing spoils the message.
        Reach::Undelivered if nth.saturating_add(1) == order.len() => {
            Some(DeliveryStatus::Undelivered)
        }
        Reach::Arrives | Reach::Undelivered => Some(DeliveryStatus::Delivered),
        Reach::Expired => Some(DeliveryStatus::Expired),
        Reach::Held => None,
    };
    let holds = order.iter().copied().filter(held);
    let holds = holds.map(|part| (part, DeliveryStatus::Buffered));
    let ends = order.iter().copied().enumerate();
    let ends = ends.filter_map(|(nth, part)| Some((part, end(nth)?)));
    let happened: Vec<_> = holds.chain(ends).collect();
    let times = spread(taken_over, entry.later / 2, happened.len());
    let steps = happened.into_iter().zip(times);
    steps
        .map(|((part, status), at)| Step { at, part, status })
        .collect()
}

fn draw(entry: &EntryFacts<'_>) -> Draw {
    Draw::new(entry.seed, &["sms", entry.reference.as_str()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::EntryOutcome;
    use domain::money::{Currency, Money};
    use domain::phone::PhoneNumber;
    use domain::reference::ProviderReference;
    use std::time::Duration;

    const LATER: Duration = Duration::from_secs(4);

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    /// A message and the reference of its entry.
    struct Sent {
        message: MessageProduct,
        reference: ProviderReference,
        outcome: EntryOutcome,
    }

    impl Sent {
        fn facts(&self) -> EntryFacts<'_> {
            EntryFacts {
                reference: &self.reference,
                amount: Money::from_minor(400, Currency::Ngn),
                at: at(0),
                outcome: self.outcome,
                seed: 1,
                later: LATER,
            }
        }

        fn dispatch(&self, after: usize) -> Dispatch {
            dispatch(&self.facts(), &self.message, after).unwrap()
        }

        fn steps_by(&self, now: Timestamp) -> usize {
            steps_by(&self.facts(), &self.message, now)
        }

        fn receipts(&self) -> Vec<ReceiptSchedule> {
            receipts(&self.facts(), &self.message)
        }
    }

    fn sent(ending: &str, parts: u8, reference: &str) -> Sent {
        Sent {
            message: MessageProduct {
                number: PhoneNumber::parse(&format!("234803555{ending}")).unwrap(),
                parts,
                replied: None,
            },
            reference: ProviderReference::from_echo(reference),
            outcome: EntryOutcome::Delivered,
        }
    }

    fn overall(ending: &str, parts: u8) -> DeliveryStatus {
        let sent = sent(ending, parts, "a.1.1");
        let steps = sent.steps_by(at(2_000));
        assert_eq!(steps, sent.steps_by(at(i64::MAX)));
        sent.dispatch(steps).overall()
    }

    #[test]
    fn messages_come_to_what_their_numbers_force() {
        for parts in 1..=10 {
            assert_eq!(overall("4567", parts), DeliveryStatus::Delivered);
            assert_eq!(overall("0015", parts), DeliveryStatus::Undelivered);
            assert_eq!(overall("0016", parts), DeliveryStatus::Expired);
            assert_eq!(overall("0017", parts), DeliveryStatus::Buffered);
        }
    }

    #[test]
    fn a_message_begins_submitted_and_moves_forward_step_by_step() {
        let sent = sent("4567", 4, "a.1.1");
        assert_eq!(sent.dispatch(0), Dispatch::new(4));
        assert_eq!(sent.steps_by(at(0)), 0);
        let mut known = Dispatch::new(4);
        for step in 1..=sent.steps_by(at(2_000)) {
            let more = sent.dispatch(step);
            assert_eq!(known.after(&more), Some(more.clone()), "step {step}");
            known = more;
        }
    }

    #[test]
    fn every_step_is_reported_twice_and_never_before_it_happened() {
        for n in 0..50 {
            let sent = sent("4567", 3, &format!("a.{n}.1"));
            let count = sent.steps_by(at(2_000));
            let reported = sent.receipts();
            assert_eq!(reported.len(), 2 * count);
            for steps in 1..=count {
                let times = reported.iter().filter(|receipt| receipt.steps == steps);
                assert_eq!(times.count(), 2);
            }
            for receipt in &reported {
                assert!(sent.steps_by(receipt.due) >= receipt.steps);
            }
            assert!(reported.windows(2).all(|pair| pair[0].due <= pair[1].due));
            assert!(reported[..count].iter().all(|t| t.due <= at(4_000)), "once");
            assert_eq!(reported[2 * count - 1].due, at(8_000));
            let backwards = reported
                .windows(2)
                .any(|pair| pair[0].steps > pair[1].steps);
            assert!(backwards, "old words come after newer ones");
        }
    }

    #[test]
    fn receipts_read_in_the_order_reported_come_to_the_truth() {
        for ending in ["4567", "0015", "0016", "0017"] {
            for parts in 1..=10 {
                let sent = sent(ending, parts, "a.1.1");
                let mut known = Dispatch::new(parts);
                for receipt in sent.receipts() {
                    let received = sent.dispatch(receipt.steps);
                    known = known.after(&received).unwrap_or(known);
                }
                assert_eq!(known.overall(), overall(ending, parts), "{ending} {parts}");
            }
        }
    }

    #[test]
    fn nothing_is_reported_of_what_the_network_has_not_taken_over() {
        for outcome in [EntryOutcome::Never, EntryOutcome::Reversed { due: at(9) }] {
            let mut sent = sent("4567", 2, "a.1.1");
            sent.outcome = outcome;
            assert_eq!(sent.receipts(), []);
            assert_eq!(sent.steps_by(at(i64::MAX)), 0);
        }
        let mut later = sent("4567", 2, "a.1.1");
        later.outcome = EntryOutcome::Later { due: at(10_000) };
        assert!(later.receipts().iter().all(|t| t.due > at(12_000)));
    }
}
