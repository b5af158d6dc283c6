//! Collections of merchants: account numbers and payment references, and what is paid to them.
//! Money that arrived must be credited whatever became of its collection.

mod checkout;
mod error;
mod numbers;
mod paying;

pub use checkout::{CHECKOUT_PAGES, CheckoutLinks, CheckoutSession};
pub use error::CollectionError;
pub use paying::{PaymentReport, SimulatedPayment};

use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::request_error::RequestError;
use domain::collection::{
    CHECKOUT_LIFE_MAX, COLLECTION_LIFE_MAX, CheckoutTerms, CollectedPayment, Collection,
    CollectionAdmission, CollectionCharges, CollectionKind, CollectionPaid, CollectionRefusal,
    CollectionState, CollectionStep, NewCollection, PaymentReference, VirtualAccount,
    VirtualAccountRange,
};
use domain::idempotency::IdempotencyKey;
use domain::money::{Currency, Money};
use domain::reference::TransactionNumber;
use domain::time::Timestamp;
use ports::PortError;
use ports::batches::PageOf;
pub use ports::collections::{
    CollectedPage, CollectedPayments, CollectionName, CollectionPage, CollectionSort,
};
use ports::collections::{CollectionChange, CollectionCreation};
use std::time::Duration;

/// How many numbers are drawn for a collection before its range counts as full: of a range that is
/// nine tenths used, one request in a thousand finds none.
const DRAWS_MAX: usize = 64;

/// How often a step is tried again where another step came first.
const TRIES_MAX: usize = 8;

/// How collections are made, and what is charged for what is paid to them.
#[derive(Debug, Clone, Default)]
pub struct CollectionTerms {
    /// The account numbers that the operator's bank lets live accounts have.
    pub range: Option<VirtualAccountRange>,
    /// What is charged.
    pub charges: CollectionCharges,
    /// The address that browsers reach this gateway under, without a slash at its end.
    pub pages: String,
    /// Whether the operator says that customers reach it there.
    pub has_public_pages: bool,
}

/// A collection, and whether the request made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectionResult {
    /// The collection, and what was paid to it.
    pub state: CollectionState,
    /// Whether an earlier request had made it.
    pub replay: ReplayMark,
}

/// The version of a collection that a merchant has seen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SeenCollection {
    /// The one that the body names.
    pub stated: Option<u32>,
    /// Those that `If-Match` names.
    pub only_in: Option<Vec<u32>>,
}

/// A payment that was simulated, and its collection afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectedResult {
    /// The payment.
    pub payment: CollectedPayment,
    /// The collection.
    pub state: CollectionState,
    /// Whether an earlier request had paid it.
    pub replay: ReplayMark,
}

impl Gateway {
    /// Makes a collection; where the merchant's key of the request made it before, that one is
    /// answered as it is now.
    ///
    /// # Errors
    /// Refuses a reference and a key that were used for another one, an end that is over or too far
    /// away, and an account number where there is none to hand out.
    pub async fn collect(
        &self,
        merchant: &Merchant,
        wanted: NewCollection,
        retry_key: Option<&IdempotencyKey>,
    ) -> Result<CollectionResult, CollectionError> {
        let now = self.now();
        for _ in 0..DRAWS_MAX {
            let number = match retry_key {
                Some(key) => self.retried_number("collection", merchant, key)?,
                None => self.parts().ids.transaction_number(),
            };
            if retry_key.is_some()
                && let Some(earlier) = self.numbered(merchant, number).await?
            {
                return replayed(earlier, &wanted);
            }
            let sort = wanted_sort(&wanted);
            if sort == CollectionSort::Checkout && !self.is_checkout_ready(merchant) {
                return Err(CollectionError::CheckoutNotReady);
            }
            let end = wanted.expires_at(now);
            if end.is_some_and(|end| end <= now) {
                return Err(CollectionError::EndOver(sort));
            }
            if end.is_some_and(|end| end > now.plus(life_max(sort))) {
                return Err(CollectionError::EndFar(sort));
            }
            let collection = self.drawn(merchant, &wanted, (number, now))?;
            let stored = self.parts().collections.create_collection(&collection);
            match stored.await? {
                CollectionCreation::Done => return Ok(new(collection)),
                // Another is drawn, also of what payers type.
                CollectionCreation::NumberTaken => {}
                CollectionCreation::ReferenceTaken => {
                    return Err(self.reference_taken(merchant, &wanted).await?);
                }
                CollectionCreation::TooMany => return Err(CollectionError::TooMany),
                CollectionCreation::AccountUnknown => {
                    let what =
                        "an authenticated account was not found as its collection was stored";
                    return Err(PortError::new("collections", what).into());
                }
            }
        }
        Err(CollectionError::RangeFull)
    }

