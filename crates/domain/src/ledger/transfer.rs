//! One movement of money. It must have an amount above zero and two different accounts.

use super::LedgerAccount;
use crate::money::Money;
use crate::reference::TransactionNumber;
use crate::time::Timestamp;

/// Why money moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TransferKind {
    /// Money came in: funding → available.
    Fund,
    /// The price of a transaction was set aside: available → held.
    Hold,
    /// The price was earned: held → float.
    Capture,
    /// The gateway's share of a captured price: float → commission revenue, or back when negative.
    Margin,
    /// The fee of a captured price: float → charges revenue.
    Charge,
    /// The value-added tax of a captured price: float → VAT payable.
    Vat,
    /// The levy of a captured price: float → levy payable.
    Levy,
    /// The price was given back: held → available.
    Release,
    /// What a captured price did not need of the hold was given back: held → available.
    Unused,
    /// A captured price was given back: float → available.
    Reversal,
    /// The gateway's share of a reversed price, returned.
    MarginReversal,
    /// The fee of a reversed price, returned.
    ChargeReversal,
    /// The value-added tax of a reversed price, returned.
    VatReversal,
    /// The levy of a reversed price, returned.
    LevyReversal,
    /// A delivery without a paying customer: loss → float.
    Loss,
    /// Such a delivery was taken back: float → loss.
    LossReversal,
    /// A delivery that only the provider knew of, paid for by the merchant: available → float.
    Settlement,
    /// A delivery that only the provider knew of, borne by the gateway: loss → float.
    SettlementLoss,
    /// A provider took another cost for a delivery than was quoted: cost variance → float, or back
    /// where it is less, or where the delivery was taken back.
    CostDifference,
    /// The price of what the gateway books alone left the hold: held → credit sales, or transit.
    TransferOut,
    /// What that buys arrived: credit sales → available, in the other currency.
    TransferIn,
    /// What another account paid arrived: transit → available.
    UserCredit,
    /// A delivered payment was refunded by the gateway: refunds → available.
    Refund,
    /// Its provider gave the whole price back after that: available → refunds.
    RefundReversal,
    /// Codes were given their money: available → vouchers.
    VoucherIssue,
    /// A code was redeemed: vouchers → available.
    VoucherRedeem,
    /// What a code did not need went back: vouchers → available.
    VoucherReturn,
    /// A redemption was rolled back: available → vouchers.
    VoucherRestore,
    /// A payment to a collection arrived: collections → available.
    Collection,
    /// What is charged for it: available → charges revenue.
    CollectionCharge,
    /// The tax on that: available → VAT payable.
    CollectionVat,
    /// An operator corrected a balance upwards: adjustments → available.
    AdjustmentCredit,
    /// An operator corrected a balance downwards: available → adjustments.
    AdjustmentDebit,
}

impl TransferKind {
    /// Every kind.
    pub const ALL: [Self; 33] = [
        Self::Fund,
        Self::Hold,
        Self::Capture,
        Self::Margin,
        Self::Charge,
        Self::Vat,
        Self::Levy,
        Self::Release,
        Self::Unused,
        Self::Reversal,
        Self::MarginReversal,
        Self::ChargeReversal,
        Self::VatReversal,
        Self::LevyReversal,
        Self::Loss,
        Self::LossReversal,
        Self::Settlement,
        Self::SettlementLoss,
        Self::CostDifference,
        Self::TransferOut,
        Self::TransferIn,
        Self::UserCredit,
        Self::Refund,
        Self::RefundReversal,
        Self::VoucherIssue,
        Self::VoucherRedeem,
        Self::VoucherReturn,
        Self::VoucherRestore,
        Self::Collection,
        Self::CollectionCharge,
        Self::CollectionVat,
        Self::AdjustmentCredit,
        Self::AdjustmentDebit,
    ];

    /// The lower-case word for records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Fund => "fund",
            Self::Hold => "hold",
            Self::Capture => "capture",
            Self::Margin => "margin",
            Self::Charge => "charge",
            Self::Vat => "vat",
            Self::Levy => "levy",
            Self::Release => "release",
            Self::Unused => "unused",
            Self::Reversal => "reversal",
            Self::MarginReversal => "margin_reversal",
            Self::ChargeReversal => "charge_reversal",
            Self::VatReversal => "vat_reversal",
            Self::LevyReversal => "levy_reversal",
            Self::Loss => "loss",
            Self::LossReversal => "loss_reversal",
            Self::Settlement => "settlement",
            Self::SettlementLoss => "settlement_loss",
            Self::CostDifference => "cost_difference",
            Self::TransferOut => "transfer_out",
            Self::TransferIn => "transfer_in",
            Self::UserCredit => "user_credit",
            Self::Refund => "refund",
            Self::RefundReversal => "refund_reversal",
            Self::VoucherIssue => "voucher_issue",
            Self::VoucherRedeem => "voucher_redeem",
            Self::VoucherReturn => "voucher_return",
            Self::VoucherRestore => "voucher_restore",
            Self::Collection => "collection",
            Self::CollectionCharge => "collection_charge",
            Self::CollectionVat => "collection_vat",
            Self::AdjustmentCredit => "adjustment_credit",
            Self::AdjustmentDebit => "adjustment_debit",
        }
    }

    /// Reads the word of a record; `None` for any other word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// A movement of money from the debit account to the credit account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// The transaction it belongs to; none for funding, for settled references, for vouchers, for
    /// payments to collections, and for what another account paid: its transaction is not this
    /// account's.
    pub transaction: Option<TransactionNumber>,
    /// Why it moved.
    pub kind: TransferKind,
    /// Where it left.
    pub debit: LedgerAccount,
    /// Where it arrived.
    pub credit: LedgerAccount,
    /// How much, above zero.
    pub amount: Money,
    /// One line for the merchant's statement, where the transfer appears on it.
    pub narration: Option<String>,
    /// When it was decided.
    pub at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::TransferKind;

    #[test]
    fn the_words_of_records_stay_and_read_back() {
        let words = TransferKind::ALL.map(TransferKind::code).join(" ");
        let expected = "fund hold capture margin charge vat levy release unused reversal \
                        margin_reversal charge_reversal vat_reversal levy_reversal loss \
                        loss_reversal settlement \
                        settlement_loss cost_difference transfer_out transfer_in user_credit \
                        refund refund_reversal voucher_issue voucher_redeem \
                        voucher_return voucher_restore collection collection_charge \
                        collection_vat adjustment_credit adjustment_debit";
        assert_eq!(words, expected);
        for kind in TransferKind::ALL {
            assert_eq!(TransferKind::from_code(kind.code()), Some(kind));
        }
        assert_eq!(TransferKind::from_code("xyzzy"), None);
    }
}
