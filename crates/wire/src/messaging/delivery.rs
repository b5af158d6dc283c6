//! The delivery status of a message that can be read. It must never be Delivered because the
//! platform has accepted the message: only the person's device counts.

use crate::format;
use crate::tree::Object;
use crate::zone::Zone;
use domain::messaging::{MessageDelivery, MessageStatus};
use domain::time::Timestamp;
use domain::transaction::{Delivered, Disproven, Doubt, InDoubt, Proof, State, Transaction};

/// What a merchant is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ShownDelivery {
    /// Not known to be with the platform yet.
    Pending,
    /// As the platform reported.
    Reported(MessageStatus),
}

const UNKNOWN: ShownDelivery = ShownDelivery::Reported(MessageStatus::Unknown);
const FAILED: ShownDelivery = ShownDelivery::Reported(MessageStatus::Failed);

/// The status. A message that certainly never reached the platform has a final one too, so that no
/// client waits for another.
const fn status(transaction: &Transaction) -> ShownDelivery {
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
    match delivered.fulfilment.message_delivery() {
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
fn gateway_status(transaction: &Transaction) -> &'static str {
    let is_on_device = match status(transaction) {
        ShownDelivery::Reported(status) => status.is_on_device(),
        ShownDelivery::Pending => false,
    };
    format::gateway_status_by_device(transaction, is_on_device)
}

/// When the person saw it, where that is known.
fn read_at(transaction: &Transaction) -> Option<Timestamp> {
    let delivered = transaction.state.delivered()?;
    delivered
        .fulfilment
        .message_delivery()
        .and_then(|MessageDelivery { read_at, .. }| read_at)
}

/// What is said of a message in the words of a platform.
#[derive(Debug)]
pub(crate) struct DeliveryWords {
    /// Not known to be with the platform yet.
    pub(crate) pending: &'static str,
    /// The platform has it.
    pub(crate) submitted: &'static str,
    /// The device has it.
    pub(crate) delivered: &'static str,
}

/// `dlvStatus` and `dlvDescription`.
const fn words(status: ShownDelivery, words: &DeliveryWords) -> (&'static str, &'static str) {
    match status {
        ShownDelivery::Pending => ("Pending", words.pending),
        ShownDelivery::Reported(MessageStatus::Submitted) => ("Submitted", words.submitted),
        ShownDelivery::Reported(MessageStatus::Delivered) => ("Delivered", words.delivered),
        ShownDelivery::Reported(MessageStatus::Read) => {
            ("Read", "The person has seen the message.")
        }
        ShownDelivery::Reported(MessageStatus::Failed) => {
            ("Failed", "The message could not be delivered.")
        }
        ShownDelivery::Reported(MessageStatus::Unknown) => {
            ("Unknown", "It is not known what became of the message.")
        }
    }
}

/// `gtwStatus`, `dlvStatus`, `dlvDescription` and `readDate`, in the words of a platform.
pub(crate) fn view(transaction: &Transaction, said: &DeliveryWords, zone: &Zone) -> Object {
    let (word, description) = words(status(transaction), said);
    let read_at = read_at(transaction);
    Object::new()
        .with("gtwStatus", gateway_status(transaction))
        .with("dlvStatus", word)
        .with("dlvDescription", description)
        .with("readDate", read_at.map(|at| zone.date_time(at)))
}
