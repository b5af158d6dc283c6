//! Records of where attempts go. What follows from the transaction itself, its provider and the
//! reference that is derived from the merchant's, is not written.

use super::RecordError;
use super::scalar::{Text, valid};
use domain::account::AccountId;
use domain::provider::ProviderId;
use domain::reference::{MerchantReference, ProviderReference};
use domain::transaction::{AttemptNumber, PreparedAttempt, PreparedAttempts, Transaction};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PreparedRecord<'a> {
    #[serde(borrow)]
    provider: Text<'a>,
    #[serde(borrow)]
    reference: Text<'a>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    adapter_state: Option<Text<'a>>,
}

impl<'a> From<&'a PreparedAttempt> for PreparedRecord<'a> {
    fn from(prepared: &'a PreparedAttempt) -> Self {
        Self {
            provider: prepared.provider.as_str().into(),
            reference: prepared.reference.as_str().into(),
            adapter_state: prepared.adapter_state.as_deref().map(Into::into),
        }
    }
}

impl PreparedRecord<'_> {
    pub(super) fn restore(self) -> Result<PreparedAttempt, RecordError> {
        Ok(PreparedAttempt {
            provider: valid(ProviderId::parse(&self.provider), "provider")?,
            reference: ProviderReference::from_echo(self.reference.into_owned()),
            adapter_state: self.adapter_state.map(Text::into_owned),
        })
    }
}

/// The records of a transaction's attempts.
pub(super) fn of(tx: &Transaction) -> Vec<PreparedRecord<'_>> {
    let provider = &tx.prepared.first().provider;
    let mut next = Some(AttemptNumber::FIRST);
    let follows = |prepared: &PreparedAttempt| {
        let attempt = next.take().inspect(|attempt| next = attempt.next());
        attempt.is_some_and(|attempt| {
            let name = (&tx.account, &tx.reference);
            *prepared == PreparedAttempt::derived(provider.clone(), name, attempt)
        })
    };
    if tx.prepared.iter().all(follows) {
        return Vec::new();
    }
    tx.prepared.iter().map(Into::into).collect()
}

/// The attempts of a transaction that has come to `attempt`, or is queued, from its records and,
/// where it has none, from its provider and names.
pub(super) fn restored(
    records: Vec<PreparedAttempt>,
    (provider, account, reference): (&ProviderId, &AccountId, &MerchantReference),
    attempt: Option<AttemptNumber>,
) -> Result<PreparedAttempts, RecordError> {
    let derived = |number| PreparedAttempt::derived(provider.clone(), (account, reference), number);
    let has_records = !records.is_empty();
    let mut records = records.into_iter();
    let mut one = |number| {
        let missing = RecordError::Value("prepared");
        let record = records.next();
        if has_records {
            record.ok_or(missing)
        } else {
            Ok(derived(number))
        }
    };
    let mut attempts = PreparedAttempts::new(one(AttemptNumber::FIRST)?);
    if let Some(later) = attempt.filter(|attempt| *attempt > AttemptNumber::FIRST) {
        attempts = attempts.followed_by(one(later)?);
    }
    if records.next().is_some() || attempts.first().provider != *provider {
        return Err(RecordError::Value("prepared"));
    }
    Ok(attempts)
}