    /// One of the merchant's collections of a kind.
    ///
    /// # Errors
    /// Refuses a name under which the merchant made none of the kind.
    pub async fn collection(
        &self,
        merchant: &Merchant,
        name: CollectionName<'_>,
        sort: CollectionSort,
    ) -> Result<CollectionState, CollectionError> {
        let found = self
            .parts()
            .collections
            .collection(&merchant.account.id, name);
        let found = found
            .await?
            .filter(|it| CollectionSort::of(&it.collection.kind) == sort);
        found.ok_or(match name {
            CollectionName::Reference(_) => CollectionError::ReferenceUnknown(sort),
            CollectionName::Number(_) => CollectionError::Unknown,
        })
    }

    /// A part of the merchant's collections of a kind.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn collections(
        &self,
        merchant: &Merchant,
        sort: CollectionSort,
        page: PageOf,
    ) -> Result<CollectionPage, CollectionError> {
        let collections = &self.parts().collections;
        Ok(collections
            .collections(&merchant.account.id, sort, page)
            .await?)
    }

    /// A part of what was paid to the merchant's collections.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn collected_payments(
        &self,
        merchant: &Merchant,
        wanted: CollectedPayments,
        page: PageOf,
    ) -> Result<CollectedPage, CollectionError> {
        let collections = &self.parts().collections;
        let found = collections.collected_payments(&merchant.account.id, wanted, page);
        Ok(found.await?)
    }

    /// Changes what a merchant's collection, of one of some kinds, takes. Where it is so already
    /// nothing changes.
    ///
    /// # Errors
    /// Refuses a collection that is not the merchant's, a version that it has not, and
    /// every step of a closed one but closing it.
    pub async fn change_collection(
        &self,
        merchant: &Merchant,
        (number, step): (TransactionNumber, CollectionStep),
        (seen, sorts): (&SeenCollection, &[CollectionSort]),
    ) -> Result<CollectionState, CollectionError> {
        for _ in 0..TRIES_MAX {
            let found = self.numbered(merchant, number).await?;
            let found = found.filter(|it| sorts.contains(&CollectionSort::of(&it.collection.kind)));
            let state = found.ok_or(CollectionError::Unknown)?;
            let version = state.collection.version;
            if seen
                .only_in
                .as_ref()
                .is_some_and(|all| !all.contains(&version))
            {
                return Err(CollectionError::Changed);
            }
            let changed = state.collection.after(step, seen.stated);
            let changed = changed.map_err(|refused| match refused {
                CollectionRefusal::Changed(version) => CollectionError::Stale(version),
                CollectionRefusal::Closed => CollectionError::Closed,
            })?;
            if changed == state.collection {
                return Ok(state);
            }
            let stored = self.parts().collections.change_collection(&changed);
            match stored.await? {
                CollectionChange::Done => {
                    return Ok(CollectionState {
                        collection: changed,
                        ..state
                    });
                }
                CollectionChange::Conflict => {}
            }
        }
        Err(PortError::new("collections", "others change the collection all the time").into())
    }

    async fn numbered(
        &self,
        merchant: &Merchant,
        number: TransactionNumber,
    ) -> Result<Option<CollectionState>, PortError> {
        let name = CollectionName::Number(number);
        let collections = &self.parts().collections;
        collections.collection(&merchant.account.id, name).await
    }

    /// What is wanted, with numbers that were drawn for it.
    fn drawn(
        &self,
        merchant: &Merchant,
        wanted: &NewCollection,
        (number, created_at): (TransactionNumber, Timestamp),
    ) -> Result<Collection, CollectionError> {
        let typed = self.typed_number()?;
        let (payer, kind, amount) = match wanted {
            NewCollection::Account(wanted) => {
                let range = self.range(merchant).ok_or(CollectionError::NoRange)?;
                let account = VirtualAccount {
                    bank: range.bank().clone(),
                    number: range.drawn(typed),
                    email: wanted.email.clone(),
                    phone: wanted.phone.clone(),
                    identity: wanted.identity.clone(),
                    is_single: wanted.is_single,
                };
                let kind = CollectionKind::Account(account);
                (&wanted.customer, kind, wanted.amount)
            }
            NewCollection::Invoice(wanted) => {
                let kind = CollectionKind::Invoice {
                    reference: PaymentReference::drawn(typed),
                    purpose: wanted.purpose,
                    in_parts: wanted.in_parts,
                };
                (&wanted.payer, kind, Some(wanted.amount))
            }
            NewCollection::Checkout(wanted) => {
                let kind = CollectionKind::Checkout(CheckoutTerms {
                    reference: PaymentReference::drawn(typed),
                    email: wanted.email.clone(),
                    phone: wanted.phone.clone(),
                    redirect: wanted.redirect.clone(),
                    items: wanted.items.clone(),
                });
                (&wanted.customer, kind, Some(wanted.amount))
            }
        };
        Ok(Collection {
            account: merchant.account.id.clone(),
            number,
            reference: wanted.reference().clone(),
            payer: payer.clone(),
            kind,
            amount,
            expires_at: wanted.expires_at(created_at),
            admission: CollectionAdmission::Active,
            version: 1,
            created_at,
        })
    }

    /// The refusal of a reference, with the kind of collection that has it.
    async fn reference_taken(
        &self,
        merchant: &Merchant,
        wanted: &NewCollection,
    ) -> Result<CollectionError, PortError> {
        let reference = wanted.reference();
        let name = CollectionName::Reference(reference);
        let collections = &self.parts().collections;
        let earlier = collections.collection(&merchant.account.id, name).await?;
        // What no collection has is the reference of an invoice that is a draft.
        let sort = earlier.map_or(CollectionSort::Bill, |it| {
            CollectionSort::of(&it.collection.kind)
        });
        Ok(CollectionError::ReferenceTaken(reference.clone(), sort))
    }
}

