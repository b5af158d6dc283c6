//! Limits on what accounts spend, read back. A row must pass every rule that a fresh value passes;
//! whether it was altered follows from its seal, which is not judged here.

use super::{RecordError, scalar::valid};
use domain::account::AccountId;
use domain::credential::KeyId;
use domain::money::{Currency, Money};
use domain::spending::{LIMIT_CHANGES_PER_DAY_MAX, LimitedServices, SpendingLimit, SpendingTerms};
use domain::time::Timestamp;
use ports::access_keys::RowSeal;
use ports::spending_limits::{LimitChange, SealedLimit, StoredLimit};

/// A version of a limit as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LimitRow {
    /// The account.
    pub account: String,
    /// The word of what it is about.
    pub services: String,
    /// The version.
    pub version: i64,
    /// The code of the currency of its amounts.
    pub currency: String,
    /// The highest price of one payment, in minor units.
    pub per_transaction: Option<i64>,
    /// What may be spent in a day.
    pub per_day: Option<i64>,
    /// The price above which an approval is needed.
    pub approval_above: Option<i64>,
    /// When it was set, in milliseconds.
    pub created_at: i64,
    /// The number of the key that set it.
    pub made_by: i64,
    /// The seal.
    pub seal: Vec<u8>,
}

/// Whether the account is unknown, the latest version, and how many were set within a day.
pub type LimitObstacles = (bool, i64, i64);

/// Why a version is not stored.
pub fn limit_obstacle(limit: &SpendingLimit, found: LimitObstacles) -> Option<LimitChange> {
    let (account_unknown, latest, today) = found;
    let latest = u32::try_from(latest).unwrap_or(u32::MAX);
    if account_unknown {
        Some(LimitChange::AccountUnknown)
    } else if latest.checked_add(1) != Some(limit.version) {
        Some(LimitChange::VersionConflict(latest))
    } else {
        let is_full = today >= i64::from(LIMIT_CHANGES_PER_DAY_MAX);
        is_full.then_some(LimitChange::TooManyToday)
    }
}

/// The words of everything that a limit can be about.
pub fn limited_services() -> Vec<&'static str> {
    LimitedServices::all().map(LimitedServices::code).collect()
}

impl LimitRow {
    /// The row that a version is stored as.
    pub fn of(sealed: &SealedLimit) -> Self {
        let limit = &sealed.limit;
        let terms = &limit.terms;
        Self {
            account: limit.account.as_str().to_owned(),
            services: limit.services.code().to_owned(),
            version: limit.version.into(),
            currency: limit.currency.code().to_owned(),
            per_transaction: terms.per_transaction.map(Money::minor),
            per_day: terms.per_day.map(Money::minor),
            approval_above: terms.approval_above.map(Money::minor),
            created_at: limit.created_at.as_millis(),
            made_by: limit.made_by.0,
            seal: sealed.seal.0.to_vec(),
        }
    }

    /// The version the row holds, or what is wrong with it.
    pub fn restore(&self) -> StoredLimit {
        match self.read() {
            Ok(sealed) => StoredLimit::Sealed(sealed),
            Err(error) => StoredLimit::Unreadable(format!(
                "version {} of the limit of {} on {} cannot be read: {error}",
                self.version, self.account, self.services
            )),
        }
    }

    fn read(&self) -> Result<SealedLimit, RecordError> {
        let currency = Currency::from_code(&self.currency).ok_or(RecordError::Value("currency"))?;
        let amount = |minor: Option<i64>| {
            let in_range = |minor: &i64| (0..=Money::MAX_MINOR).contains(minor);
            match minor {
                None => Ok(None),
                Some(minor) if in_range(&minor) => Ok(Some(Money::from_minor(minor, currency))),
                Some(_) => Err(RecordError::Value("amount")),
            }
        };
        let services = LimitedServices::from_code(&self.services);
        let limit = SpendingLimit {
            account: valid(AccountId::parse(&self.account), "account")?,
            services: services.ok_or(RecordError::Value("services"))?,
            version: valid(u32::try_from(self.version), "version")?,
            currency,
            terms: SpendingTerms {
                per_transaction: amount(self.per_transaction)?,
                per_day: amount(self.per_day)?,
                approval_above: amount(self.approval_above)?,
            },
            created_at: Timestamp::from_millis(self.created_at),
            made_by: KeyId(self.made_by),
        };
        let seal = valid(self.seal.as_slice().try_into(), "seal")?;
        Ok(SealedLimit {
            limit,
            seal: RowSeal(seal),
        })
    }
}
