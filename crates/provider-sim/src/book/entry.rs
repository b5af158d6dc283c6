//! One entry of the book and what follows from it. It must not ask for the time: whoever asks what
//! became of an entry says when.

use domain::billing::Billing;
use domain::electricity::{DiscoCode, MeterNumber};
use domain::money::Money;
use domain::order::{Order, Service};
use domain::phone::PhoneNumber;
use domain::reference::ProviderReference;
use domain::time::Timestamp;

/// A request that arrived, and what the provider does about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookEntry {
    /// The gateway's reference of the attempt; no two entries of a book share one.
    pub reference: ProviderReference,
    /// What was ordered, and for whom.
    pub product: Product,
    /// The amount ordered.
    pub ordered: Money,
    /// The amount delivered wherever something is.
    pub amount: Money,
    /// When the request arrives at the provider; before that, it knows nothing of it.
    pub at: Timestamp,
    /// What the provider does.
    pub fate: Fate,
    /// The seed of the run, so that another run gives the same answers about it.
    pub(crate) seed: u64,
}

/// What was ordered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Product {
    Airtime {
        number: PhoneNumber,
    },
    Electricity {
        disco: DiscoCode,
        number: MeterNumber,
        billing: Billing,
    },
}

/// What the provider does about a request, and when what is not done at once is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Refused, for good.
    Refused(RefusalKind),
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
pub enum RefusalKind {
    /// The biller does not want to.
    Declined,
    /// The biller knows no such customer.
    UnknownCustomer,
    /// There is no such biller.
    UnknownBiller,
}

/// What a request has come to at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing yet; it may still be delivered.
    Awaited,
    /// Nothing, now and later.
    Refused,
    /// The customer has it.
    Delivered,
    /// The customer had it, and has it no more.
    Reversed,
}

impl BookEntry {
    /// The family of what was ordered.
    pub const fn service(&self) -> Service {
        match self.product {
            Product::Airtime { .. } => Service::Airtime,
            Product::Electricity { .. } => Service::Electricity,
        }
    }

    /// The telephone or meter number.
    pub fn digits(&self) -> &str {
        match &self.product {
            Product::Airtime { number } => number.digits(),
            Product::Electricity { number, .. } => number.digits(),
        }
    }

    /// Whether the request has arrived; one that is under way is known to nobody.
    pub fn arrived(&self, now: Timestamp) -> bool {
        self.at <= now
    }

    /// What the request has really come to.
    pub fn effects(&self, now: Timestamp) -> Effect {
        let by = |moment: Timestamp, then: Effect, before: Effect| {
            if moment <= now { then } else { before }
        };
        match self.fate {
            Fate::Refused(_) => Effect::Refused,
            Fate::Never => Effect::Awaited,
            Fate::Delivered => by(self.at, Effect::Delivered, Effect::Awaited),
            Fate::Later { due } | Fate::Slow { due } | Fate::TokenLater { due } => {
                by(due, Effect::Delivered, Effect::Awaited)
            }
            Fate::Reversed { due } => {
                let before = by(self.at, Effect::Delivered, Effect::Awaited);
                by(due, Effect::Reversed, before)
            }
        }
    }
}

impl Product {
    /// What an order asks for.
    pub(crate) fn of(order: &Order) -> Self {
        match order {
            Order::Airtime(order) => Self::Airtime {
                number: order.number.clone(),
            },
            Order::Electricity(order) => Self::Electricity {
                disco: order.meter.disco.clone(),
                number: order.meter.number.clone(),
                billing: order.meter.billing,
            },
        }
    }
}
