//! What a product would cost, asked for beforehand. It must not know who is served: the price of a
//! product is the same for every customer of an account.

use crate::bill::BillCategory;
use crate::billing::Billing;
use crate::country::CountryCode;
use crate::electricity::DiscoCode;
use crate::money::Money;
use crate::order::Service;
use crate::pricing::Quote;
use crate::subscription::{BillerCode, PlanCode};
use crate::time::Timestamp;

/// What a price is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeeRequest {
    /// A top-up in a network, by its brand name.
    Airtime(CountryCode, String, Money),
    /// A payment to a provider of cable TV: a plan times its periods, or what is credited.
    CableTv(BillerCode, Money),
    /// A payment to a distribution company.
    Electricity(DiscoCode, Billing, Money),
    /// A plan of internet data.
    Internet(PlanCode),
    /// A message of so many parts.
    Sms(CountryCode, u8),
    /// A payment to a bank account, a wallet or a card.
    Payout(PayoutService, Money),
    /// A payment to a biller.
    Bill(BillCategory, BillerCode, Money),
}

/// What a payout goes to. Whom it is for does not change what it costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PayoutService {
    /// An account at a bank.
    Bank,
    /// A mobile money wallet.
    MobileMoney,
    /// A card.
    Card,
}

impl PayoutService {
    /// Every one of them.
    pub const ALL: [Self; 3] = [Self::Bank, Self::MobileMoney, Self::Card];

    /// The family.
    pub const fn service(self) -> Service {
        match self {
            Self::Bank => Service::Bank,
            Self::MobileMoney => Service::MobileMoney,
            Self::Card => Service::Card,
        }
    }
}

impl FeeRequest {
    /// The family.
    pub const fn service(&self) -> Service {
        match self {
            Self::Airtime(..) => Service::Airtime,
            Self::CableTv(..) => Service::CableTv,
            Self::Electricity(..) => Service::Electricity,
            Self::Internet(_) => Service::Internet,
            Self::Sms(..) => Service::Sms,
            Self::Payout(to, _) => to.service(),
            Self::Bill(category, ..) => Service::Bill(*category),
        }
    }
}

/// What a product costs an account, for a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeeQuote {
    /// The family.
    pub service: Service,
    /// The price.
    pub price: Quote,
    /// The first moment at which it is honoured no more.
    pub expires_at: Timestamp,
}
