//! What operators see of a gateway: providers, the routes to them, our money there, and what waits
//! for a person. It must never be shown to a merchant.

pub mod change_request;
pub mod maintenance;

use crate::billing::Billing;
use crate::country::CountryCode;
use crate::environment::Environment;
use crate::money::{Currency, Money};
use crate::operator::OperatorName;
use crate::order::Service;
use crate::percent::Percent;
use crate::provider::ProviderId;
use crate::time::Timestamp;
use std::time::Duration;

/// A provider and what keeps orders from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderOverview {
    /// The provider.
    pub provider: ProviderId,
    /// Where it belongs; `None` where no route leads to it.
    pub environment: Option<Environment>,
    /// How many routes lead to it.
    pub routes: usize,
    /// Whether an operator paused it, and who.
    pub pause: Option<PauseOverview>,
    /// When the maintenance ends that it is in.
    pub maintenance_until: Option<Timestamp>,
}

/// A pause of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PauseOverview {
    /// The operator who paused it.
    pub by: OperatorName,
    /// Since when.
    pub since: Timestamp,
    /// Why.
    pub reason: String,
}

/// One route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteOverview {
    /// Its number in the configuration, from 1.
    pub number: usize,
    /// The product that it is for.
    pub service: Service,
    /// Where the accounts belong that it is for.
    pub environment: Environment,
    /// The provider that it leads to.
    pub provider: ProviderId,
    /// Only for orders of this biller.
    pub biller: Option<String>,
    /// Only for customers of this kind.
    pub billing: Option<Billing>,
    /// Only in this country.
    pub country: Option<CountryCode>,
    /// Only from this amount on.
    pub amount_min: Option<Money>,
    /// Only up to this amount.
    pub amount_max: Option<Money>,
    /// Lower ones are tried first.
    pub priority: u16,
    /// The share among those of one priority.
    pub weight: u16,
    /// What the provider takes, in percent, where the configuration says so.
    pub cost: Option<Percent>,
}

/// Our money at a provider, in one currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FloatOverview {
    /// The provider.
    pub provider: ProviderId,
    /// The currency.
    pub currency: Currency,
    /// What must be left by the ledger; `None` beyond the largest amount.
    pub ledger: Option<Money>,
    /// What the provider said is left, with what it holds, when a server read it last.
    pub said: Option<Money>,
    /// What is left more than must be.
    pub difference: Option<Money>,
    /// Whether it is below what the operator wants to be left.
    pub is_low: Option<bool>,
    /// For how long it lasts at the pace of the last day; `None` where nothing was spent.
    pub lasts: Option<Duration>,
    /// When it was read.
    pub read_at: Option<Timestamp>,
}

/// Why something waits for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseKind {
    /// A payment that no evidence decides.
    Review,
    /// A reference that only a provider knows.
    Reference,
    /// A change that a provider reported and that could not be applied.
    DeadLetter,
    /// A delivery after the price had been released: a loss is booked.
    LateDelivery,
    /// The ledger and a provider's own journal differ.
    Difference,
    /// The ledger and a provider's settlement file differ.
    Settlement,
}

impl CaseKind {
    /// Every kind.
    pub const ALL: [Self; 6] = [
        Self::Review,
        Self::Reference,
        Self::DeadLetter,
        Self::LateDelivery,
        Self::Difference,
        Self::Settlement,
    ];

    /// The word that the names of its cases begin with.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Review => "review",
            Self::Reference => "reference",
            Self::DeadLetter => "dead-letter",
            Self::LateDelivery => "late-delivery",
            Self::Difference => "difference",
            Self::Settlement => "settlement",
        }
    }
}

/// Something that waits for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseOverview {
    /// The kind and what it is about; the same as long as it waits.
    pub id: String,
    /// Why it waits.
    pub kind: CaseKind,
    /// The account.
    pub account: Option<String>,
    /// The merchant's reference.
    pub reference: Option<String>,
    /// The provider.
    pub provider: Option<String>,
    /// The reference at the provider.
    pub provider_reference: Option<String>,
    /// How much is in question.
    pub amount: Option<Money>,
    /// Since when.
    pub since: Option<Timestamp>,
    /// What is known.
    pub about: String,
    /// What a person does about it.
    pub todo: String,
    /// Whether an operator asked for its decision, which waits for another one.
    pub awaits_approval: bool,
}

impl CaseOverview {
    /// The words of what is done about a case.
    pub const STATUSES: [&'static str; 2] = ["Open", "Waiting"];

    /// The word of what is done about it.
    pub const fn status(&self) -> &'static str {
        let [open, waiting] = Self::STATUSES;
        if self.awaits_approval { waiting } else { open }
    }
}
