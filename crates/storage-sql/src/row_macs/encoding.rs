//! The texts that codes are made of. What one covers, and in which order, must never change under
//! one label: a new order of values takes a new label.

use super::WalletValues;
use crate::record::TransactionRow;

/// What the texts begin with that codes are made of.
const WALLET: &str = "manilla wallet v1";
const PURCHASE: &str = "manilla purchase v1";
const PROGRESS: &str = "manilla progress v1";

pub(super) fn wallet_text(values: &WalletValues<'_>) -> CodeText {
    let mut text = CodeText::new(WALLET);
    text.text(values.account);
    text.text(values.environment);
    text.text(values.currency);
    for number in values.balances.into_iter().chain(values.lines) {
        text.number(number);
    }
    let (counted_from, spent) = values.spending;
    let counted_from = counted_from.map(i64::to_be_bytes);
    text.optional(counted_from.as_ref().map(<[u8; 8]>::as_slice));
    text.number(spent);
    text.optional(values.frozen.to_record().as_deref().map(str::as_bytes));
    text
}

pub(super) fn transaction_texts(row: &TransactionRow) -> [CodeText; 2] {
    let purchase = PurchaseValues {
        account: &row.account,
        number: row.number,
        reference: &row.reference,
        idempotency_key: row.idempotency_key.as_deref(),
        request_fingerprint: row.request_fingerprint.as_deref(),
        provider: &row.provider,
        opened_at: row.opened_at,
        stored: &row.purchase,
    };
    let progress = ProgressValues {
        account: &row.account,
        number: row.number,
        state: &row.state,
        version: row.version,
        sequence: row.sequence,
        updated_at: row.updated_at,
        stored: &row.progress,
    };
    [purchase_text(&purchase), progress_text(&progress)]
}

/// What never changes of a transaction.
pub(super) struct PurchaseValues<'a> {
    pub(super) account: &'a str,
    pub(super) number: i64,
    pub(super) reference: &'a str,
    pub(super) idempotency_key: Option<&'a str>,
    pub(super) request_fingerprint: Option<&'a [u8]>,
    pub(super) provider: &'a str,
    pub(super) opened_at: i64,
    pub(super) stored: &'a str,
}

pub(super) fn purchase_text(values: &PurchaseValues<'_>) -> CodeText {
    let mut text = CodeText::new(PURCHASE);
    text.text(values.account);
    text.number(values.number);
    text.text(values.reference);
    text.optional(values.idempotency_key.map(str::as_bytes));
    text.optional(values.request_fingerprint);
    text.text(values.provider);
    text.number(values.opened_at);
    text.text(values.stored);
    text
}

/// Where a transaction stands.
pub(super) struct ProgressValues<'a> {
    pub(super) account: &'a str,
    pub(super) number: i64,
    pub(super) state: &'a str,
    pub(super) version: i64,
    pub(super) sequence: i64,
    pub(super) updated_at: i64,
    pub(super) stored: &'a str,
}

pub(super) fn progress_text(values: &ProgressValues<'_>) -> CodeText {
    let mut text = CodeText::new(PROGRESS);
    text.text(values.account);
    text.number(values.number);
    text.text(values.state);
    text.number(values.version);
    text.number(values.sequence);
    text.number(values.updated_at);
    text.text(values.stored);
    text
}

/// The text that a code is made of. Each value is preceded by its length, or has eight bytes, so
/// that no two lists of values are one text.
pub(super) struct CodeText(pub(super) Vec<u8>);

impl CodeText {
    fn new(label: &str) -> Self {
        let mut text = Self(Vec::with_capacity(512));
        text.text(label);
        text
    }

    fn text(&mut self, value: &str) {
        self.bytes(value.as_bytes());
    }

    fn number(&mut self, value: i64) {
        self.0.extend_from_slice(&value.to_be_bytes());
    }

    /// Nothing is a value of its own, beside an empty one.
    fn optional(&mut self, value: Option<&[u8]>) {
        self.0.push(u8::from(value.is_some()));
        if let Some(value) = value {
            self.bytes(value);
        }
    }

    fn bytes(&mut self, value: &[u8]) {
        let length = u64::try_from(value.len()).unwrap_or(u64::MAX);
        self.0.extend_from_slice(&length.to_be_bytes());
        self.0.extend_from_slice(value);
    }
}