const fn wanted_sort(wanted: &NewCollection) -> CollectionSort {
    match wanted {
        NewCollection::Account(_) => CollectionSort::Account,
        NewCollection::Invoice(_) => CollectionSort::Invoice,
        NewCollection::Checkout(_) => CollectionSort::Checkout,
    }
}

/// How long a collection of a kind may wait for its money.
const fn life_max(sort: CollectionSort) -> Duration {
    match sort {
        CollectionSort::Account | CollectionSort::Invoice | CollectionSort::Bill => {
            COLLECTION_LIFE_MAX
        }
        CollectionSort::Checkout => CHECKOUT_LIFE_MAX,
    }
}

const fn new(collection: Collection) -> CollectionResult {
    let none = Money::zero(Currency::Ngn);
    CollectionResult {
        state: CollectionState {
            collection,
            paid: CollectionPaid {
                total: none,
                largest: none,
                fees: none,
                count: 0,
            },
        },
        replay: ReplayMark::New,
    }
}

/// What the key of the request made before, where it is what is wanted now.
fn replayed(
    earlier: CollectionState,
    wanted: &NewCollection,
) -> Result<CollectionResult, CollectionError> {
    if !wanted.made(&earlier.collection) {
        return Err(RequestError::KeyReused.into());
    }
    Ok(CollectionResult {
        state: earlier,
        replay: ReplayMark::Replayed,
    })
}
