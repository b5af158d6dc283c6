//! What the store says of a merchant's reference when nothing else does. It must not say that
//! nothing is stored under one while this process may be opening it, or a record of it may be lost.

use crate::gateway::{Gateway, Merchant};
use domain::account::AccountId;
use domain::money::Money;
use domain::reference::{MerchantReference, ProviderReference};
use domain::reference_settlement::SettledAs;
use domain::transaction::{AttemptNumber, Transaction};
use ports::PortError;
use ports::reconciliation::UnsettledReference;

/// What is known of a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReferenceUse {
    /// Its transaction, of any family.
    Stored(Box<Transaction>),
    /// It was delivered for this amount; the record was lost with an older database.
    DeliveredWithoutRecord(Money),
    /// It is not stored, and may be: a request of this process may still open it, or it was stored
    /// before the database was restored.
    Unsettled,
    /// It was not stored when the store was read. Another instance may still open it.
    NotStored,
}

impl Gateway {
    /// What is known of a merchant's reference.
    ///
    /// # Errors
    /// When the store failed: nothing is known.
    pub async fn reference_use(
        &self,
        merchant: &Merchant,
        reference: &MerchantReference,
    ) -> Result<ReferenceUse, PortError> {
        let account = &merchant.account.id;
        // Looked at before the store is read: what leaves the list in between is found there.
        let may_be_opened = self.opening().has(account, reference);
        let stored = self.under_reference(account, reference).await?;
        if let Some(transaction) = stored {
            return Ok(ReferenceUse::Stored(Box::new(transaction)));
        }
        let reconciliation = &self.parts().reconciliation;
        if may_be_opened || reconciliation.suspension().await?.is_some() {
            return Ok(ReferenceUse::Unsettled);
        }
        self.lost_use(account, reference).await
    }

    /// What is known of a reference that is not stored: whether its record was lost with an older
    /// database.
    pub(crate) async fn lost_use(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<ReferenceUse, PortError> {
        let reconciliation = &self.parts().reconciliation;
        for attempt in AttemptNumber::all() {
            let derived = ProviderReference::derive(account, reference, attempt);
            let settled = reconciliation.settled_as(&derived).await?;
            if let Some(amount) = settled.and_then(SettledAs::amount) {
                return Ok(ReferenceUse::DeliveredWithoutRecord(amount));
            }
        }
        let undated = self.undated_references(account, reference);
        for noted in reconciliation.noted_as(&undated).await? {
            match noted.settled_as {
                None => return Ok(ReferenceUse::Unsettled),
                Some(settled) => {
                    if let Some(amount) = settled.amount() {
                        return Ok(ReferenceUse::DeliveredWithoutRecord(amount));
                    }
                }
            }
        }
        let may_be_it = |unsettled: &UnsettledReference| match unsettled.reference.parts() {
            Some((whose, named, _)) => whose == *account && named == *reference,
            None => self.may_be_anything(unsettled),
        };
        let is_lost = reconciliation.unsettled().await?.iter().any(may_be_it);
        Ok(if is_lost {
            ReferenceUse::Unsettled
        } else {
            ReferenceUse::NotStored
        })
    }

    /// Whether a reference that does not say whose it is may be of any merchant: its provider makes
    /// references of its own, and this one is not of the form that is known of it.
    fn may_be_anything(&self, unsettled: &UnsettledReference) -> bool {
        let Some(provider) = self.provider(&unsettled.provider) else {
            return true;
        };
        let form = provider.own_references();
        form.is_some_and(|form| form.read(&unsettled.reference).is_none())
    }
}
