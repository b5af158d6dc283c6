//! What the merchant asked to move, and what it comes to. It must hold the price of a credit that
//! was in force, so that the exchange can be checked for ever.

use super::credit_price::credits_for;
use crate::bank::Narration;
use crate::family::FamilyOrder;
use crate::money::Money;
use crate::order::Service;
use crate::provider::Fulfilment;
use crate::reference::MerchantReference;

/// A transfer between the wallets of an account as asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalletTransfer {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// What leaves the wallet that pays, in its currency. It buys message credits: no other
    /// exchange is made.
    pub amount: Money,
    /// What it is for.
    pub narration: Narration,
}

/// A transfer with what arrives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalletOrder {
    /// What leaves, in the currency of the wallet that pays.
    pub amount: Money,
    /// What one unit of the other currency costs.
    pub unit: Money,
    /// What arrives, in the currency of the other wallet.
    pub arrives: Money,
    /// What it is for.
    pub narration: Narration,
}

impl WalletOrder {
    /// What a transfer comes to at the price of one credit; `None` where the amount buys less than
    /// the smallest part of a credit, or more than a wallet holds.
    pub fn priced(transfer: &WalletTransfer, unit: Money) -> Option<Self> {
        Some(Self {
            amount: transfer.amount,
            unit,
            arrives: credits_for(transfer.amount, unit)?,
            narration: transfer.narration.clone(),
        })
    }
}

impl FamilyOrder for WalletOrder {
    fn service(&self) -> Service {
        Service::Wallet
    }

    fn amount(&self) -> Money {
        self.amount
    }

    fn narration(&self) -> String {
        let (arrives, currency) = (self.arrives, self.arrives.currency().code());
        format!("Wallet {arrives} {currency}: {}", self.narration)
    }

    fn arrives(&self) -> Option<Money> {
        Some(self.arrives)
    }

    /// Whether what arrives is what the amount buys at the price that it holds.
    fn is_exact(&self) -> bool {
        credits_for(self.amount, self.unit) == Some(self.arrives)
    }

    /// It is for no number.
    fn digits(&self) -> &'static str {
        ""
    }

    /// No person can say that it happened: it is booked or it is not.
    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        None
    }
}
