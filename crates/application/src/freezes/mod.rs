//! Freezes that merchants and operators set: of the account, of a key, of a service. A key that is
//! frozen must lift none, because it is refused whatever it asks for, and no key lifts what an
//! operator froze.

mod seal;

pub use seal::seal_freeze;
pub(crate) use seal::{freeze_with_seal_checked, verified_freezes};

use crate::account_changes::{ChangeNote, Described};
use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::payment_freeze::PaymentFreeze;
use crate::request_error::RequestError;
use domain::account::AccountId;
use domain::account_change::ChangeAction;
use domain::freeze::{
    ActiveFreezes, Freeze, FreezeAuthority, FreezeBreach, FreezeMaker, FreezeOrder, FreezeSetting,
    FreezeState, FreezeTarget,
};
use domain::time::Timestamp;
use ports::PortError;
use ports::account_changes::SealedChange;
use ports::accounts::Credentials;
use ports::freezes::{FreezeChange, SealedFreeze, StoredFreeze};
use std::sync::Arc;

/// How many times a change is tried again that another one came before: each time one of them was
/// made.
const TRIES_MAX: usize = 8;

/// What became of something that is to be frozen, or to go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreezeOutcome {
    /// What it is about.
    pub target: FreezeTarget,
    /// Its state now.
    pub state: FreezeState,
    /// The change that led to it; `None` where it was never frozen.
    pub latest: Option<Freeze>,
}

impl FreezeOutcome {
    const fn of(order: &FreezeOrder, state: FreezeState, latest: Option<Freeze>) -> Self {
        Self {
            target: order.target,
            state,
            latest,
        }
    }
}

/// Why a freeze is not set.
#[derive(Debug, thiserror::Error)]
pub enum FreezeError {
    /// The account has no such key.
    #[error("no such key")]
    KeyUnknown,
    /// The key of the request was frozen meanwhile.
    #[error("the key of the request is frozen")]
    KeyFrozen,
    /// An operator froze it, so that no key lets it go on.
    #[error("an operator froze it")]
    ByOperator,
    /// Too many were lifted within a day.
    #[error("too many freezes were lifted within a day")]
    TooManyToday,
    /// For a reason that requests of other kinds are refused for.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl From<PortError> for FreezeError {
    fn from(failed: PortError) -> Self {
        Self::Request(failed.into())
    }
}

/// The freezes that count, of those that are stored and were verified.
pub(crate) fn active_freezes(stored: &[StoredFreeze]) -> ActiveFreezes {
    let read = stored.iter().filter_map(read_back);
    let read = read.map(Freeze::setting);
    // What was set of a key and then altered: the key may be a stolen one.
    let altered = stored.iter().filter_map(|stored| match stored {
        StoredFreeze::Sealed(_) => None,
        StoredFreeze::Unreadable { key, .. } => *key,
    });
    let altered = altered.map(|key| FreezeSetting {
        authority: FreezeAuthority::Operator,
        target: FreezeTarget::Key(key),
        state: FreezeState::Frozen,
    });
    let active = ActiveFreezes::new(read.chain(altered));
    if are_read(stored) {
        active
    } else {
        active.unreadable()
    }
}

fn read_back(stored: &StoredFreeze) -> Option<&Freeze> {
    match stored {
        StoredFreeze::Sealed(sealed) => Some(&sealed.freeze),
        StoredFreeze::Unreadable { .. } => None,
    }
}

/// Whether each of them can be read as it was set.
fn are_read(stored: &[StoredFreeze]) -> bool {
    stored.iter().all(|stored| read_back(stored).is_some())
}

/// A freeze that is to be set.
#[derive(Debug, Clone, Copy)]
struct FreezeToSet<'a> {
    account: &'a AccountId,
    maker: FreezeMaker,
    order: &'a FreezeOrder,
    state: FreezeState,
}

