//! When the steps of the delivery of a message happen, and when they are reported. It must be the
//! same on every call: everything is derived from the journal entry.

use crate::draw::Draw;
use crate::entry_facts::EntryFacts;
use crate::family_product::ReceiptSchedule;
use crate::outcome::EntryOutcome;
use domain::time::Timestamp;
use std::time::Duration;

/// When the network took the message over; `None` where it never did, and where the message was
/// reversed: no receipt is sent for it.
pub(crate) const fn taken_over(entry: &EntryFacts<'_>) -> Option<Timestamp> {
    match entry.outcome {
        EntryOutcome::Delivered => Some(entry.at),
        EntryOutcome::Later { due }
        | EntryOutcome::Slow { due }
        | EntryOutcome::TokenLater { due } => Some(due),
        EntryOutcome::Refused(_) | EntryOutcome::Reversed { .. } | EntryOutcome::Never => None,
    }
}

/// The receipts for so many steps, in the order they are sent. The steps happen in the first half
/// of the time "later". Every step is reported in the second half, not in the order of the steps,
/// and again after the same time in reverse order: a reader receives each receipt twice, and older
/// ones after newer ones.
pub(crate) fn receipts(entry: &EntryFacts<'_>, count: usize, draw: &Draw) -> Vec<ReceiptSchedule> {
    let Some(taken_over) = taken_over(entry) else {
        return Vec::new();
    };
    let mut order: Vec<usize> = (1..=count).collect();
    order.sort_by_key(|steps| draw.bits(&format!("receipt {steps}")));
    let half = entry.later / 2;
    let once = spread(
        taken_over.plus(half),
        entry.later.saturating_sub(half),
        count,
    );
    let again = spread(taken_over.plus(entry.later), entry.later, count);
    let first = order.iter().zip(once);
    let second = order.iter().rev().zip(again);
    let reported = first.chain(second);
    reported
        .map(|(steps, due)| ReceiptSchedule { due, steps: *steps })
        .collect()
}

/// So many moments at equal distances, the last one at the end of the time.
pub(crate) fn spread(
    from: Timestamp,
    over: Duration,
    count: usize,
) -> impl Iterator<Item = Timestamp> {
    let whole = u32::try_from(count).unwrap_or(u32::MAX);
    (1..=whole).map(move |nth| {
        let so_far = over.saturating_mul(nth).checked_div(whole);
        from.plus(so_far.unwrap_or_default())
    })
}
