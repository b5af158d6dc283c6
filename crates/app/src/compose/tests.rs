//! Administrative work on a real data folder. It must not need a server.

use std::fs;
use std::path::Path;

use domain::account::AccountId;
use domain::change_set::{ChangeSet, Funding};
use domain::environment::Environment;
use domain::money::{Currency, Money};
use domain::reference::MerchantReference;
use ports::audit::{CheckOutcome, Serving};
use ports::ledger_store::CommitOutcome;
use ports::permit::{Granted, SendPermit, Withheld};
use ports::provider::Provider as _;
use tempfile::TempDir;

use provider_sim::{SimSettings, Simulator};

use super::*;
use crate::commands::account::NewAccountView;
use crate::config::{self, Flags};
use crate::operator::SigningAuthority;
use crate::provider_reconciliation;

fn config(data: &Path) -> Config {
    let flags = Flags {
        data: Some(data.to_owned()),
        ..Flags::default()
    };
    config::load(&flags, [], &crate::Registry::standard()).unwrap()
}

/// A data folder with one account, as `manilla account create` leaves it.
async fn folder_with_account() -> (TempDir, AccountId, String) {
    let folder = TempDir::new().unwrap();
    let context = AdminContext::open(&config(folder.path()), DataFolder::MadeIfMissing)
        .await
        .unwrap();
    let opened = NewAccountView::to_try().unwrap();
    let opened = opened
        .open(&context, &SigningAuthority::Program)
        .await
        .unwrap();
    context.close().await;
    let id = AccountId::parse(&opened.identity).unwrap();
    (folder, id, opened.key)
}

async fn context(folder: &TempDir) -> anyhow::Result<AdminContext> {
    AdminContext::open(&config(folder.path()), DataFolder::MustExist).await
}

#[tokio::test]
async fn a_folder_without_books_is_refused_and_left_as_it_was() {
    let folder = TempDir::new().unwrap();
    let missing = folder.path().join("misspelt");
    let refused = AdminContext::open(&config(&missing), DataFolder::MustExist).await;
    assert!(refused.unwrap_err().to_string().contains("holds no books"));
    assert!(!missing.exists());
}

#[tokio::test]
async fn the_books_are_kept_in_the_file_that_is_looked_for() {
    let (folder, ..) = folder_with_account().await;
    assert!(folder.path().join(storage::BOOKS_FILE).is_file());
}

#[tokio::test]
async fn a_key_is_recognised_later_and_stored_nowhere() {
    let (folder, id, key) = folder_with_account().await;
    let context = context(&folder).await.unwrap();
    let let_in = context.gateway.authenticate(id.as_str(), &key).await;
    assert_eq!(let_in.unwrap().account.id, id);
    let (other, _) = context.new_key((&id, Environment::Test)).unwrap();
    assert!(
        context
            .gateway
            .authenticate(id.as_str(), &other)
            .await
            .is_err()
    );
    context.close().await;

    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = if path.is_file() {
            fs::read(&path).unwrap()
        } else {
            Vec::new()
        };
        let found = bytes.windows(key.len()).any(|part| part == key.as_bytes());
        assert!(!found, "the key stands in {}", path.display());
    }
}

#[tokio::test]
async fn books_whose_pepper_is_lost_are_not_opened_with_another() {
    let (folder, ..) = folder_with_account().await;
    fs::remove_file(folder.path().join("pepper")).unwrap();
    let refused = context(&folder).await.unwrap_err();
    assert!(
        refused.to_string().contains("pepper is missing"),
        "{refused}"
    );
    let made = AdminContext::open(&config(folder.path()), DataFolder::MadeIfMissing).await;
    assert!(made.is_err());
}

#[tokio::test]
async fn a_pepper_that_is_configured_takes_the_place_of_the_file() {
    let (folder, id, key) = folder_with_account().await;
    let pepper = fs::read(folder.path().join("pepper")).unwrap();
    let mut config = config(folder.path());
    config.pepper = Some(crate::secrets::PepperBytes([7; 32]));
    let refused = AdminContext::open(&config, DataFolder::MustExist).await;
    let refused = refused.unwrap_err().to_string();
    assert!(
        refused.contains("under another pepper than secrets.pepper"),
        "{refused}"
    );
    config.pepper = Some(crate::secrets::PepperBytes(pepper.try_into().unwrap()));
    fs::remove_file(folder.path().join("pepper")).unwrap();
    let context = AdminContext::open(&config, DataFolder::MustExist)
        .await
        .unwrap();
    let let_in = context.gateway.authenticate(id.as_str(), &key).await;
    assert_eq!(let_in.unwrap().account.id, id);
    context.close().await;
}

