//! Freezes, read back. A row must pass every rule that a fresh value passes; whether it was altered
//! follows from its seal, which is not judged here.

use super::{RecordError, scalar::valid};
use crate::PART;
use domain::account::AccountId;
use domain::credential::KeyId;
use domain::family::Service;
use domain::freeze::{
    Freeze, FreezeAuthority, FreezeMaker, FreezeReason, FreezeScope, FreezeState, FreezeTarget,
    FrozenServices, UNFREEZES_PER_DAY_MAX,
};
use domain::time::Timestamp;
use ports::PortError;
use ports::access_keys::RowSeal;
use ports::freezes::{FreezeChange, SealedFreeze, StoredFreeze};

/// What is stored in place of the number of a key where an operator set a freeze.
const OPERATOR: i64 = 0;

/// A version of a freeze as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FreezeRow {
    /// The account.
    pub account: String,
    /// `account`, `key` or the word of a service, after `operator:` where it is an operator's.
    pub target: String,
    /// The number of the key; 0 where it is about none.
    pub key: i64,
    /// The version.
    pub version: i64,
    /// Whether it was frozen, or goes on.
    pub is_frozen: bool,
    /// Why.
    pub reason: String,
    /// When it was set, in milliseconds.
    pub created_at: i64,
    /// The number of the key that set it; 0 where an operator did.
    pub made_by: i64,
    /// The seal.
    pub seal: Vec<u8>,
}

/// The latest version, and how many the merchant lifted within a day.
pub type FreezeObstacles = (i64, i64);

/// Why a version is not stored.
pub fn freeze_obstacle(freeze: &Freeze, found: FreezeObstacles) -> Option<FreezeChange> {
    let (latest, today) = found;
    let latest = u32::try_from(latest).unwrap_or(u32::MAX);
    if latest.checked_add(1) != Some(freeze.version) {
        return Some(FreezeChange::VersionConflict(latest));
    }
    let is_lifted = freeze.state == FreezeState::Active && freeze.made_by.key().is_some();
    let is_full = is_lifted && today >= i64::from(UNFREEZES_PER_DAY_MAX);
    is_full.then_some(FreezeChange::TooManyToday)
}

/// The word of a freeze, and the number of the key.
pub fn freeze_target(authority: FreezeAuthority, target: FreezeTarget) -> (String, i64) {
    let (word, key) = match target {
        FreezeTarget::Account => (FreezeScope::Account.code(), 0),
        FreezeTarget::Key(key) => (FreezeScope::Key.code(), key.0),
        FreezeTarget::Service(service) => (service.code(), 0),
    };
    (authority.record_word(word), key)
}

/// Whose freeze a word and the number of a key are, and of what.
pub fn target_of_record(word: &str, key: i64) -> Option<(FreezeAuthority, FreezeTarget)> {
    let (authority, word) = FreezeAuthority::of_record(word);
    let target = match FreezeScope::from_code(word) {
        Some(FreezeScope::Account) => FreezeTarget::Account,
        Some(FreezeScope::Key) => FreezeTarget::Key(KeyId(key)),
        Some(FreezeScope::Service) | None => FreezeTarget::Service(Service::from_code(word)?),
    };
    Some((authority, target))
}

/// The words of every freeze but those of keys.
pub fn frozen_targets() -> Vec<String> {
    let of = |authority| {
        let targets = FreezeTarget::without_keys();
        targets.map(move |target| freeze_target(authority, target).0)
    };
    FreezeAuthority::ALL.into_iter().flat_map(of).collect()
}

/// The words of freezes of keys.
pub fn frozen_key_targets() -> Vec<String> {
    let word = |authority: FreezeAuthority| authority.record_word(FreezeScope::Key.code());
    FreezeAuthority::ALL.into_iter().map(word).collect()
}

/// What is kept with wallets, each by its account.
///
/// # Errors
/// When an account is named as none can be.
pub fn frozen_wallets(
    rows: Vec<(String, Option<String>)>,
) -> Result<Vec<(AccountId, FrozenServices)>, PortError> {
    let read = |(account, words): (String, Option<String>)| {
        let account = AccountId::parse(&account).map_err(|error| PortError::new(PART, error))?;
        Ok((account, FrozenServices::from_record(words.as_deref())))
    };
    rows.into_iter().map(read).collect()
}

impl FreezeRow {
    /// The row that a version is stored as.
    pub fn of(sealed: &SealedFreeze) -> Self {
        let freeze = &sealed.freeze;
        let (target, key) = freeze_target(freeze.made_by.authority(), freeze.target);
        Self {
            account: freeze.account.as_str().to_owned(),
            target,
            key,
            version: freeze.version.into(),
            is_frozen: freeze.state == FreezeState::Frozen,
            reason: freeze.reason.as_str().to_owned(),
            created_at: freeze.created_at.as_millis(),
            made_by: freeze.made_by.key().map_or(OPERATOR, |key| key.0),
            seal: sealed.seal.0.to_vec(),
        }
    }

    /// The version the row holds, or what is wrong with it.
    pub fn restore(&self) -> StoredFreeze {
        match self.read() {
            Ok(sealed) => StoredFreeze::Sealed(sealed),
            Err(error) => StoredFreeze::Unreadable {
                key: self.is_of_key().then_some(KeyId(self.key)),
                why: format!(
                    "version {} of the freeze of {} on {} cannot be read: {error}",
                    self.version, self.account, self.target
                ),
            },
        }
    }

    fn is_of_key(&self) -> bool {
        let (_, word) = FreezeAuthority::of_record(&self.target);
        word == FreezeScope::Key.code()
    }

    fn read(&self) -> Result<SealedFreeze, RecordError> {
        let named = target_of_record(&self.target, self.key);
        let (authority, target) = named.ok_or(RecordError::Value("target"))?;
        let freeze = Freeze {
            account: valid(AccountId::parse(&self.account), "account")?,
            target,
            version: valid(u32::try_from(self.version), "version")?,
            state: if self.is_frozen {
                FreezeState::Frozen
            } else {
                FreezeState::Active
            },
            reason: valid(FreezeReason::parse(&self.reason), "reason")?,
            created_at: Timestamp::from_millis(self.created_at),
            made_by: match (authority, self.made_by) {
                (FreezeAuthority::Operator, OPERATOR) => FreezeMaker::Operator,
                (FreezeAuthority::Merchant, key) => FreezeMaker::Key(KeyId(key)),
                (FreezeAuthority::Operator, _) => return Err(RecordError::Value("made_by")),
            },
        };
        let seal = valid(self.seal.as_slice().try_into(), "seal")?;
        Ok(SealedFreeze {
            freeze,
            seal: RowSeal(seal),
        })
    }
}
