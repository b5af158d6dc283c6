//! The chart of accounts. Balances of the gateway's own accounts must be derived from transfers:
//! only a merchant's two accounts have a stored balance, the wallet.

use crate::account::AccountId;
use crate::provider::ProviderId;

/// A ledger account. Its balance is credits minus debits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LedgerAccount {
    /// What a merchant can spend.
    Available(AccountId),
    /// What is set aside for a merchant's open transactions.
    Held(AccountId),
    /// What a provider has been given to deliver with.
    Float(ProviderId),
    /// What the gateway earns on products.
    CommissionRevenue,
    /// What the gateway earns by fees.
    ChargesRevenue,
    /// Value-added tax collected and owed to the state.
    VatPayable,
    /// Transfer levies collected and owed to the state.
    LevyPayable,
    /// Where money enters from outside; its balance is minus what was paid in.
    Funding,
    /// What late deliveries cost the gateway; its balance is minus the loss.
    Loss,
    /// By how much what providers took differs from the costs that were quoted; its balance is
    /// minus what they took more.
    CostVariance,
    /// What message credits were sold for, and how many were: in money its balance is what was
    /// paid for them, in credits minus what was issued.
    CreditSales,
    /// What left one account and is about to arrive in another; its balance is zero.
    Transit,
    /// What the gateway gave back for payments that were delivered; its balance is minus that.
    Refunds,
    /// What payers paid to collections of merchants; its balance is minus that.
    Collections,
    /// What operators corrected balances by; its balance is minus what they gave.
    Adjustments,
    /// What a merchant's vouchers and gift cards hold.
    Vouchers(AccountId),
}

impl LedgerAccount {
    /// The gateway's own accounts, which have no holder.
    pub const OWN: [Self; 12] = [
        Self::CommissionRevenue,
        Self::ChargesRevenue,
        Self::VatPayable,
        Self::LevyPayable,
        Self::Funding,
        Self::Loss,
        Self::CostVariance,
        Self::CreditSales,
        Self::Transit,
        Self::Refunds,
        Self::Collections,
        Self::Adjustments,
    ];

    /// The kind of account as one lower-case word, for records.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Available(_) => "available",
            Self::Held(_) => "held",
            Self::Float(_) => "float",
            Self::CommissionRevenue => "commission_revenue",
            Self::ChargesRevenue => "charges_revenue",
            Self::VatPayable => "vat_payable",
            Self::LevyPayable => "levy_payable",
            Self::Funding => "funding",
            Self::Loss => "loss",
            Self::CostVariance => "cost_variance",
            Self::CreditSales => "credit_sales",
            Self::Transit => "transit",
            Self::Refunds => "refunds",
            Self::Collections => "collections",
            Self::Adjustments => "adjustments",
            Self::Vouchers(_) => "vouchers",
        }
    }

    /// Whose account it is: the merchant or provider; `None` for the gateway's own.
    pub fn holder(&self) -> Option<&str> {
        match self {
            Self::Available(account) | Self::Held(account) | Self::Vouchers(account) => {
                Some(account.as_str())
            }
            Self::Float(provider) => Some(provider.as_str()),
            Self::CommissionRevenue
            | Self::ChargesRevenue
            | Self::VatPayable
            | Self::LevyPayable
            | Self::Funding
            | Self::Loss
            | Self::CostVariance
            | Self::CreditSales
            | Self::Transit
            | Self::Refunds
            | Self::Collections
            | Self::Adjustments => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LedgerAccount;
    use crate::account::AccountId;

    #[test]
    fn the_words_of_records_stay() {
        let shop = AccountId::parse("shop").unwrap();
        let accounts = [
            (LedgerAccount::Available(shop.clone()), "available"),
            (LedgerAccount::Held(shop.clone()), "held"),
            (LedgerAccount::Vouchers(shop), "vouchers"),
            (LedgerAccount::CommissionRevenue, "commission_revenue"),
            (LedgerAccount::ChargesRevenue, "charges_revenue"),
            (LedgerAccount::VatPayable, "vat_payable"),
            (LedgerAccount::LevyPayable, "levy_payable"),
            (LedgerAccount::Funding, "funding"),
            (LedgerAccount::Loss, "loss"),
            (LedgerAccount::CostVariance, "cost_variance"),
            (LedgerAccount::CreditSales, "credit_sales"),
            (LedgerAccount::Transit, "transit"),
            (LedgerAccount::Refunds, "refunds"),
            (LedgerAccount::Collections, "collections"),
            (LedgerAccount::Adjustments, "adjustments"),
        ];
        for (account, word) in accounts {
            assert_eq!(account.kind(), word);
        }
    }
}
