//! Templates and flows that merchants keep. One of another account must never be found.

use super::MemoryStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::messaging_library::{LIBRARY_MAX, LibraryItem, LibraryItemId, LibraryKind};
use domain::statement::Sort;
use ports::PortError;
use ports::batches::PageOf;
use ports::messaging_library::{LibraryCreation, LibraryPage, MessagingLibrary};

#[async_trait]
impl MessagingLibrary for MemoryStore {
    async fn keep(&self, item: &LibraryItem) -> Result<LibraryCreation, PortError> {
        let mut tables = self.tables();
        if tables.account(&item.account).is_none() {
            return Ok(LibraryCreation::AccountUnknown);
        }
        let kept = tables.messaging_library.iter();
        let kept: Vec<_> = kept.filter(|kept| kept.account == item.account).collect();
        if kept.iter().any(|kept| kept.id == item.id) {
            return Ok(LibraryCreation::IdTaken);
        }
        let kind = item.content.kind();
        let of_kind = kept.iter().filter(|kept| kept.content.kind() == kind);
        if of_kind.count() >= LIBRARY_MAX as usize {
            return Ok(LibraryCreation::TooMany);
        }
        tables.messaging_library.push(item.clone());
        Ok(LibraryCreation::Done)
    }

    async fn remove_item(
        &self,
        account: &AccountId,
        (kind, id): (LibraryKind, LibraryItemId),
    ) -> Result<bool, PortError> {
        let mut tables = self.tables();
        let before = tables.messaging_library.len();
        tables.messaging_library.retain(|kept| {
            kept.account != *account || kept.id != id || kept.content.kind() != kind
        });
        Ok(tables.messaging_library.len() < before)
    }

    async fn item(
        &self,
        account: &AccountId,
        id: LibraryItemId,
    ) -> Result<Option<LibraryItem>, PortError> {
        let tables = self.tables();
        let mut kept = tables.messaging_library.iter();
        let found = kept.find(|kept| kept.account == *account && kept.id == id);
        Ok(found.cloned())
    }

    async fn items(
        &self,
        account: &AccountId,
        kind: LibraryKind,
        page: PageOf,
    ) -> Result<LibraryPage, PortError> {
        let tables = self.tables();
        let kept = tables.messaging_library.iter();
        let kept = kept.filter(|kept| kept.account == *account && kept.content.kind() == kind);
        let mut kept: Vec<_> = kept.collect();
        kept.sort_by_key(|kept| (kept.created_at, kept.id));
        if page.sort == Sort::Descending {
            kept.reverse();
        }
        let total = kept.len() as u64;
        let shown = kept.into_iter().map(LibraryItem::summary);
        let offset = usize::try_from(page.offset).unwrap_or(usize::MAX);
        Ok(LibraryPage {
            items: shown.skip(offset).take(page.length as usize).collect(),
            total,
        })
    }
}
