//! The transaction of an entry as text. It must read back under every rule of the domain, or not at
//! all.

use domain::idempotency::Idempotency;
use domain::transaction::Transaction;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use storage_sql::record::{StoredProgress, StoredPurchase, TransactionRow, state_code};

/// The version written today.
const VERSION: u32 = 1;

type Error = Box<dyn std::error::Error + Send + Sync>;

/// A transaction, its documents as a store keeps them.
#[derive(Debug, Serialize, Deserialize)]
struct Record<'a> {
    v: u32,
    number: u64,
    #[serde(borrow)]
    account: Cow<'a, str>,
    #[serde(borrow)]
    reference: Cow<'a, str>,
    #[serde(borrow)]
    idempotency_key: Option<Cow<'a, str>>,
    meaning: Option<Vec<u8>>,
    #[serde(borrow)]
    provider: Cow<'a, str>,
    #[serde(borrow)]
    state: Cow<'a, str>,
    purchase: Box<RawValue>,
    progress: Box<RawValue>,
    version: u32,
    sequence: u32,
    opened_at: i64,
    updated_at: i64,
}

pub(crate) fn encode(tx: &Transaction) -> Result<Vec<u8>, Error> {
    let retry = tx.idempotency.as_ref();
    let record = Record {
        v: VERSION,
        number: tx.number.get(),
        account: tx.account.as_str().into(),
        reference: tx.reference.as_str().into(),
        idempotency_key: retry.map(|retry| retry.key.as_str().into()),
        meaning: retry.map(
            |Idempotency {
                 fingerprint: meaning,
                 ..
             }| meaning.0.to_vec(),
        ),
        provider: tx.prepared.first().provider.as_str().into(),
        state: state_code(&tx.state).into(),
        purchase: serde_json::value::to_raw_value(&StoredPurchase::of(tx))?,
        progress: serde_json::value::to_raw_value(&StoredProgress::of(tx))?,
        version: tx.version,
        sequence: tx.sequence,
        opened_at: tx.opened_at.as_millis(),
        updated_at: tx.updated_at.as_millis(),
    };
    Ok(serde_json::to_vec(&record)?)
}

pub(crate) fn decode(text: &[u8]) -> Result<Transaction, Error> {
    #[derive(Deserialize)]
    struct Versioned {
        v: u32,
    }
    let Versioned { v } = serde_json::from_slice(text)?;
    if v != VERSION {
        return Err(format!("it is of version {v}; this gateway reads version {VERSION}").into());
    }
    let record: Record<'_> = serde_json::from_slice(text)?;
    let row = TransactionRow {
        id: 0,
        number: i64::try_from(record.number)?,
        account: record.account.into_owned(),
        reference: record.reference.into_owned(),
        idempotency_key: record.idempotency_key.map(Cow::into_owned),
        request_fingerprint: record.meaning,
        provider: record.provider.into_owned(),
        state: record.state.into_owned(),
        purchase: record.purchase.get().to_owned(),
        progress: record.progress.get().to_owned(),
        token: None,
        version: record.version.into(),
        sequence: record.sequence.into(),
        opened_at: record.opened_at,
        updated_at: record.updated_at,
        // An entry of a journal is sealed as a whole.
        ..TransactionRow::default()
    };
    Ok(row.restore()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use testkit::builders::account_id;
    use testkit::strategies::{drafts, transactions};

    proptest! {
        #[test]
        fn every_transaction_reads_back(tx in transactions(drafts(account_id("shop_1")))) {
            let text = encode(&tx).unwrap();
            prop_assert_eq!(decode(&text).unwrap(), tx);
        }
    }

    #[test]
    fn a_newer_record_is_refused_by_its_version() {
        let refused = decode(br#"{"v":2,"number":[]}"#).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "it is of version 2; this gateway reads version 1"
        );
    }
}
