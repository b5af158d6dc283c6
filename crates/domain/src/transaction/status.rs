//! What merchants see of a state. It must never show more certainty than there is: only final
//! states have final words.

use super::{Disproven, Doubt, Proof, State, Transaction};

/// `txnStatus` (interface §2.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// Not final yet.
    Pending,
    /// Delivered and charged.
    Successful,
    /// Not delivered and not charged.
    Failed,
    /// Delivered, taken back, and the charge returned.
    Reversed,
}

/// `gtwStatus`: what the network or biller has said (interface §2.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GatewayStatus {
    /// Waiting to be sent, or on its way.
    Queued,
    /// Acknowledged, being processed.
    Submitted,
    /// Delivered.
    Delivered,
    /// Refused.
    Rejected,
    /// Nothing is known of it there.
    Unknown,
    /// Taken back.
    Reversed,
}

impl Transaction {
    /// The status of the payment that merchants see.
    pub const fn status(&self) -> Status {
        match &self.state {
            State::Queued(_) | State::Sending(_) | State::InDoubt(_) | State::Review(_) => {
                Status::Pending
            }
            State::Successful(_) | State::Booked(_) => Status::Successful,
            State::Failed(_) | State::Cancelled(_) => Status::Failed,
            State::Reversed(_) => Status::Reversed,
        }
    }

    /// The status at the network or biller that merchants see.
    pub fn gateway_status(&self) -> GatewayStatus {
        match &self.state {
            State::Queued(_) | State::Sending(_) => GatewayStatus::Queued,
            State::InDoubt(in_doubt) => match in_doubt.doubt {
                Doubt::Acknowledged => GatewayStatus::Submitted,
                Doubt::Unanswered { .. } => GatewayStatus::Unknown,
            },
            State::Review(_) | State::Cancelled(_) => GatewayStatus::Unknown,
            State::Successful(_) | State::Booked(_) => GatewayStatus::Delivered,
            State::Failed(disproven) => failed(disproven),
            State::Reversed(_) => GatewayStatus::Reversed,
        }
    }
}

impl Disproven {
    /// Whether the order failed because the service was not available: nothing left, or our account
    /// or the moment was refused. The order itself is then not at fault.
    pub const fn was_unavailable(&self) -> bool {
        match &self.proof {
            Proof::NotSent => true,
            Proof::Refused(refusal) => refusal.kind.allows_another_route(),
            Proof::Absent(_) | Proof::TakenBack | Proof::Ruled(_) => false,
        }
    }
}

const fn failed(disproven: &Disproven) -> GatewayStatus {
    match &disproven.proof {
        Proof::Refused(_) if disproven.was_unavailable() => GatewayStatus::Unknown,
        Proof::Refused(_) => GatewayStatus::Rejected,
        Proof::TakenBack => GatewayStatus::Reversed,
        Proof::NotSent | Proof::Absent(_) | Proof::Ruled(_) => GatewayStatus::Unknown,
    }
}
