//! Subscriptions, as their merchant makes, sees and changes them. A change must never overwrite one
//! that the merchant has not seen; what a run costs and whether it may be bought is for its payment
//! to say.

mod calendar;
mod ordering;
mod refusals;
mod runs;
mod sealing;
mod worker;

pub use calendar::ZonedCalendar;
pub use runs::{ListedRun, RecurringRunPage};
pub use worker::RecurringWorker;

use crate::fingerprint::fingerprint;
use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::request_error::RequestError;
use domain::idempotency::{IdempotencyKey, RequestFingerprint};
use domain::recurring::{
    NewRecurring, RecurringOver, RecurringPayment, RecurringProgress, RecurringStep,
    RecurringTerms, RecurringVersion, StartRefusal,
};
use domain::reference::{MerchantReference, TransactionNumber};
use ports::PortError;
use ports::batches::PageOf;
pub use ports::recurring::RecurringPage;
use ports::recurring::{RecurringChange, RecurringCreation, RecurringKey, SealedRecurring};

/// How many numbers are drawn for a subscription: that even two are in use does not happen.
const DRAWS_MAX: usize = 8;

/// How a request names a subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecurringName {
    /// By its number.
    Number(TransactionNumber),
    /// By the merchant's reference.
    Reference(MerchantReference),
}

/// What a merchant does to a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecurringAct {
    /// No run is bought until it is resumed.
    Pause,
    /// Runs are bought again, from the next one on.
    Resume,
    /// No run is bought any more.
    Cancel,
}

/// The version of a subscription that a request is about, as far as it says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenRecurring {
    /// The version that the request names as part of what it asks for.
    pub stated: RecurringVersion,
    /// The versions in which alone it is to be done; `None` where it is to be done in any.
    pub only_in: Option<Vec<RecurringVersion>>,
}

/// Why a request about a subscription is refused.
#[derive(Debug, thiserror::Error)]
pub enum RecurringError {
    /// The account has no such subscription.
    #[error("no such subscription")]
    Unknown,
    /// The account has as many as it may have.
    #[error("too many subscriptions")]
    TooMany,
    /// The account has another one under the reference.
    #[error("the reference was used for another subscription")]
    ReferenceTaken(MerchantReference),
    /// It cannot begin when it says.
    #[error("the first run {0}")]
    Start(#[from] StartRefusal),
    /// Its runs are over.
    #[error(transparent)]
    Over(#[from] RecurringOver),
    /// It has another version than the request names.
    #[error("the subscription has another version")]
    Stale,
    /// It is in none of the versions in which the request is to be done.
    #[error("the subscription was changed")]
    Changed,
    /// For a reason that requests of other kinds are refused for.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl From<PortError> for RecurringError {
    fn from(failed: PortError) -> Self {
        Self::Request(failed.into())
    }
}

/// A subscription, and whether the request changed anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecurringResult {
    /// The subscription.
    pub payment: RecurringPayment,
    /// Whether an earlier request had made it so.
    pub replay: ReplayMark,
}

impl Gateway {
    /// Makes a subscription, whose order is looked up as that of a payment is. One that was made by
    /// the same request before is answered as it is now.
    ///
    /// # Errors
    /// Refuses a reference and a key that were used for another one, one too many, a start that is
    /// over or far ahead, and whatever a payment of the order would be refused for but its price.
    pub async fn create_recurring(
        &self,
        merchant: &Merchant,
        wanted: &NewRecurring,
        retry_key: Option<&IdempotencyKey>,
    ) -> Result<RecurringResult, RecurringError> {
        let asked = fingerprint(&self.parts().pepper, (wanted, None));
        for _ in 0..DRAWS_MAX {
            let number = match retry_key {
                Some(key) => self.retried_number("subscription", merchant, key)?,
                None => self.parts().ids.transaction_number(),
            };
            let by_key = retry_key.map(|_| number);
            if let Some(earlier) = self
                .subscribed_before(merchant, (wanted, asked), by_key)
                .await?
            {
                return Ok(earlier);
            }
            let made = self
                .make_recurring(merchant, (wanted, asked), number)
                .await?;
            match self.parts().recurring.create_recurring(&made).await? {
                RecurringCreation::Done => return Ok(new(made.payment)),
                RecurringCreation::TooMany => return Err(RecurringError::TooMany),
                RecurringCreation::AccountUnknown => {
                    let what = "an authenticated account was not found as its subscription was \
                                stored";
                    return Err(PortError::new("subscriptions", what).into());
                }
                // Another is drawn; what was made meanwhile by the same request is looked for.
                RecurringCreation::NumberTaken | RecurringCreation::ReferenceTaken => {}
            }
        }
        Err(PortError::new("subscriptions", "every number that was drawn is in use").into())
    }