impl FreezeToSet<'_> {
    /// Why it is refused, by the freezes that are stored.
    fn refusal(&self, stored: &[StoredFreeze]) -> Option<FreezeError> {
        let is_lifted = self.state == FreezeState::Active;
        let key = self.maker.key().filter(|_| is_lifted)?;
        if active_freezes(stored).has_key(key) {
            return Some(FreezeError::KeyFrozen);
        }
        let by_operator = latest_of(stored, FreezeAuthority::Operator, self.order.target);
        let is_frozen = by_operator.is_some_and(|it| it.state == FreezeState::Frozen);
        is_frozen.then_some(FreezeError::ByOperator)
    }

    /// Whether it is set although it holds already: what an operator freezes is kept with the
    /// wallets anew, where that was altered.
    fn is_set_again(&self) -> bool {
        (self.maker, self.state) == (FreezeMaker::Operator, FreezeState::Frozen)
    }

    /// The version after another.
    fn after(&self, version: u32, at: Timestamp) -> Freeze {
        Freeze {
            account: self.account.clone(),
            target: self.order.target,
            version: version.saturating_add(1),
            state: self.state,
            reason: self.order.reason.clone(),
            created_at: at,
            made_by: self.maker,
        }
    }
}

/// The latest version of a freeze, of those that can be read.
fn latest_of(
    stored: &[StoredFreeze],
    authority: FreezeAuthority,
    target: FreezeTarget,
) -> Option<&Freeze> {
    let mut read = stored.iter().filter_map(read_back);
    read.rfind(|freeze| freeze.is_of(authority, target))
}

impl Gateway {
    /// The freeze of every account's payments that is in force here.
    pub fn payment_freeze(&self) -> Option<Arc<PaymentFreeze>> {
        self.providers_in_force().payment_freeze()
    }

    /// Whether anything may be paid now, by any account.
    ///
    /// # Errors
    /// While an operator has frozen the payments of every account.
    pub(crate) fn payments_go_on(&self) -> Result<(), FreezeBreach> {
        match self.payment_freeze() {
            Some(_) => Err(FreezeBreach::Everything),
            None => Ok(()),
        }
    }

    /// Whether the merchant may pay something that is no order of a service.
    ///
    /// # Errors
    /// Names what is frozen.
    pub(crate) fn allow_account(&self, merchant: &Merchant) -> Result<(), FreezeBreach> {
        self.payments_go_on()?;
        merchant.freezes.allow_account()
    }

    /// What is frozen of the merchant's account now, the latest first.
    ///
    /// # Errors
    /// When the store failed, or one of them is not as it was set.
    pub async fn freezes(&self, merchant: &Merchant) -> Result<Vec<Freeze>, RequestError> {
        let account = &merchant.account.id;
        let Some(known) = self.parts().accounts.credentials(account).await? else {
            return Ok(vec![]);
        };
        let verified = verified_freezes(&self.parts().pepper, account, known.freezes);
        let read = verified.into_iter().map(|stored| match stored {
            StoredFreeze::Sealed(sealed) => Ok(sealed.freeze),
            StoredFreeze::Unreadable { .. } => Err(FreezeBreach::Unreadable.into()),
        });
        let mut read: Vec<Freeze> = read.collect::<Result<_, RequestError>>()?;
        read.retain(|freeze| freeze.state == FreezeState::Frozen);
        Ok(read)
    }

    /// Freezes something of the merchant's account, or lets it go on. What is in that state already
    /// stays as it was set.
    ///
    /// # Errors
    /// Refuses a key that the account has not, one too many that is lifted, and to lift what an
    /// operator froze.
    pub async fn set_freeze(
        &self,
        merchant: &Merchant,
        order: &FreezeOrder,
        state: FreezeState,
    ) -> Result<(FreezeOutcome, ReplayMark), FreezeError> {
        let setting = FreezeToSet {
            account: &merchant.account.id,
            maker: FreezeMaker::Key(merchant.grant.key),
            order,
            state,
        };
        let noted = |note| self.noted(merchant, note);
        self.change_freeze(setting, noted).await
    }

    /// The same by an operator, who has signed it.
    ///
    /// # Errors
    /// Refuses a key that the account has not.
    pub async fn set_freeze_by_operator(
        &self,
        account: &AccountId,
        order: &FreezeOrder,
        state: FreezeState,
    ) -> Result<(FreezeOutcome, ReplayMark), FreezeError> {
        let setting = FreezeToSet {
            account,
            maker: FreezeMaker::Operator,
            order,
            state,
        };
        let noted = |note| self.noted_by_operator(account, note);
        self.change_freeze(setting, noted).await
    }

