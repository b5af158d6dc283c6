//! Rows as a database gives them back, and the way from them to values of the domain. A row must
//! pass every rule that a fresh value passes.

use super::environment::environment;
use super::merchant::account_status;
use super::{
    RecordError, RestoredProgress, StoredProgress, StoredPurchase, attempt_route, prepared,
    scalar::valid, state_code,
};
use crate::PART;
use crate::row_macs::RowAuthenticity;
use domain::account::{AccountId, AccountStatus};
use domain::environment::Environment;
use domain::freeze::FrozenServices;
use domain::idempotency::{Idempotency, IdempotencyKey, RequestFingerprint};
use domain::ledger::Wallet;
use domain::money::{Currency, Money};
use domain::provider::ProviderId;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::spending::DailySpending;
use domain::time::Timestamp;
use domain::transaction::Transaction;
use ports::{PortError, PortErrorKind};

/// Refuses a row that the gateway did not write as it is, and one that cannot be checked.
pub(crate) const fn authentic(authenticity: RowAuthenticity) -> Result<(), RecordError> {
    match authenticity {
        RowAuthenticity::Unchecked | RowAuthenticity::Confirmed => Ok(()),
        RowAuthenticity::Altered => Err(RecordError::Altered),
        RowAuthenticity::MissingKey(generation) => Err(RecordError::MissingKey(generation)),
    }
}

/// A transaction as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TransactionRow {
    /// The store's own key of the row.
    pub id: i64,
    /// The gateway's number.
    pub number: i64,
    /// Whose it is.
    pub account: String,
    /// The merchant's reference.
    pub reference: String,
    /// The client's retry key.
    pub idempotency_key: Option<String>,
    /// What the request under that key meant, 32 bytes.
    pub request_fingerprint: Option<Vec<u8>>,
    /// The provider of its first attempt.
    pub provider: String,
    /// The word of its state.
    pub state: String,
    /// What was bought, a [`StoredPurchase`].
    pub purchase: String,
    /// Where it stands, a [`StoredProgress`].
    pub progress: String,
    /// The number of its meter token, until that is erased.
    pub token: Option<String>,
    /// The version.
    pub version: i64,
    /// The number of its last event.
    pub sequence: i64,
    /// When it was opened, in milliseconds.
    pub opened_at: i64,
    /// When it last changed, in milliseconds.
    pub updated_at: i64,
    /// The authentication code of what never changes of it.
    pub purchase_mac: Option<String>,
    /// The authentication code of where it stands.
    pub progress_mac: Option<String>,
    /// What the codes say of it.
    pub authenticity: RowAuthenticity,
}

impl TransactionRow {
    /// The transaction the row holds.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the transaction.
    pub fn restore(&self) -> Result<Transaction, PortError> {
        self.read().map_err(|error| {
            PortError::caused(
                PART,
                format!("transaction {} cannot be read", self.number),
                error,
            )
            .with_trouble(PortErrorKind::Record)
        })
    }

    fn read(&self) -> Result<Transaction, RecordError> {
        authentic(self.authenticity)?;
        let (order, quote) = StoredPurchase::restore(&self.purchase)?;
        let RestoredProgress {
            state,
            earlier,
            prepared,
            reported,
            routes,
            approval,
        } = StoredProgress::restore(&self.progress, self.token.as_deref())?;
        if state_code(&state) != self.state {
            return Err(RecordError::Value("state"));
        }
        let number = u64::try_from(self.number).unwrap_or_default();
        let account = valid(AccountId::parse(&self.account), "account")?;
        let reference = valid(MerchantReference::parse(&self.reference), "reference")?;
        let provider = valid(ProviderId::parse(&self.provider), "provider")?;
        let name = (&provider, &account, &reference);
        let prepared = prepared::restored(prepared, name, state.attempt())?;
        Ok(Transaction {
            number: valid(TransactionNumber::try_new(number), "number")?,
            prepared: attempt_route::routed(prepared, routes),
            reported,
            account,
            reference,
            idempotency: idempotency(
                self.idempotency_key.as_deref(),
                self.request_fingerprint.as_deref(),
            )?,
            order,
            quote,
            approval,
            state,
            earlier,
            version: valid(u32::try_from(self.version), "version")?,
            sequence: valid(u32::try_from(self.sequence), "sequence")?,
            opened_at: Timestamp::from_millis(self.opened_at),
            updated_at: Timestamp::from_millis(self.updated_at),
        })
    }
}

