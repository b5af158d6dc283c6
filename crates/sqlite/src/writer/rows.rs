//! What a batch writes, as rows that become JSON. Each field must be named as the statement that
//! takes it apart names it.

use domain::account::AccountId;
use domain::batch::{Batch, BatchOpening};
use domain::change_set::{Funding, Opening};
use domain::event::Event;
use domain::money::Money;
use domain::reference_settlement::ReferenceSettlement;
use domain::time::Timestamp;
use domain::transaction::{State, Transaction};
use ports::PortError;
use serde::Serialize;
use serde_json::value::RawValue;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::planner::{Movement, NewTransfer};
use storage_sql::record::{
    AttemptRow, ConfidentialDocument, StoredProgress, StoredPurchase, claim, direction_code,
    state_code, token,
};

#[derive(Debug, Serialize)]
pub(super) struct NewTransactionRow<'a> {
    id: i64,
    number: u64,
    account: &'a str,
    reference: &'a str,
    idempotency_key: Option<&'a str>,
    request_fingerprint: Option<String>,
    service: &'static str,
    provider: &'a str,
    state: &'static str,
    currency: &'static str,
    amount: i64,
    price: i64,
    cost: i64,
    fee: i64,
    vat: i64,
    levy: i64,
    version: u32,
    sequence: u32,
    opened_at: i64,
    updated_at: i64,
    due_at: Option<i64>,
    purchase: ConfidentialDocument<Box<RawValue>>,
    progress: ConfidentialDocument<Box<RawValue>>,
    purchase_mac: String,
    progress_mac: String,
}

impl<'a> NewTransactionRow<'a> {
    pub(super) fn new(
        id: i64,
        opening: &'a Opening,
        cipher: &FieldCipher,
    ) -> Result<Self, PortError> {
        let tx = &opening.transaction;
        let idempotency = tx.idempotency.as_ref();
        let purchase = StoredPurchase::stored(tx, cipher)?.written()?;
        let progress = StoredProgress::stored(tx, cipher)?.written()?;
        Ok(Self {
            id,
            number: tx.number.get(),
            account: tx.account.as_str(),
            reference: tx.reference.as_str(),
            idempotency_key: idempotency.map(|it| it.key.as_str()),
            request_fingerprint: idempotency.map(|it| hex(&it.fingerprint.0)),
            service: tx.order.service().code(),
            provider: tx.prepared.first().provider.as_str(),
            state: state_code(&tx.state),
            currency: tx.quote.price.currency().code(),
            amount: tx.quote.amount.minor(),
            price: tx.quote.price.minor(),
            cost: tx.quote.cost.minor(),
            fee: tx.quote.fee.minor(),
            vat: tx.quote.vat.minor(),
            levy: tx.quote.levy.minor(),
            version: tx.version,
            sequence: tx.sequence,
            opened_at: tx.opened_at.as_millis(),
            updated_at: tx.updated_at.as_millis(),
            due_at: is_sending(tx).then(|| opening.due_at.as_millis()),
            purchase_mac: cipher.macs().purchase(tx, purchase.text())?,
            progress_mac: cipher.macs().progress(tx, progress.text())?,
            purchase,
            progress,
        })
    }
}

const fn is_sending(tx: &Transaction) -> bool {
    matches!(tx.state, State::Sending(_))
}

const fn is_queued(tx: &Transaction) -> bool {
    matches!(tx.state, State::Queued(_))
}

/// A batch.
#[derive(Debug, Serialize)]
pub(super) struct BatchRow<'a> {
    account: &'a str,
    number: u64,
    reference: &'a str,
    idempotency_key: Option<&'a str>,
    request_fingerprint: Option<String>,
    kind: &'static str,
    on_failure: &'static str,
    payments: u32,
    currency: &'static str,
    total: i64,
    price: i64,
    opened_at: i64,
}

