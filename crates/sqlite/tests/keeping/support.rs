//! A store in a folder, something to buy, and a way into its file. It never hides what the store
//! answered: every call that a test is about is made by the test.

use crate::cipher::cipher;
use domain::change_set::ChangeSet;
use ports::PortError;
use ports::accounts::Accounts;
use ports::audit::{Audit, CheckOutcome, Serving};
use sqlite::{SqliteOptions, SqliteStore};
use sqlx::ConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use std::path::Path;
use std::sync::Arc;
use testkit::builders::{START, account, airtime};

pub(crate) async fn open(dir: &Path) -> Arc<SqliteStore> {
    Arc::new(
        SqliteStore::connect(dir, SqliteOptions::default(), cipher())
            .await
            .unwrap(),
    )
}

pub(crate) async fn shop_with(dir: &Path, balance: &str) -> Arc<SqliteStore> {
    let store = open(dir).await;
    let new = account("shop").with_balance(balance).new_account();
    store.create(&new).await.unwrap();
    store
}

pub(crate) async fn raw(dir: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(dir.join("manilla.db"));
    options.connect().await.unwrap()
}

pub(crate) async fn is_clean(store: &SqliteStore) {
    for result in store.audit(START, Serving::Yes).await.unwrap() {
        assert!(
            matches!(result.outcome, CheckOutcome::Holds { .. }),
            "{result:?}"
        );
    }
}

pub(crate) fn buy(n: u64) -> ChangeSet {
    airtime().nth(n).priced("1.00").change()
}

pub(crate) fn whole(error: &PortError) -> String {
    let cause = std::error::Error::source(error).map(ToString::to_string);
    format!("{error}: {}", cause.unwrap_or_default())
}
