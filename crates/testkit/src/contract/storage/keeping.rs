//! Laws of the templates and flows that merchants keep. An item must never be shown to another
//! account.

use super::setup::Stores;
use crate::builders::{account_id, at, kept_flow, kept_template, library_id};
use domain::messaging_library::{LIBRARY_MAX, LibraryItem, LibraryItemId, LibraryKind};
use domain::statement::Sort;
use ports::batches::PageOf;
use ports::messaging_library::LibraryCreation;

const ALL: PageOf = PageOf {
    offset: 0,
    length: 100,
    sort: Sort::Ascending,
};

async fn keep(stores: &Stores, item: &LibraryItem) -> LibraryCreation {
    let kept = stores.library.keep(item).await;
    kept.expect("keep an item")
}

async fn found(stores: &Stores, account: &str, id: u64) -> Option<LibraryItem> {
    let account = account_id(account);
    let found = stores.library.item(&account, library_id(id)).await;
    found.expect("find an item")
}

async fn remove(stores: &Stores, account: &str, (kind, id): (LibraryKind, u64)) -> bool {
    let account = account_id(account);
    let removed = stores.library.remove_item(&account, (kind, library_id(id)));
    removed.await.expect("remove an item")
}

async fn listed(
    stores: &Stores,
    account: &str,
    (kind, page): (LibraryKind, PageOf),
) -> (Vec<LibraryItemId>, u64) {
    let page = stores.library.items(&account_id(account), kind, page).await;
    let page = page.expect("list items");
    let ids = page.items.iter().map(|item| item.id);
    (ids.collect(), page.total)
}

/// An item reads back as it was kept, with every part of it.
pub async fn a_kept_item_reads_back_as_it_was_kept(stores: &Stores) {
    stores.has_account("shop", "100").await;
    for item in [kept_template("shop", 7), kept_flow("shop", 8)] {
        assert_eq!(keep(stores, &item).await, LibraryCreation::Done);
        assert_eq!(
            found(stores, "shop", item.id.get()).await,
            Some(item.clone())
        );
        assert_eq!(keep(stores, &item).await, LibraryCreation::IdTaken);
    }
    // A number is that of one item, whatever its kind.
    let taken = keep(stores, &kept_flow("shop", 7)).await;
    assert_eq!(taken, LibraryCreation::IdTaken);
    let unknown = keep(stores, &kept_flow("stranger", 7)).await;
    assert_eq!(unknown, LibraryCreation::AccountUnknown);
}

/// An item is its account's alone, and one kind is not the other.
pub async fn a_kept_item_is_its_accounts_alone(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    let ours = kept_flow("shop", 7);
    assert_eq!(keep(stores, &ours).await, LibraryCreation::Done);
    assert_eq!(found(stores, "other", 7).await, None);
    let flow = (LibraryKind::Flow, 7);
    assert!(!remove(stores, "other", flow).await);
    assert!(!remove(stores, "shop", (LibraryKind::Template, 7)).await);
    assert_eq!(found(stores, "shop", 7).await, Some(ours));
    for (account, kind) in [
        ("other", LibraryKind::Flow),
        ("shop", LibraryKind::Template),
    ] {
        assert_eq!(listed(stores, account, (kind, ALL)).await, (vec![], 0));
    }
    // The number of one is free for another.
    let theirs = kept_template("other", 7);
    assert_eq!(keep(stores, &theirs).await, LibraryCreation::Done);
    assert!(remove(stores, "shop", flow).await);
    assert!(!remove(stores, "shop", flow).await);
    assert_eq!(found(stores, "shop", 7).await, None);
    assert_eq!(found(stores, "other", 7).await, Some(theirs));
}

/// Items of a kind are listed by the moment they were made, in parts.
pub async fn the_kept_items_of_an_account_come_in_parts(stores: &Stores) {
    stores.has_account("shop", "100").await;
    for (id, made) in [(3, 0), (1, 60), (2, 60)] {
        let item = LibraryItem {
            created_at: at(made),
            ..kept_template("shop", id)
        };
        keep(stores, &item).await;
    }
    keep(stores, &kept_flow("shop", 4)).await;
    let of = |ids: [u64; 3]| ids.map(library_id).to_vec();
    let template = |page| (LibraryKind::Template, page);
    assert_eq!(
        listed(stores, "shop", template(ALL)).await,
        (of([3, 1, 2]), 3)
    );
    let descending = PageOf {
        sort: Sort::Descending,
        ..ALL
    };
    assert_eq!(
        listed(stores, "shop", template(descending)).await,
        (of([2, 1, 3]), 3)
    );
    let part = PageOf {
        offset: 1,
        length: 1,
        ..ALL
    };
    assert_eq!(
        listed(stores, "shop", template(part)).await,
        (vec![library_id(1)], 3)
    );
    let shop = account_id("shop");
    let page = stores.library.items(&shop, LibraryKind::Template, part);
    let page = page.await.expect("list items");
    assert_eq!(page.items[0].name.as_str(), "Opening hours");
}

/// An account keeps so many items of a kind and no more.
pub async fn an_account_keeps_so_many_items_and_no_more(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let most = u64::from(LIBRARY_MAX);
    for id in 1..=most {
        let kept = keep(stores, &kept_template("shop", id)).await;
        assert_eq!(kept, LibraryCreation::Done);
    }
    let more = kept_template("shop", most + 1);
    assert_eq!(keep(stores, &more).await, LibraryCreation::TooMany);
    // A retry of one that was kept is not one more, and the other kind has room of its own.
    let again = keep(stores, &kept_template("shop", 1)).await;
    assert_eq!(again, LibraryCreation::IdTaken);
    let flow = keep(stores, &kept_flow("shop", most + 1)).await;
    assert_eq!(flow, LibraryCreation::Done);
    assert!(remove(stores, "shop", (LibraryKind::Template, 1)).await);
    let more = kept_template("shop", most + 2);
    assert_eq!(keep(stores, &more).await, LibraryCreation::Done);
}
