//! The delivery status of a message. It must never be Delivered because the network has accepted
//! the message: only the handset counts.

use crate::format;
use domain::sms::DeliveryStatus;
use domain::transaction::{Delivered, Disproven, Doubt, InDoubt, Proof, State, Transaction};

/// The delivery status. Until the network has the message it is Pending or Unknown; a message that
/// certainly never reached the network has a final status too, so that no client waits for another.
pub(crate) fn status(transaction: &Transaction) -> DeliveryStatus {
    match &transaction.state {
        State::Queued(_) | State::Sending(_) => DeliveryStatus::Pending,
        State::InDoubt(in_doubt) => in_doubt_status(in_doubt),
        State::Review(_) => DeliveryStatus::Unknown,
        State::Successful(delivered) => dispatched(delivered),
        State::Failed(disproven) => never_sent(disproven),
        State::Reversed(reversed) => dispatched(&reversed.delivered),
        State::Cancelled(_) | State::Booked(_) => DeliveryStatus::Undelivered,
    }
}

const fn in_doubt_status(in_doubt: &InDoubt) -> DeliveryStatus {
    match in_doubt.doubt {
        Doubt::Acknowledged => DeliveryStatus::Pending,
        Doubt::Unanswered { .. } => DeliveryStatus::Unknown,
    }
}

fn dispatched(delivered: &Delivered) -> DeliveryStatus {
    let dispatch = delivered.fulfilment.dispatch();
    dispatch.map_or(DeliveryStatus::Unknown, domain::sms::Dispatch::overall)
}

/// A provider that returned the charge did not report what the handset got, and one that
/// contradicted itself reported nothing reliable.
const fn never_sent(disproven: &Disproven) -> DeliveryStatus {
    if disproven.contradicted_at.is_some() {
        return DeliveryStatus::Unknown;
    }
    match &disproven.proof {
        Proof::Refused(_) if disproven.was_unavailable() => DeliveryStatus::Undelivered,
        Proof::Refused(_) => DeliveryStatus::Rejected,
        Proof::NotSent | Proof::Absent(_) | Proof::Ruled(_) => DeliveryStatus::Undelivered,
        Proof::TakenBack => DeliveryStatus::Unknown,
    }
}

/// `gtwStatus`: Delivered only once the handset has the message. A transaction is Successful as
/// soon as the network has accepted it.
pub(crate) fn gateway_status(transaction: &Transaction) -> &'static str {
    let is_on_device = status(transaction) == DeliveryStatus::Delivered;
    format::gateway_status_by_device(transaction, is_on_device)
}

/// `dlvStatus`.
pub(crate) const fn word(status: DeliveryStatus) -> &'static str {
    match status {
        DeliveryStatus::Pending => "Pending",
        DeliveryStatus::Submitted => "Submitted",
        DeliveryStatus::Buffered => "Buffered",
        DeliveryStatus::Delivered => "Delivered",
        DeliveryStatus::Undelivered => "Undelivered",
        DeliveryStatus::Expired => "Expired",
        DeliveryStatus::Rejected => "Rejected",
        DeliveryStatus::Unknown => "Unknown",
    }
}

/// `dlvDescription`.
pub(super) const fn description(status: DeliveryStatus) -> &'static str {
    match status {
        DeliveryStatus::Pending => "The message is on its way to the network.",
        DeliveryStatus::Submitted => "The network has the message, the handset not yet.",
        DeliveryStatus::Buffered => "The network keeps the message for the handset.",
        DeliveryStatus::Delivered => "The handset has the message.",
        DeliveryStatus::Undelivered => "The message could not be delivered.",
        DeliveryStatus::Expired => "The message was not delivered within its validity.",
        DeliveryStatus::Rejected => "The network refused the message.",
        DeliveryStatus::Unknown => "It is not known what became of the message.",
    }
}