    /// What an operator set something of an account to; `None` where a freeze of the account cannot
    /// be read, so that it may be either.
    ///
    /// # Errors
    /// Refuses a key that the account has not.
    pub async fn operator_freeze(
        &self,
        account: &AccountId,
        target: FreezeTarget,
    ) -> Result<Option<FreezeState>, FreezeError> {
        let known = self.parts().accounts.credentials(account).await?;
        let Some(known) = known.filter(|known| has_target(known, target)) else {
            return Err(FreezeError::KeyUnknown);
        };
        let stored = verified_freezes(&self.parts().pepper, account, known.freezes);
        let latest = latest_of(&stored, FreezeAuthority::Operator, target);
        Ok(are_read(&stored).then(|| latest.map_or(FreezeState::Active, |freeze| freeze.state)))
    }

    async fn change_freeze(
        &self,
        setting: FreezeToSet<'_>,
        noted: impl Fn(ChangeNote) -> SealedChange,
    ) -> Result<(FreezeOutcome, ReplayMark), FreezeError> {
        let FreezeToSet {
            account,
            maker,
            order,
            state,
        } = setting;
        let pepper = &self.parts().pepper;
        // The version that the store says is the latest, which may be one that cannot be read.
        let mut stored_version = 0;
        for _ in 0..TRIES_MAX {
            let known = self.parts().accounts.credentials(account).await?;
            let Some(known) = known.filter(|known| has_target(known, order.target)) else {
                return Err(FreezeError::KeyUnknown);
            };
            let stored = verified_freezes(pepper, account, known.freezes);
            if let Some(refused) = setting.refusal(&stored) {
                return Err(refused);
            }
            let latest = latest_of(&stored, maker.authority(), order.target);
            let before = latest.map_or(FreezeState::Active, |freeze| freeze.state);
            if before == state && are_read(&stored) && !setting.is_set_again() {
                let unchanged = FreezeOutcome::of(order, state, latest.cloned());
                return Ok((unchanged, ReplayMark::Replayed));
            }
            let version = latest.map_or(0, |freeze| freeze.version);
            let freeze = setting.after(version.max(stored_version), self.now());
            let seal = seal_freeze(pepper, &freeze);
            let sealed = SealedFreeze { freeze, seal };
            let noted = noted(freeze_note(before, &sealed.freeze));
            match self.parts().freezes.set_freeze(&sealed, &noted).await? {
                FreezeChange::Done => {
                    self.remembered().forget(account);
                    let latest = Some(sealed.freeze);
                    return Ok((FreezeOutcome::of(order, state, latest), ReplayMark::New));
                }
                // Another change came before, or the latest one cannot be read as it was set: the
                // next one replaces that.
                FreezeChange::VersionConflict(latest) => stored_version = latest,
                FreezeChange::TooManyToday => return Err(FreezeError::TooManyToday),
                FreezeChange::AccountUnknown => {
                    let what = "an account that was let in has no place for a freeze";
                    return Err(PortError::new("freezes", what).into());
                }
            }
        }
        let what = "others changed the freeze all the time";
        Err(PortError::new("freezes", what).with_nothing_done().into())
    }
}

/// The record of something that is frozen, or goes on.
fn freeze_note(before: FreezeState, freeze: &Freeze) -> ChangeNote {
    let action = match freeze.state {
        FreezeState::Frozen => ChangeAction::Frozen,
        FreezeState::Active => ChangeAction::Unfrozen,
    };
    let after = Described::of("status", freeze.state.code());
    ChangeNote::new(action, freeze.target.to_string())
        .from(Some(Described::of("status", before.code())))
        .to(after.with("reason", freeze.reason.as_str()))
}

/// Whether the account has what is to be frozen.
fn has_target(known: &Credentials, target: FreezeTarget) -> bool {
    match target {
        FreezeTarget::Account | FreezeTarget::Service(_) => true,
        FreezeTarget::Key(key) => {
            let operators = known.keys.iter().map(|key| key.id);
            let access = known.access.iter().map(|live| live.sealed.key.id);
            operators.chain(access).any(|id| id == key)
        }
    }
}
