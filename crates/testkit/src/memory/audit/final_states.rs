//! I14: a final state stays, but for a success that is taken back.

use super::{Check, MemoryTables};
use domain::event::EventKind;
use ports::audit::CheckResult;

impl MemoryTables {
    pub(super) fn i14_final_states_stay(&self) -> CheckResult {
        let rule = "A final state stays, but for a success that is taken back";
        let mut check = Check::new("I14", rule);
        for tx in self.all() {
            let mut kinds: Vec<_> = self.events_of(tx).iter().map(|event| event.kind).collect();
            // What becomes of a disproven attempt may be learned at any time, and changes no state.
            let late = [EventKind::LateDelivered, EventKind::LateReversed];
            kinds.retain(|kind| !late.contains(kind));
            let stays = kinds.windows(2).all(|pair| may_follow(pair[0], pair[1]));
            check.row(stays, || format!("{}: {kinds:?}", tx.number));
        }
        check.result()
    }
}

fn may_follow(earlier: EventKind, later: EventKind) -> bool {
    match earlier {
        EventKind::Successful | EventKind::MessageStatus | EventKind::Refunded => {
            later == EventKind::Reversed || needs_a_delivery(later)
        }
        EventKind::Failed | EventKind::Reversed => false,
        EventKind::LateDelivered
        | EventKind::LateReversed
        | EventKind::Opened
        | EventKind::Begun
        | EventKind::Reopened
        | EventKind::Pending
        | EventKind::Resent
        | EventKind::Review => !needs_a_delivery(later),
    }
}

fn needs_a_delivery(kind: EventKind) -> bool {
    matches!(kind, EventKind::MessageStatus | EventKind::Refunded)
}