impl<'a> From<&'a Batch> for BatchRow<'a> {
    fn from(batch: &'a Batch) -> Self {
        let idempotency = batch.idempotency.as_ref();
        Self {
            account: batch.account.as_str(),
            number: batch.number.get(),
            reference: batch.reference.as_str(),
            idempotency_key: idempotency.map(|it| it.key.as_str()),
            request_fingerprint: idempotency.map(|it| hex(&it.fingerprint.0)),
            kind: batch.kind.code(),
            on_failure: batch.on_failure.code(),
            payments: batch.count,
            currency: batch.total.currency().code(),
            total: batch.total.minor(),
            price: batch.price.minor(),
            opened_at: batch.opened_at.as_millis(),
        }
    }
}

/// A payment of a batch.
#[derive(Debug, Serialize)]
pub(super) struct BatchItemRow<'a> {
    account: &'a str,
    batch: u64,
    position: usize,
    transaction: u64,
}

impl<'a> BatchItemRow<'a> {
    /// The payments of a batch in the order of its request.
    pub(super) fn of(opening: &'a BatchOpening) -> impl Iterator<Item = Self> {
        let batch = opening.batch();
        (1..).zip(opening.items()).map(|(position, item)| Self {
            account: batch.account.as_str(),
            batch: batch.number.get(),
            position,
            transaction: item.transaction.number.get(),
        })
    }
}

/// A place in the queue.
#[derive(Debug, Serialize)]
pub(super) struct QueueRow<'a> {
    transaction_id: i64,
    due_at: i64,
    email: Option<&'a str>,
    phone: Option<&'a str>,
    awaits_approval: bool,
}

impl<'a> QueueRow<'a> {
    /// The place of a transaction that is opened in the queue.
    pub(super) fn new(transaction_id: i64, opening: &'a Opening) -> Option<Self> {
        let (email, phone) = claim(&opening.transaction.order);
        is_queued(&opening.transaction).then(|| Self {
            transaction_id,
            due_at: opening.due_at.as_millis(),
            email,
            phone,
            awaits_approval: opening.transaction.awaits_approval(),
        })
    }

