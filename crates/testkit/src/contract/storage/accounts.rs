//! Laws of accounts and their keys.

use super::setup::{Stores, whole};
use crate::builders::{account, account_id, at, contact, key, naira};
use domain::account::{Account, AccountContact, AccountIdentity, AccountStatus};
use domain::credential::{KeyRecord, LIVE_KEYS_MAX};
use domain::environment::Environment;
use domain::ledger::Wallet;
use domain::money::Currency;
use ports::accounts::{ContactChange, Created, Credentials, NewAccount};

async fn create(stores: &Stores, new: &NewAccount) -> Created {
    stores
        .accounts
        .create(new)
        .await
        .expect("create an account")
}

async fn keys(stores: &Stores, id: &str) -> Vec<KeyRecord> {
    let found = stores.accounts.credentials(&account_id(id)).await;
    found
        .expect("read credentials")
        .expect("the account exists")
        .keys
}

async fn add(stores: &Stores, id: &str, key: &KeyRecord) -> bool {
    let added = stores.accounts.add_key(&account_id(id), key).await;
    added.expect("add a key")
}

async fn revoke(stores: &Stores, id: &str, hint: Option<&str>) -> u64 {
    let revoked = stores
        .accounts
        .revoke_keys(&account_id(id), hint, at(99))
        .await;
    revoked.expect("revoke keys")
}

async fn reach(stores: &Stores, id: &str, contact: &AccountContact) -> ContactChange {
    let (accounts, id) = (&stores.accounts, account_id(id));
    let known = accounts.credentials(&id).await.expect("an account");
    let known = known.map(|it| it.account.contact).unwrap_or_default();
    let set = accounts.set_contact(&id, &known, contact).await;
    set.expect("set how an account is reached")
}

/// What identifies an account beside its identity.
fn identities(contact: &AccountContact) -> Vec<AccountIdentity> {
    let email = contact.email.clone().map(AccountIdentity::Email);
    let phone = contact.phone.clone().map(AccountIdentity::Phone);
    email.into_iter().chain(phone).collect()
}

/// The identity of the account of an environment that an identity leads to.
async fn found(
    stores: &Stores,
    environment: Environment,
    identity: &AccountIdentity,
) -> Option<Account> {
    let accounts = &stores.accounts;
    let found = accounts.account_by_identity(environment, identity).await;
    found.expect("find an account")
}

/// The account, its key and its money are there together.
pub async fn an_account_reads_back_with_its_key_and_opening_balance(stores: &Stores) {
    let new = account("shop")
        .named("Ọjà Ẹlẹ́gbà & Sons “24/7”")
        .opened_at(at(7))
        .with_key(key(3))
        .with_balance("1,000.00")
        .new_account();
    assert_eq!(create(stores, &new).await, Created::Done);
    let kept = stores
        .accounts
        .credentials(&account_id("shop"))
        .await
        .unwrap();
    let expected = Credentials {
        account: new.account,
        keys: vec![key(3)],
        access: vec![],
        limits: Vec::new(),
        freezes: Vec::new(),
        allowlists: Vec::new(),
    };
    assert_eq!(kept, Some(expected));
    assert_eq!(stores.balances("shop").await, (100_000, 0));
    let page = stores.statement("shop", &whole()).await;
    assert_eq!((page.total, page.entries[0].amount), (1, naira("1,000.00")));

    assert_eq!(
        create(stores, &account("empty").new_account()).await,
        Created::Done
    );
    let empty = account_id("empty");
    let wallets = Currency::ALL.map(|currency| Wallet::new(empty.clone(), currency));
    let kept = stores.transactions.wallets(&empty).await.unwrap();
    assert_eq!(kept, wallets);
    assert_eq!(stores.statement("empty", &whole()).await.total, 0);
}

/// A second account of one identity is refused and changes nothing of the first.
pub async fn an_identity_is_taken_once(stores: &Stores) {
    let first = account("shop").with_balance("10.00").new_account();
    assert_eq!(create(stores, &first).await, Created::Done);
    let second = account("shop")
        .named("Other")
        .with_key(key(2))
        .with_balance("99.00");
    assert_eq!(
        create(stores, &second.new_account()).await,
        Created::IdentityTaken
    );
    let kept = stores
        .accounts
        .credentials(&account_id("shop"))
        .await
        .unwrap()
        .unwrap();
    assert_eq!((kept.account, kept.keys), (first.account, vec![key(1)]));
    assert_eq!(stores.balances("shop").await, (1_000, 0));
}

/// `Shop` and `shop` are two accounts.
pub async fn identities_differ_by_case(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    stores.has_account("Shop", "2.00").await;
    assert_eq!(stores.balances("shop").await, (100, 0));
    assert_eq!(stores.balances("Shop").await, (200, 0));
}

