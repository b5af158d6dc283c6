//! Setting limits. A change must never replace a version that its author has not seen.

use super::seal::{seal_limit, verified_limits};
use super::{OverLimit, day_of};
use crate::account_changes::{ChangeNote, Described};
use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::request_error::RequestError;
use domain::account_change::ChangeAction;
use domain::money::Money;
use domain::spending::{NewSpendingLimit, SpendingLimit};
use ports::PortError;
use ports::spending_limits::{LimitChange, SealedLimit, StoredLimit};

/// Why a limit is not set.
#[derive(Debug, thiserror::Error)]
pub enum LimitError {
    /// The limit has another version than the one that was to be replaced; 0 where it has none.
    #[error("the limit has version {0} now")]
    VersionConflict(u32),
    /// The limit is in none of the versions in which alone it was to be set; it has this one.
    #[error("the limit was changed; it has version {0} now")]
    Changed(u32),
    /// Too many were set within a day.
    #[error("too many limits were set within a day")]
    TooManyToday,
    /// For a reason that requests of other kinds are refused for.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl From<PortError> for LimitError {
    fn from(failed: PortError) -> Self {
        Self::Request(failed.into())
    }
}

impl Gateway {
    /// The limits of the merchant's account as they are now, and what was spent today in the
    /// currency that it is billed in.
    ///
    /// # Errors
    /// When the store failed, or one of them is not as it was set.
    pub async fn spending_limits(
        &self,
        merchant: &Merchant,
    ) -> Result<(Vec<SpendingLimit>, Money), RequestError> {
        let limits = self.limits_of(merchant).await?;
        let (account, currency) = (&merchant.account.id, merchant.account.currency);
        let wallets = self.parts().transactions.wallets(account).await?;
        let today = day_of(&merchant.account.time_zone, self.now());
        let mut own = wallets.into_iter().filter(|it| it.currency() == currency);
        let spending = own.next().map(|wallet| wallet.spending);
        let spent = spending.filter(|it| it.counted_from >= Some(today));
        let spent = spent.map_or(Money::zero(currency), |it| it.spent);
        Ok((limits, spent))
    }

    async fn limits_of(&self, merchant: &Merchant) -> Result<Vec<SpendingLimit>, RequestError> {
        let id = &merchant.account.id;
        let Some(known) = self.parts().accounts.credentials(id).await? else {
            return Ok(vec![]);
        };
        let verified = verified_limits(&self.parts().pepper, id, known.limits);
        let read = verified.into_iter().map(|stored| match stored {
            StoredLimit::Sealed(sealed) => Ok(sealed.limit),
            StoredLimit::Unreadable(_) => Err(OverLimit::Unreadable.into()),
        });
        let mut read: Vec<SpendingLimit> = read.collect::<Result<_, RequestError>>()?;
        read.sort_by_key(|limit| limit.services.code());
        Ok(read)
    }

    /// Sets a limit of the merchant's account: the version after the one that it replaces, which is
    /// one of `only_in` where that is given. Setting what is set already changes nothing.
    ///
    /// # Errors
    /// Refuses a limit that has another version by now, and one change too many.
    pub async fn set_spending_limit(
        &self,
        merchant: &Merchant,
        wanted: NewSpendingLimit,
        only_in: Option<&[u32]>,
    ) -> Result<(SpendingLimit, ReplayMark), LimitError> {
        let account = &merchant.account.id;
        let named = match only_in {
            Some([only]) => Some(*only),
            Some(_) | None => None,
        };
        let replaces = wanted.replaces.or(named).unwrap_or_default();
        if only_in.is_some_and(|versions| !versions.contains(&replaces)) {
            let limits = self.limits_of(merchant).await?;
            let latest = limits.iter().find(|it| it.services == wanted.services);
            return Err(LimitError::Changed(latest.map_or(0, |it| it.version)));
        }
        let limit = SpendingLimit {
            account: account.clone(),
            services: wanted.services,
            version: replaces.saturating_add(1),
            currency: merchant.account.currency,
            terms: wanted.terms,
            created_at: self.now(),
            made_by: merchant.grant.key,
        };
        let seal = seal_limit(&self.parts().pepper, &limit);
        let sealed = SealedLimit { limit, seal };
        // What it replaces, for the record; where it cannot be read, that is not recorded.
        let before = self.limits_of(merchant).await.unwrap_or_default();
        let mut before = before.iter().filter(|it| it.services == wanted.services);
        let note = limit_note(before.next(), &sealed.limit);
        let noted = self.noted(merchant, note);
        let limits = &self.parts().spending_limits;
        match limits.set_spending_limit(&sealed, &noted).await? {
            LimitChange::Done => {
                self.remembered().forget(account);
                Ok((sealed.limit, ReplayMark::New))
            }
            LimitChange::VersionConflict(latest) => {
                // Also where another one cannot be read: the version is what mends it.
                let limits = self.limits_of(merchant).await.unwrap_or_default();
                let is_same = |it: &SpendingLimit| {
                    (it.services, it.version, it.made_by, it.terms)
                        == (
                            wanted.services,
                            sealed.limit.version,
                            merchant.grant.key,
                            wanted.terms,
                        )
                };
                match limits.into_iter().find(is_same) {
                    Some(set) => Ok((set, ReplayMark::Replayed)),
                    None if only_in.is_some() => Err(LimitError::Changed(latest)),
                    None => Err(LimitError::VersionConflict(latest)),
                }
            }
            LimitChange::TooManyToday => Err(LimitError::TooManyToday),
            LimitChange::AccountUnknown => {
                let what = "an account that was let in has no place for a limit";
                Err(PortError::new("limits", what).into())
            }
        }
    }
}

/// The record of a limit that is set.
fn limit_note(before: Option<&SpendingLimit>, limit: &SpendingLimit) -> ChangeNote {
    let terms = |limit: &SpendingLimit| {
        Described::of("version", limit.version)
            .maybe("payment", limit.terms.per_transaction)
            .maybe("day", limit.terms.per_day)
            .maybe("approval above", limit.terms.approval_above)
    };
    ChangeNote::new(
        ChangeAction::LimitSet,
        format!("limit {}", limit.services.code()),
    )
    .from(before.map(terms))
    .to(terms(limit))
}
