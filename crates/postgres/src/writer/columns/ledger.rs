//! The columns of transfers, fundings and wallets. Each must be bound in the order the statement
//! numbers them.

use super::Statement;
use crate::rows::{bigint, key};
use domain::account::AccountId;
use domain::change_set::Funding;
use domain::ledger::TransferKind;
use domain::money::Money;
use domain::reference_settlement::ReferenceSettlement;
use domain::time::Timestamp;
use domain::transaction::Transaction;
use ports::PortError;
use storage_sql::planner::{NewTransfer, WalletState};
use storage_sql::record::direction_code;
use storage_sql::row_macs::RowMacs;

/// Transfers to append.
#[derive(Default)]
pub(in crate::writer) struct TransferColumns<'a> {
    account: Vec<&'a str>,
    transaction: Vec<i64>,
    step: Vec<i16>,
    kind: Vec<&'static str>,
    debit_kind: Vec<&'static str>,
    debit_holder: Vec<Option<&'a str>>,
    credit_kind: Vec<&'static str>,
    credit_holder: Vec<Option<&'a str>>,
    amount: Vec<i64>,
    currency: Vec<&'static str>,
    narration: Vec<Option<&'a str>>,
    at: Vec<i64>,
    direction: Vec<Option<&'static str>>,
    position: Vec<Option<i64>>,
    nth: Vec<Option<i64>>,
    available_after: Vec<Option<i64>>,
}

impl<'a> TransferColumns<'a> {
    pub(in crate::writer) fn push(&mut self, entry: &'a NewTransfer<'_>) {
        let transfer = entry.transfer.as_ref();
        let line = entry.line.as_ref();
        self.account.push(entry.owner.as_str());
        self.transaction.push(transfer.transaction.map_or(0, key));
        self.step.push(step(transfer.kind));
        self.kind.push(transfer.kind.code());
        self.debit_kind.push(transfer.debit.kind());
        self.debit_holder.push(transfer.debit.holder());
        self.credit_kind.push(transfer.credit.kind());
        self.credit_holder.push(transfer.credit.holder());
        self.amount.push(transfer.amount.minor());
        self.currency.push(transfer.amount.currency().code());
        self.narration.push(transfer.narration.as_deref());
        self.at.push(transfer.at.as_millis());
        self.direction
            .push(line.map(|line| direction_code(line.direction)));
        self.position.push(line.map(|line| bigint(line.position)));
        self.nth.push(line.map(|line| bigint(line.nth)));
        self.available_after
            .push(line.map(|line| line.available_after.minor()));
    }

    pub(in crate::writer) fn count(&self) -> usize {
        self.step.len()
    }

    pub(in crate::writer) fn bind(self, statement: Statement<'a>) -> Statement<'a> {
        statement
            .bind(self.account)
            .bind(self.transaction)
            .bind(self.step)
            .bind(self.kind)
            .bind(self.debit_kind)
            .bind(self.debit_holder)
            .bind(self.credit_kind)
            .bind(self.credit_holder)
            .bind(self.amount)
            .bind(self.currency)
            .bind(self.narration)
            .bind(self.at)
            .bind(self.direction)
            .bind(self.position)
            .bind(self.nth)
            .bind(self.available_after)
    }
}

/// The place of a kind in the life of a transaction, as the table checks it: capture and release
/// are the same step, so that one of them is made and once.
const fn step(kind: TransferKind) -> i16 {
    match kind {
        TransferKind::Fund => 0,
        TransferKind::Hold => 1,
        TransferKind::Capture | TransferKind::Release | TransferKind::TransferOut => 2,
        TransferKind::Margin => 3,
        TransferKind::Charge => 4,
        TransferKind::Vat => 5,
        TransferKind::Levy => 6,
        TransferKind::Reversal => 7,
        TransferKind::MarginReversal => 8,
        TransferKind::ChargeReversal => 9,
        TransferKind::VatReversal => 10,
        TransferKind::LevyReversal => 11,
        TransferKind::Loss => 12,
        TransferKind::LossReversal => 13,
        TransferKind::Settlement => 14,
        TransferKind::SettlementLoss => 15,
        TransferKind::CostDifference => 16,
        TransferKind::TransferIn => 17,
        TransferKind::UserCredit => 18,
        TransferKind::Refund => 19,
        TransferKind::RefundReversal => 24,
        TransferKind::VoucherIssue => 20,
        TransferKind::VoucherRedeem => 21,
        TransferKind::VoucherReturn => 22,
        TransferKind::VoucherRestore => 23,
        TransferKind::Collection => 25,
        TransferKind::CollectionCharge => 26,
        TransferKind::CollectionVat => 27,
        TransferKind::Unused => 28,
        TransferKind::AdjustmentCredit => 29,
        TransferKind::AdjustmentDebit => 30,
    }
}

/// What other accounts are paid, to append.
#[derive(Default)]
pub(in crate::writer) struct UserCreditColumns<'a> {
    payer: Vec<&'a str>,
    transaction: Vec<i64>,
    account: Vec<&'a str>,
    currency: Vec<&'static str>,
    position: Vec<i64>,
}

