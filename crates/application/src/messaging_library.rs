//! Templates and flows that a merchant keeps. One of another account must never be used.

use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::request_error::{MessageRefusal, RequestError};
use domain::idempotency::IdempotencyKey;
use domain::ivr::CallFlow;
use domain::messaging_library::{
    LibraryContent, LibraryItem, LibraryItemId, LibraryKind, LibraryName,
};
use domain::reference::MerchantReference;
use domain::sms::MessageTemplate;
use ports::PortError;
use ports::batches::PageOf;
use ports::messaging_library::LibraryCreation;
pub use ports::messaging_library::LibraryPage;

/// How many numbers are drawn for an item: that even two are in use does not happen.
const DRAWS_MAX: usize = 8;

/// Why a request about kept items is refused.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// The account has as many of the kind as it may have.
    #[error("too many of the kind {}", .0.code())]
    TooMany(LibraryKind),
    /// For a reason that requests of other kinds are refused for.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl From<PortError> for LibraryError {
    fn from(failed: PortError) -> Self {
        Self::Request(failed.into())
    }
}

/// An item, and whether the request made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryResult {
    /// The item.
    pub item: LibraryItem,
    /// Whether an earlier request had made it.
    pub replay: ReplayMark,
}

impl Gateway {
    /// Keeps an item of a merchant; where the merchant's key of the request kept one before, that
    /// one is answered.
    ///
    /// # Errors
    /// Refuses one too many of the kind, and a key that was used for another item.
    pub async fn keep_item(
        &self,
        merchant: &Merchant,
        (name, content): (LibraryName, LibraryContent),
        retry_key: Option<&IdempotencyKey>,
    ) -> Result<LibraryResult, LibraryError> {
        let account = &merchant.account.id;
        let kind = content.kind();
        let made_for = match kind {
            LibraryKind::Template => "message template",
            LibraryKind::Flow => "call flow",
        };
        for _ in 0..DRAWS_MAX {
            let number = match retry_key {
                Some(key) => self.retried_number(made_for, merchant, key)?,
                None => self.parts().ids.transaction_number(),
            };
            let item = LibraryItem {
                account: account.clone(),
                id: LibraryItemId::new(number),
                name: name.clone(),
                content: content.clone(),
                created_at: self.now(),
            };
            match self.parts().library.keep(&item).await? {
                LibraryCreation::Done => {
                    let replay = ReplayMark::New;
                    return Ok(LibraryResult { item, replay });
                }
                LibraryCreation::TooMany => return Err(LibraryError::TooMany(kind)),
                LibraryCreation::AccountUnknown => {
                    let what = "an account that was let in has no place for an item";
                    return Err(PortError::new("messaging library", what).into());
                }
                LibraryCreation::IdTaken => {}
            }
            if retry_key.is_none() {
                continue;
            }
            // Where it was removed just now, it is kept again.
            let earlier = self.parts().library.item(account, item.id).await?;
            if let Some(earlier) = earlier {
                if earlier.content != content || earlier.name != name {
                    return Err(RequestError::KeyReused.into());
                }
                return Ok(LibraryResult {
                    item: earlier,
                    replay: ReplayMark::Replayed,
                });
            }
        }
        let what = "every number that was drawn is in use";
        Err(PortError::new("messaging library", what).into())
    }

    /// One of the merchant's items.
    ///
    /// # Errors
    /// Refuses a number that is none of the merchant's items of the kind.
    pub async fn kept_item(
        &self,
        merchant: &Merchant,
        (kind, id): (LibraryKind, LibraryItemId),
    ) -> Result<LibraryItem, RequestError> {
        let found = self.parts().library.item(&merchant.account.id, id).await?;
        let found = found.filter(|item| item.content.kind() == kind);
        found.ok_or(MessageRefusal::NotKept(kind).into())
    }

    /// A part of the merchant's items of a kind.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn kept_items(
        &self,
        merchant: &Merchant,
        kind: LibraryKind,
        page: PageOf,
    ) -> Result<LibraryPage, RequestError> {
        let library = &self.parts().library;
        Ok(library.items(&merchant.account.id, kind, page).await?)
    }

    /// Removes an item. What was made of it stays as it is.
    ///
    /// # Errors
    /// Refuses a number that is none of the merchant's items of the kind.
    pub async fn remove_kept(
        &self,
        merchant: &Merchant,
        item: (LibraryKind, LibraryItemId),
    ) -> Result<(), RequestError> {
        let library = &self.parts().library;
        let removed = library.remove_item(&merchant.account.id, item).await?;
        removed
            .then_some(())
            .ok_or(MessageRefusal::NotKept(item.0).into())
    }

    /// The flow of a number.
    ///
    /// # Errors
    /// Refuses a number that is none of the merchant's flows.
    pub(crate) async fn kept_flow(
        &self,
        merchant: &Merchant,
        id: LibraryItemId,
    ) -> Result<CallFlow, RequestError> {
        let found = self.parts().library.item(&merchant.account.id, id).await?;
        match found.map(|item| item.content) {
            Some(LibraryContent::Flow(flow)) => Ok(flow),
            Some(LibraryContent::Template(_)) | None => {
                Err(MessageRefusal::NotKept(LibraryKind::Flow).into())
            }
        }
    }

    /// The text of the template that a batch of messages is made of. Where it is gone, a request
    /// that was accepted before is not answered as if nothing had been sent.
    ///
    /// # Errors
    /// Refuses a number that is none of the merchant's templates, and then a reference that a batch
    /// has.
    pub async fn template_of_batch(
        &self,
        merchant: &Merchant,
        (id, reference): (LibraryItemId, Option<MerchantReference>),
    ) -> Result<MessageTemplate, RequestError> {
        let account = &merchant.account.id;
        let found = self.parts().library.item(account, id).await?;
        if let Some(LibraryContent::Template(text)) = found.map(|item| item.content) {
            return Ok(text);
        }
        let unknown = MessageRefusal::NotKept(LibraryKind::Template).into();
        let Some(reference) = reference else {
            return Err(unknown);
        };
        let batches = &self.parts().batches;
        let taken = batches.batch(account, &reference).await?;
        Err(match taken {
            Some((batch, _)) => RequestError::BatchTaken {
                kind: batch.kind,
                reference,
            },
            None => unknown,
        })
    }
}