    /// The place of a transaction that stays in the queue.
    pub(super) fn again(transaction_id: i64, (tx, due_at): (&'a Transaction, Timestamp)) -> Self {
        let (email, phone) = claim(&tx.order);
        Self {
            transaction_id,
            due_at: due_at.as_millis(),
            email,
            phone,
            awaits_approval: tx.awaits_approval(),
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct UpdatedTransactionRow {
    id: i64,
    from_version: u32,
    state: &'static str,
    version: u32,
    sequence: u32,
    updated_at: i64,
    due_at: Option<i64>,
    progress: ConfidentialDocument<Box<RawValue>>,
    progress_mac: String,
    token: Option<String>,
}

impl UpdatedTransactionRow {
    pub(super) fn new(
        id: i64,
        movement: &Movement<'_>,
        cipher: &FieldCipher,
    ) -> Result<Self, PortError> {
        let tx = &movement.advance.transaction;
        let progress = StoredProgress::stored(tx, cipher)?.written()?;
        Ok(Self {
            id,
            from_version: movement.from_version,
            state: state_code(&tx.state),
            version: tx.version,
            sequence: tx.sequence,
            updated_at: tx.updated_at.as_millis(),
            due_at: movement.advance.due_at.map(Timestamp::as_millis),
            progress_mac: cipher.macs().progress(tx, progress.text())?,
            progress,
            token: token(tx, cipher)?,
        })
    }
}

#[derive(Debug, Serialize)]
pub(super) struct NewAttemptRow {
    pub(super) transaction_id: i64,
    #[serde(flatten)]
    pub(super) attempt: AttemptRow,
}

#[derive(Debug, Serialize)]
pub(super) struct NewTransferRow<'a> {
    id: i64,
    transaction_id: Option<i64>,
    kind: &'static str,
    debit_kind: &'static str,
    debit_holder: Option<&'a str>,
    credit_kind: &'static str,
    credit_holder: Option<&'a str>,
    amount: i64,
    currency: &'static str,
    narration: Option<&'a str>,
    at: i64,
    account: Option<&'a str>,
    direction: Option<&'static str>,
    position: Option<u64>,
    nth: Option<u64>,
    available_after: Option<i64>,
}

impl<'a> NewTransferRow<'a> {
    pub(super) fn new(id: i64, transaction_id: Option<i64>, entry: &'a NewTransfer<'_>) -> Self {
        let transfer = entry.transfer.as_ref();
        let line = entry.line.as_ref();
        Self {
            id,
            transaction_id,
            kind: transfer.kind.code(),
            debit_kind: transfer.debit.kind(),
            debit_holder: transfer.debit.holder(),
            credit_kind: transfer.credit.kind(),
            credit_holder: transfer.credit.holder(),
            amount: transfer.amount.minor(),
            currency: transfer.amount.currency().code(),
            narration: transfer.narration.as_deref(),
            at: transfer.at.as_millis(),
            account: entry.account().map(AccountId::as_str),
            direction: line.map(|line| direction_code(line.direction)),
            position: line.map(|line| line.position),
            nth: line.map(|line| line.nth),
            available_after: line.map(|line| line.available_after.minor()),
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct EventRow {
    transaction_id: i64,
    sequence: u32,
    kind: &'static str,
    at: i64,
}

impl EventRow {
    pub(super) fn new(transaction_id: i64, event: &Event) -> Self {
        Self {
            transaction_id,
            sequence: event.sequence,
            kind: event.kind.code(),
            at: event.at.as_millis(),
        }
    }
}

/// The row of an entry of the plan, so many after the last one before the batch.
pub(super) fn transfer_id(last_transfer: i64, entry: usize) -> i64 {
    let offset = i64::try_from(entry).unwrap_or(i64::MAX);
    last_transfer.saturating_add(1).saturating_add(offset)
}

/// What another account is paid.
#[derive(Debug, Serialize)]
pub(super) struct UserCreditRow<'a> {
    transaction_id: i64,
    account: &'a str,
    transfer_id: i64,
}

impl<'a> UserCreditRow<'a> {
    pub(super) fn new(transaction_id: i64, payee: &'a AccountId, transfer_id: i64) -> Self {
        Self {
            transaction_id,
            account: payee.as_str(),
            transfer_id,
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct NewFundingRow<'a> {
    account: &'a str,
    reference: &'a str,
    transfer_id: i64,
    at: i64,
}

impl<'a> NewFundingRow<'a> {
    /// A funding that was booked by the transfer so many after the last one before the batch.
    pub(super) fn new(funding: &'a Funding, (last_transfer, entry): (i64, usize)) -> Self {
        Self {
            account: funding.account.as_str(),
            reference: funding.reference.as_str(),
            transfer_id: transfer_id(last_transfer, entry),
            at: funding.at.as_millis(),
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct SettlementRow<'a> {
    reference: &'a str,
    by: &'a str,
    settlement: &'static str,
    amount: Option<i64>,
    currency: Option<&'static str>,
    payer: Option<&'a str>,
    payer_reference: Option<&'a str>,
}

impl<'a> SettlementRow<'a> {
    pub(super) fn new(settlement: &'a ReferenceSettlement) -> Self {
        let amount = settlement.settled_as().amount();
        let payer = settlement.payer();
        Self {
            reference: settlement.reference().as_str(),
            by: settlement.by(),
            settlement: settlement.settled_as().code(),
            amount: amount.map(Money::minor),
            currency: amount.map(|amount| amount.currency().code()),
            payer: payer.map(|(account, _)| account.as_str()),
            payer_reference: payer.map(|(_, name)| name.as_str()),
        }
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).copied().unwrap_or_default();
    let digits = bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 0xf)]);
    digits.map(char::from).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn bytes_become_two_digits_each() {
        assert_eq!(super::hex(&[0x00, 0x0f, 0xa5, 0xff]), "000fa5ff");
    }
}
