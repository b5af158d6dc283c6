//! Batches read back. A row must pass every rule that a fresh batch passes.

use super::RecordError;
use super::row::idempotency;
use super::scalar::valid;
use crate::PART;
use domain::account::AccountId;
use domain::batch::{Batch, BatchKind, BatchNumber, BatchProgress, OnFailure};
use domain::money::{Currency, Money};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use ports::{PortError, PortErrorKind};

/// A batch as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BatchRow {
    /// Whose it is.
    pub account: String,
    /// The gateway's number.
    pub number: i64,
    /// The merchant's reference.
    pub reference: String,
    /// The client's retry key.
    pub idempotency_key: Option<String>,
    /// What the request under that key meant, 32 bytes.
    pub request_fingerprint: Option<Vec<u8>>,
    /// The word of what it is made of.
    pub kind: String,
    /// The word of what becomes of the rest once one has failed.
    pub on_failure: String,
    /// How many payments it has.
    pub payments: i64,
    /// The code of its currency.
    pub currency: String,
    /// What their amounts come to, in minor units.
    pub total: i64,
    /// What their prices come to, in minor units.
    pub price: i64,
    /// When it was stored, in milliseconds.
    pub opened_at: i64,
}

impl BatchRow {
    /// The batch the row holds.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the batch.
    pub fn restore(&self) -> Result<Batch, PortError> {
        self.read().map_err(|error| {
            let what = format!("batch {} of {} cannot be read", self.number, self.account);
            PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record)
        })
    }

    fn read(&self) -> Result<Batch, RecordError> {
        let number = u64::try_from(self.number).unwrap_or_default();
        let number = valid(TransactionNumber::try_new(number), "number")?;
        let currency = Currency::from_code(&self.currency).ok_or(RecordError::Value("currency"))?;
        let kind = BatchKind::from_code(&self.kind).ok_or(RecordError::Value("kind"))?;
        let on_failure = OnFailure::from_code(&self.on_failure);
        Ok(Batch {
            number: BatchNumber::new(number),
            account: valid(AccountId::parse(&self.account), "account")?,
            reference: valid(MerchantReference::parse(&self.reference), "reference")?,
            idempotency: idempotency(
                self.idempotency_key.as_deref(),
                self.request_fingerprint.as_deref(),
            )?,
            kind,
            on_failure: on_failure.ok_or(RecordError::Value("on_failure"))?,
            count: valid(u32::try_from(self.payments), "payments")?,
            total: Money::from_minor(self.total, currency),
            price: Money::from_minor(self.price, currency),
            opened_at: Timestamp::from_millis(self.opened_at),
        })
    }
}

/// Batches in the order of their rows: one for each state that payments of a batch are in, with how
/// many are.
///
/// # Errors
/// When a row breaks a rule.
pub fn counted_batches(
    rows: &[(BatchRow, (String, i64))],
) -> Result<Vec<(Batch, BatchProgress)>, PortError> {
    let of_one = rows.chunk_by(|(one, _), (other, _)| one == other);
    let batch = |rows: &[(BatchRow, (String, i64))]| {
        let (first, _) = rows.first()?;
        let counts = rows.iter().map(|(_, (state, count))| (&**state, *count));
        let restored = first.restore();
        Some(restored.and_then(|batch| Ok((batch, batch_progress(counts)?))))
    };
    of_one.filter_map(batch).collect()
}

/// How far a batch has come, from how many of its payments are in each state.
fn batch_progress<'a>(
    states: impl IntoIterator<Item = (&'a str, i64)>,
) -> Result<BatchProgress, PortError> {
    let mut progress = BatchProgress::default();
    for (word, payments) in states {
        let counted = match word {
            "queued" => &mut progress.queued,
            "sending" | "in_doubt" | "review" => &mut progress.under_way,
            "successful" => &mut progress.successful,
            "failed" => &mut progress.failed,
            "reversed" => &mut progress.reversed,
            "cancelled" => &mut progress.cancelled,
            other => {
                let what = format!("{other} is no state of a payment");
                return Err(PortError::new(PART, what));
            }
        };
        let payments = u32::try_from(payments).unwrap_or(u32::MAX);
        *counted = counted.saturating_add(payments);
    }
    Ok(progress)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::idempotency::{Idempotency, IdempotencyKey, RequestFingerprint};
    use testkit::builders::{account_id, at, kobo, number, reference};

    fn row() -> BatchRow {
        BatchRow {
            account: "shop".into(),
            number: 7,
            reference: "run-1".into(),
            idempotency_key: Some("key".into()),
            request_fingerprint: Some(vec![7; 32]),
            kind: "bank".into(),
            on_failure: "stop".into(),
            payments: 3,
            currency: "NGN".into(),
            total: 300,
            price: 330,
            opened_at: at(5).as_millis(),
        }
    }

    #[test]
    fn a_batch_reads_back_as_it_was_stored() {
        let expected = Batch {
            number: BatchNumber::new(number(7)),
            account: account_id("shop"),
            reference: reference("run-1"),
            idempotency: Some(Idempotency {
                key: IdempotencyKey::parse("key").unwrap(),
                fingerprint: RequestFingerprint([7; 32]),
            }),
            kind: BatchKind::BankTransfers,
            on_failure: OnFailure::Stop,
            count: 3,
            total: kobo(300),
            price: kobo(330),
            opened_at: at(5),
        };
        assert_eq!(row().restore().unwrap(), expected);
    }

    #[test]
    fn a_row_that_breaks_a_rule_is_an_error_that_names_its_batch() {
        type Break = fn(&mut BatchRow);
        let breaks: [Break; 8] = [
            |row| row.number = 0,
            |row| row.reference = "a b".into(),
            |row| row.idempotency_key = None,
            |row| row.request_fingerprint = Some(vec![7; 31]),
            |row| row.kind = "cash".into(),
            |row| row.on_failure = "retry".into(),
            |row| row.currency = "???".into(),
            |row| row.payments = -1,
        ];
        for broken in breaks {
            let mut row = row();
            broken(&mut row);
            let error = row.restore().unwrap_err();
            assert!(error.to_string().contains("batch"), "{error}");
            assert_eq!(error.trouble, PortErrorKind::Record);
        }
    }

    #[test]
    fn payments_are_counted_by_where_they_stand() {
        let states = [
            ("queued", 1),
            ("sending", 2),
            ("in_doubt", 4),
            ("review", 8),
            ("successful", 16),
            ("failed", 32),
            ("reversed", 64),
            ("cancelled", 128),
        ];
        let expected = BatchProgress {
            queued: 1,
            under_way: 14,
            successful: 16,
            failed: 32,
            reversed: 64,
            cancelled: 128,
        };
        assert_eq!(batch_progress(states).unwrap(), expected);
        assert!(batch_progress([("lost", 1)]).is_err());
    }
}
