//! One journal entry and what follows from it. It must not read the clock: the caller passes the
//! time.

use crate::catalogue::MobileNetwork;
use domain::bank::BankIdentifier;
use domain::bill::{BillCategory, BillNumber};
use domain::billing::Billing;
use domain::cabletv::SmartcardNumber;
use domain::country::CountryCode;
use domain::electricity::{DiscoCode, MeterNumber};
use domain::hlr::HlrOrder;
use domain::money::Money;
use domain::order::{Order, Service};
use domain::phone::PhoneNumber;
use domain::reference::ProviderReference;
use domain::subscription::{BillerCode, PlanCode};
use domain::time::Timestamp;
use std::time::Duration;

/// A request that arrived, and what the provider does about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookEntry {
    /// The gateway's reference of the attempt; no two entries of a book share one.
    pub reference: ProviderReference,
    /// What was ordered, and for whom.
    pub product: SandboxProduct,
    /// The amount ordered.
    pub ordered: Money,
    /// The amount delivered wherever something is.
    pub amount: Money,
    /// When the request arrives at the provider; before that, it knows nothing of it.
    pub at: Timestamp,
    /// What the provider does.
    pub fate: EntryOutcome,
    /// The seed of the run, so that another run gives the same answers about it.
    pub(crate) seed: u64,
    /// When what is "later" happened in that run; zero in entries of before it mattered.
    pub(crate) later: Duration,
}

/// What was ordered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SandboxProduct {
    Airtime {
        number: PhoneNumber,
    },
    CableTv {
        provider: BillerCode,
        number: SmartcardNumber,
        /// None where an amount is credited to the card.
        plan: Option<PlanCode>,
    },
    Electricity {
        disco: DiscoCode,
        number: MeterNumber,
        billing: Billing,
    },
    Internet {
        provider: BillerCode,
        number: PhoneNumber,
        plan: PlanCode,
    },
    Sms {
        number: PhoneNumber,
        parts: u8,
    },
    Bank {
        bank: BankIdentifier,
        /// The last four digits of the account: nothing needs the others.
        last_digits: String,
    },
    Bill {
        category: BillCategory,
        biller: BillerCode,
        number: BillNumber,
        /// Whether a token is made.
        has_token: bool,
    },
    Hlr {
        number: PhoneNumber,
        country: CountryCode,
        /// Mobile network code of the network the number's block was given to, where registers
        /// know that network.
        origin: Option<String>,
    },
}

/// What the provider does about a request, and when what is not done at once is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryOutcome {
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

impl BookEntry {
    /// The family of what was ordered.
    pub const fn service(&self) -> Service {
        match self.product {
            SandboxProduct::Airtime { .. } => Service::Airtime,
            SandboxProduct::CableTv { .. } => Service::CableTv,
            SandboxProduct::Electricity { .. } => Service::Electricity,
            SandboxProduct::Internet { .. } => Service::Internet,
            SandboxProduct::Sms { .. } => Service::Sms,
            SandboxProduct::Bank { .. } => Service::Bank,
            SandboxProduct::Hlr { .. } => Service::Hlr,
            SandboxProduct::Bill { category, .. } => Service::Bill(category),
        }
    }

    /// The telephone, meter or card number, or the last digits of an account.
    pub fn digits(&self) -> &str {
        match &self.product {
            SandboxProduct::Airtime { number }
            | SandboxProduct::Internet { number, .. }
            | SandboxProduct::Sms { number, .. }
            | SandboxProduct::Hlr { number, .. } => number.digits(),
            SandboxProduct::CableTv { number, .. } => number.digits(),
            SandboxProduct::Electricity { number, .. } => number.digits(),
            SandboxProduct::Bank { last_digits, .. } => last_digits,
            SandboxProduct::Bill { number, .. } => number.digits(),
        }
    }

    /// Whether the request has arrived; until then no query finds it.
    pub fn arrived(&self, now: Timestamp) -> bool {
        self.at <= now
    }

    /// When the delivery is taken back, if it ever is.
    pub const fn reversed_at(&self) -> Option<Timestamp> {
        match self.fate {
            EntryOutcome::Reversed { due } => Some(due),
            EntryOutcome::Refused(_)
            | EntryOutcome::Delivered
            | EntryOutcome::Later { .. }
            | EntryOutcome::Slow { .. }
            | EntryOutcome::TokenLater { .. }
            | EntryOutcome::Never => None,
        }
    }

    /// What the request has really come to.
    pub fn effects(&self, now: Timestamp) -> EntryEffect {
        let by = |moment: Timestamp, then: EntryEffect, before: EntryEffect| {
            if moment <= now { then } else { before }
        };
        match self.fate {
            EntryOutcome::Refused(_) => EntryEffect::Refused,
            EntryOutcome::Never => EntryEffect::Awaited,
            EntryOutcome::Delivered => by(self.at, EntryEffect::Delivered, EntryEffect::Awaited),
            EntryOutcome::Later { due }
            | EntryOutcome::Slow { due }
            | EntryOutcome::TokenLater { due } => {
                by(due, EntryEffect::Delivered, EntryEffect::Awaited)
            }
            EntryOutcome::Reversed { due } => {
                let before = by(self.at, EntryEffect::Delivered, EntryEffect::Awaited);
                by(due, EntryEffect::Reversed, before)
            }
        }
    }
}

impl SandboxProduct {
    /// What an order asks for; the registers' networks say which code the origin of a looked up
    /// number has.
    pub(crate) fn of(order: &Order, networks: &[MobileNetwork]) -> Self {
        match order {
            Order::Airtime(order) => Self::Airtime {
                number: order.number.clone(),
            },
            Order::CableTv(order) => Self::CableTv {
                provider: order.provider.clone(),
                number: order.number.clone(),
                plan: order
                    .subscription
                    .as_ref()
                    .map(|wanted| wanted.plan.clone()),
            },
            Order::Electricity(order) => Self::Electricity {
                disco: order.meter.disco.clone(),
                number: order.meter.number.clone(),
                billing: order.meter.billing,
            },
            Order::Internet(order) => Self::Internet {
                provider: order.provider.clone(),
                number: order.number.clone(),
                plan: order.plan.clone(),
            },
            Order::Sms(order) => Self::Sms {
                number: order.number.clone(),
                parts: order.segments.parts,
            },
            Order::Bank(order) => Self::Bank {
                bank: order.account.bank.clone(),
                last_digits: last_digits(order.account.number.digits()),
            },
            Order::Bill(order) => Self::Bill {
                category: order.category,
                biller: order.biller.clone(),
                number: order.number.clone(),
                has_token: order.has_token,
            },
            Order::Hlr(order) => Self::Hlr {
                number: order.number.clone(),
                country: order.country,
                origin: origin(order, networks),
            },
        }
    }
}

/// The last four of some digits.
pub(super) fn last_digits(digits: &str) -> String {
    let first = digits.len().saturating_sub(4);
    digits.get(first..).unwrap_or_default().to_owned()
}

fn origin(order: &HlrOrder, networks: &[MobileNetwork]) -> Option<String> {
    let brandname = order.network_origin.as_deref()?;
    let named = |network: &&MobileNetwork| network.brandname.eq_ignore_ascii_case(brandname);
    let network = networks.iter().find(named)?;
    Some(network.mnc.clone())
}