impl<'a> UserCreditColumns<'a> {
    pub(in crate::writer) fn push(
        &mut self,
        (tx, payee): (&'a Transaction, &'a AccountId),
        position: u64,
    ) {
        self.payer.push(tx.account.as_str());
        self.transaction.push(key(tx.number));
        self.account.push(payee.as_str());
        self.currency.push(tx.quote.price.currency().code());
        self.position.push(bigint(position));
    }

    pub(in crate::writer) fn count(&self) -> usize {
        self.transaction.len()
    }

    pub(in crate::writer) fn bind(self, statement: Statement<'a>) -> Statement<'a> {
        statement
            .bind(self.payer)
            .bind(self.transaction)
            .bind(self.account)
            .bind(self.currency)
            .bind(self.position)
    }
}

/// Fundings to append.
#[derive(Default)]
pub(in crate::writer) struct FundingColumns<'a> {
    account: Vec<&'a str>,
    reference: Vec<&'a str>,
    currency: Vec<&'static str>,
    amount: Vec<i64>,
    position: Vec<i64>,
    at: Vec<i64>,
}

impl<'a> FundingColumns<'a> {
    pub(in crate::writer) fn push(&mut self, funding: &'a Funding, position: u64) {
        self.account.push(funding.account.as_str());
        self.reference.push(funding.reference.as_str());
        self.currency.push(funding.amount.currency().code());
        self.amount.push(funding.amount.minor());
        self.position.push(bigint(position));
        self.at.push(funding.at.as_millis());
    }

    pub(in crate::writer) fn count(&self) -> usize {
        self.at.len()
    }

    pub(in crate::writer) fn bind(self, statement: Statement<'a>) -> Statement<'a> {
        statement
            .bind(self.account)
            .bind(self.reference)
            .bind(self.currency)
            .bind(self.amount)
            .bind(self.position)
            .bind(self.at)
    }
}

/// References to settle.
#[derive(Default)]
pub(in crate::writer) struct SettlementColumns<'a> {
    reference: Vec<&'a str>,
    by: Vec<&'a str>,
    settlement: Vec<&'static str>,
    amount: Vec<Option<i64>>,
    currency: Vec<Option<&'static str>>,
    payer: Vec<Option<&'a str>>,
    payer_reference: Vec<Option<&'a str>>,
}

impl<'a> SettlementColumns<'a> {
    pub(in crate::writer) fn push(&mut self, settlement: &'a ReferenceSettlement) {
        let amount = settlement.settled_as().amount();
        self.reference.push(settlement.reference().as_str());
        self.by.push(settlement.by());
        self.settlement.push(settlement.settled_as().code());
        self.amount.push(amount.map(Money::minor));
        self.currency
            .push(amount.map(|amount| amount.currency().code()));
        let payer = settlement.payer();
        self.payer.push(payer.map(|(account, _)| account.as_str()));
        self.payer_reference
            .push(payer.map(|(_, name)| name.as_str()));
    }

    pub(in crate::writer) fn count(&self) -> usize {
        self.reference.len()
    }

    pub(in crate::writer) fn bind(self, statement: Statement<'a>) -> Statement<'a> {
        statement
            .bind(self.reference)
            .bind(self.by)
            .bind(self.settlement)
            .bind(self.amount)
            .bind(self.currency)
            .bind(self.payer)
            .bind(self.payer_reference)
    }
}

/// Wallets as a batch leaves them.
#[derive(Default)]
pub(in crate::writer) struct WalletColumns<'a> {
    account: Vec<&'a str>,
    currency: Vec<&'static str>,
    available: Vec<i64>,
    held: Vec<i64>,
    debits: Vec<i64>,
    credits: Vec<i64>,
    counted_from: Vec<Option<i64>>,
    spent: Vec<i64>,
    mac: Vec<String>,
}

impl<'a> WalletColumns<'a> {
    pub(in crate::writer) fn push(
        &mut self,
        state: &'a WalletState,
        macs: &RowMacs,
    ) -> Result<(), PortError> {
        let wallet = &state.wallet;
        self.account.push(wallet.account.as_str());
        self.currency.push(wallet.currency().code());
        self.available.push(wallet.available.minor());
        self.held.push(wallet.held.minor());
        self.debits.push(bigint(state.debits));
        self.credits.push(bigint(state.credits));
        let spending = &wallet.spending;
        let counted_from = spending.counted_from.map(Timestamp::as_millis);
        self.counted_from.push(counted_from);
        self.spent.push(spending.spent.minor());
        self.mac.push(macs.wallet(&state.into())?);
        Ok(())
    }

    /// The authentication codes; bound apart.
    pub(in crate::writer) fn macs(&mut self) -> Vec<String> {
        std::mem::take(&mut self.mac)
    }

    /// What counts against the limits of days; bound apart.
    pub(in crate::writer) fn spending(&mut self) -> (Vec<Option<i64>>, Vec<i64>) {
        let counted_from = std::mem::take(&mut self.counted_from);
        (counted_from, std::mem::take(&mut self.spent))
    }

    pub(in crate::writer) fn count(&self) -> usize {
        self.held.len()
    }

    pub(in crate::writer) fn bind(self, statement: Statement<'a>) -> Statement<'a> {
        statement
            .bind(self.account)
            .bind(self.currency)
            .bind(self.available)
            .bind(self.held)
            .bind(self.debits)
            .bind(self.credits)
    }
}