#[tokio::test]
async fn secrets_that_are_not_those_of_the_store_are_refused_until_they_are_accepted() {
    let (folder, id, key) = folder_with_account().await;
    let keys = folder.path().join("keys");
    let own = fs::read(&keys).unwrap();
    fs::remove_file(&keys).unwrap();
    let now = SystemClock.now();
    drop(crate::secrets::rotate_keys(folder.path(), now).unwrap());
    let refused = context(&folder).await.unwrap_err().to_string();
    assert!(refused.contains("generation 1 is another key"), "{refused}");

    fs::write(&keys, &own).unwrap();
    drop(crate::secrets::rotate_keys(folder.path(), now).unwrap());
    let rotated = context(&folder).await.unwrap();
    rotated.close().await;
    fs::write(&keys, own).unwrap();
    let refused = context(&folder).await.unwrap_err().to_string();
    assert!(refused.contains("lacks generation 2"), "{refused}");

    let opened = AdminContext::open_to_accept(&config(folder.path())).await;
    let (opened, secrets) = opened.unwrap();
    assert!(!secrets.are_those_of_the_store().await.unwrap());
    secrets.accept().await.unwrap();
    assert!(secrets.are_those_of_the_store().await.unwrap());
    opened.close().await;
    let context = context(&folder).await.unwrap();
    let let_in = context.gateway.authenticate(id.as_str(), &key).await;
    assert_eq!(let_in.unwrap().account.id, id);
    context.close().await;
}

#[tokio::test]
async fn one_reference_is_paid_in_once() {
    let (folder, id, _) = folder_with_account().await;
    let context = context(&folder).await.unwrap();
    let funding = Funding {
        account: id.clone(),
        reference: MerchantReference::parse("bank-1").unwrap(),
        amount: Money::from_minor(5000, Currency::Ngn),
        narration: "Funding".into(),
        at: context.now(),
    };
    let fund = || context.ledger.commit(ChangeSet::Fund(funding.clone()));
    assert_eq!(fund().await.unwrap(), CommitOutcome::Done);
    assert!(matches!(
        fund().await.unwrap(),
        CommitOutcome::FundingTaken(_)
    ));
    let wallets = context.transactions.wallets(&id).await.unwrap();
    let balances: Vec<_> = wallets.iter().map(|it| it.available.to_string()).collect();
    assert_eq!(balances, ["1,000,050.00", "0.00"]);
    context.close().await;
}

#[tokio::test]
async fn a_folder_that_was_only_funded_passes_every_check() {
    let (folder, ..) = folder_with_account().await;
    let context = context(&folder).await.unwrap();
    assert_eq!(context.serving().await.unwrap(), Serving::No);
    let mut checks = context
        .audit
        .audit(context.now(), Serving::No)
        .await
        .unwrap();
    let books = context.ledger_and_journal(Serving::No).await.unwrap();
    checks.push(provider_reconciliation::compare(&books.unwrap()));
    checks.extend(context.operators.audit(context.now()).await.unwrap());
    for check in checks {
        assert!(
            !matches!(check.outcome, CheckOutcome::Broken { .. }),
            "{check:?}"
        );
    }
    context.close().await;
}

/// A permit for what no gateway ever opened.
#[derive(Debug)]
struct Permitted;

#[async_trait::async_trait]
impl SendPermit for Permitted {
    async fn ask(&self) -> Result<Granted, Withheld> {
        let clock = Arc::new(SystemClock);
        Ok(Granted::until(clock, std::time::Duration::MAX))
    }
}

#[tokio::test]
async fn a_provider_journal_that_knows_what_we_do_not_is_found() {
    let (folder, ..) = folder_with_account().await;
    let path = folder.path().join("sandbox.journal");
    let settings = SimSettings::default();
    let sandbox = Simulator::open(&path, settings, Arc::new(SystemClock)).unwrap();
    let submission = domain::provider::Submission {
        reference: domain::reference::ProviderReference::from_echo("shop.stray.1"),
        adapter_state: None,
        started_at: SystemClock.now(),
        order: domain::order::Order::Airtime(domain::airtime::AirtimeOrder {
            country: domain::country::CountryCode::NIGERIA,
            number: domain::phone::PhoneNumber::parse("2348031234567").unwrap(),
            billing: domain::billing::Billing::Prepaid,
            network_code: "mtn".into(),
            network_brandname: "MTN".into(),
            amount: Money::from_minor(10_000, Currency::Ngn),
        }),
        deadline: std::time::Duration::from_secs(1),
        not_after: SystemClock.now().plus(std::time::Duration::from_secs(1)),
    };
    sandbox.submit(&submission, &Permitted).await;

    let context = context(&folder).await.unwrap();
    let check = provider_reconciliation::compare(
        &context
            .ledger_and_journal(Serving::No)
            .await
            .unwrap()
            .unwrap(),
    );
    context.close().await;
    let CheckOutcome::Broken { offences } = check.outcome else {
        panic!("{check:?}");
    };
    assert_eq!(
        offences,
        ["shop.stray.1: in the provider's journal (delivered), not in ours"]
    );
}