/// By identity, byte by byte, each with its wallet.
pub async fn accounts_are_listed_by_identity(stores: &Stores) {
    for (id, balance) in [("b", "2.00"), ("a-1", "3.00"), ("B", "4.00"), ("a", "1.00")] {
        stores.has_account(id, balance).await;
    }
    let listed = stores.accounts.list().await.unwrap();
    let of = |(account, wallets): &(Account, Vec<Wallet>)| {
        let wallets = wallets.iter();
        let wallets = wallets.map(|it| (it.currency(), it.available.minor()));
        (account.id.to_string(), wallets.collect())
    };
    let listed: Vec<(String, Vec<_>)> = listed.iter().map(of).collect();
    let both = |naira| vec![(Currency::Ngn, naira), (Currency::Crd, 0)];
    let expected = [("B", 400), ("a", 100), ("a-1", 300), ("b", 200)];
    assert_eq!(
        listed,
        expected.map(|(id, naira)| (id.to_owned(), both(naira)))
    );
}

/// By its identity, its e-mail address or its phone number, in its environment alone, and by
/// nothing that it does not have any more.
pub async fn an_account_is_found_by_each_thing_that_identifies_it(stores: &Stores) {
    let first = contact("owner@shop.example", "2348031234567");
    let new = account("shop").reached_by("owner@shop.example", "2348031234567");
    let new = new.new_account();
    assert_eq!(create(stores, &new).await, Created::Done);
    stores.has_account("kiosk", "1.00").await;
    let mut by_first = identities(&first);
    by_first.push(AccountIdentity::Id(account_id("shop")));
    for identity in &by_first {
        let kept = found(stores, Environment::Test, identity).await;
        assert_eq!(kept.as_ref(), Some(&new.account), "{identity:?}");
        assert_eq!(found(stores, Environment::Live, identity).await, None);
    }
    let second = contact("till@shop.example", "");
    assert_eq!(reach(stores, "shop", &second).await, ContactChange::Done);
    let shop = account_id("shop");
    let kept = stores.accounts.credentials(&shop).await.unwrap().unwrap();
    let expected = Account {
        contact: second.clone(),
        ..new.account
    };
    assert_eq!(kept.account, expected);
    let listed = stores.accounts.list().await.unwrap();
    assert!(listed.iter().any(|(account, _)| *account == expected));
    for identity in identities(&first) {
        assert_eq!(found(stores, Environment::Test, &identity).await, None);
    }
    for identity in identities(&second) {
        let kept = found(stores, Environment::Test, &identity).await;
        assert_eq!(kept, Some(expected.clone()));
    }
    let nothing = contact("", "");
    assert_eq!(reach(stores, "shop", &nothing).await, ContactChange::Done);
    for identity in identities(&second) {
        assert_eq!(found(stores, Environment::Test, &identity).await, None);
    }
    let ghost = reach(stores, "ghost", &first).await;
    assert_eq!(ghost, ContactChange::AccountUnknown);
}

/// A change that was worked out from what is no longer stored changes nothing.
pub async fn a_contact_is_changed_from_what_was_known(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    let shop = account_id("shop");
    let (none, first) = (contact("", ""), contact("owner@shop.example", ""));
    let second = contact("owner@shop.example", "2348031234567");
    let third = contact("till@shop.example", "2348031234567");
    for (known, wanted, change) in [
        (&first, &second, ContactChange::Behind),
        (&none, &first, ContactChange::Done),
        (&none, &third, ContactChange::Behind),
        (&third, &none, ContactChange::Behind),
        (&first, &second, ContactChange::Done),
        (&first, &third, ContactChange::Behind),
    ] {
        let set = stores.accounts.set_contact(&shop, known, wanted).await;
        assert_eq!(set.unwrap(), change, "{known} to {wanted}");
    }
    let kept = stores.accounts.credentials(&shop).await.unwrap().unwrap();
    assert_eq!(kept.account.contact, second);
}

/// Another account of the environment is refused both and changes nothing; one of the other
/// environment may have the same, and so may the account itself, again.
pub async fn an_address_and_a_number_lead_to_one_account_of_an_environment(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    stores.has_account("kiosk", "1.00").await;
    let live = account("shop-live").live().new_account();
    assert_eq!(create(stores, &live).await, Created::Done);
    let own = contact("owner@shop.example", "2348031234567");
    for id in ["shop", "shop", "shop-live"] {
        assert_eq!(reach(stores, id, &own).await, ContactChange::Done, "{id}");
    }
    let email = contact("owner@shop.example", "2348030000000");
    assert_eq!(
        reach(stores, "kiosk", &email).await,
        ContactChange::EmailTaken
    );
    let phone = contact("owner@kiosk.example", "2348031234567");
    assert_eq!(
        reach(stores, "kiosk", &phone).await,
        ContactChange::PhoneTaken
    );
    for identity in [identities(&email), identities(&phone)].concat() {
        let kept = found(stores, Environment::Test, &identity).await;
        let of_shop = identities(&own).contains(&identity);
        let id = kept.map(|account| account.id);
        assert_eq!(id, of_shop.then(|| account_id("shop")), "{identity:?}");
    }
    for identity in identities(&own) {
        let kept = found(stores, Environment::Live, &identity).await;
        assert_eq!(
            kept.map(|account| account.id),
            Some(account_id("shop-live"))
        );
    }
    // What an account gives up is free for others; two without either do not meet.
    let none = contact("", "");
    for id in ["shop", "kiosk"] {
        assert_eq!(reach(stores, id, &none).await, ContactChange::Done);
    }
    assert_eq!(reach(stores, "kiosk", &own).await, ContactChange::Done);
    let lost = stores.accounts.credentials(&account_id("shop")).await;
    assert_eq!(lost.unwrap().unwrap().account.contact, none);
}

