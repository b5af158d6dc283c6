//! A transfer that settled money of an account: for good it left, or came into, what the account
//! has in its wallets, what is set aside included. Setting aside and giving back must not count.

use super::{PriceSums, ReportSums, SettlementSums};
use crate::ledger::TransferKind;
use crate::money::Money;
use crate::order::{Order, Service};
use crate::pricing::Quote;
use crate::time::Timestamp;

/// A transfer of one of the kinds [`SettledTransfer::KINDS`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettledTransfer {
    /// Rises with each of one moment.
    pub entry: i64,
    /// Why the money moved.
    pub kind: TransferKind,
    /// How much, above zero.
    pub amount: Money,
    /// When it was decided.
    pub at: Timestamp,
    /// What was bought; `None` for what was paid in, and for deliveries that are known from the
    /// record of their provider alone.
    pub bought: Option<(Order, Quote)>,
}

impl SettledTransfer {
    /// The kinds of transfers that settle money of an account.
    pub const KINDS: [TransferKind; 18] = [
        TransferKind::Capture,
        TransferKind::TransferOut,
        TransferKind::Settlement,
        TransferKind::Reversal,
        TransferKind::Fund,
        TransferKind::TransferIn,
        TransferKind::UserCredit,
        TransferKind::Refund,
        TransferKind::RefundReversal,
        TransferKind::VoucherIssue,
        TransferKind::VoucherRedeem,
        TransferKind::VoucherReturn,
        TransferKind::VoucherRestore,
        TransferKind::Collection,
        TransferKind::CollectionCharge,
        TransferKind::CollectionVat,
        TransferKind::AdjustmentCredit,
        TransferKind::AdjustmentDebit,
    ];

    /// Whether a kind is one of them.
    pub fn is_of(kind: TransferKind) -> bool {
        Self::KINDS.contains(&kind)
    }

    /// The product that was bought, where one is known.
    pub fn service(&self) -> Option<Service> {
        self.bought.as_ref().map(|(order, _)| order.service())
    }

    /// The code of the biller, operator or bank it was bought of, where one is known.
    pub fn biller(&self) -> Option<&str> {
        self.bought.as_ref().and_then(|(order, _)| order.biller())
    }

    /// The same with the quote of what was used, where less was captured, or given back, than was
    /// held.
    #[must_use]
    pub fn of_what_was_used(self) -> Self {
        let is_price = matches!(self.kind, TransferKind::Capture | TransferKind::Reversal);
        let bought = self.bought.map(|(order, quote)| {
            let charged = quote.for_captured(self.amount, order.units());
            let charged = charged.filter(|_| is_price);
            (order, charged.unwrap_or(quote))
        });
        Self { bought, ..self }
    }

    /// Its part of the sums of commission: a delivery counts once, and back where it was taken
    /// back. `None` for what has no commission: payments in, and the arrival of what was bought.
    pub fn price_sums(&self) -> Option<PriceSums> {
        let (_, quote) = self.bought.as_ref()?;
        let delivered = PriceSums::of(quote);
        match self.kind {
            TransferKind::Capture | TransferKind::TransferOut => Some(delivered),
            TransferKind::Reversal => {
                let none = PriceSums::zero(quote.price.currency());
                none.checked_sub(&delivered)
            }
            TransferKind::Fund
            | TransferKind::Hold
            | TransferKind::Margin
            | TransferKind::Charge
            | TransferKind::Vat
            | TransferKind::Levy
            | TransferKind::Release
            | TransferKind::Unused
            | TransferKind::MarginReversal
            | TransferKind::ChargeReversal
            | TransferKind::VatReversal
            | TransferKind::LevyReversal
            | TransferKind::Loss
            | TransferKind::LossReversal
            | TransferKind::Settlement
            | TransferKind::SettlementLoss
            | TransferKind::CostDifference
            | TransferKind::TransferIn
            | TransferKind::UserCredit
            | TransferKind::Refund
            | TransferKind::RefundReversal
            | TransferKind::VoucherIssue
            | TransferKind::VoucherRedeem
            | TransferKind::VoucherReturn
            | TransferKind::VoucherRestore
            | TransferKind::Collection
            | TransferKind::CollectionCharge
            | TransferKind::CollectionVat
            | TransferKind::AdjustmentCredit
            | TransferKind::AdjustmentDebit => None,
        }
    }

    /// Its part of the sums of settlement.
    pub fn settlement_sums(&self) -> SettlementSums {
        let none = SettlementSums {
            count: 1,
            ..SettlementSums::zero(self.amount.currency())
        };
        let is_credit = matches!(
            self.kind,
            TransferKind::Fund
                | TransferKind::TransferIn
                | TransferKind::UserCredit
                | TransferKind::VoucherRedeem
                | TransferKind::VoucherReturn
                | TransferKind::Collection
                | TransferKind::AdjustmentCredit
        );
        let minus = Money::from_minor(self.amount.minor().saturating_neg(), self.amount.currency());
        let is_return = matches!(self.kind, TransferKind::Reversal | TransferKind::Refund);
        if is_return {
            SettlementSums {
                refunded: self.amount,
                net: self.amount,
                ..none
            }
        } else if self.kind == TransferKind::RefundReversal {
            SettlementSums {
                refunded: minus,
                net: minus,
                ..none
            }
        } else if is_credit {
            SettlementSums {
                credited: self.amount,
                net: self.amount,
                ..none
            }
        } else {
            SettlementSums {
                captured: self.amount,
                net: minus,
                ..none
            }
        }
    }
}
