//! Freezes that merchants set: of the account, of a key, of a service. A key that is frozen must
//! lift none, because it is refused whatever it asks for.

mod seal;

pub use seal::seal_freeze;
pub(crate) use seal::{freeze_with_seal_checked, verified_freezes};

use crate::account_changes::{ChangeNote, Described};
use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::request_error::RequestError;
use domain::account_change::ChangeAction;
use domain::freeze::{ActiveFreezes, Freeze, FreezeBreach, FreezeOrder, FreezeState, FreezeTarget};
use ports::PortError;
use ports::accounts::Credentials;
use ports::freezes::{FreezeChange, SealedFreeze, StoredFreeze};

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
    let read = read.map(|freeze| (freeze.target, freeze.state));
    // What was set of a key and then altered: the key may be a stolen one.
    let altered = stored.iter().filter_map(|stored| match stored {
        StoredFreeze::Sealed(_) => None,
        StoredFreeze::Unreadable { key, .. } => *key,
    });
    let altered = altered.map(|key| (FreezeTarget::Key(key), FreezeState::Frozen));
    let active = ActiveFreezes::new(read.chain(altered));
    let are_read = stored.iter().all(|stored| read_back(stored).is_some());
    if are_read {
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

impl Gateway {
    /// What is frozen of the merchant's account now, the latest first.
    ///
    /// # Errors
    /// When the store failed, or one of them is not as it was set.
    pub async fn freezes(&self, merchant: &Merchant) -> Result<Vec<Freeze>, RequestError> {
        let id = &merchant.account.id;
        let Some(known) = self.parts().accounts.credentials(id).await? else {
            return Ok(vec![]);
        };
        let verified = verified_freezes(&self.parts().pepper, id, known.freezes);
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
    /// Refuses a key that the account has not, and one too many that is lifted.
    pub async fn set_freeze(
        &self,
        merchant: &Merchant,
        order: FreezeOrder,
        state: FreezeState,
    ) -> Result<(FreezeOutcome, ReplayMark), FreezeError> {
        let (pepper, account) = (&self.parts().pepper, &merchant.account.id);
        let target = order.target;
        // The version that the store says is the latest, which may be one that cannot be read.
        let mut stored_version = 0;
        for _ in 0..TRIES_MAX {
            let known = self.parts().accounts.credentials(account).await?;
            let Some(known) = known.filter(|known| has_target(known, target)) else {
                return Err(FreezeError::KeyUnknown);
            };
            let stored = verified_freezes(pepper, account, known.freezes);
            let is_lifted = state == FreezeState::Active;
            if is_lifted && active_freezes(&stored).has_key(merchant.grant.key) {
                return Err(FreezeError::KeyFrozen);
            }
            let mut read = stored.iter().filter_map(read_back);
            let latest = read.rfind(|freeze| freeze.target == target);
            let before = latest.map_or(FreezeState::Active, |freeze| freeze.state);
            let are_read = stored.iter().all(|stored| read_back(stored).is_some());
            if before == state && are_read {
                let latest = latest.cloned();
                return Ok((
                    FreezeOutcome::of(&order, state, latest),
                    ReplayMark::Replayed,
                ));
            }
            let version = latest
                .map_or(0, |freeze| freeze.version)
                .max(stored_version);
            let freeze = Freeze {
                account: account.clone(),
                target,
                version: version.saturating_add(1),
                state,
                reason: order.reason.clone(),
                created_at: self.now(),
                made_by: merchant.grant.key,
            };
            let seal = seal_freeze(pepper, &freeze);
            let sealed = SealedFreeze { freeze, seal };
            let noted = self.noted(merchant, freeze_note(before, &sealed.freeze));
            match self.parts().freezes.set_freeze(&sealed, &noted).await? {
                FreezeChange::Done => {
                    self.remembered().forget(account);
                    let latest = Some(sealed.freeze);
                    return Ok((FreezeOutcome::of(&order, state, latest), ReplayMark::New));
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
    let target = match freeze.target {
        FreezeTarget::Account => "account".to_owned(),
        FreezeTarget::Key(key) => format!("key {key}"),
        FreezeTarget::Service(service) => format!("service {}", service.code()),
    };
    let after = Described::of("status", freeze.state.code());
    ChangeNote::new(action, target)
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