/// What messages are charged to is what was set last, and nothing else of the account changes.
pub async fn messages_are_charged_to_the_wallet_that_was_set(stores: &Stores) {
    let new = account("shop").messages_in_credits().new_account();
    assert_eq!(create(stores, &new).await, Created::Done);
    let accounts = &stores.accounts;
    let shop = account_id("shop");
    let kept = accounts.credentials(&shop).await.unwrap().unwrap().account;
    assert_eq!(kept, new.account);
    for currency in [Currency::Ngn, Currency::Ngn, Currency::Crd] {
        assert!(
            accounts
                .set_message_currency(&shop, currency)
                .await
                .unwrap()
        );
        let kept = accounts.credentials(&shop).await.unwrap().unwrap().account;
        let expected = Account {
            message_currency: currency,
            ..new.account.clone()
        };
        assert_eq!(kept, expected);
        assert_eq!(accounts.list().await.unwrap()[0].0, expected);
    }
    let ghost = account_id("ghost");
    let set = accounts.set_message_currency(&ghost, Currency::Crd).await;
    assert!(!set.unwrap());
}

/// A status is what was set last; an account that does not exist has none.
pub async fn a_status_can_be_set_and_lifted(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    let accounts = &stores.accounts;
    for status in [
        AccountStatus::Suspended,
        AccountStatus::Suspended,
        AccountStatus::Active,
    ] {
        assert!(
            accounts
                .set_status(&account_id("shop"), status)
                .await
                .unwrap()
        );
        let kept = accounts
            .credentials(&account_id("shop"))
            .await
            .unwrap()
            .unwrap();
        assert_eq!(kept.account.status, status);
        assert_eq!(accounts.list().await.unwrap()[0].0.status, status);
    }
    let ghost = account_id("ghost");
    assert!(
        !accounts
            .set_status(&ghost, AccountStatus::Active)
            .await
            .unwrap()
    );
    assert_eq!(accounts.credentials(&ghost).await.unwrap(), None);
}

/// Rotation leaves the current key and the one before it.
pub async fn a_third_key_revokes_the_oldest(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    assert!(add(stores, "shop", &key(2)).await);
    assert_eq!(keys(stores, "shop").await, [key(1), key(2)]);
    assert!(add(stores, "shop", &key(3)).await);
    assert_eq!(keys(stores, "shop").await, [key(2), key(3)]);
    assert!(add(stores, "shop", &key(4)).await);
    assert_eq!(keys(stores, "shop").await, [key(3), key(4)]);
    assert_eq!(keys(stores, "shop").await.len(), LIVE_KEYS_MAX);
}

/// The named key stops working and stays revoked; its place is free.
pub async fn a_key_is_revoked_by_its_hint(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    stores.has_account("kiosk", "1.00").await;
    assert!(add(stores, "shop", &key(2)).await);
    assert_eq!(revoke(stores, "shop", Some("no such hint")).await, 0);
    assert_eq!(revoke(stores, "shop", Some(&key(1).hint)).await, 1);
    assert_eq!(keys(stores, "shop").await, [key(2)]);
    assert_eq!(revoke(stores, "shop", Some(&key(1).hint)).await, 0);
    assert!(add(stores, "shop", &key(3)).await);
    assert_eq!(keys(stores, "shop").await, [key(2), key(3)]);
    assert_eq!(keys(stores, "kiosk").await, [key(1)]);
}

/// Better one key too few than one too many.
pub async fn a_hint_that_two_keys_share_revokes_both(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    let twin = KeyRecord {
        hint: key(1).hint,
        ..key(2)
    };
    assert!(add(stores, "shop", &twin).await);
    assert_eq!(revoke(stores, "shop", Some(&twin.hint)).await, 2);
    assert_eq!(keys(stores, "shop").await, []);
}

/// Without a hint every live key goes, of this account only.
pub async fn every_key_is_revoked_at_once(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    stores.has_account("kiosk", "1.00").await;
    assert!(add(stores, "shop", &key(2)).await);
    assert_eq!(revoke(stores, "shop", None).await, 2);
    assert_eq!(revoke(stores, "shop", None).await, 0);
    assert_eq!(keys(stores, "shop").await, []);
    assert_eq!(keys(stores, "kiosk").await, [key(1)]);
}

/// For an unknown account, keys can be neither added nor revoked.
pub async fn an_unknown_account_has_no_keys(stores: &Stores) {
    assert!(!add(stores, "ghost", &key(1)).await);
    assert_eq!(revoke(stores, "ghost", None).await, 0);
    stores.has_account("ghost", "1.00").await;
    assert_eq!(keys(stores, "ghost").await, [key(1)]);
}
