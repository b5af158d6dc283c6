//! The delivery status of a WhatsApp message. It must never be Delivered because the platform has
//! accepted the message: only the person's device counts.

use crate::format;
use domain::time::Timestamp;
use domain::transaction::{Delivered, Disproven, Doubt, InDoubt, Proof, State, Transaction};
use domain::whatsapp::{WhatsappDelivery, WhatsappStatus};

/// What a merchant is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShownDelivery {
    /// Not known to be with the platform yet.
    Pending,
    /// As the platform reported.
    Reported(WhatsappStatus),
}

const UNKNOWN: ShownDelivery = ShownDelivery::Reported(WhatsappStatus::Unknown);
const FAILED: ShownDelivery = ShownDelivery::Reported(WhatsappStatus::Failed);

/// The status. A message that certainly never reached the platform has a final one too, so that no
/// client waits for another.
pub(super) const fn status(transaction: &Transaction) -> ShownDelivery {
    match &transaction.state {
        State::Queued(_) | State::Sending(_) => ShownDelivery::Pending,
        State::InDoubt(in_doubt) => in_doubt_status(in_doubt),
        State::Review(_) => UNKNOWN,
        State::Successful(delivered) => reported(delivered),
        State::Failed(disproven) => never_sent(disproven),
        State::Reversed(reversed) => reported(&reversed.delivered),
        State::Cancelled(_) | State::Booked(_) => FAILED,
    }
}

const fn in_doubt_status(in_doubt: &InDoubt) -> ShownDelivery {
    match in_doubt.doubt {
        Doubt::Acknowledged => ShownDelivery::Pending,
        Doubt::Unanswered { .. } => UNKNOWN,
    }
}

const fn reported(delivered: &Delivered) -> ShownDelivery {
    match delivered.fulfilment.whatsapp() {
        Some(delivery) => ShownDelivery::Reported(delivery.status),
        None => UNKNOWN,
    }
}

/// A provider that returned the charge did not report what the device got, and one that
/// contradicted itself reported nothing reliable.
const fn never_sent(disproven: &Disproven) -> ShownDelivery {
    if disproven.contradicted_at.is_some() {
        return UNKNOWN;
    }
    match &disproven.proof {
        Proof::Refused(_) | Proof::NotSent | Proof::Absent(_) | Proof::Ruled(_) => FAILED,
        Proof::TakenBack => UNKNOWN,
    }
}

/// `gtwStatus`: Delivered only once the device has the message. A transaction is Successful as soon
/// as the platform has accepted it.
pub(super) fn gateway_status(transaction: &Transaction) -> &'static str {
    let is_on_device = match status(transaction) {
        ShownDelivery::Reported(status) => status.is_on_device(),
        ShownDelivery::Pending => false,
    };
    format::gateway_status_by_device(transaction, is_on_device)
}

/// When the person saw it, where that is known.
pub(super) fn read_at(transaction: &Transaction) -> Option<Timestamp> {
    let delivered = transaction.state.delivered()?;
    delivered
        .fulfilment
        .whatsapp()
        .and_then(|WhatsappDelivery { read_at, .. }| read_at)
}

/// `dlvStatus` and `dlvDescription`.
pub(super) const fn words(status: ShownDelivery) -> (&'static str, &'static str) {
    match status {
        ShownDelivery::Pending => ("Pending", "The message is on its way to WhatsApp."),
        ShownDelivery::Reported(WhatsappStatus::Submitted) => (
            "Submitted",
            "WhatsApp has the message, the person's device not yet.",
        ),
        ShownDelivery::Reported(WhatsappStatus::Delivered) => {
            ("Delivered", "The person's device has the message.")
        }
        ShownDelivery::Reported(WhatsappStatus::Read) => {
            ("Read", "The person has seen the message.")
        }
        ShownDelivery::Reported(WhatsappStatus::Failed) => {
            ("Failed", "The message could not be delivered.")
        }
        ShownDelivery::Reported(WhatsappStatus::Unknown) => {
            ("Unknown", "It is not known what became of the message.")
        }
    }
}