    /// What the key or the reference of a request stands for.
    async fn subscribed_before(
        &self,
        merchant: &Merchant,
        (wanted, asked): (&NewRecurring, RequestFingerprint),
        by_key: Option<TransactionNumber>,
    ) -> Result<Option<RecurringResult>, RecurringError> {
        let (account, store) = (&merchant.account.id, &self.parts().recurring);
        let reference = wanted.order.reference();
        if let Some(number) = by_key
            && let Some(earlier) = store.numbered_recurring(account, number).await?
        {
            return if earlier.payment.terms.asked == asked {
                Ok(Some(replayed(earlier.payment)))
            } else {
                Err(RequestError::KeyReused.into())
            };
        }
        let Some(earlier) = store.recurring(account, reference).await? else {
            return Ok(None);
        };
        if earlier.payment.terms.asked == asked {
            Ok(Some(replayed(earlier.payment)))
        } else {
            Err(RecurringError::ReferenceTaken(reference.clone()))
        }
    }

    async fn make_recurring(
        &self,
        merchant: &Merchant,
        (wanted, asked): (&NewRecurring, RequestFingerprint),
        number: TransactionNumber,
    ) -> Result<SealedRecurring, RecurringError> {
        let now = self.now();
        wanted.schedule.check_start(now)?;
        let priced = self.prepare_recurring(merchant, &wanted.order).await?;
        self.for_sale(&priced)?;
        let terms = RecurringTerms {
            account: merchant.account.id.clone(),
            number,
            reference: wanted.order.reference().clone(),
            order: priced.order,
            schedule: wanted.schedule,
            time_zone: calendar::known_zone(&merchant.account.time_zone).to_owned(),
            on_failure: wanted.on_failure,
            made_by: merchant.key_holder(),
            asked,
            created_at: now,
        };
        let seal = sealing::seal(&self.parts().pepper, &terms);
        let payment = RecurringPayment {
            progress: RecurringProgress::first(&terms),
            terms,
            version: RecurringVersion::FIRST,
        };
        Ok(SealedRecurring { payment, seal })
    }

    /// One of the merchant's subscriptions.
    ///
    /// # Errors
    /// Refuses a name that is none of the merchant's.
    pub async fn recurring(
        &self,
        merchant: &Merchant,
        name: &RecurringName,
    ) -> Result<RecurringPayment, RecurringError> {
        let (account, store) = (&merchant.account.id, &self.parts().recurring);
        let found = match name {
            RecurringName::Number(number) => store.numbered_recurring(account, *number).await?,
            RecurringName::Reference(reference) => store.recurring(account, reference).await?,
        };
        found.map(|it| it.payment).ok_or(RecurringError::Unknown)
    }

    /// A part of the merchant's subscriptions.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn recurring_page(
        &self,
        merchant: &Merchant,
        page: PageOf,
    ) -> Result<RecurringPage, RecurringError> {
        let store = &self.parts().recurring;
        Ok(store.recurring_page(&merchant.account.id, page).await?)
    }

    /// Pauses, resumes or cancels a subscription. One that is so already is answered as it is.
    ///
    /// # Errors
    /// Refuses a name that is none of the merchant's, a version that it has not, and one that is
    /// over.
    pub async fn change_recurring(
        &self,
        merchant: &Merchant,
        (name, seen): (&RecurringName, &SeenRecurring),
        act: RecurringAct,
    ) -> Result<RecurringResult, RecurringError> {
        let before = self.recurring(merchant, name).await?;
        let step = match act {
            RecurringAct::Pause => before.pause()?,
            RecurringAct::Resume => {
                let calendar = ZonedCalendar::of(&before.terms);
                before.resume(&calendar, self.now())?
            }
            RecurringAct::Cancel => before.cancel()?,
        };
        let Some(step) = step else {
            // It is so already; under an `If-Match` only where that is the version.
            if seen.only_in.is_some() {
                seen.fits(&before)?;
            }
            return Ok(replayed(before));
        };
        seen.fits(&before)?;
        match self.write_step(&before, step).await? {
            Some(after) => Ok(new(after)),
            None if seen.only_in.is_some() => Err(RecurringError::Changed),
            None => Err(RecurringError::Stale),
        }
    }

    /// Writes a step; `None` where the subscription was changed meanwhile.
    async fn write_step(
        &self,
        before: &RecurringPayment,
        step: RecurringStep,
    ) -> Result<Option<RecurringPayment>, PortError> {
        let store = &self.parts().recurring;
        match store.step_recurring(key_of(before), &step).await? {
            RecurringChange::Done => Ok(Some(RecurringPayment {
                progress: step.progress,
                version: before.version.next(),
                terms: before.terms.clone(),
            })),
            RecurringChange::VersionConflict => Ok(None),
        }
    }
}

impl SeenRecurring {
    fn fits(&self, payment: &RecurringPayment) -> Result<(), RecurringError> {
        let in_any = self.only_in.as_ref();
        if in_any.is_some_and(|versions| !versions.contains(&payment.version)) {
            return Err(RecurringError::Changed);
        }
        if self.stated != payment.version {
            return Err(RecurringError::Stale);
        }
        Ok(())
    }
}

const fn key_of(payment: &RecurringPayment) -> RecurringKey<'_> {
    RecurringKey {
        account: &payment.terms.account,
        number: payment.terms.number,
        version: payment.version,
    }
}

const fn new(payment: RecurringPayment) -> RecurringResult {
    RecurringResult {
        payment,
        replay: ReplayMark::New,
    }
}

const fn replayed(payment: RecurringPayment) -> RecurringResult {
    RecurringResult {
        payment,
        replay: ReplayMark::Replayed,
    }
}
