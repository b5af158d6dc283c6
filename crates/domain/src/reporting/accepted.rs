//! A transaction with what its price did in the ledger up to a moment. Its status must follow from
//! those movements, so that a report as of a moment stays the same for ever.

use super::ReconciliationSums;
use crate::ledger::TransferKind;
use crate::money::{Currency, Money};
use crate::order::Order;
use crate::pricing::Quote;
use crate::reference::{MerchantReference, TransactionNumber};
use crate::time::Timestamp;
use crate::transaction::Status;

/// What became of the price of a transaction, in the currency of the price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MovedPrice {
    /// Set aside as it opened.
    pub held: Money,
    /// Taken for what was delivered, or for what the gateway books alone.
    pub captured: Money,
    /// Given back, because nothing was delivered, or less was used than was held.
    pub released: Money,
    /// Given back after it had been captured.
    pub returned: Money,
}

impl MovedPrice {
    /// A price that did not move.
    pub const fn none(currency: Currency) -> Self {
        let zero = Money::zero(currency);
        Self {
            held: zero,
            captured: zero,
            released: zero,
            returned: zero,
        }
    }

    /// The same after one more movement; movements that do not concern the price change nothing.
    /// `None` beyond the largest amount.
    pub fn after(self, kind: TransferKind, amount: Money) -> Option<Self> {
        let add = |to: Money| to.checked_add(amount);
        Some(match kind {
            TransferKind::Hold => Self {
                held: add(self.held)?,
                ..self
            },
            TransferKind::Capture | TransferKind::TransferOut => Self {
                captured: add(self.captured)?,
                ..self
            },
            TransferKind::Release | TransferKind::Unused => Self {
                released: add(self.released)?,
                ..self
            },
            TransferKind::Reversal => Self {
                returned: add(self.returned)?,
                ..self
            },
            TransferKind::Fund
            | TransferKind::Margin
            | TransferKind::Charge
            | TransferKind::Vat
            | TransferKind::Levy
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
            | TransferKind::AdjustmentDebit => self,
        })
    }
}

/// A transaction as reports show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedTransaction {
    /// The gateway's number.
    pub number: TransactionNumber,
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// What was bought.
    pub order: Order,
    /// At which price.
    pub quote: Quote,
    /// When it was accepted.
    pub opened_at: Timestamp,
    /// When its row changed last.
    pub updated_at: Timestamp,
    /// Whether its row says that it is over.
    pub is_final: bool,
    /// What became of the price, up to the moment of the report.
    pub moved: MovedPrice,
}

impl AcceptedTransaction {
    /// How it stood at the moment of the report.
    pub const fn status(&self) -> Status {
        if self.moved.returned.is_positive() {
            Status::Reversed
        } else if self.moved.captured.is_positive() {
            Status::Successful
        } else if self.moved.released.is_positive() {
            Status::Failed
        } else {
            Status::Pending
        }
    }

    /// What of its price was set aside at a moment, by its row and not by the ledger: the whole
    /// price while it is open, nothing once it is over. A row that changed after the moment says
    /// nothing of it; then nothing moved means that it was open.
    pub fn open(&self, as_of: Timestamp) -> Money {
        let was_open = self.updated_at > as_of && self.status() == Status::Pending;
        if was_open || !self.is_final {
            self.quote.price
        } else {
            Money::zero(self.quote.price.currency())
        }
    }

    /// Its part of the reconciliation at a moment; `None` beyond the largest amount.
    pub fn reconciliation_sums(&self, as_of: Timestamp) -> Option<ReconciliationSums> {
        let open = self.open(as_of);
        let moved = &self.moved;
        let on_the_right = moved.captured.checked_add(moved.released)?;
        let difference = moved.held.checked_sub(on_the_right.checked_add(open)?)?;
        Some(ReconciliationSums {
            count: 1,
            held: moved.held,
            captured: moved.captured,
            released: moved.released,
            open,
            difference,
        })
    }
}