/// A retry key together with what the request under it meant.
pub(super) fn idempotency(
    key: Option<&str>,
    request_fingerprint: Option<&[u8]>,
) -> Result<Option<Idempotency>, RecordError> {
    match (key, request_fingerprint) {
        (None, None) => Ok(None),
        (Some(key), Some(request_fingerprint)) => Ok(Some(Idempotency {
            key: valid(IdempotencyKey::parse(key), "idempotency_key")?,
            fingerprint: RequestFingerprint(valid(
                request_fingerprint.try_into(),
                "request_fingerprint",
            )?),
        })),
        (None, Some(_)) | (Some(_), None) => Err(RecordError::Value("request_fingerprint")),
    }
}

/// Money paid in, as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FundingRow {
    /// To which account.
    pub account: String,
    /// The operator's reference.
    pub reference: String,
    /// How much, in minor units.
    pub amount: i64,
    /// The code of the currency.
    pub currency: String,
}

impl FundingRow {
    /// How much was paid in.
    ///
    /// # Errors
    /// When the currency is none the gateway knows.
    pub fn amount(&self) -> Result<Money, RecordError> {
        let currency = Currency::from_code(&self.currency).ok_or(RecordError::Value("currency"))?;
        Ok(Money::from_minor(self.amount, currency))
    }
}

/// One wallet of an account with its statement counters, and the account's status, as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccountRow {
    /// The identity.
    pub id: String,
    /// `active` or `suspended`.
    pub status: String,
    /// `test` or `live`.
    pub environment: String,
    /// The code of the wallet's currency.
    pub currency: String,
    /// What can be spent, in minor units.
    pub available: i64,
    /// What is set aside, in minor units.
    pub held: i64,
    /// How many debits the statement has.
    pub debits: i64,
    /// How many credits the statement has.
    pub credits: i64,
    /// The low-balance threshold, in minor units.
    pub low_balance_threshold: Option<i64>,
    /// From when on payments count against the limit of a day, in milliseconds.
    pub counted_from: Option<i64>,
    /// What they cost together, in minor units.
    pub spent: i64,
    /// The words of what of the account is frozen; none where nothing is.
    pub frozen: Option<String>,
    /// The authentication code of the wallet.
    pub mac: Option<String>,
    /// What the code says of it.
    pub authenticity: RowAuthenticity,
}

impl AccountRow {
    /// What of the account is frozen.
    pub fn frozen_services(&self) -> FrozenServices {
        FrozenServices::from_record(self.frozen.as_deref())
    }

    /// The status.
    ///
    /// # Errors
    /// When the word is none of the statuses.
    pub fn status(&self) -> Result<AccountStatus, RecordError> {
        account_status(&self.status)
    }

    /// The environment.
    ///
    /// # Errors
    /// When the word is none of the environments.
    pub fn environment(&self) -> Result<Environment, RecordError> {
        environment(&self.environment)
    }

    /// The wallet.
    ///
    /// # Errors
    /// When identity or currency break their rules.
    pub fn wallet(&self) -> Result<Wallet, RecordError> {
        let currency = Currency::from_code(&self.currency).ok_or(RecordError::Value("currency"))?;
        Ok(Wallet {
            account: valid(AccountId::parse(&self.id), "account")?,
            available: Money::from_minor(self.available, currency),
            held: Money::from_minor(self.held, currency),
            low_balance_threshold: self
                .low_balance_threshold
                .map(|minor| Money::from_minor(minor, currency)),
            spending: DailySpending {
                counted_from: self.counted_from.map(Timestamp::from_millis),
                spent: Money::from_minor(self.spent, currency),
            },
        })
    }
}
