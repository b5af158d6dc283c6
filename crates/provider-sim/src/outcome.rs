//! What the provider does about a request, and what the request has come to. It must not read the
//! clock: the caller passes the time.

use domain::time::Timestamp;

/// What the provider does about a request, and when what is not done at once is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryOutcome {
    /// Refused, for good.
    Refused(SandboxRefusal),
    /// Delivered on arrival.
    Delivered,
    /// Promised on arrival, delivered when due.
    Later { due: Timestamp },
    /// Answered and delivered only when due.
    Slow { due: Timestamp },
    /// Paid on arrival; the token, and with it the delivery, follows when due.
    TokenLater { due: Timestamp },
    /// Delivered on arrival, taken back when due.
    Reversed { due: Timestamp },
    /// Under way for ever.
    Never,
}

/// Why a request was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SandboxRefusal {
    /// The biller does not want to.
    Declined,
    /// The biller knows no such customer.
    UnknownCustomer,
    /// There is no such biller.
    UnknownBiller,
    /// The gateway's own account may not buy.
    Account,
    /// Too much is asked of it now.
    Busy,
    /// It looks like an earlier order.
    Lookalike,
    /// No person answered the call.
    NoAnswer,
    /// The line was busy.
    LineBusy,
    /// There is no record of the number.
    NoRecord,
    /// The device is out of reach.
    Unreachable,
}

impl SandboxRefusal {
    /// Every reason.
    pub(crate) const ALL: [Self; 10] = [
        Self::Declined,
        Self::UnknownCustomer,
        Self::UnknownBiller,
        Self::Account,
        Self::Busy,
        Self::Lookalike,
        Self::NoAnswer,
        Self::LineBusy,
        Self::NoRecord,
        Self::Unreachable,
    ];

    /// Its word in the journal.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Declined => "declined",
            Self::UnknownCustomer => "unknown-customer",
            Self::UnknownBiller => "unknown-biller",
            Self::Account => "account",
            Self::Busy => "busy",
            Self::Lookalike => "lookalike",
            Self::NoAnswer => "no-answer",
            Self::LineBusy => "line-busy",
            Self::NoRecord => "no-record",
            Self::Unreachable => "unreachable",
        }
    }
}

/// What a request has come to at a moment. A message has come to its customer, the sender, when a
/// network took it over: that is what is paid for, wherever its parts end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryEffect {
    /// Nothing yet; it may still be delivered.
    Awaited,
    /// Nothing, now and later.
    Refused,
    /// The customer has it.
    Delivered,
    /// The customer had it, and has it no more.
    Reversed,
}

impl EntryOutcome {
    /// When the delivery is taken back, if it ever is.
    pub const fn reversed_at(self) -> Option<Timestamp> {
        match self {
            Self::Reversed { due } => Some(due),
            Self::Refused(_)
            | Self::Delivered
            | Self::Later { .. }
            | Self::Slow { .. }
            | Self::TokenLater { .. }
            | Self::Never => None,
        }
    }

    /// What a request that arrived at a moment has come to.
    pub fn effect(self, arrived_at: Timestamp, now: Timestamp) -> EntryEffect {
        let by = |moment: Timestamp, then: EntryEffect, before: EntryEffect| {
            if moment <= now { then } else { before }
        };
        let delivered_by =
            |moment: Timestamp| by(moment, EntryEffect::Delivered, EntryEffect::Awaited);
        match self {
            Self::Refused(_) => EntryEffect::Refused,
            Self::Never => EntryEffect::Awaited,
            Self::Delivered => delivered_by(arrived_at),
            Self::Later { due } | Self::Slow { due } | Self::TokenLater { due } => {
                delivered_by(due)
            }
            Self::Reversed { due } => by(due, EntryEffect::Reversed, delivered_by(arrived_at)),
        }
    }
}
